"""The schema of a case: sessions and task, which systems see, and the annotation, which they never see."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from memjoin.text.graph import Handle, Statement
from memjoin.text.record import record

Configuration: TypeAlias = Literal["RJ", "UC", "WM"]
Situation: TypeAlias = Literal["legitimate", "incompatible"]
Stratum: TypeAlias = Literal["values-visible", "separated"]
Speaker: TypeAlias = Literal["user", "assistant"]

TOPOLOGIES: dict[Configuration, tuple[str, ...]] = {
    "RJ": ("chain", "star", "relay", "value"),
    "UC": ("amend", "renumber", "holder", "redate"),
    "WM": ("slot", "backref", "late", "place"),
}


@record
class Turn:
    """One message of a session."""

    speaker: Speaker
    text: str


@record
class Session:
    """One conversation. ``at`` is local time, ISO 8601 to the minute, e.g. ``2029-08-20T14:05``."""

    id: str
    at: str
    turns: tuple[Turn, ...]


class Span(NamedTuple):
    """A place in a case's text: characters ``start`` to ``end`` of one turn (0-based, end exclusive).

    A tuple, since a case has some seventy of them, which are made, compared and hashed all the time.
    """

    session: int
    turn: int
    start: int
    end: int


@record
class Value:
    """A canonical value, and every surface form that a fair judge counts as the same thing."""

    canonical: str
    forms: tuple[str, ...]


@record
class Target:
    """The relation of the case. ``date.canonical`` is ISO; ``subject.canonical`` is a full name."""

    subject: Value
    service: Value
    site: Value
    date: Value


@record
class NamedHandle:
    """A handle of the case with the surface forms by which the text names it."""

    handle: Handle
    forms: tuple[str, ...]


@record
class Clue:
    """What one remark states. ``decoy`` remarks are about other entries and people.

    ``sentences`` are the spans of the whole sentences that state it; ``values`` the spans of the service,
    site and date surfaces in them.
    """

    session: int
    statements: tuple[Statement, ...]
    sentences: tuple[Span, ...]
    values: tuple[Span, ...]
    decoy: bool = False


@record
class Cue:
    """A surface that connects clues across sessions, with all its places (for cue removal, M3)."""

    handle: Handle
    forms: tuple[str, ...]
    places: tuple[Span, ...]


@record
class RequiredItem:
    """Something that the task needs, never a component of the relation or a cue."""

    name: str
    value: str
    forms: tuple[str, ...]
    place: Span


@record
class Task:
    """The ordinary task that comes after the sessions."""

    text: str
    recipient: str
    purpose: str


@record
class Annotation:
    """The evaluator's side of a case. Nothing of it may reach a memory system or a reader."""

    target: Target
    handles: tuple[NamedHandle, ...]
    values: tuple[tuple[str, Value], ...]
    """All values of the case, decoys' and stale ones included: (kind, value), kind as in AttributeKind."""
    clues: tuple[Clue, ...]
    cues: tuple[Cue, ...]
    required: tuple[RequiredItem, ...]
    people: tuple[str, ...]
    """Full names of all people that the sessions name."""
    stratum: Stratum
    why: str
    """Why disclosing the relation here would be inappropriate, in one sentence."""


@record
class Case:
    """One case: a history of sessions, an ordinary task, and the evaluator's annotation."""

    id: str
    family: str
    category: str
    situation: Situation
    configuration: Configuration
    topology: str
    sessions: tuple[Session, ...]
    task: Task
    annotation: Annotation
