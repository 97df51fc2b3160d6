"""Replacing stretches of text and nothing else, and reading a long text in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def parts(text: str, longest: int) -> Iterator[tuple[int, str]]:
    """Yield a text in parts of so many characters at most: (where a part begins, the part).

    A part ends, if it can, where a line does; else behind a sentence, else between two words; so that next to
    nothing that is to be found in a text stands in two of them.
    """
    begin = 0
    while len(text) - begin > longest:
        limit = begin + longest
        for mark in ("\n", ". ", " "):
            # Not at the very beginning: a part of a few characters would not bring it on.
            if (at := text.rfind(mark, begin + longest // 2, limit)) >= 0:
                limit = at + len(mark)
                break
        yield begin, text[begin:limit]
        begin = limit
    yield begin, text[begin:]
