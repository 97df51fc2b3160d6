"""Patterns from which codes, entry numbers, slot names and items are made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

_PIECE = re.compile(r"(#+)|(@+)|\{([a-z_]+)\}|([^#@{}]+)")
# I, O, Q and S are left out: they read like digits.
_LETTERS = "ABCDEFGHJKLMNPRTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern: ``#`` is a digit, ``@`` a capital letter, ``{slot}`` a word of a list."""

    source: str
    parts: tuple[tuple[str, tuple[str, ...] | int], ...]
    """``("digits", n)``, ``("letters", n)``, ``("words", list)`` or ``(text, 0)``."""

    @property
    def uses_slot_word(self) -> bool:
        """Whether the pattern takes a word from the pool of slot names."""
        return "{slot}" in self.source


def compile_pattern(source: str, words: Mapping[str, tuple[str, ...]]) -> Pattern:
    """Compile a pattern.

    Args:
        source: For example ``KX-####``, ``entry ##``, ``the {slot} slot`` or ``the {colour} envelope``.
        words: Lists that ``{name}`` may take from, besides ``{slot}``.

    Raises:
        ValueError: A stray brace, or a list that does not exist.
    """
    parts: list[tuple[str, tuple[str, ...] | int]] = []
    at = 0
    for piece in _PIECE.finditer(source):
        if piece.start() != at:
            break
        at = piece.end()
        digits, letters, name, plain = piece.groups()
        if digits:
            parts.append(("digits", len(digits)))
        elif letters:
            parts.append(("letters", len(letters)))
        elif plain:
            parts.append((plain, 0))
        elif name == "slot":
            parts.append(("words", ()))
        elif name in words:
            parts.append(("words", words[name]))
        else:
            known = ", ".join(sorted({"slot", *words}))
            raise ValueError(
                f"pattern '{source}' takes from a list '{name}' that is not there; known: {known}"
            )
    if at != len(source):
        raise ValueError(f"pattern '{source}' has a stray brace")
    if all(kind not in ("digits", "letters", "words") for kind, _ in parts):
        raise ValueError(f"pattern '{source}' always gives the same: use #, @ or a {{list}}")
    return Pattern(source, tuple(parts))


def draw(pattern: Pattern, slots: tuple[str, ...], rng: Random) -> str:
    """Make one name by a pattern; no number in it starts with 0, and two digits make 32 to 99.

    The range of two-digit numbers keeps them apart from the days and months of dates (property P7).
    """
    made = []
    for kind, what in pattern.parts:
        if isinstance(what, tuple):
            choices = what or slots
            made.append(choices[int(rng.random() * len(choices))])
        elif kind == "digits":
            low = 32 if what == 2 else 10 ** (what - 1)
            made.append(str(low + int(rng.random() * (10**what - low))))
        elif kind == "letters":
            made.append("".join(_LETTERS[int(rng.random() * len(_LETTERS))] for _ in range(what)))
        else:
            made.append(kind)
    return "".join(made)
