"""Sentences: where one statement ends and the next begins."""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_BULLET = re.compile(r"\s*(?:[-*\u2022\u2013\u2014\u25aa\u25e6>#]+(?=\s)|\(?\d{1,3}[.)](?=\s))?\s*")
_STOP = re.compile(r"(?:[.!?\u2026]+)[\"'\u201d\u2019)\]*_]*(?=\s|$)|[\u3002\uff01\uff1f]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never the end of a sentence, whatever follows.
_ALWAYS = _words(
    "dr mr mrs ms mx prof rev hon st mt ft gen col capt lt sgt fr br e.g i.e a.k.a f.k.a cf vs viz approx "
    "dept messrs"
)
# Not the end where a number follows: 'No. 7', 'ext. 214', 'Sept. 17', 'p. 3'.
_BEFORE_NUMBER = _words(
    "no nos nr ext extn tel ph fig figs sec ch vol pp p art rm apt ste unit bldg fl flr jan feb mar apr jun "
    "jul aug sep sept oct nov dec ca c min max"
)
# The end only where a new sentence plainly starts: 'at 3 p.m. She', 'Hale Ave. The'.
_UNLESS_STARTER = _words("a.m p.m etc jr sr inc ltd co corp ave rd blvd ln sq ct u.s u.k al est")
_STARTERS = _words(
    "the a an it its he she they we i you this that these those there here his her their our my your and "
    "but so then also if when while after before for in on at from no yes please thanks"
)


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Find the sentences of text.

    Line breaks end a sentence, and list marks (``-``, ``1.``) belong to none. Stops inside numbers,
    dates, codes and after abbreviations (``Dr.``, ``ext. 214``, ``No. 7``, initials) end nothing.

    Returns:
        ``(start, end)`` for each sentence, in order, end exclusive, without surrounding white space, its
        closing punctuation included.
    """
    found: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        bullet = _BULLET.match(text, line.start(), line.end())
        start = bullet.end() if bullet else line.start()
        for stop in _STOP.finditer(text, start, line.end()):
            if _ends(text, start, stop, line.end()):
                _add(found, text, start, stop.end())
                start = stop.end()
        _add(found, text, start, line.end())
    return found


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        found.append((start, end))


def _ends(text: str, start: int, stop: re.Match[str], line_end: int) -> bool:
    mark = stop.group()
    following = text[stop.end() : line_end].lstrip()
    if not following:
        return True
    if mark.startswith(("..", "\u2026")):
        return not following[0].islower()
    if not mark.startswith("."):
        return True
    before = stop.start()
    while before > start and (text[before - 1].isalnum() or text[before - 1] in "_'\u2019.&-"):
        before -= 1
    word = text[before : stop.start()].lower()
    if word in _ALWAYS:
        return False
    if word in _BEFORE_NUMBER and following[0].isdigit():
        return False
    next_word = re.match(r"[\w']*", following)
    starter = next_word is not None and next_word.group().lower() in _STARTERS
    if word in _UNLESS_STARTER:
        return starter and following[0].isupper()
    if len(word) == 1 and text[before].isupper():
        return starter
    return True
