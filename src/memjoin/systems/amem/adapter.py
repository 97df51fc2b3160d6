"""A-Mem behind MemJoin's protocol: one note a turn, one store in memory a case, and no silent loss.

Runs in the environment of ``amem.lock`` alone, which is why ``agentic_memory`` is imported by name, when a
system is made. What is done differently from an application that uses the package, and why, stands in
README.md.
"""

from __future__ import annotations

import copy
import importlib
import importlib.metadata
import json
import logging
import uuid
from collections.abc import Callable
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from memjoin.systems.amem.replies import Evolution, read_analysis, read_evolution
from memjoin.systems.amem.standins import Models, install, one_line
from memjoin.systems.endpoint import Endpoint, EndpointError
from memjoin.systems.protocol import Loss, Record, Session, Settings, WriteReport

VERSION = "0.2.6"
_ACCESSED = "%Y%m%d%H%M"
"""The form in which the package keeps when a note was last read or changed."""


class AMem:
    """One worker's A-Mem, with a new system and a new store for each case.

    Options: ``timeout`` of a request, in seconds; ``top_k``, how many notes a search finds where the run does
    not say.

    Raises:
        RuntimeError: The environment holds another version than the one this adapter was written for.
    """

    def __init__(self, settings: Settings) -> None:
        timeout = float(str(settings.options.get("timeout", 600)))
        self._settings = settings
        self._models = Models(Endpoint(settings, timeout))
        self._package = _Package(self._models)
        self._top_k = int(str(settings.options.get("top_k", 10)))
        self._case = ""
        self._origins: dict[str, tuple[str, str]] = {}
        self._held: dict[str, dict[str, str]] = {}
        self._system: Any = None

    def reset(self, case_id: str, seed: int) -> None:
        """Put a new system in the place of the old one. A-Mem itself draws nothing, so no seed is used."""
        self._end()
        self._system = self._package.make(
            model_name=self._settings.embedding_model,
            llm_backend="openai",
            llm_model=self._settings.chat_model,
            api_key=self._settings.api_key,
        )
        if self._system.retriever.count():
            raise RuntimeError("a new store is not empty")
        self._system.find_related_memories = _Kept(self._system.find_related_memories, ("", []))
        self._system.retriever.search = _Kept(self._system.retriever.search, {})
        self._case = case_id
        self._origins, self._held = {}, {}

    def write(self, session: Session) -> WriteReport:
        """Add one note for each turn that has words, and compare what was answered with what is stored."""
        before, calls = self._held, self._models.calls
        now = datetime.fromisoformat(session.at)
        self._package.now = now
        lost: list[Loss] = []
        spoken = [(number, turn) for number, turn in enumerate(session.turns, 1) if turn.text.strip()]
        for number, turn in spoken:
            identity = self._identity()
            self._origins[identity] = (session.id, session.at)
            content = f"Speaker {turn.speaker} says: {turn.text}"
            for loss in self._add(identity, content, now):
                lost.append(Loss(loss.kind, f"turn {number}: {loss.detail}"))
        after = self._held = self._rows()
        added = len(after.keys() - before.keys())
        if spoken and not added:
            lost.append(Loss("nothing-stored", "the session left no record"))
        return WriteReport(
            added=added,
            changed=sum(_shown(before[i]) != _shown(after[i]) for i in before.keys() & after.keys()),
            removed=len(before.keys() - after.keys()),
            model_calls=self._models.calls - calls,
            losses=tuple(lost),
        )

    def export(self) -> list[Record]:
        """Return all notes in the order in which they were written."""
        rows = self._rows()
        return [self._record(identity, rows[identity]) for identity in self._origins if identity in rows]

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return what ``find_related_memories_raw`` gives, a record for each note found.

        The notes that a found one is linked to stand below it in the same record, as A-Mem shows them.
        """
        system = self._system
        cache, search = system.cache, system.retriever.search
        # Reading a note counts as an access, and an access would change what is stored later.
        system.cache = _Copies(cache)
        self._package.now = None
        search.value = {}
        try:
            raw = system.find_related_memories_raw(query, self._top_k if k is None else k)
            found = self._shown_notes(search.value, self._top_k if k is None else k)
        finally:
            system.cache = cache
        if "".join(f"{record.text}\n" for record in found) != raw:
            raise RuntimeError("what A-Mem found cannot be told apart, note by note")
        return found

    def close(self) -> None:
        """Close the store and the connection."""
        self._end()
        self._models.endpoint.close()

    def _add(self, identity: str, content: str, now: datetime) -> list[Loss]:
        """Add one note; return what was lost of it, of the replies, and of its neighbours."""
        package, models, related = self._package, self._models, self._system.find_related_memories
        models.begin()
        package.swallowed.clear()
        related.value = ("", [])
        held = len(self._held)
        lost: list[Loss] = []
        refused = ""
        try:
            moment, accessed = f"{now:%Y-%m-%d %H:%M}", f"{now:{_ACCESSED}}"
            self._system.add_note(content, time=moment, id=identity, last_accessed=accessed)
        except package.refusals as error:
            # A note that is kept in the cache alone would be linked to, and never found.
            self._system.cache.remove(identity)
            refused = one_line(error)
        neighbours = [str(neighbour) for neighbour in related.value[1]]
        analysis, evolution = [*models.outcomes, None, None][:2]
        if isinstance(analysis, str):
            lost.append(Loss("model-error", f"not analysed: {analysis}"))
        elif analysis is not None and (problem := read_analysis(analysis)):
            lost.append(Loss(problem.kind, f"not analysed: {problem.detail}"))
        asked = Evolution()
        if isinstance(evolution, str):
            lost.append(Loss("model-error", f"not linked: {evolution}"))
        elif evolution is not None:
            asked = read_evolution(evolution, neighbours, list(self._held))
            lost += [Loss(problem.kind, f"not linked: {problem.detail}") for problem in asked.losses]
        elif held:
            lost.append(self._failed("not linked, as its neighbours were not found"))
        lost += self._missing(identity, refused, neighbours, asked, lost)
        if package.swallowed and not lost:
            lost.append(Loss("other", f"A-Mem said: {'; '.join(package.swallowed)}"))
        return lost

    def _missing(
        self, identity: str, refused: str, neighbours: list[str], asked: Evolution, lost: list[Loss]
    ) -> list[Loss]:
        """Look the note and its neighbours up in the store, and name what is not there as it should be."""
        rows = self._rows([identity, *neighbours])
        found: list[Loss] = []
        if identity in rows:
            self._held = self._held | {identity: rows[identity]}
        elif lost and not self._models.failures:
            # It is the bad reply that made A-Mem give up; the store was never asked.
            found.append(Loss(lost[-1].kind, f"not stored: {refused}"))
        else:
            found.append(self._failed("not stored", refused))
        gone = [neighbour for neighbour in neighbours if neighbour not in rows]
        if gone:
            found.append(self._failed(f"{len(gone)} earlier notes were lost when they were updated"))
        for change in asked.changes:
            row = rows.get(change.id)
            if row is None:
                continue
            context = row["context"] if change.context is None else change.context
            if (row["context"], row["tags"]) != (context, json.dumps(list(change.tags))):
                found.append(self._failed("an earlier note was not updated"))
        return found

    def _failed(self, what: str, why: str = "") -> Loss:
        """Name something that failed between A-Mem and its store, by the embedder's error if there is one."""
        if self._models.failures:
            return Loss("model-error", f"{what}: {self._models.failures[-1]}")
        return Loss(
            "storage-error", f"{what}: {why or '; '.join(self._package.swallowed) or 'no reason given'}"
        )

    def _identity(self) -> str:
        number = len(self._origins) + 1
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"memjoin:amem:{self._case}:{number}"))

    def _rows(self, ids: list[str] | None = None) -> dict[str, dict[str, str]]:
        """Return what the store has, by id, as it is: the package's reading makes a number of '2025'."""
        found = self._system.retriever.collection.get(ids=ids, include=["metadatas"])
        return dict(zip(found["ids"], found["metadatas"], strict=True))

    def _record(self, identity: str, row: dict[str, str]) -> Record:
        session, at = self._origins[identity]
        return Record(
            id=identity,
            text=_shown(row),
            created=at,
            updated=datetime.strptime(row["last_accessed"], _ACCESSED).isoformat(timespec="minutes"),
            sessions=(session,),
        )

    def _shown_notes(self, results: dict[str, Any], k: int) -> list[Record]:
        """Return a record for each note of a search, with the lines of the first k notes it is linked to."""
        records = []
        if not results:
            return []
        for identity, row, distance in zip(
            *(results[key][0] for key in ("ids", "metadatas", "distances")), strict=True
        ):
            linked = [note for link in row["links"] if (note := self._system.read(link))][:k]
            parts = [identity, *(note.id for note in linked)]
            sessions = dict.fromkeys(self._origins[part][0] for part in parts)
            records.append(
                Record(
                    id="+".join(parts),
                    text="\n".join([_line(row), *(_line(vars(note)) for note in linked)]),
                    kind="linked" if linked else "memory",
                    created=self._origins[identity][1],
                    sessions=tuple(sessions),
                    score=-float(distance),
                )
            )
        return records

    def _end(self) -> None:
        if self._system is not None:
            self._system.retriever.client.close()
            self._system = None


