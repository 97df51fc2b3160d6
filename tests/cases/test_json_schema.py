"""The published JSON schema says what the reader takes, and nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from memjoin.cases import release
from memjoin.cases.files import read_line, to_plain
from memjoin.cases.json_schema import made, published
from memjoin.errors import MemJoinError


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads(published())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_published_file_is_what_the_types_give() -> None:
    assert published() == made(), "write it anew: memjoin.cases.json_schema.made()"


def test_every_released_case_is_valid(validator: Draft202012Validator) -> None:
    for case in release.load():
        assert validator.is_valid(to_plain(case)), case.id


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("id",), "../x"),
        (("id",), 7),
        (("colour",), "red"),
        (("configuration",), "XX"),
        (("sessions",), {}),
        (("sessions", 0, "id"), ""),
        (("sessions", 0, "turns", 0, "speaker"), "cat"),
        (("sessions", 0, "turns", 0, "text"), "\x1b[2J"),
        (("sessions", 0, "turns", 0, "text"), None),
        (("annotation", "values", 0), ["site"]),
        (("annotation", "values", 0), ["site", {"canonical": "a", "forms": []}, 3]),
        (("annotation", "clues", 0, "decoy"), 1),
        (("annotation", "clues", 0, "sentences", 0), [1, 2, 3]),
        (("annotation", "clues", 0, "statements", 0), {}),
        (("annotation", "clues", 0, "statements", 0, "kind"), "colour"),
        (("annotation", "stratum"), "none"),
    ],
)
def test_reader_and_schema_refuse_the_same(
    validator: Draft202012Validator, path: tuple[Any, ...], value: Any
) -> None:
    plain = copy.deepcopy(to_plain(release.load()[0]))
    assert validator.is_valid(plain)
    assert read_line(json.dumps(plain), "here")
    place = plain
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not validator.is_valid(plain)
    with pytest.raises(MemJoinError):
        read_line(json.dumps(plain), "here")


@pytest.mark.parametrize("field", ["task", "annotation", "id"])
def test_reader_and_schema_miss_the_same(validator: Draft202012Validator, field: str) -> None:
    plain = to_plain(release.load()[0])
    del plain[field]
    assert not validator.is_valid(plain)
    with pytest.raises(MemJoinError, match=f"the field '{field}' is missing"):
        read_line(json.dumps(plain), "here")


def test_what_has_a_default_may_be_left_out(validator: Draft202012Validator) -> None:
    plain = to_plain(release.load()[0])
    for clue in plain["annotation"]["clues"]:
        if not clue["decoy"]:
            del clue["decoy"]
    assert validator.is_valid(plain)
    assert read_line(json.dumps(plain), "here") == release.load()[0]
