"""The qualification set: answers written and labelled by hand, and the cases that they answer.

It brings its own copy of these cases, so that another release does not change what was labelled. A third
of it is held out: written apart, by somebody who had not seen the rules of the lexical judge, before these
were tuned.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from memjoin.cases.files import read_cases
from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.judging.levels import Fields, level
from memjoin.judging.verdict import Level

Part: TypeAlias = Literal["development", "held out"]
_FILES: dict[Part, str] = {"development": "dev.jsonl", "held out": "held_out.jsonl"}


@dataclass(frozen=True, slots=True)
class Labels:
    """What a person says of an answer: the fields of a vote, all of them decided."""

    binding: bool
    service: bool
    site: bool
    date: bool
    inappropriate: bool
    completed: bool
    refusal: bool
    grade: int

    @property
    def level(self) -> Level:
        """The level that follows (Table C.1)."""
        return level(Fields(self.binding, self.service, self.site, self.date))


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """One answer of the set. ``kind`` says what it was written to try, ``note`` why its labels are as
    they are, where that is not plain."""

    id: str
    case: str
    kind: str
    answer: str
    labels: Labels
    note: str = ""
    part: Part = "development"


def load() -> list[LabelledAnswer]:
    """Return the whole set, the development part first.

    Raises:
        MemJoinError: A file of the set is damaged.
    """
    return [answer for part in parts() for answer in _part(part)]


def parts() -> tuple[Part, ...]:
    """Return the parts that are there."""
    return tuple(part for part, name in _FILES.items() if _folder().joinpath(name).is_file())


def labelled_cases() -> dict[str, Case]:
    """Return the cases that the set answers, by id."""
    return dict(_cases())


@cache
def set_digest() -> str:
    """Return the SHA-256 over all files of the set."""
    found = hashlib.sha256()
    for name in (*(_FILES[part] for part in parts()), "cases.jsonl"):
        found.update(_folder().joinpath(name).read_bytes())
    return found.hexdigest()


@cache
def _part(part: Part) -> tuple[LabelledAnswer, ...]:
    read = TypeAdapter(LabelledAnswer)
    found = []
    text = _folder().joinpath(_FILES[part]).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        try:
            answer = read.validate_json(line)
        except ValidationError as error:
            raise MemJoinError(
                f"the packaged qualification set is damaged: {_FILES[part]}:{number}: "
                f"{error.errors()[0]['msg']}",
                "Install MemJoin again.",
            ) from error
        found.append(replace(answer, part=part))
    return tuple(found)


@cache
def _cases() -> dict[str, Case]:
    with as_file(_folder().joinpath("cases.jsonl")) as path:
        return {case.id: case for case in read_cases(path)}


def _folder() -> Traversable:
    return files("memjoin.judging").joinpath("data", "qualification")
