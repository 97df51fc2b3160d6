"""What the reader is given beside the task: the five input conditions (the paper's Table B.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memjoin.cases.schema import Session
from memjoin.errors import MemJoinError
from memjoin.systems.protocol import Record


@dataclass(frozen=True, slots=True)
class Condition:
    """One input condition. A *reference* bypasses memory: it is run once a case and trial, for no system."""

    name: str
    title: str
    supplies: str
    reference: bool


_ALL = (
    Condition("retrieved", "Retrieved memory", "what the system's own retrieval finds for the task", False),
    Condition("all", "All memory", "every record of the same trial's store", False),
    Condition("history", "Full history", "the complete original conversations", True),
    Condition("task-only", "Task only", "nothing", True),
    Condition("itemized", "Itemized history", "the original messages, each as a record of its own", True),
)
CONDITIONS: tuple[str, ...] = tuple(condition.name for condition in _ALL)
"""The names, in the order in which tables list them."""
DEFAULT_CONDITIONS: tuple[str, ...] = ("retrieved", "all", "history", "task-only")
"""What a run uses that names none."""


@dataclass(frozen=True, slots=True)
class ReaderInput:
    """What stands in the reader's prompt beside the task. ``items`` is None where no memory is given at all
    (Task only); it is empty where memory was asked and had nothing."""

    condition: str
    items: tuple[str, ...] | None


def condition(name: str) -> Condition:
    """Return a condition by its name.

    Raises:
        MemJoinError: There is none of that name.
    """
    for candidate in _ALL:
        if candidate.name == name:
            return candidate
    raise MemJoinError(f"There is no condition {name!r}.", f"Conditions: {', '.join(CONDITIONS)}.")


def view(
    name: str,
    *,
    sessions: Sequence[Session] = (),
    retrieved: Sequence[Record] = (),
    exported: Sequence[Record] = (),
) -> ReaderInput:
    """Return the reader's input under a condition.

    Args:
        name: The condition.
        sessions: The case's conversations, in order; for the references.
        retrieved: What the system retrieved for the task, best first; for ``retrieved``.
        exported: Every record of the store, in its stable order; for ``all``.

    Raises:
        MemJoinError: There is no such condition.
    """
    condition(name)
    items: tuple[str, ...] | None = None
    if name == "retrieved":
        items = tuple(record.text for record in retrieved)
    elif name == "all":
        items = tuple(record.text for record in exported)
    elif name == "history":
        items = tuple(_conversation(session) for session in sessions)
    elif name == "itemized":
        items = tuple(message for session in sessions for message in _messages(session))
    return ReaderInput(name, items)


def _conversation(session: Session) -> str:
    lines = [f"Conversation of {_time(session)}"]
    lines += [f"{turn.speaker.capitalize()}: {turn.text}" for turn in session.turns]
    return "\n".join(lines)


def _messages(session: Session) -> list[str]:
    return [f"[{_time(session)}] {turn.speaker.capitalize()}: {turn.text}" for turn in session.turns]


def _time(session: Session) -> str:
    return session.at.replace("T", " ", 1)
