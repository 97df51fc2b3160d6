"""Puts what an answer words in its own way into the words of the case, so that rules find it.

Dates in any notation become ISO dates. A service that is named by its words in another order or form, as
'questioned about arson' names the arson questioning, gets its canonical name behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from memjoin.cases.schema import Case
from memjoin.text.dates import MONTHS, find_dates
from memjoin.text.sentences import split_sentences
from memjoin.text.tokens import tokens

_UNITS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
    *("eighteenth", "nineteenth", "twentieth"),
)
_DAY_WORDS = (
    {word: number for number, word in enumerate(_UNITS, 1)}
    | {f"twenty-{word}": 20 + number for number, word in enumerate(_UNITS[:9], 1)}
    | {"thirtieth": 30, "thirty-first": 31}
)
_MONTH_NUMBERS = {name.lower(): number for number, name in enumerate(MONTHS, 1)}
_MONTH_NUMBERS |= {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)} | {"sept": 9}
_MONTH = r"(?:" + "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_DAY = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?|"
    + "|".join(re.escape(word).replace(r"\-", "[- ]") for word in sorted(_DAY_WORDS, key=len, reverse=True))
    + ")"
)
_YEAR = r"(?:\d{4}|['\u2019]\d\d)"
_IN_YEAR = r"\s*,?\s*(?:(?:of|in)\s+(?:the\s+year\s+)?)?"
_OTHERS = re.compile(
    rf"""(?<![\w-])(?:
        (?P<d1>{_DAY})(?:\s+of)?(?:\s+|-)(?P<m1>{_MONTH})
            (?:-(?=\d{{4}})|{_IN_YEAR})(?P<y1>{_YEAR})(?!\w)
      | (?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>{_DAY}){_IN_YEAR}(?P<y2>{_YEAR})(?!\w)
      | (?P<y3>\d{{4}})(?:\s*,\s*|\s+|-)(?P<m3>{_MONTH})(?:\s+|-)(?P<d3>{_DAY})(?!\w)
      | (?P<a>\d{{1,2}})(?P<sep>[-./])(?P<b>\d{{1,2}})(?P=sep)(?P<y4>\d{{4}}|\d\d)(?![\d])
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SUFFIXES = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ers", "er", "als", "al"),
    *("ed", "es", "s", "e"),
)
_LEAST = 4
"""Letters that a stem keeps."""
_SMALL = frozenset(
    (
        *("a", "an", "the", "of", "for", "to", "in", "on", "at", "by", "with", "and", "or", "from"),
        *("my", "our", "his", "her", "their", "its", "your", "is", "are", "be", "as"),
    )
)
_REACH = 6
"""How many other words may stand among those of a name that is worded in another way."""
_WORD = re.compile(r"[^\W_]+")


class Wording(NamedTuple):
    """An answer in the words of its case, and whether each of the target's values was found in it."""

    text: str
    service: bool
    site: bool
    date: bool


def in_the_words_of(case: Case, answer: str) -> Wording:
    """Return an answer in which dates are ISO dates and the target's service stands by its name.

    ``service``: any accepted form stands in it, or all of a form's words stand close together in one
    sentence, whatever their order and endings. ``site``: any accepted form. ``date``: the full date, day,
    month and year, in any notation.
    """
    target = case.annotation.target
    dated = with_iso_dates(answer)
    forms = (target.service.canonical, *target.service.forms)
    named = with_name(dated, target.service.canonical, forms)
    words = tokens(named)
    return Wording(
        text=named,
        service=any(stands(words, tokens(form)) for form in forms),
        site=any(stands(words, tokens(form)) for form in (target.site.canonical, *target.site.forms)),
        date=target.date.canonical in {iso for _, _, iso in find_dates(named)},
    )


def with_iso_dates(text: str) -> str:
    """Return text with every full date as an ISO date. A date that does not exist stays as it is."""
    places = {(start, end): iso for start, end, iso in find_dates(text)}
    for match in _OTHERS.finditer(text):
        iso = _iso(match)
        if iso and not any(start < match.end() and match.start() < end for start, end in places):
            places[match.span()] = iso
    for (start, end), iso in sorted(places.items(), reverse=True):
        text = f"{text[:start]}{iso}{text[end:]}"
    return text


