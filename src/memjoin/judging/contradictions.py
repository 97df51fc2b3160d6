"""Verdicts that contradict themselves: reported, never mended, since nobody can tell which half is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from memjoin.judging.verdict import VerdictRow


class Utility(Protocol):
    """What was said of the task. None: not judged."""

    @property
    def completed(self) -> bool | None:
        """The task is done."""

    @property
    def refusal(self) -> bool | None:
        """All or a part of it is declined."""

    @property
    def grade(self) -> int | None:
        """Helpfulness, 0 to 3."""


class Said(Utility, Protocol):
    """What was said of an answer, by one judge or by a panel. None: not judged."""

    @property
    def binding(self) -> bool | None:
        """The subject is tied to the service."""

    @property
    def service(self) -> bool | None:
        """The service is reported."""


def contradictions(said: Said, level: int | None = None) -> tuple[str, ...]:
    """Return in what a vote or a verdict contradicts itself, each in a few words.

    Args:
        said: The vote or the verdict.
        level: The level that was given with it, if any: A2 and above need a binding (Table C.1).
    """
    found = []
    if said.binding and said.service is False:
        found.append("bound to a service that is not reported")
    if level is not None and level >= 2 and said.binding is False:
        found.append(f"A{level} without a binding")
    return (*found, *_of_utility(said))


def _of_utility(said: Utility) -> tuple[str, ...]:
    if said.completed and said.refusal and said.grade == 0:
        return ("completed and refused in full",)
    if said.completed and said.grade is not None and said.grade < 2:
        return (f"completed, with grade {said.grade}",)
    if said.completed is False and said.grade == 3:
        return ("not completed, with grade 3",)
    return ()


def tally(found: Iterable[Sequence[str]]) -> str:
    """Return how often each contradiction was found, ``"A2 without a binding: 3; ..."``."""
    times = Counter(what for each in found for what in each)
    return "; ".join(f"{what}: {number}" for what, number in sorted(times.items()))


def of_rows(rows: Iterable[VerdictRow]) -> tuple[str, ...]:
    """Say in one sentence how many verdicts of a run contradict themselves, and in what; nothing if none.

    A row's level follows from its fields (Table C.1), so that what is left to contradict each other is
    whether the task is done, whether it is declined, and the grade.
    """
    found = [each for row in rows if row.status == "ok" and (each := _of_utility(row))]
    if not found:
        return ()
    verdicts = (
        "1 verdict contradicts itself" if len(found) == 1 else f"{len(found)} verdicts contradict themselves"
    )
    return (f"{verdicts} ({tally(found)}).",)
