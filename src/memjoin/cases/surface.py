"""What a variable of a plan stands for in one case."""

from __future__ import annotations

from typing import NamedTuple

from memjoin.cases.schema import NamedHandle, Value
from memjoin.text.graph import Handle, HandleType


class Surface(NamedTuple):
    """A person, an entry or a value as one case has it.

    ``texts`` are what may stand in the text, more often where a text is listed more than once. ``handle`` is
    None for a service, which is no handle; ``named`` is the handle as annotations list it, with its forms.
    ``value`` is what annotations list of services, sites and dates.
    """

    name: str
    texts: tuple[str, ...]
    handle: Handle | None
    named: NamedHandle | None
    value: Value | None


def surface(
    name: str, forms: tuple[str, ...], texts: tuple[str, ...], handle_type: HandleType | None
) -> Surface:
    """Return the surface of a name; ``handle_type`` is None for a service."""
    if handle_type is None:
        return Surface(name, texts, None, None, Value(name, forms))
    handle = Handle(handle_type, name)
    value = Value(name, forms) if handle_type in ("site", "date") else None
    return Surface(name, texts, handle, NamedHandle(handle, forms), value)
