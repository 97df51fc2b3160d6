"""Wordings: text with ``{slots}`` and choice groups ``[one|another]``, compiled once and rendered often."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice, product
from math import floor, prod
from typing import TypeAlias

from memjoin.cases.chance import Uniform, pick

_PIECE = re.compile(r"\{([^{}\[\]|]*)\}|([\[\]|{}])|([^\[\]{}|]+)")
_NAME = re.compile(r"[a-z][a-z_]*\Z")
_DEPTH = 2
_MOST = 2000
FEW = 64
"""How many readings a wording without slots may have to be kept as texts."""
_BAD_SPACING = re.compile(r" {2}| [,.;:!?](?:\s|$)|^ | $")
_ENDS = (".", "!", "?")


class TemplateError(ValueError):
    """A wording that cannot be compiled; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that a value fills."""

    name: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a wording with slots.

    ``parts`` has for each slot the text before it, its name, and whether its value opens a sentence, and so
    gets a capital. ``end`` is the text after the last slot.
    """

    parts: tuple[tuple[str, str, bool], ...]
    end: str


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled wording.

    ``variants`` counts its different readings before slots are filled. A wording with slots keeps them in
    ``readings``. One without keeps the texts themselves, in ``texts``, if they are few, and its groups of
    options otherwise, in ``groups``.
    """

    source: str
    slots: frozenset[str]
    variants: int
    readings: tuple[Reading, ...] = ()
    texts: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()


def say(template: Template, values: Mapping[str, str], random: Uniform) -> str:
    """Return one rendering of a wording, its choices drawn."""
    if template.texts:
        return pick(random, template.texts)
    if template.groups:
        return "".join([pick(random, group) for group in template.groups])
    reading = template.readings[floor(random() * len(template.readings))]
    text = ""
    for before, slot, opens in reading.parts:
        value = values[slot]
        if opens and value[0].islower():
            value = value[0].upper() + value[1:]
        text = f"{text}{before}{value}"
    return text + reading.end


def render(
    template: Template, values: Mapping[str, str], random: Uniform, text: str = ""
) -> tuple[str, dict[str, tuple[int, int]]]:
    """Return a text that a rendering of a wording was added to, and where in it each slot was filled.

    Places are characters, end exclusive: the last place of a slot if it has several.
    """
    places: dict[str, tuple[int, int]] = {}
    if not template.readings:
        return text + say(template, values, random), places
    reading = template.readings[floor(random() * len(template.readings))]
    for before, slot, opens in reading.parts:
        value = values[slot]
        if opens and value[0].islower():
            value = value[0].upper() + value[1:]
        text = f"{text}{before}{value}"
        end = len(text)
        places[slot] = end - len(value), end
    return text + reading.end, places


def compile_template(source: str, needs: Collection[str] = (), may: Collection[str] = ()) -> Template:
    """Compile a wording.

    Args:
        source: Text with ``{slots}`` and choice groups, which may be nested once. An option may be empty.
        needs: Slots that every rendering must fill exactly once.
        may: Slots that may be filled besides.

    Raises:
        TemplateError: Unbalanced or too deeply nested groups; an unknown slot, or one that is missing or
            filled twice in some rendering; choices that leave a double space or a space before a stop.
    """
    text = " ".join(source.split())
    if not text:
        raise TemplateError("the wording is empty")
    tree = _Parser(text).parse()
    slots = frozenset(name for name, mark, _ in _PIECE.findall(text) if name)
    known = frozenset(needs) | frozenset(may)
    for slot in sorted(slots - known):
        usable = ", ".join("{" + name + "}" for name in sorted(known)) or "none"
        raise TemplateError(f"unknown slot {{{slot}}}; this wording may use: {usable}")
    if not slots and not needs:
        groups = tuple(tuple(_texts(part)) for part in tree)
        number = prod(map(len, groups))
        texts = tuple("".join(options) for options in islice(product(*groups), FEW))
        _check_spacing(texts)
        if number <= FEW:
            return Template(source, slots, number, texts=texts)
        return Template(source, slots, number, groups=groups)
    variants = list(islice(_flatten(tree), _MOST + 1))
    if len(variants) > _MOST:
        raise TemplateError(f"more than {_MOST} readings; offer fewer choices")
    _check_slots(variants, needs)
    _check_spacing("".join(part if isinstance(part, str) else "X" for part in one) for one in variants)
    return Template(source, slots, len(variants), readings=tuple(_reading(one) for one in variants))


_Part: TypeAlias = "str | Slot | list[list[_Part]]"
"""A text, a slot, or a group: a list of options, each of them parts."""


class _Parser:
    """Reads a wording's pieces, one after the other."""

    def __init__(self, text: str) -> None:
        self._pieces = list(_PIECE.finditer(text))
        self._at = 0

    def parse(self) -> list[_Part]:
        parts = self._sequence(0)
        if self._at < len(self._pieces):
            mark = self._pieces[self._at]
            raise TemplateError(f"'{mark.group()}' at character {mark.start() + 1} closes or parts no group")
        return parts

    def _sequence(self, depth: int) -> list[_Part]:
        parts: list[_Part] = []
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
                parts.append(self._group(depth + 1))
                continue
            elif mark in "]|":
                break
            else:
                raise TemplateError(f"'{mark}' at character {piece.start() + 1} belongs to no slot")
            self._at += 1
        return parts

    def _group(self, depth: int) -> list[list[_Part]]:
        place = self._pieces[self._at].start() + 1
        if depth > _DEPTH:
            raise TemplateError(f"the group at character {place} is nested more than once")
        options = []
        while True:
            self._at += 1
            options.append(self._sequence(depth))
            if self._at >= len(self._pieces):
                raise TemplateError(f"the group opened at character {place} is never closed")
            if self._pieces[self._at].group() == "]":
                break
        self._at += 1
        if len(options) < 2:
            raise TemplateError(f"the group at character {place} offers no choice")
        return options


