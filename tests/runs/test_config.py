"""A run's configuration: its hash, its JSON, and how two differ."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.runs.config import RunConfig, difference, from_plain

CONFIG = RunConfig(
    dataset="v1-rc",
    dataset_sha256="a" * 64,
    cases=("F04-RJ-chain-01", "F19-WM-slot-01"),
    systems=("verbatim", "mem0"),
    conditions=("retrieved", "history"),
    trials=1,
    writer="embedded",
    reader="embedded",
    judges=("embedded",),
    embedder="embedded",
    k=10,
    seed=0,
    temperature=0.7,
    fingerprints=(("memjoin", "0.1.0"), ("the system mem0", "b" * 64)),
)
CHANGES = {
    "dataset": "v2",
    "dataset_sha256": "c" * 64,
    "cases": ("F04-RJ-chain-01",),
    "systems": ("mem0", "verbatim"),
    "conditions": ("retrieved",),
    "trials": 3,
    "writer": "openai/some",
    "reader": "openai/some",
    "judges": ("openai/a", "openai/b"),
    "embedder": "openai/some",
    "k": 5,
    "seed": 1,
    "temperature": None,
    "fingerprints": (("memjoin", "0.2.0"), ("the system mem0", "b" * 64)),
    "interventions": ("retrieved+M1",),
    "filter": "embedded",
}


def test_json_gives_the_same_configuration_back():
    assert from_plain(json.loads(json.dumps(CONFIG.plain()))) == CONFIG


def test_the_hash_is_pinned():
    # Another value here means that runs of earlier versions cannot be resumed.
    assert CONFIG.hash == from_plain(CONFIG.plain()).hash
    assert CONFIG.hash.startswith("e587fbb9d7134540")


def test_every_field_has_a_change_here():
    assert CHANGES.keys() == {field.name for field in fields(RunConfig)}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_any_field_changes_the_hash_and_is_said_in_one_line(name):
    changed = replace(CONFIG, **{name: CHANGES[name]})
    assert changed.hash != CONFIG.hash
    [line] = difference(CONFIG.plain(), changed.plain())
    assert name in line or (name == "fingerprints" and "fingerprint of memjoin" in line)


def test_equal_configurations_do_not_differ():
    assert difference(CONFIG.plain(), CONFIG.plain()) == []


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("k", 5, "k: was 10, is 5"),
        ("systems", ("verbatim", "memorybank"), "systems: now without mem0 and with memorybank"),
        ("systems", ("mem0", "verbatim"), "systems: now in another order"),
        ("dataset_sha256", "c" * 64, "dataset_sha256: was aaaaaaaaaaaa…, is cccccccccccc…"),
        ("temperature", None, "temperature: was 0.7, is None"),
    ],
)
def test_differences_are_put_for_people(name, value, line):
    assert difference(CONFIG.plain(), replace(CONFIG, **{name: value}).plain()) == [line]


def test_long_lists_are_cut():
    many = replace(CONFIG, cases=tuple(f"case-{number}" for number in range(9)))
    [line] = difference(replace(CONFIG, cases=()).plain(), many.plain())
    assert line == "cases: now with case-0, case-1, case-2, case-3, case-4, case-5 and 3 more"


def test_a_field_that_another_version_did_not_have_is_a_difference():
    old = {name: value for name, value in CONFIG.plain().items() if name != "temperature"}
    assert difference(old, CONFIG.plain()) == ["temperature: was (none), is 0.7"]
    with pytest.raises(ValueError, match="temperature"):
        from_plain(old)


@given(st.permutations(sorted(CHANGES)))
def test_the_hash_does_not_depend_on_the_order_of_keys(order):
    values = CONFIG.plain()
    assert from_plain({name: values[name] for name in order if name in values}).hash == CONFIG.hash
