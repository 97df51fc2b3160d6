"""Replacing stretches of text and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """Characters ``start`` to ``end`` of a text, end exclusive, and what shall stand there."""

    start: int
    end: int
    mark: str


def replaced(text: str, spans: Iterable[Span]) -> str:
    """Return a text with stretches of it replaced. Every other character stays.

    Where two overlap, the one that begins first counts, of two that begin together the longer; a later one
    takes effect from where the earlier one ends.
    """
    parts: list[str] = []
    done = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.end <= done:
            continue
        if span.start >= done:
            parts += [text[done : span.start], span.mark]
        done = span.end
    if not parts:
        return text
    return "".join([*parts, text[done:]])
