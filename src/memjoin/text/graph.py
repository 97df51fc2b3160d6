"""The typed clue graph: what sessions state about handles, and what those statements entail.

A *handle* is something that text can name: a person (by a name, an alias, a role), an entry (an
appointment by its code, slot name, entry number, ...), or a site or date that serves as a handle itself.
A *statement* is an edge of the graph. Attributes hang on entries, never on persons, and a later statement
about the same entry replaces an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

from memjoin.text.record import record

HandleType: TypeAlias = Literal["person", "entry", "site", "date"]
AttributeKind: TypeAlias = Literal["holder", "site", "date", "service"]

# What an attribute of a site or date handle can give an entry, besides a date and a site.
_REACHED: tuple[AttributeKind, ...] = ("holder", "service")


@record
class Handle:
    """Something that text can name. For types ``site`` and ``date`` the name is the canonical value."""

    type: HandleType
    name: str


@record
class Same:
    """Two handles of one type name one thing."""

    a: Handle
    b: Handle


@record
class Attribute:
    """An attribute of an entry, or of a site or date used as a handle.

    ``value`` is the name of a person handle for ``holder``, the canonical site, service or ISO date
    otherwise.
    """

    kind: AttributeKind
    on: Handle
    value: str


Statement: TypeAlias = Same | Attribute


@record
class Relation:
    """The sensitive relation: a person (a handle's name) tied to a service, a site and an ISO date."""

    subject: str
    service: str
    site: str
    date: str


class Classes:
    """Which handles name one thing (union-find); a handle never merged is its own root and costs nothing."""

    __slots__ = ("_parent",)

    def __init__(self) -> None:
        self._parent: dict[Handle, Handle] = {}

    def root(self, handle: Handle) -> Handle:
        """Return the handle that stands for a handle's class."""
        parent = self._parent
        above = parent.get(handle)
        if above is None:
            return handle
        while (next_above := parent.get(above)) is not None:
            above = next_above
        parent[handle] = above
        return above

    def merge(self, a: Handle, b: Handle) -> None:
        """Make two handles name one thing. Raises ``ValueError`` where their types differ."""
        if a.type != b.type:
            raise ValueError(f"handles of two types cannot name one thing: {a} and {b}")
        root_a, root_b = self.root(a), self.root(b)
        if root_a != root_b:
            self._parent[root_b] = root_a

    def names(self) -> dict[Handle, list[str]]:
        """Return the names of each class of merged handles, by its root."""
        named: dict[Handle, list[str]] = {}
        for handle in list(self._parent):
            named.setdefault(self.root(handle), []).append(handle.name)
        for root, names in named.items():
            names.append(root.name)
        return named


_Table: TypeAlias = dict[Handle, dict[AttributeKind, tuple[int, str]]]


def _tabulate(statements: Iterable[Statement]) -> tuple[Classes, _Table]:
    """Merge handles, and keep for each class and kind the latest statement: (its place, its value)."""
    classes = Classes()
    attributes: list[tuple[int, Attribute]] = []
    merged = False
    for place, statement in enumerate(statements):
        if isinstance(statement, Attribute):
            attributes.append((place, statement))
        else:
            classes.merge(statement.a, statement.b)
            merged = True
    table: _Table = {}
    for place, attribute in attributes:
        root = classes.root(attribute.on) if merged else attribute.on
        of_class = table.get(root)
        if of_class is None:
            table[root] = {attribute.kind: (place, attribute.value)}
        else:
            of_class[attribute.kind] = (place, attribute.value)
    return classes, table


def _current(classes: Classes, table: _Table) -> Iterator[dict[AttributeKind, tuple[int, str]]]:
    """Yield the current attributes of every entry: (place, value) by kind."""
    for root, own in table.items():
        if root.type != "entry":
            continue
        if len(own) == 4:
            yield own
            continue
        current = dict(own)
        # An entry's own statement wins over one that hangs on its site or date, so at most one of site
        # and date is derived, and always from the other: one round reaches everything.
        by_site = table.get(classes.root(Handle("site", own["site"][1])), {}) if "site" in own else {}
        if "date" not in own and "date" in by_site:
            current["date"] = by_site["date"]
        by_date = table.get(classes.root(Handle("date", current["date"][1])), {}) if "date" in current else {}
        if "site" not in own and "site" in by_date:
            current["site"] = by_date["site"]
            by_site = table.get(classes.root(Handle("site", current["site"][1])), {})
        for kind in _REACHED:
            if kind not in own and (kind in by_site or kind in by_date):
                current[kind] = max(by[kind] for by in (by_site, by_date) if kind in by)
        yield current


def entails(statements: Iterable[Statement], relation: Relation) -> bool:
    """Tell whether statements entail a relation.

    They do when some entry's current holder is the subject and its current site, date and service are
    the relation's.

    * ``Same`` merges two handles of one type, persons and values included, whenever it is said. The
      subject may be named by any handle of the person.
    * Of each attribute of an entry the latest statement decides, over all handles of the entry.
    * An attribute of a site or date handle reaches an entry while that is the entry's current site or
      date, and only if the entry has no statement of its own of that kind. Such attributes chain: a date
      may give the site and that site the service. Where both give one, the later statement decides. A
      site given to a site, or a date to a date, says nothing.

    Args:
        statements: Statements in session order.
        relation: What may follow.

    Raises:
        ValueError: A ``Same`` joins handles of different types.
    """
    classes, table = _tabulate(statements)
    for current in _current(classes, table):
        if (
            len(current) == 4
            and current["service"][1] == relation.service
            and _one(classes, "date", current["date"][1], relation.date)
            and _one(classes, "site", current["site"][1], relation.site)
            and _one(classes, "person", current["holder"][1], relation.subject)
        ):
            return True
    return False


def relations(statements: Iterable[Statement]) -> frozenset[Relation]:
    """Return every complete relation that statements entail, by the rules of ``entails``.

    Where a person has several handles, or a site or date was declared the same as another, the relation
    is listed once for each name.

    Raises:
        ValueError: A ``Same`` joins handles of different types.
    """
    classes, table = _tabulate(statements)
    names = classes.names()

    def all_names(kind: HandleType, name: str) -> list[str]:
        return names.get(classes.root(Handle(kind, name)), [name])

    return frozenset(
        Relation(subject, current["service"][1], site, date)
        for current in _current(classes, table)
        if len(current) == 4
        for subject in all_names("person", current["holder"][1])
        for site in all_names("site", current["site"][1])
        for date in all_names("date", current["date"][1])
    )


def held(statements: Iterable[Statement], relation: Relation) -> list[frozenset[AttributeKind]]:
    """Return, for each entry that the relation's subject currently holds, which of its service, site and
    date are the relation's. ``entails`` holds when one of them has all three.

    Raises:
        ValueError: A ``Same`` joins handles of different types.
    """
    classes, table = _tabulate(statements)
    wanted: dict[AttributeKind, str] = {
        "service": relation.service,
        "site": relation.site,
        "date": relation.date,
    }
    return [
        frozenset(
            kind
            for kind, value in wanted.items()
            if kind in current
            and (
                current[kind][1] == value
                if kind == "service" or kind == "holder"
                else _one(classes, kind, current[kind][1], value)
            )
        )
        for current in _current(classes, table)
        if "holder" in current and _one(classes, "person", current["holder"][1], relation.subject)
    ]


def says(statements: Iterable[Statement]) -> Callable[[Statement], bool]:
    """Return a test of whether statements make a statement, up to the names they give one thing.

    ``site(e)`` is said by ``site(f)`` where e and f are said to be the same, and so is a ``Same`` that
    follows from others. A replaced attribute counts as said.

    Raises:
        ValueError: A ``Same`` joins handles of different types.
    """
    said = list(statements)
    classes, _ = _tabulate(said)

    def key(attribute: Attribute) -> tuple[AttributeKind, Handle, str]:
        value = attribute.value
        if attribute.kind == "holder":
            value = classes.root(Handle("person", value)).name
        return attribute.kind, classes.root(attribute.on), value

    keys = {key(statement) for statement in said if isinstance(statement, Attribute)}

    def is_said(statement: Statement) -> bool:
        if isinstance(statement, Same):
            return classes.root(statement.a) == classes.root(statement.b)
        return key(statement) in keys

    return is_said


def _one(classes: Classes, kind: HandleType, a: str, b: str) -> bool:
    return a == b or classes.root(Handle(kind, a)) == classes.root(Handle(kind, b))
