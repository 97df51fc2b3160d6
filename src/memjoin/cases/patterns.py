"""Patterns from which codes, entry numbers, slot names and items are made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import TypeAlias

from memjoin.cases.chance import Uniform

_PIECE = re.compile(r"(#+)|(@+)|\{([a-z_]+)\}|([^#@{}]+)")
# I, O, Q and S are left out: they read like digits.
_LETTERS = "ABCDEFGHJKLMNPRTUVWXYZ"


Part: TypeAlias = str | range | tuple[str, ...]
"""Text as it stands; the numbers to choose from; or the words: those of the pool where none are listed."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern: ``#`` is a digit, ``@`` a capital letter, ``{slot}`` a word of a list."""

    source: str
    parts: tuple[Part, ...]
    uses_slot_word: bool
    """Whether the pattern takes a word from the pool of slot names."""


def compile_pattern(source: str, words: Mapping[str, tuple[str, ...]]) -> Pattern:
    """Compile a pattern.

    Args:
        source: For example ``KX-####``, ``entry ##``, ``the {slot} slot`` or ``the {colour} envelope``.
        words: Lists that ``{name}`` may take from, besides ``{slot}``.

    Raises:
        ValueError: A stray brace, or a list that does not exist.
    """
    parts: list[Part] = []
    at = 0
    for piece in _PIECE.finditer(source):
        if piece.start() != at:
            break
        at = piece.end()
        digits, letters, name, plain = piece.groups()
        if digits:
            low = 32 if digits == "##" else 10 ** (len(digits) - 1)
            parts.append(range(low, 10 ** len(digits)))
        elif letters:
            parts.extend([tuple(_LETTERS)] * len(letters))
        elif plain:
            parts.append(plain)
        elif name == "slot":
            parts.append(())
        elif name in words:
            parts.append(words[name])
        else:
            known = ", ".join(sorted({"slot", *words}))
            raise ValueError(
                f"pattern '{source}' takes from a list '{name}' that is not there; known: {known}"
            )
    if at != len(source):
        raise ValueError(f"pattern '{source}' has a stray brace")
    if all(isinstance(part, str) for part in parts):
        raise ValueError(f"pattern '{source}' always gives the same: use #, @ or a {{list}}")
    return Pattern(source, tuple(parts), () in parts)


def draw(pattern: Pattern, slots: tuple[str, ...], random: Uniform) -> str:
    """Make one name by a pattern; no number in it starts with 0, and two digits make 32 to 99.

    The range of two-digit numbers keeps them apart from the days and months of dates (property P7).
    """
    name = ""
    for part in pattern.parts:
        if isinstance(part, str):
            name += part
        else:
            options = part or slots
            name = f"{name}{options[floor(random() * len(options))]}"
    return name