def _flatten(parts: list[_Part]) -> Iterable[tuple[str | Slot, ...]]:
    """Go through all readings of parts, as texts and slots."""
    options: list[list[tuple[str | Slot, ...]]] = []
    for part in parts:
        if isinstance(part, list):
            options.append([reading for option in part for reading in _flatten(option)])
        else:
            options.append([(part,)])
    for choice in product(*options):
        yield tuple(piece for group in choice for piece in group)


def _texts(part: _Part) -> Iterable[str]:
    """Go through all readings of a part without slots."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for option in part:
            for reading in _flatten(option):
                yield "".join(piece for piece in reading if isinstance(piece, str))


def _reading(variant: tuple[str | Slot, ...]) -> Reading:
    """Put a reading in the form in which it is rendered."""
    parts = []
    text = ""
    before = "."
    for part in variant:
        if isinstance(part, Slot):
            before = text.rstrip() or before
            parts.append((text, part.name, before.endswith(_ENDS)))
            text, before = "", "X"  # a slot's value ends no sentence
        else:
            text += part
    return Reading(tuple(parts), text)


def _check_slots(variants: list[tuple[str | Slot, ...]], needs: Collection[str]) -> None:
    for slot in sorted(needs):
        counts = {sum(isinstance(part, Slot) and part.name == slot for part in one) for one in variants}
        if 0 in counts:
            raise TemplateError(
                f"slot {{{slot}}} is missing" + (" in some choices" if len(counts) > 1 else "")
            )
        if max(counts) > 1:
            raise TemplateError(f"slot {{{slot}}} is filled more than once")


def _check_spacing(readings: Iterable[str]) -> None:
    for text in readings:
        wrong = _BAD_SPACING.search(text)
        if wrong:
            around = text[max(wrong.start() - 16, 0) : wrong.end() + 16].strip()
            raise TemplateError(
                f"spacing around '{around}': put the space inside the choice, as in 'a[ big|] box'"
            )
