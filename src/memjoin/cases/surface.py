"""What a variable of a plan stands for in one case."""

from __future__ import annotations

from typing import NamedTuple

from memjoin.text.graph import Handle


class Surface(NamedTuple):
    """A person, an entry or a value as one case has it.

    ``texts`` are what may stand in the text, more often where a text is listed more than once. ``handle`` is
    None for a service, which is no handle.
    """

    name: str
    forms: tuple[str, ...]
    texts: tuple[str, ...]
    handle: Handle | None
