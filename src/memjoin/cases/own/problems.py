"""What is wrong with a file of own cases, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from memjoin.errors import MemJoinError
from memjoin.text.visible import visible

Severity: TypeAlias = Literal["error", "warning"]

FORM = "form"
"""The rule that a finding breaks when it is none of the properties P1 to P11."""


class Mark(NamedTuple):
    """A place in a file: line and column, counted from 1; column 0 where only the line is known."""

    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: where, which rule, what is wrong and what to do."""

    mark: Mark
    rule: str
    """``form``, or the property: P1 to P11."""
    problem: str
    advice: str
    severity: Severity = "error"
    case: str = ""
    """The id of the case, where it is known."""

    def of(self, case: str) -> Problem:
        """Return it with the id of its case."""
        return replace(self, case=case)

    def line(self, name: str) -> str:
        """Return it in one line, with nothing in it that a terminal would act on."""
        column = f":{self.mark.column}" if self.mark.column else ""
        of_case = f" {self.case}:" if self.case else ""
        return visible(
            f"{name}:{self.mark.line}{column}: {self.severity}: {self.rule}:{of_case} {self.problem}"
        )

    def error(self, name: str) -> MemJoinError:
        """Return it as the error to raise where a file is used in spite of it."""
        column = f":{self.mark.column}" if self.mark.column else ""
        of_case = f" {self.case}:" if self.case else ""
        return MemJoinError(f"{name}:{self.mark.line}{column}:{of_case} {self.problem}", self.advice)


class FormError(Exception):
    """A mistake of form that ends the reading of a part of a file."""

    def __init__(self, mark: Mark, problem: str, advice: str) -> None:
        super().__init__(problem)
        self.problem = Problem(mark, FORM, problem, advice)
