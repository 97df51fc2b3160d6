"""Text made plain, so that whole phrases are looked up and counted at the speed of substrings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import is_normalized

from memjoin.text.tokens import tokens

_BETWEEN = "\x1e"  # ASCII's record separator
GAP = f" {_BETWEEN} "
"""What stands between plain texts that are joined; no phrase reaches across it."""

_ASCII = bytes(range(128))
# Bytes of ASCII letters (in lower case) and digits stay, those of other characters too; all else becomes a
# blank.
_LETTERS = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256)).lower()
_LETTERS_AND_GAPS = bytes(ord(_BETWEEN) if byte == ord(_BETWEEN) else _LETTERS[byte] for byte in range(256))

_NOWHERE = "\0"


def plain(text: str) -> str:
    """Return text as its casefolded tokens, each between blanks of its own: ``" a  b  c "``.

    A phrase stands in text, as whole tokens next to each other, exactly if its plain form is a substring,
    and ``str.count`` counts it. The tokens are those of ``text.tokens``, by a faster way for nearly all text.
    """
    words = text.encode().translate(_LETTERS).split() if text.isascii() else _words(text, _LETTERS)
    if words is None:
        found = tokens(text)
        return f" {'  '.join(found)} " if found else ""
    return f" {b'  '.join(words).decode()} " if words else ""


def plain_all(texts: Sequence[str]) -> str:
    """Return the plain texts joined by gaps: ``GAP.join(plain(text) for text in texts)``, all in one go."""
    joined, kept = GAP.join(texts), _LETTERS_AND_GAPS
    if len(texts) > 1 and joined.count(_BETWEEN) == len(texts) - 1:
        words = joined.encode().translate(kept).split() if joined.isascii() else _words(joined, kept)
        if words is not None:
            return f" {b'  '.join(words).decode()} "
    return GAP.join([plain(text) for text in texts])


def _words(text: str, kept: bytes) -> list[bytes] | None:
    """Return the tokens of text that is not ASCII, as UTF-8; None if ``text.tokens`` alone gets them right.

    Args:
        text: Any text.
        kept: What becomes of each byte: itself, in lower case, or a blank.
    """
    raw = text.encode("utf-8", "surrogatepass")
    folds = _fold(raw.translate(None, _ASCII))
    if folds is None:
        return None
    if folds:
        raw = text.casefold().encode("utf-8", "surrogatepass")
    return raw.translate(kept).split()


@lru_cache(maxsize=1 << 12)
def _fold(others: bytes) -> bool | None:
    """Tell whether characters that are not ASCII change when they are folded.

    None where they are not all letters and digits in composed form: no other letter or digit composes with
    one of ASCII, so these alone tell whether all of a text is composed.
    """
    characters = others.decode("utf-8", "surrogatepass")
    folded = characters.casefold()
    return folded != characters if folded.isalnum() and is_normalized("NFC", folded) else None


@lru_cache(maxsize=1 << 12)
def phrase(form: str) -> str:
    """Return ``plain(form)``, remembered; for a form without a token, text that stands nowhere."""
    return plain(form) or _NOWHERE


class Forms(NamedTuple):
    """What a thing is called, plain."""

    all: str
    """Every form, joined by gaps."""
    phrases: tuple[str, ...]
    """The forms that hold no other of them.

    ``Tollgate Wing`` and ``Tollgate`` are one place wherever the shorter stands, and one occurrence.
    """


def plain_forms(forms: tuple[str, ...]) -> Forms:
    """Return the plain forms of one thing."""
    if len(forms) == 1:
        one = plain(forms[0])
        return Forms(one, (one or _NOWHERE,))
    return _plain_forms(forms)


@lru_cache(maxsize=1 << 14)
def _plain_forms(forms: tuple[str, ...]) -> Forms:
    every = plain_all(forms)
    found = list(dict.fromkeys([one or _NOWHERE for one in every.split(GAP)])) if forms else []
    if list(map(GAP.join(found).count, found)).count(1) < len(found):
        found = [one for one in found if not any(other != one and other in one for other in found)]
    return Forms(every, tuple(found))


def phrases(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the plain forms of one thing without those that hold another of them."""
    if len(forms) == 2 and forms[0].startswith(
        f"{forms[1]} "
    ):  # a full name, and a given name, which is shorter
        short = phrase(forms[1])
        if short is not _NOWHERE:
            return (short,)
    # One form is a code most often, which no other case has.
    return (plain(forms[0]) or _NOWHERE,) if len(forms) == 1 else _plain_forms(forms).phrases


def names(text: str, forms: tuple[str, ...]) -> bool:
    """Tell whether plain text names one of the forms."""
    return any_in(phrases(forms), text)


def any_in(wanted: tuple[str, ...], text: str) -> bool:
    """Tell whether plain text has one of the phrases."""
    return wanted[0] in text if len(wanted) == 1 else any(map(text.__contains__, wanted))


def occurrences(text: str, forms: tuple[str, ...]) -> int:
    """Count how often plain text names a thing by any of its forms."""
    return count_of(phrases(forms), text)


def count_of(wanted: tuple[str, ...], text: str) -> int:
    """Count how often plain text has any of the phrases."""
    return text.count(wanted[0]) if len(wanted) == 1 else sum(map(text.count, wanted))
