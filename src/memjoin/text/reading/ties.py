"""Ties: what a record was found to tie together, looked up in what the case states.

A tie that the case does not make binds the value all the same: it is said of that handle and so of no
other. It states nothing of the case, and is kept apart as foreign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from memjoin.text.graph import Attribute, AttributeKind, Handle, HandleType, Same
from memjoin.text.reading.known import Known, Outright, Placed
from memjoin.text.reading.surfaces import Mention

ValueKind: TypeAlias = Literal["site", "date", "service"]
SubjectKind: TypeAlias = Literal["entry", "person", "unknown"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What values are tied to. ``names`` are handles of one thing, of different things if ``listed``."""

    kind: SubjectKind
    names: tuple[str, ...]
    listed: bool = False


class Ties:
    """Collects the ties of one record. What is bound is kept by sentence: see ``begin_sentence``."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.statements: dict[Placed, None] = {}
        self.outright: dict[Outright, None] = {}
        self.foreign: set[Attribute] = set()
        """Attributes of entries that the text gives them and the case does not."""
        self._holders: dict[str, str] = {}
        self.bound: set[tuple[str, str]] = set()
        """(kind, value) of this sentence that are tied to something; ('holder', person) likewise."""
        self.filled: set[tuple[str, str]] = set()
        """(kind, entry) of this sentence whose value was found."""

        self.absorbed: set[tuple[ValueKind, str]] = set()
        """Values of this sentence that are tied to a redaction mark."""
        self._outright_here: set[str] = set()
        self._apart: set[tuple[ValueKind, str]] = set()

    def begin_sentence(self) -> None:
        """Forget what the last sentence bound; what it stated stays."""
        self.bound.clear()
        self.filled.clear()
        self.absorbed.clear()
        self._outright_here.clear()
        self._apart.clear()

    def accept(self, placed: Placed) -> None:
        """Take a statement of the case that stands in the text word for word."""
        self.statements[placed] = None
        statement = placed.statement
        if isinstance(statement, Attribute) and statement.kind == "holder":
            self._holders[statement.on.name] = statement.value

    def all_same(self, kind: SubjectKind, names: Sequence[str]) -> bool:
        """Tie handles that the case says are one thing, pair by pair. Returns whether all of them are."""
        if kind == "unknown" or not self.one_thing(kind, names):
            return False
        for a, b in combinations(dict.fromkeys(names), 2):
            self._same(Handle(kind, a), Handle(kind, b))
        return True

    def hold(self, entry: Subject, person: Subject) -> bool:
        """Tie an entry, or each entry of a list, to its holder; a list of people holds nothing.

        Returns:
            Whether the case makes such a tie.
        """
        if person.listed:
            return False
        found = False
        for name in entry.names:
            self.filled.add(("holder", name))
            for holder in person.names:
                self.bound.add(("holder", holder))
                if self._attribute("holder", Handle("entry", name), holder):
                    self._holders[name] = holder
                    found = True
        return found

    def tie(self, subject: Subject, values: Sequence[tuple[ValueKind, str]]) -> None:
        """Tie values to a subject. Things that are listed get one value of a kind each, or none (rule 6)."""
        for kind in ("site", "date", "service"):
            of_kind = list(dict.fromkeys(name for value_kind, name in values if value_kind == kind))
            if not of_kind or (subject.listed and len(of_kind) > 1):
                continue
            for value in of_kind:
                self.bound.add((kind, value))
                if subject.kind == "entry":
                    for entry in subject.names:
                        self.filled.add((kind, entry))
                        self._attribute(kind, Handle("entry", entry), value)
                elif subject.kind == "unknown":
                    self.absorbed.add((kind, value))
                else:
                    self._outright_here.update(subject.names)
                    for person in subject.names:
                        self.outright |= dict.fromkeys(self.known.outright(kind, person, value))

    def settle(self) -> None:
        """Give what was tied outright to people to the entries that the record, anywhere, ties them to."""
        for direct in self.outright:
            for entry in self.entries_of(direct.person):
                self._attribute(direct.kind, Handle("entry", entry), direct.value)

    def tie_value(self, on: Handle, values: Sequence[tuple[ValueKind, str]]) -> None:
        """Tie values to a site or date, where the case uses it as a handle and makes that tie."""
        for kind, value in values:
            if self._attribute(kind, on, value):
                self.bound |= {(on.type, on.name), (kind, value)}

    def entries_of(self, person: str) -> tuple[str, ...]:
        """Return the entries that the record tied to a person, if they are one thing."""
        one = Handle("person", person)
        entries = tuple(e for e, p in self._holders.items() if self.known.same(Handle("person", p), one))
        return entries if self.one_thing("entry", entries) else ()

    def holder_of(self, entries: Sequence[str]) -> tuple[str, ...]:
        """Return the person to whom the record tied one of these entries, if any."""
        return tuple(dict.fromkeys(self._holders[entry] for entry in entries if entry in self._holders))

    def set_apart(self, values: Sequence[tuple[ValueKind, str]]) -> None:
        """Note values of this sentence that are said of something of their own, and of no handle."""
        self._apart.update(values)

    def not_apart(self, values: Sequence[tuple[ValueKind, str]]) -> list[tuple[ValueKind, str]]:
        """Return the values that are not set apart."""
        return [value for value in values if value not in self._apart]

    @property
    def has_outright(self) -> bool:
        """Whether this sentence ties anything outright to a person."""
        return bool(self._outright_here)

    def is_tied(self, kind: Literal["person", "entry"], name: str) -> bool:
        """Tell whether this sentence says something of a handle: values, or that a person holds something."""
        if kind == "person":
            return ("holder", name) in self.bound or name in self._outright_here
        return any((value_kind, name) in self.filled for value_kind in ("site", "date", "service"))

    def case_has(self, entries: Sequence[str], kind: ValueKind, value: str) -> bool:
        """Tell whether the case gives one of these entries this value."""
        return any(self.known.place(kind, Handle("entry", entry), value) is not None for entry in entries)

    def case_holds(self, entries: Sequence[str], people: Sequence[str]) -> bool:
        """Tell whether the case gives one of these entries one of these holders."""
        return any(
            self.known.place("holder", Handle("entry", entry), person) is not None
            for entry in entries
            for person in people
        )

    def one_thing(self, kind: HandleType, names: Sequence[str]) -> bool:
        """Tell whether handles all name one thing."""
        return len({self.known.classes.root(Handle(kind, name)) for name in names}) <= 1

    def one_name(self, a: Mention, b: Mention) -> bool:
        """Tell whether two mentions are different handles of one person or entry."""
        if a.kind == "person" or a.kind == "entry":
            return a.kind == b.kind and self.one_thing(a.kind, (a.name, b.name))
        return False

    def states(self, statement: Attribute | Same) -> bool:
        """Tell whether the record was found to make a statement so far."""
        return any(placed.statement == statement for placed in self.statements)

    def _same(self, a: Handle, b: Handle) -> None:
        places = self.known.places
        stated = Same(b, a) if Same(b, a) in places else Same(a, b)
        self.statements[Placed(places.get(stated, 0), stated)] = None

    def _attribute(self, kind: AttributeKind, on: Handle, value: str) -> bool:
        place = self.known.place(kind, on, value)
        if place is None:
            if on.type == "entry":
                self.foreign.add(Attribute(kind, on, value))
            return False
        self.statements[Placed(place, Attribute(kind, on, value))] = None
        return True


def value_of(mention: Mention) -> tuple[ValueKind, str] | None:
    """Return (kind, canonical value) of a mention of a site, date or service, else None."""
    if mention.kind == "site" or mention.kind == "date" or mention.kind == "service":
        return mention.kind, mention.name
    return None
