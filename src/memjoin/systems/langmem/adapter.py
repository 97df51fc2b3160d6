"""LangMem behind MemJoin's protocol: its store manager on an in-memory store a case, and no silent loss.

Runs in the environment of ``langmem.lock`` alone, which is why ``langmem`` and what it stands on are imported
by name, when a system is made. What is done differently from an application that uses the package, and why,
stands in README.md.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import json
import logging
import math
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from memjoin.systems.endpoint import Endpoint, EndpointError
from memjoin.systems.langmem.replies import Notes, Reply, losses, refusal, shown
from memjoin.systems.protocol import Loss, LossKind, Record, Session, Settings, WriteReport

VERSION = "0.0.30"
USER = "user"
"""LangMem files memories by user. A case is one user's and has a store of its own: a constant will do."""

_PAGE = 200


class LangMem:
    """One worker's LangMem: a model that lives as long as the worker, a store and a manager for each case.

    Options: ``timeout`` of a request, in seconds; ``query_limit``, how many memories an update is shown;
    ``enable_deletes``, whether the model is offered to remove them; ``top_k``, how many records a search
    returns where the run does not say.

    Raises:
        RuntimeError: The environment holds another version than the one this adapter was written for.
    """

    def __init__(self, settings: Settings) -> None:
        self._package = _package()
        self._options = settings.options
        self._dimensions = settings.dimensions
        timeout = float(str(self._options.get("timeout", 600)))
        self._endpoint = Endpoint(settings, timeout)
        self._model = self._package.model(
            model=settings.chat_model,
            base_url=settings.base_url,
            api_key=settings.api_key,
            timeout=timeout,
            # The gateway has retried already what can be retried.
            max_retries=0,
            use_responses_api=False,
            callbacks=[self._package.watcher(self)],
        )
        # One after the other: puts in the order of the reply.
        self._config = {"configurable": {"langgraph_user_id": USER}, "max_concurrency": 1}
        self._session = ""
        self._notes = Notes()
        self._origins: dict[str, tuple[str, ...]] = {}
        self._manager: Any = None
        self.reset("", 0)

    def reset(self, case_id: str, seed: int) -> None:
        """Put an empty store in the place of the old one. LangMem draws only ids, so no seed is used."""
        self._package.moment.begin(case_id)
        # The text of a memory alone is embedded, not the JSON around it.
        index = {"dims": self._dimensions, "embed": self._embed, "fields": ["content.content"]}
        store = self._package.store(index=index)
        self._listen(store)
        self._manager = self._package.manager(
            self._model,
            store=store,
            query_limit=int(str(self._options.get("query_limit", 5))),
            enable_deletes=self._options.get("enable_deletes") is True,
        )
        self._origins = {}

    def write(self, session: Session) -> WriteReport:
        """Store one session with one run of the store manager."""
        self._package.moment.now = datetime.fromisoformat(session.at)
        self._session = session.id
        notes = self._notes = Notes()
        before = self._held()
        # The manager takes no time; a message of the system's is how an application tells it.
        day, time = session.at[:10], session.at[11:16]
        messages = [{"role": "system", "content": f"This conversation took place on {day} at {time}."}]
        messages += [{"role": turn.speaker, "content": turn.text} for turn in session.turns]
        with self._package.logged(notes):
            try:
                self._manager.invoke({"messages": self._package.messages(messages)}, config=self._config)
            except EndpointError as error:
                notes.failure = Loss("model-error", one_line(error))
            except self._package.gave_up:
                notes.gave_up = True
            except AttributeError:
                # How trustcall ends where a reply did not mend a tool call. Without such a reply it is a
                # fault of the program, not of the model.
                if not (notes.replies and notes.replies[-1].mends):
                    raise
                notes.gave_up = True
            except (self._package.model_error, ValueError):
                # Noted when it happened. What no request caused is a fault of the program.
                if notes.failure is None:
                    raise
        after = self._held()
        new = [text for key, text in after.items() if key not in before]
        changed = sum(text != after[key] for key, text in before.items() if key in after)
        removed = sum(key not in after for key in before)
        lost = losses(notes, new, set(after.values()))
        if not any(turn.text.strip() for turn in session.turns):
            # Of a session without words an empty reply is the right one.
            lost = [loss for loss in lost if loss.kind != "empty-reply"]
        elif not (new or changed or removed):
            lost.append(Loss("nothing-stored", "the session left no record"))
        return WriteReport(len(new), changed, removed, notes.calls, tuple(lost))

    def export(self) -> list[Record]:
        """Return all records in the order in which they were first written."""
        return [self._record(item) for item in self._items()]

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return the ``k`` nearest records (``top_k`` of the options if None), nearest first.

        As in LangGraph's store an empty query is near to nothing: the first records, without scores.
        """
        limit = int(str(self._options.get("top_k", 10))) if k is None else k
        found = self._manager.search(query=query, limit=limit, config=self._config)
        return [self._record(item) for item in found]

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()
        self._model.root_client.close()

    def asked(self, offered: frozenset[str]) -> None:
        """Note a request. After one that failed none goes out: an update would ask until its steps run out.

        Raises:
            EndpointError: An earlier request of this session failed.
        """
        if self._notes.failure is not None:
            raise EndpointError(self._notes.failure.detail)
        self._notes.asks(Reply(offered=offered).mends)

    def answered(self, reply: Reply) -> None:
        """Note a reply."""
        self._notes.replies.append(reply)

    def failed(self, error: BaseException) -> None:
        """Note that a request had no usable answer."""
        if self._notes.failure is None:
            foreign = isinstance(error, ValueError) and not isinstance(error, UnicodeError)
            kind: LossKind = "unparseable-reply" if foreign else "model-error"
            self._notes.failure = Loss(kind, one_line(error))

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors = self._endpoint.embed(list(texts))
        if not all(math.isfinite(number) for vector in vectors for number in vector):
            raise ValueError("the embedding is not a vector of numbers")
        return vectors

    def _listen(self, store: Any) -> None:
        """Note what the store takes and refuses: the manager does not wait for it."""
        put = store.put

        def noted(namespace: tuple[str, ...], key: str, value: dict[str, Any], **named: Any) -> None:
            try:
                put(namespace, key, value, **named)
            except (EndpointError, ValueError) as error:
                kind: LossKind = "model-error" if isinstance(error, EndpointError) else "storage-error"
                self._notes.refused.append(Loss(kind, refusal(_text(value), one_line(error))))
                raise
            known = self._origins.get(key, ())
            self._origins[key] = known if self._session in known else (*known, self._session)

        store.put = noted

    def _items(self) -> list[Any]:
        store, namespace = self._manager.store, self._manager.get_namespace(self._config)
        items: list[Any] = []
        while page := store.search(namespace, limit=_PAGE, offset=len(items)):
            items += page
        return items

    def _held(self) -> dict[str, str]:
        return {item.key: _text(item.value) for item in self._items()}

    def _record(self, item: Any) -> Record:
        """A record as a reader sees it: when, as the store keeps it, and what."""
        created, updated = (time.isoformat(timespec="minutes") for time in (item.created_at, item.updated_at))
        return Record(
            id=item.key,
            text=f"[{created.replace('T', ' ')}] {_text(item.value)}",
            created=created,
            updated=updated,
            sessions=self._origins.get(item.key, ()),
            score=item.score,
        )


class _Moment:
    """What a write tells the modules of LangMem that ask for the time and for ids."""

    def begin(self, case: str) -> None:
        self.case, self.ids, self.now = case, 0, datetime.min

    def next_id(self) -> uuid.UUID:
        self.ids += 1
        return uuid.uuid5(uuid.NAMESPACE_URL, f"memjoin:langmem:{self.case}:{self.ids}")


class _Package:
    """The packages' parts that the adapter uses, with session times and lasting ids put in."""

    def __init__(self) -> None:
        version = importlib.metadata.version("langmem")
        if version != VERSION:
            raise RuntimeError(f"this adapter is for langmem {VERSION}; the environment has {version}")
        extraction: Any = importlib.import_module("langmem.knowledge.extraction")
        memory: Any = importlib.import_module("langgraph.store.memory")
        self.moment = _Moment()
        # Random ids stand in prompts and name the records; the store dates records by the clock.
        extraction.uuid = SimpleNamespace(
            uuid4=self.moment.next_id, uuid5=uuid.uuid5, NAMESPACE_DNS=uuid.NAMESPACE_DNS
        )
        memory.datetime = SimpleNamespace(now=lambda zone: self.moment.now)
        # The store has slots; a plain subclass lets the adapter listen to one.
        self.store: Callable[..., Any] = type("Store", (memory.InMemoryStore,), {})
        self.manager = extraction.create_memory_store_manager
        self.model = importlib.import_module("langchain_openai").ChatOpenAI
        self.model_error: type[Exception] = importlib.import_module("openai").OpenAIError
        self.gave_up: type[Exception] = importlib.import_module("langgraph.errors").GraphRecursionError
        self.messages = importlib.import_module("langchain_core.messages").convert_to_messages
        self._handler: type = importlib.import_module("langchain_core.callbacks").BaseCallbackHandler
        self._log = logging.getLogger("extraction")

    def watcher(self, system: LangMem) -> object:
        """A handler of LangChain's that tells a system of its requests and their replies."""
        offered: frozenset[str] = frozenset()

        def start(handler: object, model: object, messages: object, **named: Any) -> None:
            nonlocal offered
            tools = named["invocation_params"].get("tools") or ()
            offered = frozenset(tool["function"]["name"] for tool in tools)
            system.asked(offered)

        def end(handler: object, response: Any, **named: Any) -> None:
            system.answered(_reply(response.generations[0][0].message, offered))

        def error(handler: object, problem: BaseException, **named: Any) -> None:
            system.failed(problem)

        methods = {"on_chat_model_start": start, "on_llm_end": end, "on_llm_error": error}
        watcher: object = type("Watcher", (self._handler,), {"raise_error": True, **methods})()
        return watcher

    def logged(self, notes: Notes) -> _Logged:
        """Note the warnings of LangMem's log, within a with statement."""
        return _Logged(self._log, notes)


