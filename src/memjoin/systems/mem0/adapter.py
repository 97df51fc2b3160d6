"""Mem0 behind MemJoin's protocol: one embedded store a case, session dates, and no silent loss.

Runs in the environment of ``mem0.lock`` alone, which is why ``mem0`` is imported by name, when a system is
made. What is done differently from an application that uses the package, and why, stands in README.md.
"""

from __future__ import annotations

import functools
import importlib
import os
import threading
import types
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memjoin.systems.mem0.replies import Reply, losses, read_reply
from memjoin.systems.protocol import Loss, Record, Session, Settings, WriteReport

VERSION = "2.2.1"
COLLECTION = "memjoin"
USER = "user"
"""Mem0 files memories by user. A case is one user's, and each has a store of its own: a constant will do."""


class Mem0:
    """One worker's Mem0. Its clients live as long as the worker, its stores as long as a case.

    Options: ``max_tokens`` of a reply; ``timeout`` of a request, in seconds; ``threshold``, the lowest score
    that a search returns; ``top_k``, how many records it returns where the run does not say.

    Raises:
        RuntimeError: The environment holds another version than the one this adapter was written for.
    """

    def __init__(self, settings: Settings) -> None:
        # Both are read when the package is imported.
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ.setdefault("MEM0_DIR", str(Path(settings.home) / "mem0"))
        self._package = _package()
        self._case = ""
        self._ids = 0
        self._options = settings.options
        self._dimensions = settings.dimensions
        self._replies: list[Reply] = []
        self._failures: dict[str, str] = {}
        self._written: list[str] = []
        self._memory = self._make(settings)

    def reset(self, case_id: str, seed: int) -> None:
        """Put empty stores in the place of the old ones. Mem0 itself draws nothing, so no seed is used."""
        old = self._memory.vector_store.client
        self._memory.db.close()
        self._memory.db = self._package.history(":memory:")
        config = self._memory.config.vector_store.config
        config.client = self._package.client(":memory:")
        self._memory.vector_store = self._package.stores.create("qdrant", config)
        self._memory._entity_store = None
        old.close()
        self._written = []
        self._case, self._ids = case_id, 0

    def write(self, session: Session) -> WriteReport:
        """Store one session with one call of ``Memory.add``."""
        moment = self._package.moment
        moment.begin(self._case, session.at[:10], self._ids)
        self._replies.clear()
        self._failures.clear()
        before = self._count()
        lost: list[Loss] = []
        messages = [{"role": turn.speaker, "content": turn.text} for turn in session.turns]
        metadata = {"created_at": session.at, "session": session.id}
        try:
            added = self._memory.add(messages, user_id=USER, metadata=metadata)["results"]
        except self._package.model_errors as error:
            added, lost = [], [Loss("model-error", _one_line(error))]
        except self._package.store_error as error:
            added, lost = [], [Loss("storage-error", _one_line(error))]
        except (AttributeError, TypeError) as error:
            # What Mem0 does with a reply whose memories are not objects, or whose texts are no text. Without
            # a reply it is a fault of the program, not of the model.
            if not self._replies:
                raise
            problem = read_reply(self._replies[-1]).problem
            gave_up = Loss("unparseable-reply", f"Mem0 could not take the reply in: {_one_line(error)}")
            added, lost = [], [problem or gave_up]
        self._written.extend(str(memory["id"]) for memory in added)
        if not lost and self._replies:
            texts = {memory["memory"] for memory in added}
            held = {record["memory"] for record in self._all()}
            lost = losses(read_reply(self._replies[-1]), texts & held, held, self._failures)
        self._ids = moment.ids
        stored = self._count() - before
        if not stored and any(turn.text.strip() for turn in session.turns):
            lost.append(Loss("nothing-stored", "the session left no record"))
        return WriteReport(added=stored, model_calls=moment.prompts, losses=tuple(lost))

    def export(self) -> list[Record]:
        """Return all records in the order in which they were written."""
        order = {identity: place for place, identity in enumerate(self._written)}
        found = sorted(self._all(), key=lambda memory: (order.get(memory["id"], len(order)), memory["id"]))
        return [_record(memory) for memory in found]

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return the ``k`` nearest records (``top_k`` of the options if None), nearest first.

        Mem0 refuses an empty query; nothing is near it.
        """
        if not query.strip():
            return []
        found = self._memory.search(
            query,
            filters={"user_id": USER},
            top_k=self._number("top_k", 20) if k is None else k,
            threshold=float(str(self._options.get("threshold", 0.1))),
        )
        return [_record(memory, score=float(memory["score"])) for memory in found["results"]]

    def close(self) -> None:
        """Close the stores and the connections."""
        self._memory.vector_store.client.close()
        self._memory.close()
        self._memory.llm.client.close()
        self._memory.embedding_model.client.close()

    def _make(self, settings: Settings) -> Any:
        endpoint = {"api_key": settings.api_key, "openai_base_url": settings.base_url}
        chat = {
            "model": settings.chat_model,
            "max_tokens": self._number("max_tokens", 8192),
            # By the model's name Mem0 would decide which parameters to send; the gateway takes all of them.
            "is_reasoning_model": False,
            "response_callback": self._note,
        }
        embeddings = {"model": settings.embedding_model, "embedding_dims": self._dimensions}
        store = {
            "client": self._package.client(":memory:"),
            "collection_name": COLLECTION,
            "embedding_model_dims": self._dimensions,
        }
        memory = self._package.memory.from_config(
            {
                "llm": {"provider": "openai", "config": chat | endpoint},
                "embedder": {"provider": "openai", "config": embeddings | endpoint},
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": ":memory:",
            }
        )
        # The gateway has retried already what can be retried.
        patience = {"timeout": float(str(self._options.get("timeout", 600))), "max_retries": 0}
        memory.llm.client = memory.llm.client.with_options(**patience)
        memory.embedding_model.client = memory.embedding_model.client.with_options(**patience)
        memory.embedding_model.embed = self._watch(memory.embedding_model.embed)
        return memory

    def _note(self, llm: object, response: Any, params: object) -> None:
        choice = response.choices[0]
        self._replies.append(Reply(choice.message.content, choice.finish_reason or "stop"))

    def _watch(self, embed: Callable[..., Any]) -> Callable[..., Any]:
        """Keep the errors of single embeddings, which Mem0 only logs."""

        def watched(text: str, *arguments: Any, **named: Any) -> Any:
            try:
                return embed(text, *arguments, **named)
            except (*self._package.model_errors, UnicodeError) as error:
                self._failures[text] = _one_line(error)
                raise

        return watched

    def _all(self) -> list[dict[str, Any]]:
        found = self._memory.get_all(
            filters={"user_id": USER}, top_k=max(self._count(), 1), show_expired=True
        )
        return list(found["results"])

    def _count(self) -> int:
        return int(self._memory.vector_store.client.count(COLLECTION, exact=True).count)

    def _number(self, option: str, default: int) -> int:
        return int(str(self._options.get(option, default)))


class _Moment(threading.local):
    """What a write tells the functions that stand in for Mem0's own: the day, and which id comes next."""

    def begin(self, case: str, day: str, ids: int) -> None:
        self.case, self.day, self.ids, self.prompts = case, day, ids, 0


