"""What a case's variables stand for: people, entries, places, services and dates, drawn without clashes.

Surfaces that come back in case after case are made once; the pool, the families and the calendar bound how
many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from math import floor
from typing import NamedTuple

from memjoin.cases.chance import Uniform, pick, sample
from memjoin.cases.family import Family, HandleStyle
from memjoin.cases.patterns import draw
from memjoin.cases.pool import Pool
from memjoin.cases.schema import Configuration
from memjoin.cases.surface import Surface, surface
from memjoin.cases.topologies import SLOT_NAMED, Plan
from memjoin.text.dates import MONTHS, date_forms
from memjoin.text.record import record

_SERVICES = ("V", "V1")
_FIRST = date(2027, 1, 5).toordinal()
_YEARS = 5
_CALENDAR = 365 * (_YEARS + 1)
"""How many days from the first on the calendar has: sessions and dates go less than a year beyond the last
year in which a case may begin."""
_ISO, _LONG, _MONTH_FIRST, _SHORT = range(4)  # places in date_forms(): 17 September, September 17, 17 Sep
_DATE_STYLES = (_ISO, _ISO, _LONG, _LONG, _MONTH_FIRST, _MONTH_FIRST, _SHORT)
_CLOCK = tuple(tuple(f"T{hour:02}:{minute:02}" for minute in range(60)) for hour in range(24))


@record
class Cast:
    """All that a case's variables stand for, and when its sessions take place.

    ``nouns`` gives for each entry what carries its name; ``times`` are ISO to the minute, in order.
    """

    surfaces: dict[str, Surface]
    nouns: dict[str, str]
    times: tuple[str, ...]


def draw_cast(
    family: Family, pool: Pool, plan: Plan, configuration: Configuration, sessions: int, random: Uniform
) -> Cast:
    """Draw what a plan's variables stand for: people, entries, values and times for one case."""
    surfaces = _people(pool, plan.people, random)
    if "X" in plan.variables:
        for variable, alias in zip(("X", "Y"), sample(random, pool.aliases, 2), strict=True):
            surfaces[variable] = _alias(alias)
    nouns = _entries(family, pool, configuration, plan.entries, surfaces, random)
    for variable, site in zip(plan.sites, sample(random, family.sites, len(plan.sites)), strict=True):
        surfaces[variable] = _site(site.canonical, site.forms)
    for variable, service in zip(_SERVICES, sample(random, family.services, len(_SERVICES)), strict=True):
        surfaces[variable] = _service(service.canonical, service.forms)
    times = _times(plan.dates, surfaces, sessions, random)
    return Cast(surfaces, nouns, times)


def _people(pool: Pool, variables: Sequence[str], random: Uniform) -> dict[str, Surface]:
    cultures = pool.cultures
    people: dict[str, Surface] = {}
    taken: set[str] = set()
    for variable in variables:
        while True:
            culture = cultures[floor(random() * len(cultures))]
            given = culture.given[floor(random() * len(culture.given))]
            surname = culture.family[floor(random() * len(culture.family))]
            if given not in taken and surname not in taken:
                break
        taken.add(given)
        taken.add(surname)
        people[variable] = _person(given, surname)
    return people


@cache
def _person(given: str, surname: str) -> Surface:
    name = f"{given} {surname}"
    return surface(name, (name, given), (name, given), "person")


@cache
def _alias(alias: str) -> Surface:
    return surface(alias, (alias,), (alias,), "person")


# The canonical form of a site or service stands in the text twice as often as each of the others.
@cache
def _site(name: str, forms: tuple[str, ...]) -> Surface:
    return surface(name, forms, (name, *forms), "site")


@cache
def _service(name: str, forms: tuple[str, ...]) -> Surface:
    return surface(name, forms, (name, *forms), None)


def _entries(
    family: Family,
    pool: Pool,
    configuration: Configuration,
    variables: Sequence[str],
    surfaces: dict[str, Surface],
    random: Uniform,
) -> dict[str, str]:
    main = pick(random, family.entries if configuration == "UC" else family.codes)
    slot = pick(random, family.slots)
    nouns: dict[str, str] = {}
    taken: set[str] = set()
    for variable in variables:
        style = slot if configuration == "WM" and variable in SLOT_NAMED else main
        nouns[variable] = style.noun
        surfaces[variable] = _entry(style, pool, taken, random)
    return nouns


def _entry(style: HandleStyle, pool: Pool, taken: set[str], random: Uniform) -> Surface:
    while True:
        text = draw(style.pattern, pool.slots, random)
        name = text.removeprefix("the ")
        if name not in taken:
            break
    taken.add(name)
    forms: tuple[str, ...] = (name,)
    if style.pattern.uses_slot_word:
        # "The Harbour slot" may come back as "Harbour" alone; no other text of the case has the word.
        forms = (name, next(word for word in name.split() if word in pool.slots))
    return surface(name, forms, (text,), "entry")


class _Calendar(NamedTuple):
    """The days from the first on which a case may begin: as ISO dates, and as days of their months."""

    iso: tuple[str, ...]
    day: tuple[int, ...]


@cache
def _calendar() -> _Calendar:
    days = [date.fromordinal(_FIRST + number) for number in range(_CALENDAR)]
    return _Calendar(tuple([day.isoformat() for day in days]), tuple([day.day for day in days]))


def _times(
    variables: Sequence[str], surfaces: dict[str, Surface], sessions: int, random: Uniform
) -> tuple[str, ...]:
    """Draw the sessions' times and all dates; nothing but the target's date has its day's number (P7)."""
    iso, day_of = _calendar()
    day = 13 + floor(random() * 19)
    at = floor(random() * 365 * _YEARS)
    times = []
    for _ in range(sessions):
        at += 2 + floor(random() * 9)
        if day_of[at] == day:
            at += 1
        hour, minute = 7 + floor(random() * 15), floor(random() * 60)
        times.append(iso[at] + _CLOCK[hour + (hour == day)][minute + (minute == day)])
    style = pick(random, _DATE_STYLES)
    taken = {day}
    for variable in variables:
        if variable == "D":
            on = day_of.index(day, at + 4 + floor(random() * 30))
        else:
            on = at + 3 + floor(random() * 75)
            while day_of[on] in taken or day_of[on] < 13:
                on = at + 3 + floor(random() * 75)
        taken.add(day_of[on])
        surfaces[variable] = _date(iso[on], style)
    return tuple(times)


@cache
def _date(iso: str, style: int) -> Surface:
    forms = date_forms(iso)
    if style == _SHORT and iso[5:7] == "05":  # May has no shorter name, and so one form less
        style = _LONG
    return surface(iso, forms, (forms[style],), "date")


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
