"""What all families share: people, small talk, wordings of remarks, asides and closing words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from memjoin.cases.family import Exchange, read_asides, read_remarks
from memjoin.cases.kinds import KINDS
from memjoin.cases.lint import check_plain
from memjoin.cases.schema import Speaker, Turn
from memjoin.cases.templates import FEW, Template
from memjoin.cases.yamlfile import Place, load_file

WORDINGS = 8
"""How many wordings of each kind of remark the pool must hold at least."""


@dataclass(frozen=True, slots=True)
class Culture:
    """Given and family names that go together."""

    given: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SmallTalk:
    """An exchange that is the same whoever has it: all readings of both turns, made once for all cases.

    One is equal to itself alone, so that a set of them costs nothing.
    """

    user: tuple[Turn, ...]
    assistant: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """The shared pool."""

    topics: Mapping[str, tuple[SmallTalk, ...]]
    cultures: tuple[Culture, ...]
    aliases: tuple[str, ...]
    slots: tuple[str, ...]
    remarks: Mapping[str, tuple[Template, ...]]
    asides: tuple[Exchange, ...]
    closers: tuple[tuple[Turn, ...], ...]


@cache
def load_pool() -> Pool:
    """Return the pool that comes with MemJoin.

    Raises:
        MemJoinError: One of its files breaks its form.
    """
    with resources.as_file(resources.files("memjoin.cases").joinpath("data")) as folder:
        return read_pool(folder)


def read_pool(folder: Path) -> Pool:
    """Read a pool from ``smalltalk.yaml``, ``people.yaml`` and ``remarks.yaml`` in a folder.

    Raises:
        MemJoinError: A file is missing or breaks its form; the message names file, line and place.
    """
    talk = load_file(folder / "smalltalk.yaml")
    people = load_file(folder / "people.yaml")
    shared = load_file(folder / "remarks.yaml")
    remarks = read_remarks(shared.at("remarks"), ())
    for name in KINDS:
        if len(remarks.get(name, ())) < WORDINGS:
            raise shared.at("remarks").error(f"fewer than {WORDINGS} wordings of '{name}'")
    closers = shared.at("closers")
    closers.texts(4)  # at least so many, all different
    return Pool(
        topics=_topics(talk.at("topics")),
        cultures=tuple(
            Culture(culture.at("given").texts(12), culture.at("family").texts(12))
            for _, culture in people.at("cultures").items()
        ),
        aliases=people.at("aliases").texts(60),
        slots=people.at("slots").texts(60),
        remarks=remarks,
        asides=read_asides(shared.at("asides"), 8, ()),
        closers=tuple(_turns("user", closer) for closer in closers.entries()),
    )


def _topics(place: Place) -> dict[str, tuple[SmallTalk, ...]]:
    topics: dict[str, tuple[SmallTalk, ...]] = {}
    for topic in place.entries():
        topic.mapping({"name", "pairs"})
        name = topic.at("name").text()
        if name in topics:
            raise topic.error(f"the topic '{name}' is there twice")
        topics[name] = tuple(_pair(pair) for pair in topic.at("pairs").entries(1))
    return topics


def _pair(place: Place) -> SmallTalk:
    place.mapping({"user", "assistant"})
    return SmallTalk(_turns("user", place.at("user")), _turns("assistant", place.at("assistant")))


def _turns(speaker: Speaker, place: Place) -> tuple[Turn, ...]:
    """Read a turn of small talk, in all its readings."""
    check_plain(place)
    texts = place.template().texts
    if not texts:
        raise place.error(f"more than {FEW} readings; offer fewer choices")
    return tuple(Turn(speaker, text) for text in texts)
