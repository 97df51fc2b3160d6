"""Text made plain, so that whole phrases are looked up and counted at the speed of substrings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from unicodedata import is_normalized

from memjoin.text.tokens import tokens

GAP = "\x1e"  # ASCII's record separator
"""What stands between plain texts that are joined; no phrase reaches across it."""

_STOP = b"."
_ASCII = bytes(range(128))
# What becomes of each byte: ASCII letters (in lower case), digits and what belongs to other characters stay,
# blanks stay blanks, and all else becomes a stop.
_LETTERS = bytes(
    byte if byte > 127 or chr(byte).isalnum() else 32 if chr(byte).isspace() else _STOP[0]
    for byte in range(256)
).lower()
_LETTERS_AND_GAPS = bytes(ord(GAP) if byte == ord(GAP) else _LETTERS[byte] for byte in range(256))

NOWHERE = "\0"
"""The phrase of a form without a token."""


def plain(text: str) -> str:
    """Return text as its casefolded tokens, with a blank before and behind each: ``" a b c "``.

    A phrase stands in text, as whole tokens next to each other, exactly if its plain form is a substring;
    ``count_of`` counts it. The tokens are those of ``text.tokens``, by a faster way for nearly all text.
    """
    raw = text.encode() if text.isascii() else _folded(text)
    if raw is None:
        found = tokens(text)
        return f" {' '.join(found)} " if found else ""
    words = _tidy(raw.translate(_LETTERS))
    return f" {words.decode()} " if words else ""


def plain_all(texts: Sequence[str]) -> str:
    """Return the plain texts joined by gaps: ``GAP.join(plain(text) for text in texts)``, all in one go."""
    joined = f" {GAP} ".join(texts)
    raw = joined.encode() if joined.isascii() else _folded(joined)
    if raw is not None and joined.count(GAP) == len(texts) - 1:
        words = _tidy(raw.translate(_LETTERS_AND_GAPS)).decode()
        found = f" {words} "
        if f"{GAP} {GAP}" not in found and words[:1] not in ("", GAP) and words[-1] != GAP:
            return found
    return GAP.join([plain(text) for text in texts])  # some text has no token, or something rare


def _tidy(raw: bytes) -> bytes:
    """Return tokens that blanks and stops part with one blank between two of them."""
    # Stops are far fewer than words, so that to look at the parts between them costs half of what it costs to
    # look at every word.
    words = b" ".join(filter(None, map(bytes.strip, raw.split(_STOP))))
    return b" ".join(words.split()) if b"  " in words else words


def _folded(text: str) -> bytes | None:
    """Return text that is not ASCII as UTF-8, with all but ASCII folded.

    None where ``text.tokens`` alone gets its tokens right.
    """
    raw = text.encode("utf-8", "surrogatepass")
    others = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    letters, capitals = _others()
    if not letters.issuperset(others):
        return None
    for capital in capitals.intersection(others):
        raw = raw.replace(capital.encode(), capital.casefold().encode())
    return raw


@cache
def _others() -> tuple[frozenset[str], frozenset[str]]:
    """Return letters and digits beyond ASCII that can be read one by one, and which of them folding changes.

    These are composed, are folded to one that is so again, and do not compose with what stands before them,
    as vowels of Hangul do (from U+1100 on).
    """
    letters = frozenset(
        one
        for one in map(chr, [*range(0x80, 0x1100), *range(0x1200, 0x2000)])
        if one.isalnum() and len(one.casefold()) == 1 and is_normalized("NFC", one + one.casefold())
    )
    return letters, frozenset(one for one in letters if one.casefold() != one)


@lru_cache(maxsize=1 << 12)
def phrase(form: str) -> str:
    """Return ``plain(form)``, remembered; for a form without a token, text that stands nowhere."""
    return plain(form) or NOWHERE


def full_name(name: str) -> str:
    """Return ``phrase(name)`` for the name of a person, whose parts come back from case to case."""
    parts = [phrase(part) for part in name.split(" ")]
    return phrase(name) if NOWHERE in parts else "".join(parts).replace("  ", " ")


def phrases(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the plain forms of one thing without those that hold another of them.

    ``Tollgate Wing`` and ``Tollgate`` are one place wherever the shorter stands, and one occurrence.
    """
    if len(forms) == 2 and forms[0].startswith(f"{forms[1]} "):  # a person, most often
        given = phrase(forms[1])
        if given is not NOWHERE:
            return (given,)
    return _phrases(forms)


@lru_cache(maxsize=1 << 14)
def _phrases(forms: tuple[str, ...]) -> tuple[str, ...]:
    if not forms:
        return ()
    found = list(dict.fromkeys([one or NOWHERE for one in plain_all(forms).split(GAP)]))
    if list(map(GAP.join(found).count, found)).count(1) == len(found):  # none holds another
        return tuple(found)
    return tuple([one for one in found if not any(other != one and other in one for other in found)])


def names(text: str, forms: tuple[str, ...]) -> bool:
    """Tell whether plain text names one of the forms."""
    return any_in(phrases(forms), text)


def any_in(wanted: tuple[str, ...], text: str) -> bool:
    """Tell whether plain text has one of the phrases."""
    return wanted[0] in text if len(wanted) == 1 else any(map(text.__contains__, wanted))


def count_of(wanted: tuple[str, ...], text: str) -> int:
    """Count how often plain text has any of the phrases."""
    return count(wanted[0], text) if len(wanted) == 1 else sum([count(one, text) for one in wanted])


def count(wanted: str, text: str) -> int:
    """Count how often plain text has a phrase: neighbours, which share a blank, are two."""
    found, at = 0, text.find(wanted)
    while at >= 0:
        found += 1
        at = text.find(wanted, at + len(wanted) - 1)
    return found


def number_in(text: str, number: str) -> tuple[int, bool]:
    """Return how often plain text has a number, a phrase, and whether its digits stand in other tokens, too.

    17 stands in 4217, and in 17th.
    """
    digits = number.strip()
    if not digits.isalnum():
        return count(number, text), True
    times, in_others, at = 0, False, text.find(digits)
    while at >= 0:
        if text.startswith(number, at - 1):
            times += 1
        else:
            in_others = True
        at = text.find(digits, at + len(digits))
    return times, in_others


def masked(text: str, wanted: Iterable[str], mark: str) -> str:
    """Return plain text with a mark in place of each phrase; of those that overlap, the first counts."""
    for one in wanted:
        while one in text:  # of neighbours, which share a blank, one is replaced at a time
            text = text.replace(one, mark)
    return text