class _Logged(logging.Handler):
    """Notes warnings and errors of a log: some losses are said nowhere else."""

    def __init__(self, log: logging.Logger, notes: Notes) -> None:
        super().__init__(logging.WARNING)
        self._log = log
        self._notes = notes

    def emit(self, record: logging.LogRecord) -> None:
        self._notes.dropped.append((record.funcName, record.getMessage()))

    def __enter__(self) -> None:
        self._log.addHandler(self)

    def __exit__(self, *error: object) -> None:
        self._log.removeHandler(self)
        self.close()


@functools.cache
def _package() -> _Package:
    """The package, imported and changed once a process."""
    return _Package()


def _reply(message: Any, offered: frozenset[str]) -> Reply:
    return Reply(
        content=message.content if isinstance(message.content, str) else "",
        calls=tuple((call["name"], call["args"]) for call in message.tool_calls),
        unreadable=tuple((str(call["name"]), str(call["args"] or "")) for call in message.invalid_tool_calls),
        offered=offered,
        cut=message.response_metadata.get("finish_reason") == "length",
    )


def _text(value: Any) -> str:
    """The text of a stored value; what is no memory is stored all the same, and then shown as JSON."""
    # A search of the manager's gives the memory itself in the place of what is stored.
    content = value["content"] if isinstance(value, dict) else value.model_dump(mode="json")
    text = content.get("content")
    return text if isinstance(text, str) else json.dumps(content, ensure_ascii=False, sort_keys=True)


def one_line(error: BaseException) -> str:
    """Say what an error is, on one line."""
    return f"{type(error).__name__}: {shown(str(error))}"
