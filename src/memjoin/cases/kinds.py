"""The kinds of remark that clues are made of: the slots their wordings fill and what they state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from memjoin.text.graph import AttributeKind

WORDS = frozenset({"noun", "roster", "board"})
"""Slots for words of the family: what carries an entry's name, where aliases and entries stand."""

SlotType: TypeAlias = Literal["person", "entry", "site", "date", "service"]

SLOT_TYPES: dict[str, SlotType] = {
    "who": "person",
    "old_who": "person",
    "alias": "person",
    "entry": "entry",
    "new": "entry",
    "site": "site",
    "old_site": "site",
    "date": "date",
    "old_date": "date",
    "service": "service",
}
"""What the slots of a remark name. ``other_`` before a slot is the same of the pair's second entry."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One statement of a remark, by slots: ``same(a, b)`` or an attribute ``kind(on, value)``."""

    kind: Literal["same", "holder", "site", "date", "service"]
    on: str
    value: str


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of remark: what it says, the slots its wordings must fill and those they may fill."""

    name: str
    says: str
    needs: frozenset[str]
    may: frozenset[str]
    edges: tuple[Edge, ...]
    pair: bool = False
    """Whether a second entry's slots, ``other_...``, state the same edges once more."""

    @property
    def apart(self) -> tuple[str, str] | None:
        """Two slots that must stand in different sentences: handles of one entry that it does not join."""
        both = "entry" in self.needs and "new" in self.needs
        return ("entry", "new") if both and all(edge.kind != "same" for edge in self.edges) else None


def _kinds(*rows: tuple[str, str, str, str, str]) -> dict[str, Kind]:
    made = {}
    for name, says, needs, may, states in rows:
        edges = []
        for edge in states.split(", "):
            kind, on, value = edge.split()
            edges.append(Edge(cast(AttributeKind, kind), on, value))
        needed = frozenset(needs.split())
        words = WORDS if "entry" in needed else WORDS - {"noun"}
        made[name] = Kind(name, says, needed, words | set(may.split()), tuple(edges))
    return made


def _pairs(kinds: Mapping[str, Kind], names: Mapping[str, str]) -> dict[str, Kind]:
    pairs = {}
    for name, says in names.items():
        kind = kinds[name]
        needs = kind.needs | {f"other_{slot}" for slot in kind.needs}
        pairs[f"{name}-pair"] = Kind(f"{name}-pair", says, needs, kind.may, kind.edges, pair=True)
    return pairs


# Each row: name, what it says, slots it needs, slots it may use beyond the family's words, what it states.
KINDS: dict[str, Kind] = _kinds(
    ("alias", "a person goes by an alias", "who alias", "", "same who alias"),
    ("holder", "an entry belongs to a person or an alias", "who entry", "", "holder entry who"),
    ("site", "an entry is at a site", "entry site", "", "site entry site"),
    ("service", "an entry is for a service", "entry service", "", "service entry service"),
    ("date", "an entry is on a date", "entry date", "", "date entry date"),
    ("renamed", "an entry known by a code now goes under another", "entry new", "", "same entry new"),
    (
        "service-date",
        "an entry is for a service, on a date",
        "entry service date",
        "",
        "service entry service, date entry date",
    ),
    (
        "site-date",
        "an entry is at a site, on a date",
        "entry site date",
        "",
        "site entry site, date entry date",
    ),
    (
        "site-service",
        "an entry is for a service, at a site",
        "entry site service",
        "",
        "site entry site, service entry service",
    ),
    ("date-at-site", "what is at a site is on a date", "site date", "", "date site date"),
    ("service-at-site", "what is at a site is a service", "site service", "", "service site service"),
    ("site-on-date", "what is on a date is at a site", "date site", "", "site date site"),
    ("service-on-date", "what is on a date is a service", "date service", "", "service date service"),
    ("listed", "an entry of the board belongs to a person", "who entry", "", "holder entry who"),
    ("renumbered", "an entry of the board has another number now", "entry new", "", "same entry new"),
    (
        "booked",
        "a new entry: a person, a site, a date",
        "who entry site date",
        "",
        "holder entry who, site entry site, date entry date",
    ),
    (
        "booked-date",
        "a new entry: a person, a date",
        "who entry date",
        "",
        "holder entry who, date entry date",
    ),
    (
        "booked-service",
        "a new entry: a person, a service",
        "who entry service",
        "",
        "holder entry who, service entry service",
    ),
    ("filled-site", "the blank place of an entry is filled", "entry site", "", "site entry site"),
    (
        "filled-service",
        "the blank purpose of an entry is filled",
        "entry service",
        "",
        "service entry service",
    ),
    ("filled-date", "the blank day of an entry is filled", "entry date", "", "date entry date"),
    ("moved-site", "an entry is now at another site", "entry site", "old_site", "site entry site"),
    ("moved-date", "an entry is now on another date", "entry date", "old_date", "date entry date"),
    ("moved-holder", "an entry now belongs to another person", "entry who", "old_who", "holder entry who"),
    ("slot-holder", "the user names a slot for something of a person's", "who entry", "", "holder entry who"),
    ("slot-site", "the slot spoken of before is at a site", "entry site", "", "site entry site"),
    (
        "slot-service",
        "the slot spoken of before is for a service",
        "entry service",
        "",
        "service entry service",
    ),
    ("slot-date", "the slot spoken of before is on a date", "entry date", "", "date entry date"),
    ("slot-renamed", "the slot spoken of before has a code elsewhere", "entry new", "", "same entry new"),
    (
        "slot-date-site",
        "the slot is on a date; its code is at a site",
        "entry date new site",
        "",
        "date entry date, site new site",
    ),
)
KINDS |= _pairs(
    KINDS,
    {
        "alias": "two people and their two aliases",
        "holder": "two entries and the two people they belong to",
        "site": "two entries and their two sites",
        "service": "two entries and their two services",
        "date": "two entries and their two dates",
    },
)
