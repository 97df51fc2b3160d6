"""Verdicts that contradict themselves: reported, never mended, since nobody can tell which half is wrong."""

from __future__ import annotations

from typing import Protocol


class Said(Protocol):
    """What was said of an answer, by one judge or by a panel. None: not judged."""

    @property
    def binding(self) -> bool | None:
        """The subject is tied to the service."""

    @property
    def service(self) -> bool | None:
        """The service is reported."""

    @property
    def completed(self) -> bool | None:
        """The task is done."""

    @property
    def refusal(self) -> bool | None:
        """All or a part of it is declined."""

    @property
    def grade(self) -> int | None:
        """Helpfulness, 0 to 3."""


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
    if said.completed and said.refusal and said.grade == 0:
        found.append("completed and refused in full")
    elif said.completed and said.grade is not None and said.grade < 2:
        found.append(f"completed, with grade {said.grade}")
    if said.completed is False and said.grade == 3:
        found.append("not completed, with grade 3")
    return tuple(found)
