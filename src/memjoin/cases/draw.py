"""What a case's variables stand for: people, entries, places, services and dates, drawn without clashes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache
from random import Random
from typing import TypeVar

from memjoin.cases.family import Family, HandleStyle
from memjoin.cases.patterns import draw
from memjoin.cases.pool import Pool
from memjoin.cases.schema import Configuration
from memjoin.cases.surface import Surface
from memjoin.cases.topologies import SLOT_NAMED, Plan
from memjoin.text.dates import MONTHS, date_forms
from memjoin.text.graph import Handle
from memjoin.text.record import record

T = TypeVar("T")

PEOPLE = ("N", "P", "A", "B", "C1", "C2")
"""Variables of people."""
PASSING = ("C1", "C2")
"""People who are named in passing and have no entry."""
_ENTRIES = ("a", "b", "c", "e", "f", "g")
_SITES = ("S", "S0", "S1", "S2")
_SERVICES = ("V", "V1")
_DATES = ("D", "D0", "D1", "D2", "D3")
_FIRST = date(2027, 1, 5).toordinal()
_YEARS = 5
_ISO, _LONG, _MONTH_FIRST, _SHORT = range(4)  # places in date_forms(): 17 September, September 17, 17 Sep
_DATE_STYLES = (_ISO, _ISO, _LONG, _LONG, _MONTH_FIRST, _MONTH_FIRST, _SHORT)


@record
class Cast:
    """All that a case's variables stand for, and when its sessions take place.

    ``nouns`` gives for each entry what carries its name; ``times`` are ISO to the minute, in order.
    """

    surfaces: dict[str, Surface]
    nouns: dict[str, str]
    times: tuple[str, ...]


def pick(rng: Random, options: Sequence[T]) -> T:
    """Return one of the options (``rng.choice``, at a third of its cost)."""
    return options[int(rng.random() * len(options))]


def sample(rng: Random, options: Sequence[T], number: int) -> list[T]:
    """Return different options in random order, all of them where fewer than ``number`` are there."""
    left = list(options)
    taken = []
    for _ in range(min(number, len(left))):
        at = int(rng.random() * len(left))
        taken.append(left[at])
        left[at] = left[-1]
        left.pop()
    return taken


def draw_cast(
    family: Family, pool: Pool, plan: Plan, configuration: Configuration, sessions: int, rng: Random
) -> Cast:
    """Draw what a plan's variables stand for: people, entries, values and times for one case."""
    wanted = plan.variables
    surfaces = _people(pool, [name for name in PEOPLE if name in wanted or name in PASSING], rng)
    if "X" in wanted:
        for variable, alias in zip(("X", "Y"), sample(rng, pool.aliases, 2), strict=True):
            surfaces[variable] = Surface(alias, (alias,), (alias,), Handle("person", alias))
    nouns = _entries(
        family, pool, configuration, [name for name in _ENTRIES if name in wanted], surfaces, rng
    )
    sites = [name for name in _SITES if name in wanted]
    for variable, value in zip(sites, sample(rng, family.sites, len(sites)), strict=True):
        surfaces[variable] = _site(value.canonical, value.forms)
    for variable, value in zip(_SERVICES, sample(rng, family.services, len(_SERVICES)), strict=True):
        surfaces[variable] = Surface(value.canonical, value.forms, (value.canonical, *value.forms), None)
    times = _times([name for name in _DATES if name in wanted], surfaces, sessions, rng)
    return Cast(surfaces, nouns, times)


def _people(pool: Pool, variables: Sequence[str], rng: Random) -> dict[str, Surface]:
    people: dict[str, Surface] = {}
    taken: set[str] = set()
    for variable in variables:
        while True:
            culture = pick(rng, pool.cultures)
            given, surname = pick(rng, culture.given), pick(rng, culture.family)
            if given not in taken and surname not in taken:
                break
        taken |= {given, surname}
        name = f"{given} {surname}"
        people[variable] = Surface(name, (name, given), (name, given), Handle("person", name))
    return people


@lru_cache(maxsize=1 << 12)
def _site(name: str, forms: tuple[str, ...]) -> Surface:
    # The canonical form stands twice as often as each of the others.
    return Surface(name, forms, (name, *forms), Handle("site", name))


def _entries(
    family: Family,
    pool: Pool,
    configuration: Configuration,
    variables: Sequence[str],
    surfaces: dict[str, Surface],
    rng: Random,
) -> dict[str, str]:
    main = pick(rng, family.entries if configuration == "UC" else family.codes)
    slot = pick(rng, family.slots)
    nouns: dict[str, str] = {}
    taken: set[str] = set()
    for variable in variables:
        style = slot if configuration == "WM" and variable in SLOT_NAMED else main
        nouns[variable] = style.noun
        surfaces[variable] = _entry(style, pool, taken, rng)
    return nouns


def _entry(style: HandleStyle, pool: Pool, taken: set[str], rng: Random) -> Surface:
    while True:
        text = draw(style.pattern, pool.slots, rng)
        name = text.removeprefix("the ")
        if name not in taken:
            break
    taken.add(name)
    forms: tuple[str, ...] = (name,)
    if style.pattern.uses_slot_word:
        # "The Harbour slot" may come back as "Harbour" alone; no other text of the case has the word.
        forms = (name, next(word for word in name.split() if word in pool.slots))
    return Surface(name, forms, (text,), Handle("entry", name))


def _times(
    variables: Sequence[str], surfaces: dict[str, Surface], sessions: int, rng: Random
) -> tuple[str, ...]:
    """Draw the sessions' times and all dates; nothing but the target's date has its day's number (P7)."""
    random = rng.random
    day = 13 + int(random() * 19)
    at = _FIRST + int(random() * 365 * _YEARS)
    times = []
    for _ in range(sessions):
        at += 2 + int(random() * 9)
        if _day(at) == day:
            at += 1
        hour, minute = 7 + int(random() * 15), int(random() * 60)
        times.append(f"{_iso(at)}T{hour + (hour == day):02}:{minute + (minute == day):02}")
    style = pick(rng, _DATE_STYLES)
    taken = {day}
    for variable in variables:
        if variable == "D":
            on = at + 4 + int(random() * 30)
            while _day(on) != day:
                on += 1
        else:
            on = at + 3 + int(random() * 75)
            while _day(on) in taken or _day(on) < 13:
                on = at + 3 + int(random() * 75)
        taken.add(_day(on))
        surfaces[variable] = _date(_iso(on), style)
    return tuple(times)


@cache
def _iso(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()


@cache
def _day(ordinal: int) -> int:
    return date.fromordinal(ordinal).day


@lru_cache(maxsize=1 << 13)
def _date(iso: str, style: int) -> Surface:
    forms = date_forms(iso)
    if style == _SHORT and iso[5:7] == "05":  # May has no shorter name, and so one form less
        style = _LONG
    return Surface(iso, forms, (forms[style],), Handle("date", iso))


def session_tokens(at: str) -> set[str]:
    """Return every token that a rendering of a session's time may hold.

    Adapters write it as ISO, in long form, with the month's name, in 24 or 12 hours.
    """
    year, month, day, hour, minute = at[:4], at[5:7], at[8:10], at[11:13], at[14:16]
    name = MONTHS[int(month) - 1].lower()
    return {
        year,
        month,
        day,
        hour,
        minute,
        name,
        name[:3],
        f"{(int(hour) - 1) % 12 + 1:02}",
        f"{hour}{minute}",
    }
