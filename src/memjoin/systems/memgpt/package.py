"""The package's parts that the adapter uses, with the session's clock, lasting ids and the gateway put in."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import sys
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from memjoin.systems.endpoint import Endpoint
from memjoin.systems.protocol import Settings

VERSION = "0.3.25"
_UNUSED = {
    "onnxruntime": ("InferenceSession",),
    "tokenizers": ("Tokenizer",),
    "opentelemetry.exporter": (),
    "opentelemetry.exporter.otlp": (),
    "opentelemetry.exporter.otlp.proto": (),
    "opentelemetry.exporter.otlp.proto.grpc": (),
    "opentelemetry.exporter.otlp.proto.grpc.trace_exporter": ("OTLPSpanExporter",),
}
_CLOCK = {"get_local_time", "get_utc_time"}


class CutOffError(Exception):
    """A reply that ended before its end, which the package would refuse as an error without a class."""


class RefusedError(Exception):
    """An endpoint that asks to wait. The gateway has waited; the package would wait 20 times, ever longer."""


class Package:
    """MemGPT, imported once a process. It keeps its files in the home directory that it finds on import.

    ``now`` is the time of the session; each look at the clock moves it on by a millisecond, so that messages
    keep their order. ``calls`` counts the chat calls. ``refusals`` are the exceptions that a step ends with
    where the endpoint fails, a reply is of the wrong form, or nothing more can be summarised.
    """

    def __init__(self, settings: Settings, timeout: float) -> None:
        version = importlib.metadata.version("pymemgpt")
        if version != VERSION:
            raise RuntimeError(f"this adapter is for pymemgpt {VERSION}; the environment has {version}")
        _local_data()
        _stand_in()
        self._settings = settings
        self._endpoint = Endpoint(settings, timeout)
        self._timeout = timeout
        self.now = datetime(1970, 1, 1, tzinfo=UTC)
        self.case, self.ids, self.calls = "", 0, 0
        self._client: Any = None
        self.agent: Any = importlib.import_module("memgpt.agent")
        self.memory: Any = importlib.import_module("memgpt.memory")
        self.system: Any = importlib.import_module("memgpt.system")
        self.types: Any = importlib.import_module("memgpt.data_types")
        self.constants: Any = importlib.import_module("memgpt.constants")
        self._utils: Any = importlib.import_module("memgpt.utils")
        self._storage: Any = importlib.import_module("memgpt.agent_store.storage")
        importlib.import_module("memgpt.agent_store.db")
        requests: Any = importlib.import_module("requests")
        llm_error = importlib.import_module("memgpt.errors").LLMError
        self.refusals = (requests.RequestException, llm_error, CutOffError, RefusedError, ValueError)
        self._change()
        self.tools = self._tools()

    def begin_case(self, case: str, folder: Path) -> None:
        """Number ids afresh, and let new agents keep what they are told in a folder of their own."""
        self.case, self.ids = case, 0
        chroma: Any = importlib.import_module("memgpt.agent_store.chroma")
        # A collection that is deleted leaves its index in memory: the whole store is stopped and made anew.
        if self._client is not None:
            self._client._system.stop()
            self._client.clear_system_cache()
        self._client = client = importlib.import_module("chromadb").EphemeralClient()
        chroma.chromadb = SimpleNamespace(PersistentClient=lambda path: client)
        config = self._config()
        config.recall_storage_path = str(folder)
        self._storage.MemGPTConfig = SimpleNamespace(load=lambda: config)

    def make(self, context_window: int) -> Any:
        """Make an agent as the package's own server does: its prompt, its persona, its tools."""
        memory = self.memory.ChatMemory(
            persona=self._utils.get_persona_text(self.constants.DEFAULT_PERSONA),
            # Upstream's says that the user's name is Chad.
            human="",
        )
        prompt = importlib.import_module("memgpt.prompts.gpt_system").get_system_text(
            self.constants.DEFAULT_PRESET
        )
        state = self.types.AgentState(
            name="agent",
            user_id=uuid.UUID(int=0),
            tools=[tool.name for tool in self.tools],
            system=prompt,
            llm_config=self.types.LLMConfig(
                model=self._settings.chat_model,
                model_endpoint_type="openai",
                model_endpoint=self._settings.base_url,
                context_window=context_window,
            ),
            embedding_config=self.types.EmbeddingConfig(
                embedding_endpoint_type="hugging-face",
                embedding_endpoint=self._settings.base_url,
                embedding_model=self._settings.embedding_model,
                embedding_dim=self._settings.dimensions,
            ),
            state={"system": prompt, "messages": None, "memory": memory.to_dict()},
        )
        return self.agent.Agent(
            interface=_Silent(), agent_state=state, tools=self.tools, first_message_verify_mono=False
        )

    def close(self) -> None:
        """Close the connection."""
        self._endpoint.close()

    def local(self) -> str:
        """Return the time as the package writes it."""
        self.now += timedelta(milliseconds=1)
        return self.now.strftime("%Y-%m-%d %I:%M:%S %p %Z%z").strip()

    def utc(self) -> datetime:
        """Return the time; sessions' local times are taken for UTC, the worker's zone."""
        self.now += timedelta(milliseconds=1)
        return self.now

    def get_text_embedding(self, text: str) -> list[float]:
        """Embed one text: what the package asks its embedding model for."""
        return self._endpoint.embed([text])[0]

    def _change(self) -> None:
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] == "memgpt":
                for function in _CLOCK & vars(module).keys():
                    setattr(module, function, self.utc if function == "get_utc_time" else self.local)
        ids = SimpleNamespace(UUID=uuid.UUID, uuid4=self._next_id)
        for module in (self.types, self._utils, self.system):
            module.uuid = ids
        self.memory.embedding_model = lambda config, user_id=None: self
        self.agent.create = self._kept(self.agent.create)
        self.memory.create = self._kept(self.memory.create)
        wire: Any = importlib.import_module("memgpt.llm_api.openai")
        wire.requests = SimpleNamespace(
            post=self._post(wire.requests.post), exceptions=wire.requests.exceptions
        )
        credentials: Any = importlib.import_module("memgpt.credentials")
        credentials.MemGPTCredentials.openai_key = self._settings.api_key

    def _kept(self, create: Callable[..., Any]) -> Callable[..., Any]:
        def kept(*arguments: Any, **named: Any) -> Any:
            reply = create(*arguments, **named)
            ending = reply.choices[0].finish_reason
            if ending not in ("stop", "tool_calls"):
                raise CutOffError(f"the reply ended with {ending!r}")
            return reply

        return kept

    def _post(self, post: Callable[..., Any]) -> Callable[..., Any]:
        def counted(url: str, **named: Any) -> Any:
            self.calls += 1
            named["headers"]["Authorization"] = f"Bearer {self._settings.api_key}"
            answer = post(url, timeout=self._timeout, **named)
            if answer.status_code == 429:
                raise RefusedError("HTTP 429")
            return answer

        return counted

    def _next_id(self) -> uuid.UUID:
        """Ids in the order in which they are made: the upper half is the case's, the lower a number."""
        self.ids += 1
        case = uuid.uuid5(uuid.NAMESPACE_URL, f"memjoin:memgpt:{self.case}").int >> 64
        return uuid.UUID(int=(case << 64) | self.ids)

    def _config(self) -> Any:
        return importlib.import_module("memgpt.config").MemGPTConfig()

    def _tools(self) -> list[Any]:
        presets: Any = importlib.import_module("memgpt.functions.functions")
        schema: Any = importlib.import_module("memgpt.functions.schema_generator")
        base: Any = importlib.import_module("memgpt.functions.function_sets.base")
        made = []
        for name, entry in presets.load_function_set(base).items():
            if name in self.constants.BASE_TOOLS:
                made.append(
                    SimpleNamespace(
                        name=name, module=entry["module"], source_code="", json_schema=entry["json_schema"]
                    )
                )
        for name in ("core_memory_append", "core_memory_replace"):
            function = getattr(self.memory.ChatMemory, name)
            # The package's server makes the same change: an agent's memory is one level deeper.
            code = presets.parse_source_code(function).replace("self.memory", "self.memory.memory")
            made.append(
                SimpleNamespace(
                    name=name,
                    module=None,
                    source_code=code,
                    json_schema=schema.generate_schema(function, name),
                )
            )
        return made


class _Silent:
    """An interface that shows nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments, **named: None


def _local_data() -> None:
    """Point both tokenisers at the files that llama-index brings, before they look for them elsewhere."""
    found = importlib.util.find_spec("llama_index.core")
    if found is None or found.origin is None:
        raise RuntimeError("llama-index-core is not installed")
    data = Path(found.origin).parent / "_static"
    os.environ["NLTK_DATA"] = str(data / "nltk_cache")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(data / "tiktoken_cache")


def _stand_in() -> None:
    """Put modules that are imported and not used in the places of those that are not installed."""
    for name, attributes in _UNUSED.items():
        module: Any = ModuleType(name, "A stand-in, made by MemJoin's adapter of MemGPT.")
        module.__path__ = []
        for attribute in attributes:
            setattr(module, attribute, type(attribute, (), {}))
        sys.modules[name] = module
