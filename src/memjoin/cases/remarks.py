"""Remarks as plans have them: what each one states, and what is said in one go in the turn of a step.

All of it is worked out once for each plan, by variables. What differs from case to case is what those stand
for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.cases.kinds import KINDS, SLOT_TYPES, Kind
from memjoin.cases.surface import Surface
from memjoin.text.graph import Attribute, AttributeKind, Same, Statement
from memjoin.text.record import maker

EdgeKind: TypeAlias = AttributeKind | Literal["same"]

_make_attribute, _make_same = maker(Attribute), maker(Same)

_VALUES = ("service", "site", "date")
_PERSON_SLOTS = frozenset(("who", "old_who"))


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark of a plan: its kind, and the variable that each slot stands for."""

    kind: Kind
    slots: Mapping[str, str]
    edges: tuple[tuple[EdgeKind, str, str], ...]
    """What it states, by variables: ``same(a, b)`` or an attribute ``kind(on, value)``."""

    @classmethod
    def of(cls, kind: Kind, slots: Mapping[str, str]) -> Remark:
        """Return a remark of a kind, given the variable of each slot."""
        return cls(
            kind, slots, tuple([(edge.kind, slots[edge.on], slots[edge.value]) for edge in kind.edges])
        )

    def statements(self, surfaces: Mapping[str, Surface]) -> tuple[Statement, ...]:
        """Return what the remark states, given what the variables stand for."""
        stated: list[Statement] = []
        for kind, on, value in self.edges:
            handle = surfaces[on].handle
            if handle is None:
                raise ValueError(f"a service is no handle: {self.kind.name}")
            if kind != "same":
                stated.append(_make_attribute(kind, handle, surfaces[value].name))
            elif (other := surfaces[value].handle) is not None:
                stated.append(_make_same(handle, other))
        return tuple(stated)


@dataclass(frozen=True, slots=True)
class Half:
    """A remark's part in a sentence, which it may share with another remark."""

    remark: Remark
    decoy: bool
    places: tuple[tuple[str, str, bool, bool], ...]
    """(slot as the wording has it, variable, whether it names an entry, whether it names a value), slot by
    slot. Values are services, sites and dates."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What is said in one go: a remark by itself, or a clue and its decoy in one sentence."""

    kind: str
    """The kind of its wordings."""
    halves: tuple[Half, ...]
    fills: tuple[tuple[str, str, bool], ...]
    """(slot as the wording has it, variable, whether a person is named by it), in the order of drawing."""
    entry: str | None
    """The entry whose noun the wording may use."""

    @classmethod
    def of(cls, *parts: tuple[Remark, bool]) -> Utterance:
        """Return what one or two remarks say; the bool of each tells whether it is a decoy."""
        halves, fills = [], []
        for number, (remark, decoy) in enumerate(parts):
            prefix = "other_" if number else ""
            slots = [(prefix + slot, slot, variable) for slot, variable in remark.slots.items()]
            fills += [(name, variable, slot in _PERSON_SLOTS) for name, slot, variable in slots]
            places = [
                (name, variable, SLOT_TYPES[slot] == "entry", SLOT_TYPES[slot] in _VALUES)
                for name, slot, variable in slots
            ]
            halves.append(Half(remark, decoy, tuple(places)))
        first = parts[0][0]
        kind = first.kind.name if len(parts) == 1 else pair_of(first.kind)
        return cls(kind, tuple(halves), tuple(fills), first.slots.get("entry"))


@dataclass(frozen=True, slots=True)
class Step:
    """A clue session of a plan: the clue, and the decoy that goes with it, if any."""

    clue: Remark
    decoy: Remark | None
    alone: tuple[Utterance, ...]
    """The clue and the decoy, each said by itself."""
    paired: tuple[Utterance, ...]
    """Both in one sentence, the clue first and the decoy first; nothing where their kind has no pair."""

    @classmethod
    def of(cls, clue: Remark, decoy: Remark | None) -> Step:
        """Return a step with all that may be said in its turn."""
        ours = clue, False
        if decoy is None:
            return cls(clue, None, (Utterance.of(ours),), ())
        theirs = decoy, True
        pairs = decoy.kind is clue.kind and pair_of(clue.kind) in KINDS
        paired = (Utterance.of(ours, theirs), Utterance.of(theirs, ours)) if pairs else ()
        return cls(clue, decoy, (Utterance.of(ours), Utterance.of(theirs)), paired)


def pair_of(kind: Kind) -> str:
    """Return the name of the kind whose wordings say two remarks of a kind at once, if there are any."""
    return f"{kind.name}-pair"
