"""Dates in text: the rule of Table C.4, the forms that cases use, and what a reading understands.

Two different questions are asked of dates. ``states_date`` is the paper's availability rule and stays as
narrow, and as loose, as Table C.4: it wants the two-digit tokens and does not look at their order.
``find_dates`` is for reading clues: it gives places, and understands a little more (ordinals, one-digit
months), so that a date that a memory rewrote as ``September 17th, 2029`` is not lost to the reading.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from functools import lru_cache

from memjoin.text.tokens import tokens

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

_MONTH_NUMBER = {name.lower(): number for number, name in enumerate(MONTHS, 1)}
_MONTH_NUMBER |= {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
_MONTH_NUMBER["sept"] = 9

_MONTH = (
    "(?:" + "|".join(f"{name}|{name[:3]}\\.?" if name != "May" else name for name in MONTHS) + "|Sept\\.?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_FULL = re.compile(
    rf"""(?<![\w])(?:
        (?P<iso>\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}})(?!\d)
      | (?P<numeric>\d{{1,2}}([/.])\d{{1,2}}\4\d{{4}})(?!\d)
      | (?P<d1>{_DAY})\s+(?:of\s+)?(?P<m1>{_MONTH}),?\s+(?P<y1>\d{{4}})\b
      | (?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>{_DAY})\s*,?\s+(?P<y2>\d{{4}})\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def _day(iso: str) -> date:
    day = date.fromisoformat(iso)
    if day.isoformat() != iso:
        raise ValueError(f"not an ISO calendar date: {iso!r}")
    return day


@lru_cache(maxsize=16384)
def _needed(iso: str) -> tuple[frozenset[str], frozenset[str], tuple[str, str]]:
    name = MONTHS[_day(iso).month - 1].lower()
    year, month, number = iso.split("-")
    return frozenset((year, month, number)), frozenset((year, number)), (name, name[:3])


def states_date(text: str, iso: str) -> bool:
    """Tell whether text states a date by the rule of Table C.4.

    It passes on the ISO form on digit boundaries, on the tokens of year, two-digit month and two-digit
    day all present, or on those of year and two-digit day with the month's English name or its first
    three letters; wherever in the text they stand.

    Raises:
        ValueError: ``iso`` is no calendar date of the form ``2029-09-17``.
    """
    return date_stated(text, frozenset(tokens(text)), iso)


def date_stated(text: str, present: Collection[str], iso: str) -> bool:
    """Answer ``states_date`` for text whose set of tokens is at hand."""
    numeric, named, names = _needed(iso)
    if _stands(text, iso):
        return True
    if all(token in present for token in named):
        return all(token in present for token in numeric) or any(name in present for name in names)
    return False


def _stands(text: str, iso: str) -> bool:
    """Tell whether a date in ISO form stands in text with no digit right before or after it."""
    at = text.find(iso)
    while at >= 0:
        end = at + len(iso)
        if not text[at - 1 : at].isdecimal() and not text[end : end + 1].isdecimal():
            return True
        at = text.find(iso, end)
    return False


def date_forms(iso: str) -> tuple[str, ...]:
    """Return the surfaces by which cases write a date; each passes ``states_date``.

    ISO, ``17 September 2029``, ``September 17, 2029``, ``17 Sep 2029``, ``Sep 17, 2029``, ``2029/09/17``
    and ``09/17/2029``. For days below ten the day keeps its leading zero in every form, since the rule
    asks for the two-digit token.

    Raises:
        ValueError: ``iso`` is no calendar date of the form ``2029-09-17``.
    """
    name = MONTHS[_day(iso).month - 1]
    year, month, day = iso.split("-")
    forms = (
        iso,
        f"{day} {name} {year}",
        f"{name} {day}, {year}",
        f"{day} {name[:3]} {year}",
        f"{name[:3]} {day}, {year}",
        f"{year}/{month}/{day}",
        f"{month}/{day}/{year}",
    )
    return tuple(dict.fromkeys(forms))


def find_dates(text: str) -> list[tuple[int, int, str]]:
    """Find complete dates in text.

    Understands every form of ``date_forms``, and beyond them one-digit days and months, ordinals
    (``September 17th, 2029``, ``the 17th of September 2029``), dots (``17.09.2029``) and ``Sept``. An all
    numeric date is read month first, as the accepted forms write it, unless only day first is a date.

    Returns:
        ``(start, end, iso)`` for each date, in order of place, end exclusive.
    """
    found = []
    for match in _FULL.finditer(text):
        iso = _iso(match)
        if iso is not None:
            found.append((match.start(), match.end(), iso))
    return found


def _iso(match: re.Match[str]) -> str | None:
    if match["iso"]:
        year, month, day = map(int, re.split(r"[-/.]", match["iso"]))
    elif match["numeric"]:
        month, day, year = map(int, re.split(r"[/.]", match["numeric"]))
        # A dot is the mark of day-first writing; a slash is month first unless that is no date.
        if "." in match["numeric"] or month > 12:
            month, day = (day, month) if _valid(year, day, month) else (month, day)
    else:
        year = int(match["y1"] or match["y2"])
        month = _MONTH_NUMBER[(match["m1"] or match["m2"]).lower().rstrip(".")]
        day = int(re.sub(r"\D", "", match["d1"] or match["d2"]))
    return date(year, month, day).isoformat() if _valid(year, month, day) else None


def _valid(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
