"""Applies interventions. What a user's own returns is checked, and where it fails it is named."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from memjoin.cases.schema import Case
from memjoin.conditions.interventions.base import (
    ACTIONS,
    AnnotatedEdit,
    AnswerFilter,
    DecisionError,
    Draft,
    Edit,
    Filtered,
    Given,
)
from memjoin.conditions.interventions.registry import Step, is_ours
from memjoin.errors import MemJoinError
from memjoin.models.types import Message

_PURE = "It must take whatever a record or an answer holds, and give the same for the same."


def edited(given: Given, steps: Iterable[Step], case: Case) -> Given:
    """Return what the reader is given after some interventions, one after the other; filters do nothing here.

    Args:
        given: What it would be given.
        steps: The interventions, in order.
        case: The case, for those that see its annotation.

    Raises:
        MemJoinError: One of the user's own fails, or returns something else than is asked of it.
    """
    for step in steps:
        by = step.intervention
        if isinstance(by, AnnotatedEdit):
            with _named(step, "edit_annotated"):
                made = by.edit_annotated(given, case)
        elif isinstance(by, Edit):
            with _named(step, "edit"):
                made = by.edit(given)
        else:
            continue
        given = made if is_ours(step) else _checked(step, given, made)
    return given


def request_of(step: Step, draft: Draft) -> Sequence[Message] | None:
    """Return what a filter has a model asked about an answer; None where it needs none.

    Raises:
        MemJoinError: It is no filter, or one of the user's own that fails or returns something else.
    """
    with _named(step, "request"):
        messages = _filter(step).request(draft)
    if messages is None or is_ours(step):
        return messages
    if not isinstance(messages, Sequence) or not all(
        isinstance(each, dict) and isinstance(each.get("content"), str) for each in messages
    ):
        raise _odd(step, "request", "no list of messages", 'Each is {"role": ..., "content": ...}; or None.')
    return messages


def decided(step: Step, draft: Draft, decision: str) -> Filtered:
    """Return what a filter makes of an answer.

    Raises:
        DecisionError: The decision cannot be understood.
        MemJoinError: It is no filter, or one of the user's own that fails or returns something else.
    """
    with _named(step, "apply"):
        made = _filter(step).apply(draft, decision)
    if is_ours(step):
        return made
    if not isinstance(made, Filtered) or made.action not in ACTIONS or not isinstance(made.answer, str):
        hint = f"It is Filtered(action, answer), with an action of {', '.join(ACTIONS)}."
        raise _odd(step, "apply", "something else than Filtered", hint)
    if made.action == "allow" and made.answer != draft.answer:
        hint = "An answer that is changed is redacted, or blocked."
        raise _odd(step, "apply", "an answer that is allowed, and changed", hint)
    return made


def _checked(step: Step, before: Given, made: object) -> Given:
    what = "edit_annotated" if isinstance(step.intervention, AnnotatedEdit) else "edit"
    hint = "Return dataclasses.replace(given, items=...), with a tuple of strings, or given as it is."
    if not isinstance(made, Given):
        raise _odd(step, what, f"{type(made).__name__}, not Given", hint)
    if (made.items is None) != (before.items is None):
        raise _odd(step, what, "records for no memory, or none for one", "None stays None, () stays ().")
    for texts in (made.items or (), made.instructions):
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise _odd(step, what, "records or instructions that are no strings", hint)
    return Given(None if made.items is None else tuple(made.items), tuple(made.instructions))


def _filter(step: Step) -> AnswerFilter:
    if not isinstance(step.intervention, AnswerFilter):
        raise MemJoinError(f"{step.name} is no filter of answers.", "Name one that is, such as M5.")
    return step.intervention


@contextmanager
def _named(step: Step, what: str) -> Iterator[None]:
    """Say of what a user's own program raises where that was; ours has no business to raise."""
    try:
        yield
    except (MemJoinError, DecisionError):
        raise
    except Exception as error:  # whatever a user's program raises
        if is_ours(step):
            raise
        place = traceback.extract_tb(error.__traceback__)[-1]
        raise MemJoinError(
            f"The intervention {step.name} fails: {what} raises {type(error).__name__}: {error} "
            f"({place.filename}, line {place.lineno}).",
            _PURE,
        ) from error


def _odd(step: Step, what: str, returned: str, hint: str) -> MemJoinError:
    return MemJoinError(f"The intervention {step.name} returns {returned} from {what}.", hint)