class _Package:
    """The package, with the session's clock put in and an ear to what it prints and logs.

    ``now`` is the time that the package's clock shows. ``swallowed`` are the errors that it printed or logged
    instead of raising them. ``refusals`` are the exceptions that ``add_note`` ends with where a reply is of
    the wrong form, the endpoint fails, or the store refuses a note.
    """

    def __init__(self, models: Models) -> None:
        version = importlib.metadata.version("a-mem")
        if version != VERSION:
            raise RuntimeError(f"this adapter is for a-mem {VERSION}; the environment has {version}")
        install(models)
        memory: Any = importlib.import_module("agentic_memory.memory_system")
        retrievers: Any = importlib.import_module("agentic_memory.retrievers")
        chroma: Any = importlib.import_module("chromadb")
        store_error = importlib.import_module("chromadb.errors").ChromaError
        self.make = memory.AgenticMemorySystem
        self.now: datetime | None = None
        self.swallowed: list[str] = []
        self.refusals = (EndpointError, store_error, AttributeError, TypeError, ValueError)
        memory.datetime = SimpleNamespace(now=lambda: self.now or datetime(1970, 1, 1))
        memory.print = retrievers.print = self._hear
        # Kept on disk, an index is written with the memory behind it, freed text of earlier cases included.
        retrievers.chromadb = SimpleNamespace(PersistentClient=lambda path: chroma.EphemeralClient())
        logging.getLogger("agentic_memory").addHandler(_Listener(self._hear))

    def _hear(self, *parts: object) -> None:
        text = " ".join(map(str, parts)).encode("utf-8", "replace").decode()
        self.swallowed.append(" ".join(text.split()))


