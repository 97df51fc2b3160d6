"""Text made plain, so that whole phrases are looked up and counted at the speed of substrings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from unicodedata import is_normalized

from memjoin.text.tokens import tokens

GAP = " | "
"""What stands between plain texts that are joined; no phrase reaches across it."""

_ASCII = bytes(range(128))
# Bytes of ASCII letters and digits stay, those of other characters too; all else becomes a blank.
_LETTERS = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256))

_NOWHERE = "\0"


def plain(text: str) -> str:
    """Return text as its casefolded tokens, each between blanks of its own: ``" a  b  c "``.

    A phrase stands in text, as whole tokens next to each other, exactly if its plain form is a substring,
    and ``str.count`` counts it. The tokens are those of ``text.tokens``, by a faster way for nearly all text.
    """
    if text.isascii():
        words = text.lower().encode().translate(_LETTERS).split()
        return f" {b'  '.join(words).decode()} " if words else ""
    folded = text.casefold()
    raw = folded.encode("utf-8", "surrogatepass")
    others = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    if others and not (others.isalnum() and is_normalized("NFC", folded)):
        found = tokens(text)
        return f" {'  '.join(found)} " if found else ""
    words = raw.translate(_LETTERS).split()
    return f" {b'  '.join(words).decode()} " if words else ""


def plain_all(texts: Iterable[str]) -> str:
    """Return the plain texts joined by gaps."""
    return GAP.join([plain(text) for text in texts])


@lru_cache(maxsize=1 << 11)
def phrase(form: str) -> str:
    """Return ``plain(form)``, remembered; for a form without a token, text that stands nowhere."""
    return plain(form) or _NOWHERE


@lru_cache(maxsize=1 << 11)
def phrases(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the plain forms of one thing without those that hold another of them.

    ``Tollgate Wing`` and ``Tollgate`` are one place wherever the shorter stands, and one occurrence.
    """
    found = [plain(form) or _NOWHERE for form in forms]
    if len(found) == 1:
        return (found[0],)
    if len(found) == 2:
        one, other = found
        return (other,) if other in one else (one,) if one in other else (one, other)
    found = list(dict.fromkeys(found))
    return tuple([one for one in found if not any(other != one and other in one for other in found)])


def names(text: str, forms: tuple[str, ...]) -> bool:
    """Tell whether plain text names one of the forms."""
    return any_in(phrases(forms), text)


def any_in(wanted: tuple[str, ...], text: str) -> bool:
    """Tell whether plain text has one of the phrases."""
    return wanted[0] in text or (len(wanted) > 1 and any(one in text for one in wanted[1:]))


def names_any(text: str, things: Iterable[tuple[str, ...]]) -> bool:
    """Tell whether plain text names one of several things, each given by its forms."""
    return any(any_in(phrases(forms), text) for forms in things)


def occurrences(text: str, forms: tuple[str, ...]) -> int:
    """Count how often plain text names a thing by any of its forms."""
    return sum([text.count(one) for one in phrases(forms)])
