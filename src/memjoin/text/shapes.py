"""What a token looks like: names, codes, numbers, dates, and the words that only hold a sentence together.

Everything here goes by shape and by the closed class of function words; no name, place or matter is known.
So what is found in a text and in the same text with other names of the same shapes is the same, up to the
names. The embedded writers (through ``salience``) and the embedded reader build on it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.text.dates import find_dates
from memjoin.text.sentences import split_sentences
from memjoin.text.stretches import Stretches

ShapeKind: TypeAlias = Literal["name", "code", "number", "date"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A stretch of text, characters ``start`` to ``end``, that looks like a name, code, number or date.

    ``key`` is what two mentions of one thing share: the name's words without a possessive, the code as
    written, the number, the ISO date.
    """

    kind: ShapeKind
    start: int
    end: int
    key: str


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words(
    "a an the this that these those some any each every all both either neither no none another other such "
    "i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs "
    "who whom whose which what where when why how whether if as than because since while until unless though "
    "although after before once and or but nor so yet for of to in on at by with from into onto over under "
    "about around between through during without within across along against near off out up down per via "
    "is am are was were be been being do does did done has have had having can could will would shall should "
    "may might must not isn aren wasn weren don doesn didn won wouldn couldn shouldn hasn haven hadn ain "
    "there here then now just only also too very really quite rather still already again ever never always "
    "often sometimes usually maybe perhaps anyway instead however otherwise meanwhile later today tomorrow "
    "yesterday tonight soon please yes yeah nope ok okay hi hello hey thanks thank sorry well oh ah um hmm "
    "great good fine nice sure right true got get let go going make made one two three four five six seven "
    "eight nine ten first second last next more most less least few many much enough same own new"
)
"""Words that carry a sentence and no matter; compared in lower case, up to the first apostrophe."""

CALENDAR_WORDS = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr "
    "jun jul aug sep sept oct nov dec"
)

# What stands before an @ has 64 characters at most (RFC 5321), and so a text without one is soon read.
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+[\w/]|\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_WORD = re.compile(r"[^\W_]+(?:['’.\-/][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_LOWER_CODE = re.compile(r"[a-z]{1,4}-?\d{2,}[a-z\d-]*|[a-z]+-\d{2,}")
# Words that follow a name that opens a sentence: 'Juniper is', 'Wren and', 'Tomas will'.
_AFTER_NAME = _words(
    "is was are were has had will would can could should must may might does did and or isn wasn hasn won "
    "doesn didn needs wants said says asked told gets got goes went comes came takes took keeps kept lives "
    "works moved moves became stays"
)


def content_words(text: str) -> list[str]:
    """Return the words of text that are no function words, in lower case, in order."""
    return [word for match in _WORD.finditer(text) if not is_function(word := bare(match.group()))]


def bare(word: str) -> str:
    """Return a word in lower case without a possessive ending."""
    return _POSSESSIVE.sub("", word.casefold())


def is_function(word: str) -> bool:
    """Tell whether a word, in lower case, is a function word or a contraction of one."""
    stem = re.split(r"['’]", word, maxsplit=1)[0]
    return stem in FUNCTION_WORDS or word in FUNCTION_WORDS


def find_shapes(text: str) -> list[Shape]:
    """Find names, codes, numbers and dates, in order, none inside another.

    A name is a run of capitalised words. At the start of a sentence, where any word is capitalised, a single
    word counts only if more speaks for it: a possessive, a verb that follows, or the same word capitalised
    elsewhere. Names of days and months are none.
    """
    taken = [Shape("date", start, end, iso) for start, end, iso in find_dates(text)]
    taken += [
        Shape("code", match.start(), match.end(), match.group().casefold())
        for match in _ADDRESS.finditer(text)
    ]
    covered = Stretches((shape.start, shape.end) for shape in taken)
    words = [match for match in _WORD.finditer(text) if covered.free(*match.span())]
    opening = _openings(text, words)
    sure = {
        bare(word.group())
        for number, word in enumerate(words)
        if number not in opening and _capitalised(word.group())
    }
    run: list[re.Match[str]] = []
    for number, word in enumerate(words):
        kind = _kind(word.group())
        if kind == "name" and number in opening and not _name_at_start(words, number, sure, text):
            kind = None
        if kind != "name" or (run and not _adjoin(text, run[-1], word)):
            _close(taken, run)
        if kind == "name":
            run.append(word)
        elif kind is not None:
            taken.append(Shape(kind, word.start(), word.end(), word.group().casefold()))
    _close(taken, run)
    return sorted(taken, key=lambda shape: shape.start)


def _kind(word: str) -> ShapeKind | None:
    if word.islower() and word.isalpha():  # most words
        return None
    if any(character.isdigit() for character in word):
        if any(character.isupper() for character in word) or _LOWER_CODE.fullmatch(word):
            return "code"
        return "number" if word[0].isdigit() else None
    return "name" if _capitalised(word) else None


def _capitalised(word: str) -> bool:
    plain = bare(word)
    return word[0].isupper() and not word.isupper() and not is_function(plain) and plain not in CALENDAR_WORDS


def _openings(text: str, words: list[re.Match[str]]) -> set[int]:
    """Return the indices of the words that open a sentence."""
    places = [word.start() for word in words]
    return {bisect_left(places, start) for start, _ in split_sentences(text)}


def _adjoin(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    return text[left.end() : right.start()].isspace() and not _POSSESSIVE.search(left.group())


def _name_at_start(words: list[re.Match[str]], number: int, sure: set[str], text: str) -> bool:
    word = words[number]
    if bare(word.group()) in sure or _POSSESSIVE.search(word.group()):
        return True
    if number + 1 == len(words):
        return False
    following = words[number + 1]
    if not text[word.end() : following.start()].isspace():
        return False
    stem = re.split(r"['’]", following.group(), maxsplit=1)[0]
    return _capitalised(following.group()) or stem in _AFTER_NAME


def _close(taken: list[Shape], run: list[re.Match[str]]) -> None:
    if run:
        key = " ".join(bare(word.group()) for word in run)
        taken.append(Shape("name", run[0].start(), run[-1].end(), key))
        run.clear()
