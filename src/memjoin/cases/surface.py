"""What a variable of a plan stands for in one case."""

from __future__ import annotations

from typing import NamedTuple

from memjoin.cases.schema import NamedHandle
from memjoin.text.graph import Handle, HandleType


class Surface(NamedTuple):
    """A person, an entry or a value as one case has it.

    ``texts`` are what may stand in the text, more often where a text is listed more than once. ``handle`` is
    None for a service, which is no handle; ``named`` is the handle as annotations list it, with its forms.
    """

    name: str
    forms: tuple[str, ...]
    texts: tuple[str, ...]
    handle: Handle | None
    named: NamedHandle | None


def surface(
    name: str, forms: tuple[str, ...], texts: tuple[str, ...], handle_type: HandleType | None
) -> Surface:
    """Return the surface of a name; ``handle_type`` is None for a service."""
    if handle_type is None:
        return Surface(name, forms, texts, None, None)
    handle = Handle(handle_type, name)
    return Surface(name, forms, texts, handle, NamedHandle(handle, forms))
