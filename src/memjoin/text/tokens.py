"""Tokens and phrases: how text is compared wherever whole words count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache

_TOKEN = re.compile(r"[^\W_]+")


def tokens(text: str) -> tuple[str, ...]:
    """Split text into casefolded tokens, on everything that is neither a letter nor a digit.

    Letters and digits are Unicode's; composed and decomposed accents give the same tokens. Apostrophes
    and hyphens split (``O'Brien-Vale`` is ``o``, ``brien``, ``vale``), as Table C.4 asks for dates.
    """
    folded = text.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFC", folded)
    return tuple(_TOKEN.findall(folded))


@lru_cache(maxsize=65536)
def phrase_tokens(phrase: str) -> tuple[str, ...]:
    """Return ``tokens(phrase)``, remembered: phrases are few and asked for often."""
    return tokens(phrase)


def has_phrase(within: Sequence[str], phrase: str) -> bool:
    """Tell whether tokens contain a phrase, as whole tokens next to each other and in order.

    Args:
        within: Tokens as ``tokens`` returns them.
        phrase: Plain text; it is split by the same rule. A phrase without a token is in nothing.
    """
    return has_tokens(within, phrase_tokens(phrase))


def has_tokens(within: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether ``wanted`` stands in ``within`` as one uninterrupted run; an empty run never does."""
    if not wanted:
        return False
    first, length = wanted[0], len(wanted)
    if length == 1:
        return first in within
    run = tuple(wanted)
    start = 0
    last = len(within) - length
    while start <= last:
        try:
            start = within.index(first, start, last + 1)
        except ValueError:
            return False
        if tuple(within[start : start + length]) == run:
            return True
        start += 1
    return False


def has_any_phrase(within: Sequence[str], phrases: Collection[str]) -> bool:
    """Tell whether tokens contain at least one of the phrases."""
    return any(has_phrase(within, phrase) for phrase in phrases)
