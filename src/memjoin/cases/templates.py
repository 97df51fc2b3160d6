"""Wordings: text with ``{slots}`` and choice groups ``[one|another]``, compiled once and rendered often."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

_PIECE = re.compile(r"\{([^{}\[\]|]*)\}|([\[\]|{}])|([^\[\]{}|]+)")
_NAME = re.compile(r"[a-z][a-z_]*\Z")
_BAD_SPACING = re.compile(r" {2}| [,.;:!?](?:\s|$)|^ | $")
_DEPTH = 2
_ENDS = (".", "!", "?")


class TemplateError(ValueError):
    """A wording that cannot be compiled; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that a value fills."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A group of alternatives, of which each rendering takes one."""

    options: tuple[tuple[Part, ...], ...]


Part: TypeAlias = "str | Slot | Choice"


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled wording. ``variants`` counts its different readings before slots are filled."""

    source: str
    parts: tuple[Part, ...]
    slots: frozenset[str]
    variants: int


@dataclass(slots=True)
class Text:
    """Text under construction, with the places where slots were filled.

    ``marks`` holds ``(slot, start, end)``: characters of the finished text, end exclusive.
    """

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[tuple[str, int, int]] = field(default_factory=list)

    def add(self, piece: str) -> None:
        """Append plain text."""
        self.pieces.append(piece)
        self.length += len(piece)

    def fill(self, slot: str, value: str) -> None:
        """Append a slot's value, with a capital where it opens a sentence, and mark its place."""
        if self._opens_sentence():
            value = value[:1].upper() + value[1:]
        # An article belongs to the sentence, not to the surface: "the [Harbour slot]".
        article = 4 if value[:4] in ("the ", "The ") else 0
        self.marks.append((slot, self.length + article, self.length + len(value)))
        self.add(value)

    def _opens_sentence(self) -> bool:
        for piece in reversed(self.pieces):
            bare = piece.rstrip()
            if bare:
                return bare.endswith(_ENDS)
        return True

    def __str__(self) -> str:
        return "".join(self.pieces)


def compile_template(source: str, needs: Collection[str] = (), may: Collection[str] = ()) -> Template:
    """Compile a wording.

    Args:
        source: Text with ``{slots}`` and choice groups, which may be nested once. An option may be empty.
        needs: Slots that every rendering must fill exactly once.
        may: Slots that may be filled besides.

    Raises:
        TemplateError: Unbalanced or too deeply nested groups, an unknown slot, a slot that is missing, or
            filled twice, in some rendering.
    """
    text = " ".join(source.split())
    if not text:
        raise TemplateError("the wording is empty")
    parts = _Parser(text).parse()
    slots = frozenset(_slots(parts))
    allowed = frozenset(needs) | frozenset(may)
    for slot in sorted(slots - allowed):
        known = ", ".join("{" + name + "}" for name in sorted(allowed)) or "none"
        raise TemplateError(f"unknown slot {{{slot}}}; this wording may use: {known}")
    for slot in sorted(needs):
        counts = _counts(parts, slot)
        if 0 in counts:
            raise TemplateError(
                f"slot {{{slot}}} is missing" + (" in some choices" if len(counts) > 1 else "")
            )
        if max(counts) > 1:
            raise TemplateError(f"slot {{{slot}}} is filled more than once")
    return Template(source, parts, slots, _variants(parts))


def render(template: Template, values: Mapping[str, str], rng: Random, out: Text) -> None:
    """Append one rendering of a wording to ``out``, its choices drawn from ``rng``."""
    _render(template.parts, values, rng, out)


def _render(parts: tuple[Part, ...], values: Mapping[str, str], rng: Random, out: Text) -> None:
    for part in parts:
        if isinstance(part, str):
            out.add(part)
        elif isinstance(part, Slot):
            out.fill(part.name, values[part.name])
        else:
            options = part.options
            _render(options[int(rng.random() * len(options))], values, rng, out)


def check_spacing(template: Template) -> None:
    """Check that choices leave no double space and no space before a stop; tries up to 24 renderings.

    Raises:
        TemplateError: A rendering reads badly; the message quotes the place.
    """
    rng = Random(0)
    values = dict.fromkeys(template.slots, "X")
    for _ in range(min(template.variants, 24)):
        text = Text()
        render(template, values, rng, text)
        wrong = _BAD_SPACING.search(str(text))
        if wrong:
            around = str(text)[max(wrong.start() - 16, 0) : wrong.end() + 16].strip()
            raise TemplateError(
                f"spacing around '{around}': put the space inside the choice, as in 'a[ big|] box'"
            )


class _Parser:
    """Reads a wording's pieces, one after the other."""

    def __init__(self, text: str) -> None:
        self._pieces = list(_PIECE.finditer(text))
        self._at = 0

    def parse(self) -> tuple[Part, ...]:
        parts = self._sequence(0)
        if self._at < len(self._pieces):
            mark = self._pieces[self._at]
            raise TemplateError(f"'{mark.group()}' at character {mark.start() + 1} closes or parts no group")
        return parts

    def _sequence(self, depth: int) -> tuple[Part, ...]:
        parts: list[Part] = []
        while self._at < len(self._pieces):
            piece = self._pieces[self._at]
            name, mark, plain = piece.groups()
            if plain is not None:
                parts.append(plain)
            elif name is not None:
                if not _NAME.match(name):
                    raise TemplateError(f"'{{{name}}}' is no slot: slots are written like {{old_site}}")
                parts.append(Slot(name))
            elif mark == "[":
                parts.append(self._choice(depth + 1))
                continue
            elif mark in "]|":
                if depth == 0:
                    break
                return tuple(parts)
            else:
                raise TemplateError(f"'{mark}' at character {piece.start() + 1} belongs to no slot")
            self._at += 1
        return tuple(parts)

    def _choice(self, depth: int) -> Choice:
        opening = self._pieces[self._at]
        if depth > _DEPTH:
            raise TemplateError(f"the group at character {opening.start() + 1} is nested more than once")
        options = []
        while True:
            self._at += 1
            options.append(self._sequence(depth))
            if self._at >= len(self._pieces):
                raise TemplateError(f"the group opened at character {opening.start() + 1} is never closed")
            if self._pieces[self._at].group() == "]":
                break
        self._at += 1
        if len(options) < 2:
            raise TemplateError(f"the group at character {opening.start() + 1} offers no choice")
        return Choice(tuple(options))


def _slots(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Slot):
            yield part.name
        elif isinstance(part, Choice):
            for option in part.options:
                yield from _slots(option)


def _counts(parts: tuple[Part, ...], slot: str) -> set[int]:
    """Return how often a slot may be filled, over all renderings."""
    totals = {0}
    for part in parts:
        if isinstance(part, Slot):
            here = {int(part.name == slot)}
        elif isinstance(part, Choice):
            here = set().union(*(_counts(option, slot) for option in part.options))
        else:
            continue
        totals = {total + one for total in totals for one in here}
    return totals


def _variants(parts: tuple[Part, ...]) -> int:
    number = 1
    for part in parts:
        if isinstance(part, Choice):
            number *= sum(_variants(option) for option in part.options)
    return number
