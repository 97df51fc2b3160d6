"""Conversations as people write them down: ``User: ...`` and ``Assistant: ...``, with the remarks marked.

``[[...]]`` encloses a remark about the target, ``((...))`` one about somebody or something else. Both must
enclose whole sentences, and are taken out of the text. What a remark says may be spelt out behind ``=>``
inside its marks.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from typing import get_args

from memjoin.cases.own.problems import FormError, Mark
from memjoin.cases.own.tree import Node
from memjoin.cases.schema import Speaker

_SPEAKER = re.compile(r"\s*(user|assistant)\s*:", re.IGNORECASE)
_SIGN = re.compile(r"\[\[|\]\]|\(\(|\)\)")
_CLOSES = {"[[": "]]", "((": "))"}
_SPELT = "=>"
LONGEST = 20_000
"""The most characters that a turn may have: people and assistants write much less."""
_SPEAKERS: tuple[Speaker, ...] = get_args(Speaker)


@dataclass(slots=True)
class Text:
    """Text put together from pieces of a file, each with the place where it starts."""

    text: str = ""
    starts: list[int] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def add(self, piece: str, mark: Mark) -> None:
        """Add a piece of one line."""
        self.starts.append(len(self.text))
        self.marks.append(mark)
        self.text += piece

    def mark(self, place: int) -> Mark:
        """Return where in the file a character stands."""
        if not self.starts:
            return Mark(1)
        at = max(bisect_right(self.starts, place) - 1, 0)
        line, column = self.marks[at]
        return Mark(line, column + place - self.starts[at] if column else 0)

    def part(self, start: int, end: int) -> Text:
        """Return a part of it."""
        found = Text()
        inner = self.starts[bisect_right(self.starts, start) : bisect_left(self.starts, end)]
        for left, right in pairwise([start, *inner, end]):
            if left < right:
                found.add(self.text[left:right], self.mark(left))
        return found

    def stripped(self, start: int, end: int) -> Text:
        """Return a part of it, white space at its ends left out."""
        inner = self.text[start:end]
        if not inner.strip():
            return Text("", [0], [self.mark(start)])
        return self.part(end - len(inner.lstrip()), start + len(inner.rstrip()))

    def extend(self, other: Text) -> None:
        """Add all of another text."""
        bounds = [*other.starts, len(other.text)]
        for (left, right), mark in zip(pairwise(bounds), other.marks, strict=True):
            self.add(other.text[left:right], mark)


@dataclass(slots=True)
class Marked:
    """A marked remark: characters ``start`` to ``end`` of its turn's text, and what was spelt out for it."""

    start: int
    end: int
    decoy: bool
    mark: Mark
    spelt: Text | None


@dataclass(slots=True)
class Spoken:
    """A turn: who speaks, its text without marks, and the marked remarks in it."""

    speaker: Speaker
    text: Text
    remarks: list[Marked]


def turns(node: Node, source: list[str]) -> list[Spoken]:
    """Return the turns of a conversation.

    Args:
        node: The text of the conversation.
        source: The lines of the file, for columns.

    Raises:
        FormError: It is no text, a line belongs to no speaker, or marks do not match.
    """
    if not isinstance(node.value, str):
        raise FormError(
            node.mark, "a conversation is text", "Write `talk: |` and the conversation in the lines below."
        )
    if node.style == ">":
        raise FormError(
            node.mark, "'>' joins the lines of a conversation", "Write `talk: |`, which keeps its lines."
        )
    found: list[tuple[Speaker, Text]] = []
    for number, line in enumerate(node.value.split("\n")):
        if not line.strip():
            continue
        at = _line(node, number, line, source)
        opening = _SPEAKER.match(line)
        if opening:
            speaker = next(one for one in _SPEAKERS if one == opening[1].lower())
            found.append((speaker, Text()))
            line, skipped = line[opening.end() :], opening.end()
        elif not found:
            raise FormError(
                at, "this line belongs to no speaker", "Start a turn with 'User:' or 'Assistant:'."
            )
        else:
            skipped = 0
        blanks = len(line) - len(line.lstrip())
        piece = line.strip()
        if found[-1][1].text and piece:
            piece, blanks = f" {piece}", blanks - 1
        column = at.column + skipped + blanks if at.column else 0
        found[-1][1].add(piece, Mark(at.line, column))
        if len(found[-1][1].text) > LONGEST:
            raise FormError(
                at, f"a turn of more than {LONGEST:,} characters", "Shorten it, or make it several turns."
            )
    for _, text in found:
        if not text.text:
            raise FormError(text.mark(0), "a turn without text", "Write what is said behind the colon.")
    if not found:
        raise FormError(
            node.mark, "a conversation without a turn", "Start a turn with 'User:' or 'Assistant:'."
        )
    return [_unmarked(speaker, text) for speaker, text in found]


def _line(node: Node, number: int, line: str, source: list[str]) -> Mark:
    """Return where a line of a text stands in the file; of text that is no block only the start is known."""
    if node.style != "|":
        return Mark(node.mark.line)
    at = node.mark.line + 1 + number
    column = source[at - 1].find(line) + 1 if at <= len(source) else 0
    return Mark(at, column)


def _unmarked(speaker: Speaker, raw: Text) -> Spoken:
    if not any(sign in raw.text for sign in _CLOSES):
        return Spoken(speaker, raw, [])
    clean, remarks = Text(), []
    done = 0
    opened: tuple[str, int] | None = None
    for sign in _SIGN.finditer(raw.text):
        if opened is None:
            if sign[0] not in _CLOSES:
                continue
            clean.extend(raw.part(done, sign.start()))
            opened, done = (sign[0], sign.start()), sign.end()
        elif sign[0] == _CLOSES[opened[0]]:
            said, arrow, spelt = raw.text[done : sign.start()].rpartition(_SPELT)
            end = done + len(said) if arrow else sign.start()
            inner = raw.stripped(done, end)
            mark = raw.mark(opened[1])
            if not inner.text:
                raise FormError(
                    mark, "nothing stands between these marks", "Enclose the sentence that says it."
                )
            start = len(clean.text)
            clean.extend(inner)
            text = raw.stripped(sign.start() - len(spelt), sign.start()) if arrow else None
            remarks.append(Marked(start, len(clean.text), opened[0] == "((", mark, text))
            opened, done = None, sign.end()
        elif sign[0] in _CLOSES:
            raise FormError(
                raw.mark(sign.start()),
                f"'{sign[0]}' inside of '{opened[0]}'",
                "Close one remark before the next begins.",
            )
    if opened is not None:
        raise FormError(
            raw.mark(opened[1]),
            f"'{opened[0]}' is not closed in its turn",
            f"Put '{_CLOSES[opened[0]]}' behind the full stop of the remark.",
        )
    clean.extend(raw.part(done, len(raw.text)))
    return Spoken(speaker, clean, remarks)
