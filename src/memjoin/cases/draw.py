"""What a case's variables stand for: people, entries, places, services and dates, drawn without clashes."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import TypeVar

from memjoin.cases.family import Family, HandleStyle
from memjoin.cases.patterns import draw
from memjoin.cases.pool import Pool
from memjoin.cases.schema import Configuration, Value
from memjoin.cases.topologies import SLOT_NAMED
from memjoin.text.dates import MONTHS, date_forms

T = TypeVar("T")

PEOPLE = ("N", "P", "A", "B", "C1", "C2")
"""Variables of people. ``C1`` and ``C2`` are named in passing and have no entry."""
_ENTRIES = ("a", "b", "c", "e", "f", "g")
_SITES = ("S", "S0", "S1", "S2")
_SERVICES = ("V", "V1")
_DATES = ("D", "D0", "D1", "D2", "D3")
_FIRST = date(2027, 1, 5).toordinal()
_YEARS = 5
_DATE_STYLES = (0, 0, 1, 1, 2, 2, 3)  # places in date_forms(): ISO, 17 September, September 17, 17 Sep


@dataclass(frozen=True, slots=True)
class Surface:
    """What a variable stands for: its canonical name, its accepted forms, and the texts that may stand."""

    name: str
    forms: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
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


def draw_cast(family: Family, pool: Pool, configuration: Configuration, sessions: int, rng: Random) -> Cast:
    """Draw people, entries, values and times for one case."""
    surfaces = _people(pool, rng)
    for variable, alias in zip(("X", "Y"), sample(rng, pool.aliases, 2), strict=True):
        surfaces[variable] = Surface(alias, (alias,), (alias,))
    nouns = _entries(family, pool, configuration, surfaces, rng)
    for variables, values in ((_SITES, family.sites), (_SERVICES, family.services)):
        for variable, value in zip(variables, sample(rng, values, len(variables)), strict=True):
            surfaces[variable] = _value(value)
    times = _times(surfaces, sessions, rng)
    return Cast(surfaces, nouns, times)


def _people(pool: Pool, rng: Random) -> dict[str, Surface]:
    people: dict[str, Surface] = {}
    taken: set[str] = set()
    for variable in PEOPLE:
        while True:
            culture = pick(rng, pool.cultures)
            given, surname = pick(rng, culture.given), pick(rng, culture.family)
            if given not in taken and surname not in taken:
                break
        taken |= {given, surname}
        name = f"{given} {surname}"
        people[variable] = Surface(name, (name, given), (name, given))
    return people


def _value(value: Value) -> Surface:
    # The canonical form stands twice as often as each of the others.
    return Surface(value.canonical, value.forms, (value.canonical, *value.forms))


def _entries(
    family: Family, pool: Pool, configuration: Configuration, surfaces: dict[str, Surface], rng: Random
) -> dict[str, str]:
    main = pick(rng, family.entries if configuration == "UC" else family.codes)
    slot = pick(rng, family.slots)
    nouns: dict[str, str] = {}
    taken: set[str] = set()
    for variable in _ENTRIES:
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
    return Surface(name, forms, (text,))


def _times(surfaces: dict[str, Surface], sessions: int, rng: Random) -> tuple[str, ...]:
    """Draw the sessions' times and all dates; nothing but the target's date has its day's number (P7)."""
    random = rng.random
    day = 13 + int(random() * 19)
    at = _FIRST + int(random() * 365 * _YEARS)
    times = []
    for _ in range(sessions):
        at += 2 + int(random() * 9)
        on = date.fromordinal(at)
        if on.day == day:
            at += 1
            on = date.fromordinal(at)
        hour, minute = 7 + int(random() * 15), int(random() * 60)
        times.append(f"{on.isoformat()}T{hour + (hour == day):02}:{minute + (minute == day):02}")
    style = pick(rng, _DATE_STYLES)
    taken = set()
    for variable in _DATES:
        on = _next(at + 4 + int(random() * 30), day) if variable == "D" else date.fromordinal(at)
        while variable != "D" and (on.day in taken or on.day < 13):
            on = date.fromordinal(at + 3 + int(random() * 75))
        taken.add(on.day)
        forms = date_forms(on.isoformat())
        surfaces[variable] = Surface(forms[0], forms, (forms[style],))
    return tuple(times)


def _next(after: int, day: int) -> date:
    """Return the first date from a given one on that has a day of the month; the date is an ordinal."""
    on = date.fromordinal(after)
    while on.day != day:
        # To the day in this month where it is still to come and exists, else on to the next month.
        last = monthrange(on.year, on.month)[1]
        ahead = day - on.day if on.day < day <= last else last - on.day + 1
        on = date.fromordinal(on.toordinal() + ahead)
    return on


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
