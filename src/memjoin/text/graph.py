"""The typed clue graph: what sessions state about handles, and what those statements entail.

A *handle* is something that text can name: a person (by a name, an alias, a role), an entry (an
appointment by its code, slot name, entry number, ...), or a site or date that serves as a handle itself.
A *statement* is an edge of the graph. Attributes hang on entries, never on persons, and a later statement
about the same entry replaces an earlier one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

HandleType: TypeAlias = Literal["person", "entry", "site", "date"]
AttributeKind: TypeAlias = Literal["holder", "site", "date", "service"]


@dataclass(frozen=True, slots=True)
class Handle:
    """Something that text can name. For types ``site`` and ``date`` the name is the canonical value."""

    type: HandleType
    name: str


@dataclass(frozen=True, slots=True)
class Same:
    """Two handles of one type name one thing."""

    a: Handle
    b: Handle


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an entry, or of a site or date used as a handle.

    ``value`` is the name of a person handle for ``holder``, the canonical site, service or ISO date
    otherwise.
    """

    kind: AttributeKind
    on: Handle
    value: str


Statement: TypeAlias = Same | Attribute


@dataclass(frozen=True, slots=True)
class Relation:
    """The sensitive relation: a person (a handle's name) tied to a service, a site and an ISO date."""

    subject: str
    service: str
    site: str
    date: str
