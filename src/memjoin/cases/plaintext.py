"""Text made plain, so that whole phrases are looked up and counted at the speed of substrings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import is_normalized

from memjoin.text.tokens import tokens

_BETWEEN = "\x1e"  # ASCII's record separator
GAP = f" {_BETWEEN} "
"""What stands between plain texts that are joined; no phrase reaches across it."""

_ASCII = bytes(range(128))
# Bytes of ASCII letters and digits stay, those of other characters too; all else becomes a blank.
_LETTERS = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256))
_LETTERS_AND_GAPS = bytes(ord(_BETWEEN) if byte == ord(_BETWEEN) else _LETTERS[byte] for byte in range(256))

_NOWHERE = "\0"


def plain(text: str) -> str:
    """Return text as its casefolded tokens, each between blanks of its own: ``" a  b  c "``.

    A phrase stands in text, as whole tokens next to each other, exactly if its plain form is a substring,
    and ``str.count`` counts it. The tokens are those of ``text.tokens``, by a faster way for nearly all text.
    """
    words = _words(text, _LETTERS)
    if words is not None:
        return f" {b'  '.join(words).decode()} " if words else ""
    found = tokens(text)
    return f" {'  '.join(found)} " if found else ""


def plain_all(texts: Sequence[str]) -> str:
    """Return the plain texts joined by gaps: ``GAP.join(plain(text) for text in texts)``, all in one go."""
    joined = GAP.join(texts)
    if len(texts) > 1 and joined.count(_BETWEEN) == len(texts) - 1:
        words = _words(joined, _LETTERS_AND_GAPS)
        if words is not None:
            return f" {b'  '.join(words).decode()} "
    return GAP.join([plain(text) for text in texts])


def _words(text: str, kept: bytes) -> list[bytes] | None:
    """Return the tokens of text as UTF-8; None for text that ``text.tokens`` alone gets right.

    Args:
        text: Any text.
        kept: What becomes of each byte: itself, or a blank.
    """
    if text.isascii():
        return text.lower().encode().translate(kept).split()
    raw = text.encode("utf-8", "surrogatepass")
    others = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    folded = others.casefold()
    # No other letter or digit composes with one of ASCII: these alone tell whether all is composed.
    if not (folded.isalnum() and is_normalized("NFC", folded)):
        return None
    if folded != others:
        raw = text.casefold().encode("utf-8", "surrogatepass")
    return raw.lower().translate(kept).split()


@lru_cache(maxsize=1 << 12)
def phrase(form: str) -> str:
    """Return ``plain(form)``, remembered; for a form without a token, text that stands nowhere."""
    return plain(form) or _NOWHERE


def phrases(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the plain forms of one thing without those that hold another of them.

    ``Tollgate Wing`` and ``Tollgate`` are one place wherever the shorter stands, and one occurrence.
    """
    if len(forms) == 1:  # a code most often, which no other case has
        return (plain(forms[0]) or _NOWHERE,)
    return _phrases(forms)


@lru_cache(maxsize=1 << 14)
def _phrases(forms: tuple[str, ...]) -> tuple[str, ...]:
    if not forms:
        return ()
    found = list(dict.fromkeys([one or _NOWHERE for one in plain_all(forms).split(GAP)]))
    if len(found) == 2:
        one, other = found
        return (other,) if other in one else (one,) if one in other else (one, other)
    if list(map(GAP.join(found).count, found)).count(1) == len(found):  # none holds another
        return tuple(found)
    return tuple([one for one in found if not any(other != one and other in one for other in found)])


def names(text: str, forms: tuple[str, ...]) -> bool:
    """Tell whether plain text names one of the forms."""
    return any_in(phrases(forms), text)


def any_in(wanted: tuple[str, ...], text: str) -> bool:
    """Tell whether plain text has one of the phrases."""
    return wanted[0] in text if len(wanted) == 1 else any(one in text for one in wanted)


def names_any(text: str, things: Iterable[tuple[str, ...]]) -> bool:
    """Tell whether plain text names one of several things, each given by its forms."""
    return any(any_in(phrases(forms), text) for forms in things)


def occurrences(text: str, forms: tuple[str, ...]) -> int:
    """Count how often plain text names a thing by any of its forms."""
    return sum(map(text.count, phrases(forms)))
