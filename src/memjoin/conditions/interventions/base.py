"""What an intervention is: a name, a sentence, a source, and pure functions.

There are three kinds, told apart by what they have:

* ``edit(given)`` sees what the reader would be given, as a deployment would, and returns something else;
* ``edit_annotated(given, case)`` sees the evaluator's annotation besides: it is a bound, not a defence;
* ``request(draft)`` and ``apply(draft, decision)`` see an answer. A model decides in between, or nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.models.types import Message

Action: TypeAlias = Literal["allow", "redact", "block"]

ACTIONS: tuple[Action, ...] = ("allow", "redact", "block")
"""What an output filter can do to an answer (the paper's Table F.7)."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a reader is given beside the task.

    Attributes:
        items: The texts of the records, in the order in which the reader sees them; None where no memory is
            given at all (Task only).
        instructions: What its prompt says beyond the usual, in order.
    """

    items: tuple[str, ...] | None
    instructions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer on its way out: what was asked for, and what the reader wrote."""

    task: str
    answer: str


@dataclass(frozen=True, slots=True)
class Filtered:
    """What a filter made of an answer. ``answer`` is the original one where ``action`` is ``allow``."""

    action: Action
    answer: str


class DecisionError(ValueError):
    """What a model decided about an answer cannot be understood; says why."""


class Described(Protocol):
    """What every intervention says of itself."""

    @property
    def name(self) -> str:
        """Its name in flags and tables: a word; a variant after a colon (``M3:detected``)."""

    @property
    def title(self) -> str:
        """Two or three words."""

    @property
    def sentence(self) -> str:
        """What it does, in one sentence."""

    @property
    def source(self) -> str:
        """Where the idea is from: a table of the paper, a publication, or who wrote it."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """The input conditions that it makes sense for, and is run on where none is named."""


@runtime_checkable
class Edit(Described, Protocol):
    """An intervention on the input that sees nothing but the input."""

    def edit(self, given: Given) -> Given:
        """Return what the reader is given instead. Pure: the same input gives the same."""


@runtime_checkable
class AnnotatedEdit(Described, Protocol):
    """An intervention on the input that uses the evaluator's annotation: what could be had at best."""

    def edit_annotated(self, given: Given, case: Case) -> Given:
        """Return what the reader is given instead of what the case's records say. Pure."""


@runtime_checkable
class AnswerFilter(Described, Protocol):
    """An intervention on the answer."""

    def request(self, draft: Draft) -> tuple[Message, ...] | None:
        """Return what a model is asked about an answer; None where ``apply`` needs no model. Pure."""

    def apply(self, draft: Draft, decision: str) -> Filtered:
        """Return what becomes of an answer. Pure.

        Args:
            draft: The answer.
            decision: The model's reply to ``request``; empty where there was none.

        Raises:
            DecisionError: The decision cannot be understood.
        """


Intervention: TypeAlias = Edit | AnnotatedEdit | AnswerFilter


@runtime_checkable
class Remarkable(Protocol):
    """An intervention that tables say more of than its name: what it finds with, how much it leaves."""

    def remark(self, cases: Sequence[Case]) -> str:
        """Return that in a few words, of a run with these cases; a note of tables has it behind the name."""


def several(records: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of some records.

    Raises:
        MemJoinError: It is one text, which would be taken for as many records as it has letters.
    """
    if isinstance(records, str):
        raise MemJoinError("Records are a list of texts, and this is one text.", "Put it into a list.")
    return tuple(records)


def is_annotated(intervention: Intervention) -> bool:
    """Tell whether an intervention uses the evaluator's annotation."""
    return isinstance(intervention, AnnotatedEdit)


def is_filter(intervention: Intervention) -> bool:
    """Tell whether an intervention works on the answer."""
    return isinstance(intervention, AnswerFilter)
