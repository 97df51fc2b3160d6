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


def plain(text: str) -> str:
    """Return text as its casefolded tokens, each between blanks of its own: ``" a  b  c "``.

    A phrase stands in text, as whole tokens next to each other, exactly if its plain form is a substring,
    and ``str.count`` counts it. The tokens are those of ``text.tokens``, by a faster way for nearly all text.
    """
    folded = text.casefold()
    raw = folded.encode("utf-8", "surrogatepass")
    if len(raw) != len(folded):
        others = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
        if not others.isalnum() or not is_normalized("NFC", folded):
            found = tokens(text)
            return f" {'  '.join(found)} " if found else ""
    words = raw.translate(_LETTERS).split()
    return f" {b'  '.join(words).decode()} " if words else ""


def plain_all(texts: Iterable[str]) -> str:
    """Return the plain texts joined by gaps."""
    return GAP.join([_remembered(text) for text in texts])


# Small talk comes back in case after case.
_remembered = lru_cache(maxsize=1 << 14)(plain)


@lru_cache(maxsize=1 << 13)
def phrase(form: str) -> str:
    """Return ``plain(form)``, remembered; for a form without a token, text that stands nowhere."""
    return plain(form) or "\0"


@lru_cache(maxsize=1 << 13)
def phrases(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the plain forms of one thing without those that hold another of them.

    ``Tollgate Wing`` and ``Tollgate`` are one place wherever the shorter stands, and one occurrence.
    """
    if len(forms) == 1:
        return (phrase(forms[0]),)
    found = dict.fromkeys([phrase(form) for form in forms])
    return tuple(one for one in found if not any(other != one and other in one for other in found))


def names(text: str, forms: tuple[str, ...]) -> bool:
    """Tell whether plain text names one of the forms."""
    found = phrases(forms)
    return found[0] in text if len(found) == 1 else any(one in text for one in found)


def names_any(text: str, things: Iterable[tuple[str, ...]]) -> bool:
    """Tell whether plain text names one of several things, each given by its forms."""
    return any(names(text, forms) for forms in things)


def occurrences(text: str, forms: tuple[str, ...]) -> int:
    """Count how often plain text names a thing by any of its forms."""
    return sum([text.count(one) for one in phrases(forms)])
