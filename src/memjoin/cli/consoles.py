"""Where commands print: results on standard output, all else on standard error."""

from __future__ import annotations

from rich.console import Console


def output(width: int | None = None) -> Console:
    """Return standard output. Where it is no terminal, lines have ``width`` characters if one is given.

    Names that people choose are printed as they are: ``notes:A: failed`` holds no emoji.
    """
    console = Console(emoji=False)
    return console if width is None or console.is_terminal else Console(width=width, emoji=False)


def aside() -> Console:
    """Return standard error: for progress, and for what went wrong."""
    return Console(stderr=True, emoji=False)