class _Listener(logging.Handler):
    """Passes on what is logged as a warning or an error."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._hear = hear

    def emit(self, record: logging.LogRecord) -> None:
        """Pass one message on."""
        self._hear(record.getMessage())


class _Kept:
    """A function that keeps what it returned last in ``value``."""

    def __init__(self, function: Callable[..., Any], value: Any) -> None:
        self._function = function
        self.value = value

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self.value = self._function(*arguments, **named)
        return self.value


class _Copies:
    """Gives copies of what A-Mem's cache holds and takes nothing in, so that reading leaves no trace."""

    def __init__(self, cache: Any) -> None:
        self._notes = cache._cache.cache

    def get(self, identity: str) -> Any:
        return copy.copy(self._notes.get(identity))

    def put(self, identity: str, note: object) -> None:
        """Take nothing in."""


def _shown(row: dict[str, str]) -> str:
    """Show a stored note as A-Mem shows it, with its lists as lists."""
    return _line(
        row | {key: json.loads(row[key]) for key in ("keywords", "tags") if row[key].startswith("[")}
    )


def _line(note: dict[str, Any]) -> str:
    """Write a note as ``find_related_memories_raw`` does, whose text is what a reader of A-Mem gets."""
    return (
        f"talk start time:{note['timestamp']}\tmemory content: {note['content']}\t"
        f"memory context: {note['context']}\tmemory keywords: {note['keywords']}\tmemory tags: {note['tags']}"
    )
