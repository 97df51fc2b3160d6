"""What a case states, as a table to look statements up in.

The reading takes from text what the text ties together, and looks each tie up here. A tie that the case
makes, itself or by another name of the same thing, is a statement with a place in the order of sessions;
whatever else a text says about these people and places is no part of the relation and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from memjoin.text.graph import Attribute, AttributeKind, Classes, Handle, Same, Statement

_Values: TypeAlias = dict[AttributeKind, dict[str, int]]


class Placed(NamedTuple):
    """A statement and its place in the order in which the case makes its statements."""

    place: int
    statement: Statement


class Outright(NamedTuple):
    """A value tied to a person without an entry: 'Priya Raman has it at Northgate Annex'.

    ``entry`` stands for the one of the person's entries that it is true of, so that what is said of two
    appointments of one person is not mixed.
    """

    person: str
    entry: Handle
    holder_place: int
    kind: AttributeKind
    value: str
    place: int


class Known:
    """The statements of a case, closed under what its ``Same`` statements merge.

    Args:
        remarks: The statements of each remark, remarks in session order.
    """

    def __init__(self, remarks: Iterable[Sequence[Statement]]) -> None:
        self.remarks: list[tuple[Placed, ...]] = []
        """The statements of each remark. One that is made twice has two places here."""
        self.places: dict[Statement, int] = {}
        """Each statement's latest place."""
        self.classes = Classes()
        place = 0
        for statements in remarks:
            placed = tuple(Placed(place + offset, statement) for offset, statement in enumerate(statements))
            place += len(placed)
            self.remarks.append(placed)
            for at, statement in placed:
                self.places[statement] = at
                if isinstance(statement, Same):
                    self.classes.merge(statement.a, statement.b)
        self.superseded: set[int] = set()
        """The places of attributes that a later statement about the same thing replaces."""
        latest: dict[tuple[Handle, AttributeKind], int] = {}
        for at, statement in (placed for remark in self.remarks for placed in remark):
            if isinstance(statement, Attribute):
                key = self.classes.root(statement.on), statement.kind
                if key in latest:
                    self.superseded.add(latest[key])
                latest[key] = at
        self._attributes: dict[Handle, _Values] = {}
        for statement, at in self.places.items():
            if isinstance(statement, Attribute):
                of = self._attributes.setdefault(self.classes.root(statement.on), {})
                of.setdefault(statement.kind, {})[self._root_value(statement.kind, statement.value)] = at
        self._reach_through_values()
        self._held: dict[str, list[tuple[Handle, int]]] = {}
        for root, of in self._attributes.items():
            for person, at in of.get("holder", {}).items():
                self._held.setdefault(person, []).append((root, at))

    def place(self, kind: AttributeKind, on: Handle, value: str) -> int | None:
        """Return the place of an attribute if the case states it of this handle or another name of it.

        An entry also has what hangs on a site or date that is, or was, its own.
        """
        exact = self.places.get(Attribute(kind, on, value))
        if exact is not None:
            return exact
        of = self._attributes.get(self.classes.root(on))
        return None if of is None else of.get(kind, {}).get(self._root_value(kind, value))

    def same(self, a: Handle, b: Handle) -> bool:
        """Tell whether the case says that two handles name one thing."""
        return a.type == b.type and self.classes.root(a) == self.classes.root(b)

    def outright(self, kind: AttributeKind, person: str, value: str) -> list[Outright]:
        """Return what tying a value to a person says of the person's entries; nothing if it is not so."""
        return [
            Outright(person, entry, holder_place, kind, value, place)
            for entry, holder_place in self._held.get(self._root_value("holder", person), ())
            if (place := self._attributes[entry].get(kind, {}).get(value)) is not None
        ]

    def entries_with(self, person: str, values: Mapping[AttributeKind, str]) -> tuple[Handle, ...]:
        """Return every handle of the entries that at some time are a person's and have all these values."""
        roots = [
            entry
            for entry, _ in self._held.get(self._root_value("holder", person), ())
            if all(value in self._attributes[entry].get(kind, ()) for kind, value in values.items())
        ]
        handles = {end for statement in self.places for end in _handles(statement)}
        return tuple(sorted((h for h in handles if self.classes.root(h) in roots), key=lambda h: h.name))

    def hangs_on(self, value: Handle) -> bool:
        """Tell whether the case uses a site or date as a handle."""
        return value in self._attributes

    def _root_value(self, kind: AttributeKind, value: str) -> str:
        return self.classes.root(Handle("person", value)).name if kind == "holder" else value

    def _reach_through_values(self) -> None:
        entries = [of for root, of in self._attributes.items() if root.type == "entry"]
        for _ in range(2):  # a date may give the site, and that site the service
            for of in entries:
                reached = [
                    self._attributes.get(self.classes.root(Handle(kind, value)), {})
                    for kind in _VALUE_HANDLES
                    for value in of.get(kind, ())
                ]
                for values in reached:
                    for kind, places in values.items():
                        own = of.setdefault(kind, {})
                        for value, place in places.items():
                            own.setdefault(value, place)


def _handles(statement: Statement) -> tuple[Handle, ...]:
    return (statement.on,) if isinstance(statement, Attribute) else (statement.a, statement.b)


_VALUE_HANDLES: tuple[Literal["site", "date"], ...] = ("site", "date")
