"""What things are called: the subject, a day, and two things by one name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from memjoin.cases.evidence import Evidence
from memjoin.cases.plaintext import phrase, phrases
from memjoin.cases.schema import Case
from memjoin.cases.stated import Key

_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def what_called(case: Case) -> tuple[str, ...]:
    """Return the subject's names, plain, the last word of the full one among them where nobody else has it.

    An annotation need not list a surname by which its text calls nobody; a mention by it would tell all
    the same.
    """
    subject = case.annotation.target.subject
    last = subject.canonical.rpartition(" ")[2]
    sharing = [name for name in case.annotation.people if last in name and name != subject.canonical]
    if len(last) < 2 or not last[0].isupper() or any(last in name.split() for name in sharing):
        return phrases(subject.forms)
    return (*phrases(subject.forms), phrase(last))


def shared_names(evidence: Evidence) -> Iterator[tuple[str, str, str]]:
    """Go through the forms that name two things: the form, the one and the other."""
    forms_of = evidence.phrases
    if len(frozenset(chain.from_iterable(forms_of.values()))) == sum(map(len, forms_of.values())):
        return
    owners: dict[str, Key] = {}
    for key, forms in forms_of.items():
        for form in forms:
            other = owners.setdefault(form, key)
            if other != key:
                yield " ".join(form.split()), other[1], key[1]


def ordinal(day: int) -> str:
    """Return a day of the month as an ordinal, ``17th``."""
    return f"{day}{'th' if 10 < day < 20 else _SUFFIXES.get(day % 10, 'th')}"
