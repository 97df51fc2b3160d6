"""SimpleMem behind MemJoin's protocol: one store in memory a case, whole windows, and no silent loss.

Runs in the environment of ``simplemem.lock`` alone. What is done differently from an application that uses
the package, and why, stands in README.md.
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

from memjoin.systems.endpoint import EndpointError
from memjoin.systems.protocol import Loss, Record, Session, Settings, WriteReport
from memjoin.systems.simplemem.package import Models, Package, Try, one_line

_SHOWN = 160
_FIRST = "[Context 1]\n"
"""What SimpleMem sets above the first record that it shows to a model."""


class SimpleMem:
    """One worker's SimpleMem, with a new system and a new store for each case.

    Options: ``timeout`` of a request, in seconds; ``window_size``, how many turns one extraction reads;
    ``semantic_top_k``, how many records one of a retrieval's searches finds.

    Raises:
        RuntimeError: The environment holds another version than the one this adapter was written for.
    """

    def __init__(self, settings: Settings) -> None:
        options = settings.options
        self._models = Models(settings, float(str(options.get("timeout", 600))))
        self._package = Package(self._models)
        self._directory = str(Path(settings.home) / "simplemem")
        self._window_size = int(str(options.get("window_size", 40)))
        self._top_k = int(str(options.get("semantic_top_k", 25)))
        self._origins: dict[str, Session] = {}
        self._system: Any = None

    def reset(self, case_id: str, seed: int) -> None:
        """Put a new system in the place of the old one. SimpleMem itself draws nothing: no seed is used."""
        self._origins = {}
        self._system = self._package.make(case_id, self._directory, self._window_size, self._top_k)

    def write(self, session: Session) -> WriteReport:
        """Store one session, window by window until none of it waits, and compare answers with the store."""
        calls, before = self._models.calls, self._count()
        at = datetime.fromisoformat(session.at).isoformat(timespec="seconds")
        builder = self._system.memory_builder
        spoken = [
            self._package.dialogue(
                dialogue_id=number, speaker=turn.speaker, content=_whole(turn.text), timestamp=at
            )
            for number, turn in enumerate(session.turns, 1)
            if turn.text.strip()
        ]
        builder.add_dialogues(spoken, auto_process=False)
        lost: list[Loss] = []
        done = 0
        while builder.dialogue_buffer:
            turns = min(len(builder.dialogue_buffer), builder.window_size)
            window = f"turns {done + 1} to {done + turns}"
            lost += [Loss(loss.kind, f"{window}: {loss.detail}") for loss in self._process(session)]
            done += turns
        added = self._count() - before
        if spoken and not added:
            lost.append(Loss("nothing-stored", "the session left no record"))
        return WriteReport(added=added, model_calls=self._models.calls - calls, losses=tuple(lost))

    def export(self) -> list[Record]:
        """Return all records in the order of writing.

        Raises:
            RuntimeError: The store holds a record that SimpleMem itself cannot read.
        """
        entries = self._system.get_all_memories()
        if len(entries) != self._count():
            raise RuntimeError(f"SimpleMem reads {len(entries)} of {self._count()} stored records")
        found = {entry.entry_id: entry for entry in entries}
        return [self._record(found[identity]) for identity in self._origins if identity in found]

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return what SimpleMem finds by its own plan, searches and reflection; it takes no ``k``.

        A reply that it cannot read it replaces by a plain search, and so it is here. Where a model or the
        store failed, it would go on with less, or nothing.

        Raises:
            RuntimeError: A model or the store failed, or SimpleMem could not go on with a reply.
        """
        if not query.strip():
            return []
        self._models.begin()
        self._package.said.clear()
        try:
            found = self._system.hybrid_retriever.retrieve(_whole(query))
        except (KeyError, TypeError, AttributeError) as error:
            if not self._models.tries:
                raise
            reply = _shown(self._models.tries[-1].content)
            raise RuntimeError(
                f"SimpleMem could not go on with the reply {reply!r}: {one_line(error)}"
            ) from error
        failed = [*self._models.given_up, *self._models.not_embedded]
        errors = [line for line in self._package.said if line.startswith("Error during semantic search")]
        if not failed and len(errors) > self._models.refused:
            failed = errors
        if failed:
            raise RuntimeError(f"a search failed, and SimpleMem went on without it: {'; '.join(failed)}")
        return [self._record(entry) for entry in found]

    def close(self) -> None:
        """Close the connections."""
        self._system = None
        self._models.close()

    def _process(self, session: Session) -> list[Loss]:
        """Have one window extracted and stored; return what was lost of it."""
        models, builder = self._models, self._system.memory_builder
        models.begin()
        self._package.said.clear()
        before = self._count()
        parse = builder._parse_llm_response
        entries: list[Any] = []

        def keep(*arguments: Any, **named: Any) -> list[Any]:
            entries[:] = parse(*arguments, **named)
            return list(entries)

        builder._parse_llm_response = keep
        refused: Loss | None = None
        try:
            builder.process_window()
        except EndpointError as error:
            refused = Loss("model-error", f"not embedded: {one_line(error)}")
        except self._package.store_errors as error:
            refused = Loss("storage-error", one_line(error))
        finally:
            builder._parse_llm_response = parse
        last = models.tries[-1]
        if last.error or last.unread:
            return [_unread(last, len(models.tries))]
        stored = self._count() - before
        if stored == len(entries):
            self._origins |= {entry.entry_id: session for entry in entries}
            return _beyond(last)
        held = set(self._system.vector_store.table.to_arrow().column("entry_id").to_pylist())
        self._origins |= {entry.entry_id: session for entry in entries if entry.entry_id in held}
        missing = len(entries) - stored
        why = refused or Loss("storage-error", "no reason given")
        return [Loss(why.kind, f"{missing} extracted records were not stored: {why.detail}")]

    def _count(self) -> int:
        return int(self._system.vector_store.table.count_rows())

    def _record(self, entry: Any) -> Record:
        """A record as SimpleMem shows it to the model that answers."""
        session = self._origins[entry.entry_id]
        shown = str(self._system.answer_generator._format_contexts([entry]))
        return Record(
            id=str(entry.entry_id),
            text=shown.removeprefix(_FIRST),
            created=session.at,
            sessions=(session.id,),
        )


def _unread(last: Try, tries: int) -> Loss:
    """Name why a window was given up, by the last try."""
    often = f" (after {tries} calls)" if tries > 1 else ""
    if last.error:
        return Loss("model-error", f"not extracted{often}: {last.error}")
    ending = " and was cut off at the token limit" if last.finish_reason == "length" else ""
    if not last.content.strip():
        return Loss("empty-reply", f"not extracted{often}: the reply is empty{ending}")
    return Loss(
        "unparseable-reply",
        f"not extracted{often}: SimpleMem cannot read the reply{ending}: {last.unread[:_SHOWN]}; "
        f"it is {_shown(last.content)}",
    )


def _beyond(last: Try) -> list[Loss]:
    """Name what follows the first block of a reply that was read: SimpleMem reads no further."""
    blocks = len(re.findall(r"^\s*```", last.content, re.MULTILINE)) // 2
    if blocks < 2:
        return []
    return [Loss("ignored-reply", f"of {blocks} blocks of JSON in the reply only the first was read")]


def _whole(text: str) -> str:
    """Return text without half surrogate pairs, which are text to JSON, and to nothing after it."""
    return text.encode("utf-8", "replace").decode()


def _shown(text: str) -> str:
    line = " ".join(_whole(text).split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