class _Package:
    """The package's parts that the adapter uses, with session dates and lasting ids put in."""

    def __init__(self) -> None:
        version = importlib.import_module("mem0").__version__
        if version != VERSION:
            raise RuntimeError(f"this adapter is for mem0ai {VERSION}; the environment has {version}")
        main: Any = importlib.import_module("mem0.memory.main")
        errors = importlib.import_module("mem0.exceptions")
        self.memory = main.Memory
        self.history = main.SQLiteManager
        self.stores = main.VectorStoreFactory
        self.client = importlib.import_module("qdrant_client").QdrantClient
        self.model_errors = (errors.LLMError, importlib.import_module("openai").OpenAIError)
        self.store_error = errors.VectorStoreError
        self.moment = _Moment()
        self._build = main.generate_additive_extraction_prompt
        main.generate_additive_extraction_prompt = self._dated_prompt
        main.uuid = types.SimpleNamespace(uuid4=self._next_id)

    def _dated_prompt(self, *arguments: Any, **named: Any) -> str:
        """Build the prompt as of the session's day. ``Memory.add`` would always say today's."""
        self.moment.prompts += 1
        day = self.moment.day
        return str(self._build(*arguments, **named, timestamp=day, current_date=day))

    def _next_id(self) -> uuid.UUID:
        self.moment.ids += 1
        return uuid.uuid5(uuid.NAMESPACE_URL, f"memjoin:mem0:{self.moment.case}:{self.moment.ids}")


@functools.cache
def _package() -> _Package:
    """The package, imported and changed once a process."""
    return _Package()


def _record(memory: dict[str, Any], score: float | None = None) -> Record:
    """A record as a reader sees it: when, as Mem0 keeps it in ``created_at``, and what."""
    created = str(memory["created_at"])
    session = (memory.get("metadata") or {}).get("session")
    return Record(
        id=str(memory["id"]),
        text=f"[{created.replace('T', ' ')}] {memory['memory']}",
        created=created,
        updated=memory["updated_at"],
        sessions=(str(session),) if session else (),
        score=score,
    )


def _one_line(error: Exception) -> str:
    text = str(error).encode("utf-8", "replace").decode()
    return f"{type(error).__name__}: {' '.join(text.split())}"
