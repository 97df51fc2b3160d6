"""What MemoryBank keeps of one user: turn pairs by day, daily summaries and portraits, two overall texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.systems.memorybank.prompts import conversation
from memjoin.systems.protocol import Session, Turn

Kind: TypeAlias = Literal["turns", "summary", "portrait", "overall-summary", "overall-portrait"]


@dataclass(frozen=True, slots=True)
class Note:
    """One text that is kept. ``day`` is ISO, empty for the overall texts; times are those of sessions."""

    id: str
    kind: Kind
    day: str
    content: str
    sessions: tuple[str, ...]
    created: str
    updated: str

    @property
    def text(self) -> str:
        """The text as it is embedded and shown: with its day, which is all of the time that is kept."""
        return f"[{self.day}] {self.content}" if self.day else self.content


class Bank:
    """The memory of one case, from empty."""

    def __init__(self) -> None:
        self.history: dict[str, list[Note]] = {}
        self.summaries: dict[str, Note] = {}
        self.portraits: dict[str, Note] = {}
        self.overall: dict[Kind, Note] = {}
        self._counts: dict[str, int] = {}

    def add_turns(self, session: Session) -> list[Note]:
        """Keep the turn pairs of a session under its day, and return them."""
        day = session.at[:10]
        added: list[Note] = []
        for turns in pairs(session.turns):
            number = self._counts[day] = self._counts.get(day, 0) + 1
            content = conversation((turn.speaker, turn.text) for turn in turns)
            note = Note(f"turns-{day}-{number}", "turns", day, content, (session.id,), session.at, session.at)
            added.append(note)
        if added:
            self.history.setdefault(day, []).extend(added)
        return added

    def set_daily(self, kind: Literal["summary", "portrait"], day: str, content: str, at: str) -> None:
        """Keep a day's summary or portrait, written at a time from all turns of the day so far."""
        kept = self.summaries if kind == "summary" else self.portraits
        kept[day] = Note(f"{kind}-{day}", kind, day, content, sessions_of(self.history[day]), at, at)

    def set_overall(
        self,
        kind: Literal["overall-summary", "overall-portrait"],
        content: str,
        sources: Iterable[Note],
        at: str,
    ) -> None:
        """Keep an overall text, written at a time from daily ones, in the place of the one before."""
        earlier = self.overall.get(kind)
        created = earlier.created if earlier else at
        self.overall[kind] = Note(kind, kind, "", content, sessions_of(sources), created, at)

    def forget(self, kept: Callable[[Note], bool]) -> None:
        """Drop turn pairs that are not kept; a day with none left loses its summary too."""
        for day in list(self.history):
            left = [note for note in self.history[day] if kept(note)]
            if left:
                self.history[day] = left
            else:
                del self.history[day]
                self.summaries.pop(day, None)

    def pieces(self) -> list[Note]:
        """Return what is indexed, by day: its turn pairs, then its summary."""
        found: list[Note] = []
        for day in sorted(self.history):
            found.extend(self.history[day])
            if day in self.summaries:
                found.append(self.summaries[day])
        return found

    def notes(self) -> list[Note]:
        """Return all that is kept: turns by day, summaries, portraits, both overall texts."""
        turns = [note for day in sorted(self.history) for note in self.history[day]]
        daily = [kept[day] for kept in (self.summaries, self.portraits) for day in sorted(kept)]
        return [*turns, *daily, *(self.overall[kind] for kind in sorted(self.overall, reverse=True))]


def pairs(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    """Split a session into what the user said and the reply to it; either may be missing.

    Blank turns fall out.
    """
    pair: list[Turn] = []
    for turn in turns:
        if not turn.text.strip():
            continue
        if pair and not (pair[-1].speaker == "user" and turn.speaker != "user"):
            yield pair
            pair = []
        pair.append(turn)
    if pair:
        yield pair


def sessions_of(notes: Iterable[Note]) -> tuple[str, ...]:
    """Return the ids of the sessions that notes come from, each once, in order."""
    return tuple(dict.fromkeys(session for note in notes for session in note.sessions))
