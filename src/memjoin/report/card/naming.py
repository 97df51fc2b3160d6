"""Who and what a set of cases speaks of: people, values, dates and the forms in which dates are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memjoin.cases.evidence import text_at
from memjoin.cases.pool import Pool
from memjoin.cases.schema import Case
from memjoin.text.dates import date_forms

FORMS = date_forms("2029-09-17")
"""An example of each form, by which the forms are called."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The figures.

    Attributes:
        subjects: How many different people are subjects; ``most_subject`` is how many cases one has at most.
        people: How many different full names there are, of all people; so with given and family names.
        cultures: How many of the pool's groups of names the subjects are from, and the largest share of one.
        values: Different services, sites and dates, of targets and decoys, and handles by type.
        most_service: How many cases one service is the target of, at most.
        years: First and last year of the targets' dates.
        months: How many targets are in each month, January first.
        days: How many targets are on each day of the month that any is on, by day.
        forms: How often dates are written in each form, by an example of it.
    """

    subjects: int
    most_subject: int
    people: int
    given: int
    family: int
    cultures: int
    known_cultures: int
    largest_culture: float
    values: Mapping[str, int]
    most_service: int
    dates: int
    years: tuple[int, int]
    months: tuple[int, ...]
    days: Mapping[int, int]
    forms: Mapping[str, int]


def count(cases: Sequence[Case], pool: Pool) -> Naming:
    """Count names, values and dates.

    Args:
        cases: The cases.
        pool: Whose groups of names the subjects are looked up in.
    """
    subjects = Counter(case.annotation.target.subject.canonical for case in cases)
    people = {name for case in cases for name in case.annotation.people}
    cultures = _cultures(subjects, pool)
    dates = [case.annotation.target.date.canonical for case in cases]
    services = Counter(case.annotation.target.service.canonical for case in cases)
    values = {(kind, value.canonical) for case in cases for kind, value in case.annotation.values}
    handles = {
        ("alias" if named.handle.type == "person" else named.handle.type, named.handle.name)
        for case in cases
        for named in case.annotation.handles
        if named.handle.name not in case.annotation.people and named.handle.type in ("person", "entry")
    }
    years = [int(one[:4]) for one in dates] or [0]
    return Naming(
        subjects=len(subjects),
        most_subject=max(subjects.values(), default=0),
        people=len(people),
        given=len({name.split()[0] for name in people}),
        family=len({name.split()[-1] for name in people}),
        cultures=len(cultures),
        known_cultures=len(pool.cultures),
        largest_culture=max(cultures.values(), default=0) / max(len(cases), 1),
        values=dict(sorted(Counter(kind for kind, _ in values | handles).items())),
        most_service=max(services.values(), default=0),
        dates=len(set(dates)),
        years=(min(years), max(years)),
        months=tuple(sum(int(one[5:7]) == month for one in dates) for month in range(1, 13)),
        days=dict(sorted(Counter(int(one[8:]) for one in dates).items())),
        forms=_forms(cases),
    )


def _cultures(subjects: Mapping[str, int], pool: Pool) -> Counter[int]:
    """Count subjects by the pool's groups of names, by number; names that no group has are left out."""
    found: Counter[int] = Counter()
    for name, times in subjects.items():
        given, _, family = name.partition(" ")
        for number, culture in enumerate(pool.cultures):
            if given in culture.given and family in culture.family:
                found[number] += times
                break
    return found


def _forms(cases: Sequence[Case]) -> dict[str, int]:
    """Count how dates are written where clues and decoys state them."""
    found = dict.fromkeys(FORMS, 0)
    for case in cases:
        dates = [value for kind, value in case.annotation.values if kind == "date"]
        named = dict(form for value in dates for form in examples(value.canonical))
        for span in {span for clue in case.annotation.clues for span in clue.values}:
            example = named.get((text_at(case, span) or "").casefold())
            if example is not None:
                found[example] += 1
    return found


def examples(iso: str) -> Iterator[tuple[str, str]]:
    """Go through a date's forms, in lower case, each with its example."""
    forms = date_forms(iso)
    # May is short already: its long and its short forms are the same.
    shown = FORMS if len(forms) == len(FORMS) else [one for one in FORMS if " Sep " not in f" {one} "]
    for form, example in zip(forms, shown, strict=True):
        yield form.casefold(), example
