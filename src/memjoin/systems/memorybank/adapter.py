"""MemoryBank behind MemJoin's protocol. What it does, and from where, stands in README.md."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from memjoin.systems.endpoint import Endpoint, EndpointError
from memjoin.systems.memorybank import forgetting, prompts
from memjoin.systems.memorybank.retrieval import Run, merge, nearest
from memjoin.systems.memorybank.store import Bank, Note, sessions_of
from memjoin.systems.protocol import Loss, LossKind, Record, Session, Settings, WriteReport


class MemoryBank:
    """One worker's MemoryBank.

    Options: ``top_k``, how many pieces a query finds before their neighbours are joined in; ``forgetting``,
    whether turn pairs fade, and are strengthened when a conversation recalls them; ``global_summary``,
    whether the overall summary goes to the reader with the overall portrait.
    """

    def __init__(self, settings: Settings) -> None:
        options = settings.options
        self._endpoint = Endpoint(settings, timeout=float(str(options.get("timeout", 600))))
        self._top_k = int(str(options.get("top_k", 2)))
        self._forgetting = bool(options.get("forgetting", False))
        self._global_summary = bool(options.get("global_summary", False))
        self.reset("", 0)

    def reset(self, case_id: str, seed: int) -> None:
        """Forget everything. Case and seed decide what the forgetting curve will take."""
        self._case, self._seed = case_id, seed
        self._bank = Bank()
        self._vectors: dict[str, tuple[float, ...]] = {}
        self._traces: dict[str, forgetting.Trace] = {}
        self._losses: list[Loss] = []

    def write(self, session: Session) -> WriteReport:
        """Keep a session's turns, then bring the daily and the overall texts up to date."""
        before = {note.id: note.content for note in self._bank.notes()}
        calls, now, day = self._endpoint.calls, datetime.fromisoformat(session.at), session.at[:10]
        self._losses = []
        if self._forgetting:
            self._bank.forget(lambda note: self._traces[note.id].kept(now))
            self._recall(session, now)
        summarised = day in self._bank.summaries
        added = self._bank.add_turns(session)
        for note in added:
            self._traces[note.id] = forgetting.Trace(now, self._draw(note.id, 1))
        if added and summarised:
            detail = f"{day} was summarised before {session.id}, and a day is summarised once"
            self._lose("other", f"in no summary: {detail}")
        self._write_daily(session.at)
        self._write_overall(session.at)
        self._index()
        after = {note.id: note.content for note in self._bank.notes()}
        return WriteReport(
            added=len(after.keys() - before.keys()),
            changed=sum(after[note] != before[note] for note in after.keys() & before.keys()),
            removed=len(before.keys() - after.keys()),
            model_calls=self._endpoint.calls - calls,
            losses=tuple(self._losses),
        )

    def export(self) -> list[Record]:
        """Return turn pairs by day, daily summaries, daily portraits, overall summary and portrait."""
        return [_record(note) for note in self._bank.notes()]

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return the overall texts that every prompt gets, then what the query finds, by day.

        Args:
            query: The text to search with.
            k: How many pieces to find; None: as configured. What their neighbours bring is not counted.

        Nothing is strengthened: recall belongs to conversations, and this is the evaluator's question.
        """
        kinds = ("overall-portrait", "overall-summary") if self._global_summary else ("overall-portrait",)
        given = [_record(note) for kind, note in self._bank.overall.items() if kind in kinds]
        given.sort(key=lambda record: kinds.index(record.kind))
        pieces = self._bank.pieces()
        if not pieces:
            return given
        (vector,) = self._endpoint.embed([query])
        found = self._search(pieces, _unit(vector), self._top_k if k is None else k)
        return given + [_joined([pieces[place] for place in run.places], run.score) for run in found]

    def close(self) -> None:
        """Close the connection to the gateway."""
        self._endpoint.close()

    def _recall(self, session: Session, now: datetime) -> None:
        """Search with every user turn, as before every answer, and strengthen what is found."""
        queries = [turn.text for turn in session.turns if turn.speaker == "user" and turn.text.strip()]
        pieces = self._bank.pieces()
        if not pieces or not queries:
            return
        try:
            vectors = self._endpoint.embed(queries)
        except EndpointError as error:
            self._lose("model-error", f"{session.id} recalled nothing, so nothing grew stronger: {error}")
            return
        for vector in vectors:
            for run in self._search(pieces, _unit(vector), self._top_k):
                for place in run.places:
                    self._strengthen(pieces[place], now)

    def _strengthen(self, note: Note, now: datetime) -> None:
        if (trace := self._traces.get(note.id)) is not None:
            draw = self._draw(note.id, trace.strength + 1)
            self._traces[note.id] = trace.recalled(now, draw)

    def _draw(self, note: str, strength: int) -> float:
        return forgetting.draw(self._seed, self._case, note, strength)

    def _search(self, pieces: Sequence[Note], vector: Sequence[float], k: int) -> list[Run]:
        hits = nearest([self._vectors.get(note.id) for note in pieces], vector, k)
        return merge(hits, [note.day for note in pieces], [len(note.text) for note in pieces])

    def _write_daily(self, at: str) -> None:
        """Ask for what a day lacks: that is each new day, and one whose call failed before."""
        for day, turns in self._bank.history.items():
            content = "\n".join(note.content for note in turns)
            if day not in self._bank.summaries and (text := self._ask("day_events", content, day)):
                self._bank.set_daily("summary", day, text, at)
            if day not in self._bank.portraits and (text := self._ask("day_portrait", content, day)):
                self._bank.set_daily("portrait", day, text, at)

    def _write_overall(self, at: str) -> None:
        """Write both overall texts again from the daily ones; where that fails the earlier text stays."""
        summaries = [self._bank.summaries[day] for day in sorted(self._bank.summaries)]
        portraits = [self._bank.portraits[day] for day in sorted(self._bank.portraits)]
        if summaries and (text := self._ask("overall_events", _noted(summaries))):
            self._bank.set_overall("overall-summary", text, summaries, at)
        if portraits and (text := self._ask("overall_portrait", _noted(portraits))):
            self._bank.set_overall("overall-portrait", text, portraits, at)

    def _ask(self, task: prompts.Task, content: str, day: str = "") -> str:
        """Return the model's text, empty where there is none; what is lost by that is reported."""
        what = f"{task.replace('_', ' ')} of {day}" if day else task.replace("_", " ")
        try:
            message = self._endpoint.chat(prompts.messages(task, content))
        except EndpointError as error:
            self._lose("model-error", f"{what} not written: {error}")
            return ""
        text = message.get("content")
        # Half a surrogate pair is text to JSON, and to nothing after it.
        text = text.encode("utf-8", "replace").decode().strip() if isinstance(text, str) else ""
        if not text:
            self._lose("empty-reply", f"{what} not written: the reply is empty")
        elif self._endpoint.finish_reason == "length":
            self._lose("other", f"{what} cut off at the token limit")
        return text

    def _index(self) -> None:
        """Embed what is not embedded yet. A piece without a vector is kept, but no query finds it."""
        pieces = self._bank.pieces()
        known = {note.id for note in pieces}
        self._vectors = {note: vector for note, vector in self._vectors.items() if note in known}
        missing = [note for note in pieces if note.id not in self._vectors]
        try:
            vectors = self._endpoint.embed([note.text for note in missing])
        except EndpointError as error:
            self._lose("model-error", f"{len(missing)} pieces not embedded, so no query finds them: {error}")
            return
        for note, vector in zip(missing, vectors, strict=True):
            self._vectors[note.id] = _unit(vector)

    def _lose(self, kind: LossKind, detail: str) -> None:
        self._losses.append(Loss(kind, detail))


def _noted(notes: Sequence[Note]) -> str:
    return prompts.notes((note.day, note.content) for note in notes)


def _record(note: Note) -> Record:
    return Record(note.id, note.text, note.kind, note.created, note.updated, note.sessions)


def _joined(notes: Sequence[Note], score: float) -> Record:
    """One record for neighbouring pieces; its id names them all."""
    return Record(
        id="+".join(note.id for note in notes),
        text="\n".join(note.text for note in notes),
        kind=notes[0].kind if len(notes) == 1 else "joined",
        created=notes[0].created,
        updated=notes[-1].updated,
        sessions=sessions_of(notes),
        score=score,
    )


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    length = math.sqrt(math.fsum(number * number for number in vector)) or 1.0
    return tuple(number / length for number in vector)
