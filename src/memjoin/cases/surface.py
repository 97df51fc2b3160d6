"""What a variable of a plan stands for in one case."""

from __future__ import annotations

from memjoin.cases.schema import NamedHandle, Value
from memjoin.text.graph import Handle, HandleType
from memjoin.text.record import maker, record


@record
class Surface:
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


_make_handle, _make_named = maker(Handle), maker(NamedHandle)
_make_value, _make_surface = maker(Value), maker(Surface)


def surface(
    name: str, forms: tuple[str, ...], texts: tuple[str, ...], handle_type: HandleType | None
) -> Surface:
    """Return the surface of a name; ``handle_type`` is None for a service."""
    if handle_type is None:
        return _make_surface(name, texts, None, None, _make_value(name, forms))
    handle = _make_handle(handle_type, name)
    value = _make_value(name, forms) if handle_type in ("site", "date") else None
    return _make_surface(name, texts, handle, _make_named(handle, forms), value)
