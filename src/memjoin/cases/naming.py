"""What things are called: the subject, a day, two things by one name, and what connects sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memjoin.cases.evidence import Evidence, Key, Stated
from memjoin.cases.schema import Case
from memjoin.text.graph import Same

_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def what_called(case: Case) -> tuple[str, ...]:
    """Return the subject's names, the last word of the full one among them where nobody else has it.

    An annotation need not list a surname by which its text calls nobody; a mention by it would tell all
    the same.
    """
    subject = case.annotation.target.subject
    last = subject.canonical.rpartition(" ")[2]
    others = (name for name in case.annotation.people if name != subject.canonical)
    if len(last) < 2 or not last[0].isupper() or any(last in name.split() for name in others):
        return subject.forms
    return (*subject.forms, last)


def shared_names(evidence: Evidence) -> Iterator[tuple[str, str, str]]:
    """Go through the forms that name two things: the form, the one and the other."""
    owners: dict[str, Key] = {}
    for key, forms in evidence.phrases.items():
        for form in forms:
            other = owners.setdefault(form, key)
            if other != key:
                yield " ".join(form.split()), other[1], key[1]


def connecting(linked: Iterable[Stated], subject: str) -> Iterator[Key]:
    """Go through what connects the clues of different sessions: entries, aliases, sites and dates.

    A site or a date connects where something hangs on it; two sessions that merely mention one do not.

    Args:
        linked: The statements that bear on the subject.
        subject: The subject's name, which stands with one entry or alias and connects nothing itself.
    """
    sessions: dict[Key, set[int]] = {}
    handles: dict[Key, None] = {}
    for stated in linked:
        if not stated.decoy:
            for key in stated.ends:
                sessions.setdefault(key, set()).add(stated.session)
            ends = stated.ends if isinstance(stated.statement, Same) else stated.ends[:1]
            handles.update(dict.fromkeys(ends))
    for key in handles:
        if len(sessions[key]) > 1 and key != ("person", subject):
            yield key


def ordinal(day: int) -> str:
    """Return a day of the month as an ordinal, ``17th``."""
    return f"{day}{'th' if 10 < day < 20 else _SUFFIXES.get(day % 10, 'th')}"
