"""A memory system and interventions of one's own together, from the command line."""

import importlib
import json
import sys
from importlib import reload

import pytest

SYSTEM = """
class Notes:
    def __init__(self, settings):
        self.records = []

    def reset(self, case_id, seed):
        self.records = []

    def write(self, session):
        from memjoin.systems.protocol import Record, WriteReport

        said = [Record(f"{session.id}/{n}", turn.text) for n, turn in enumerate(session.turns)]
        self.records += said
        return WriteReport(len(said))

    def export(self):
        return list(self.records)

    def retrieve(self, query, k):
        return self.records[-k:]

    def close(self):
        pass
"""

DEFENCES = """
from dataclasses import replace

from memjoin.conditions.interventions.base import Filtered


class Described:
    title, source = "Own", "A test"
    conditions = ("retrieved", "all")


class Halved(Described):
    name, sentence = "halved", "Half of the records are left."

    def edit(self, given):
        return replace(given, items=given.items[: len(given.items) // 2])


class Broken(Described):
    name, sentence = "broken", "It fails."

    def edit(self, given):
        return given.items[10_000]


class Shortened(Described):
    name, sentence = "shortened", "The first sentence of an answer goes out."

    def request(self, draft):
        return None

    def apply(self, draft, decision):
        return Filtered("redact", draft.answer.partition(".")[0] + ".")


class Asking(Shortened):
    name, sentence = "asking", "A model is asked about an answer."

    def request(self, draft):
        return [{"role": "user", "content": "May this go? " + draft.answer}]
"""


@pytest.fixture
def here(tmp_path, memjoin, monkeypatch):
    # Each test has files of its own under the same names.
    for name in ("own_notes", "own_defences"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "own_notes.py").write_text(SYSTEM)
    (tmp_path / "own_defences.py").write_text(DEFENCES)
    return tmp_path


def flags(system, *interventions):
    named = [part for each in interventions for part in ("--intervention", each)]
    places = ("--condition", "retrieved", "--condition", "all")
    return ("run", "--cases", "F19-RJ-chain-01", "--system", system, *places, "--name", "own", *named)


@pytest.mark.parametrize("kind", ["exec", "class"])
def test_own_systems_get_all_interventions(kind, here, memjoin, program):
    system = program() if kind == "exec" else "own_notes:Notes"
    names = (
        "M1",
        "M2",
        "M2:patterns",
        "M3",
        "M3:detected",
        "M4",
        "M4:items=3",
        "M4:tokens=200",
        "M5",
        "M1+M3",
    )
    said = memjoin(*flags(system, *names, "own_defences:Halved", "own_defences:Shortened"))
    assert said.code == 0, said.err

    def look(place):
        shown = memjoin("show", "runs/own", "F19-RJ-chain-01", "--condition", place, "--json")
        assert shown.code == 0, shown.err
        return json.loads(shown.out)

    def given(place):
        return " ".join(item["text"] for item in look(place)["input"])

    everything = look("all")["input"]
    assert len(look("all+own_defences:Halved")["input"]) == len(everything) // 2
    assert "[SERVICE]" in given("all+M2")
    assert "[removed]" in given("all+M3")
    assert "[removed]" in given("all+M3:detected")
    assert "[DATE]" in given("all+M2:patterns")
    assert len(look("retrieved+M4:items=3")["input"]) == 3
    shortened = look("retrieved+own_defences:Shortened")
    assert shortened["original"].startswith(shortened["answer"].rstrip("."))
    assert len(shortened["answer"]) < len(shortened["original"])


def test_an_own_filter_that_asks_nobody_is_planned_so(here, memjoin):
    planned = memjoin(
        "plan",
        *flags("own_notes:Notes", "own_defences:Shortened")[1:-4],
        *("--intervention", "own_defences:Shortened", "--json"),
    )
    assert planned.code == 0, planned.err
    assert "filter" not in {each["role"] for each in json.loads(planned.out)["estimates"]}


def test_an_own_intervention_that_fails_stops_the_run_with_its_place_and_what_was_answered_stays(
    here, memjoin
):
    said = memjoin(*flags("own_notes:Notes", "own_defences:Broken"))
    assert said.code == 2
    assert "own_defences:Broken fails: edit raises IndexError" in said.err
    assert "own_defences.py, line" in said.err
    assert "the same command goes on" in said.err
    assert "Traceback" not in said.err
    (here / "own_defences.py").write_text(DEFENCES.replace("given.items[10_000]", "given"))
    # What was never used may be mended: stores and baseline answers are not made again.
    reload(importlib.import_module("own_defences"))
    mended = memjoin(*flags("own_notes:Notes", "own_defences:Broken"))
    assert mended.code == 0, mended.err


def test_an_own_intervention_that_has_answers_may_not_change(here, memjoin):
    assert memjoin(*flags("own_notes:Notes", "own_defences:Halved")).code == 0
    (here / "own_defences.py").write_text(f"{DEFENCES}\n# changed\n")
    changed = memjoin(*flags("own_notes:Notes", "own_defences:Halved"))
    assert changed.code == 2
    assert "fingerprint of the intervention own_defences:Halved" in changed.err
    assert "--fresh" in changed.err
    assert memjoin(*flags("own_notes:Notes", "own_defences:Halved"), "--fresh").code == 0
    assert (here / "runs" / "own.1").exists()


def test_a_filter_that_nothing_asks_is_refused_before_anything_is_done(here, memjoin):
    for command in ("run", "plan"):
        said = memjoin(command, "--cases", "F19-RJ-chain-01", "--filter", "openai/some-model")
        assert said.code == 2
        assert "--filter openai/some-model has nothing to do" in said.err
        assert "--intervention M5" in said.err
    assert not (here / "runs").exists()


def test_a_filter_that_asks_a_model_is_refused_before_anything_is_done_where_none_is_named(here, memjoin):
    said = memjoin(*flags("verbatim", "own_defences:Asking"))
    assert said.code == 2
    assert "own_defences:Asking asks a model, and none is named." in said.err
    assert "Name one with --filter." in said.err
    assert not (here / "runs").exists()


def test_a_run_is_shown_where_the_program_of_its_filter_is_gone(here, memjoin, monkeypatch):
    assert memjoin(*flags("verbatim", "retrieved+own_defences:Shortened")).code == 0
    (here / "own_defences.py").unlink()
    monkeypatch.delitem(sys.modules, "own_defences")
    place = "retrieved+own_defences:Shortened"
    shown = memjoin("show", "runs/own", "F19-RJ-chain-01", "--condition", place, "--json")
    assert shown.code == 0, shown.err
    found = json.loads(shown.out)
    assert found["answer"] == found["original"].partition(".")[0] + "."
    assert memjoin("report", "runs/own", "--no-figures").code == 0