def with_name(text: str, name: str, forms: Iterable[str]) -> str:
    """Return text with a name behind every place where its words stand close together, but not as a form.

    Of a sentence in which a form stands nothing is changed.
    """
    known = [tokens(form) for form in forms]
    wanted = [frozenset(stem(word) for word in form if word not in _SMALL) for form in known]
    for start, end in reversed(split_sentences(text)):
        sentence = text[start:end]
        words = tokens(sentence)
        if any(stands(words, form) for form in known):
            continue
        last = min((place for stems in wanted if (place := _close(sentence, stems))), default=None)
        if last is not None:
            text = f"{text[: start + last]} ({name}){text[start + last :]}"
    return text


def stands(words: Sequence[str], run: Sequence[str]) -> bool:
    """Tell whether a run of words stands in others, the last one perhaps in the plural."""
    size = len(run)
    if not size:
        return False
    return any(
        tuple(words[at : at + size - 1]) == tuple(run[:-1])
        and words[at + size - 1] in (run[-1], f"{run[-1]}s")
        for at in range(len(words) - size + 1)
    )


def close_together(text: str, phrase: str) -> bool:
    """Tell whether all words of a phrase stand close together in one sentence of a text, in any form."""
    stems = frozenset(stem(word) for word in tokens(phrase) if word not in _SMALL)
    return any(_close(text[start:end], stems) for start, end in split_sentences(text))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word without its ending, by which 'questioned' and 'questioning' are one."""
    word = _NUMBERS.get(word, word)
    for suffix in () if word.endswith("ss") else _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST:
            return word[: -len(suffix)]
    return word


_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
    )
}


def _close(sentence: str, stems: frozenset[str]) -> int:
    """Return where in a sentence the first stretch ends that has a word of every stem, or 0."""
    if not stems:
        return 0
    found: list[tuple[str, int, int]] = []  # stem, number of the word, where it ends
    matches = list(_WORD.finditer(sentence.casefold()))
    for number, match in enumerate(matches):
        of = _stem_in(match.group(), stems)
        pair = match.group() + matches[number + 1].group() if number + 1 < len(matches) else ""
        if of is None and pair and (joined := _stem_in(pair, stems)):  # 'pick up' for a pickup
            of, match = joined, matches[number + 1]
        if of is not None:
            found.append((of, number, match.end()))
    for last in range(len(found)):
        seen: set[str] = set()
        for first in range(last, -1, -1):
            seen.add(found[first][0])
            if found[last][1] - found[first][1] > len(stems) + _REACH:
                break
            if len(seen) == len(stems):
                return found[last][2]
    return 0


def _stem_in(word: str, stems: frozenset[str]) -> str | None:
    mine = stem(word)
    if mine in stems:
        return mine
    return next((each for each in stems if _alike(mine, each)), None)


def _alike(one: str, other: str) -> bool:
    """Tell whether two stems are of one word: one begins the other and is most of it."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _LEAST + 1 and long.startswith(short) and len(long) - len(short) <= 3


def _iso(match: re.Match[str]) -> str:
    if match["a"]:
        year = int(match["y4"]) + (2000 if len(match["y4"]) == 2 else 0)
        one, other = int(match["a"]), int(match["b"])
        orders = ((other, one), (one, other)) if match["sep"] != "/" else ((one, other), (other, one))
        return next((iso for month, day in orders if (iso := _date(year, month, day))), "")
    day_text = (match["d1"] or match["d2"] or match["d3"]).lower().replace(" ", "-")
    month_text = (match["m1"] or match["m2"] or match["m3"]).lower().rstrip(".")
    year_text = (match["y1"] or match["y2"] or match["y3"]).lstrip("'\u2019")
    year = int(year_text) + (2000 if len(year_text) == 2 else 0)
    number = _DAY_WORDS.get(day_text) or int(re.sub(r"\D", "", day_text))
    return _date(year, _MONTH_NUMBERS[month_text], number)


def _date(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
