"""The language model on this machine: a real llama.cpp server, its life, and its death."""

from __future__ import annotations

import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memjoin.models import local
from memjoin.models.errors import UnknownModelError
from memjoin.models.local import LlamaServer, LocalChat, LocalEmbedder, LocalServerError
from memjoin.models.names import is_local, parse_name, resolve_chat, resolve_embedder
from memjoin.models.types import ChatRequest

SAY = ({"role": "user", "content": "Say hello."},)


@pytest.fixture(scope="module")
def server() -> Iterator[LlamaServer]:
    made = LlamaServer(reply_tokens=12)
    yield made
    made.stop()


def test_it_is_started_when_it_is_first_asked_and_answers_as_endpoints_do(server: LlamaServer) -> None:
    chat = LocalChat("reader", server)
    assert server.pid is None
    reply = chat.complete(ChatRequest("any", SAY, {"temperature": 0.7, "seed": 3}))
    assert server.pid is not None
    assert (reply.model, reply.dropped, reply.finish_reason) == ("smollm2", (), "length")
    assert reply.usage.output_tokens == 12
    assert reply.usage.input_tokens > 5
    assert not reply.usage.estimated
    assert reply.message["content"]


def test_the_same_seed_gives_the_same_reply(server: LlamaServer) -> None:
    chat = LocalChat("writer", server)

    def said(seed: int) -> object:
        return chat.complete(ChatRequest("any", SAY, {"temperature": 1.0, "seed": seed})).message["content"]

    first = said(1)
    assert said(1) == first
    assert any(said(seed) != first for seed in range(2, 8))


def test_a_schema_is_kept_to(server: LlamaServer) -> None:
    schema = {
        "type": "object",
        "properties": {"held": {"type": "boolean"}},
        "required": ["held"],
        "additionalProperties": False,
    }
    asked = {"type": "json_schema", "json_schema": {"name": "v", "strict": True, "schema": schema}}
    parameters = {"response_format": asked, "max_tokens": 40, "temperature": 0, "seed": 0}
    content = LocalChat("judge", server).complete(ChatRequest("any", SAY, parameters)).message["content"]
    assert isinstance(json.loads(content)["held"], bool)


def test_it_embeds_beside(server: LlamaServer) -> None:
    embedder = LocalEmbedder(server)
    vectors = embedder.embed(["The rota is full.", "The rota is full.", "A ship."])
    assert vectors.shape == (3, embedder.dimensions)
    assert vectors[0] @ vectors[1] > 0.999 > vectors[0] @ vectors[2]


def test_a_server_that_died_is_replaced(server: LlamaServer) -> None:
    chat = LocalChat("reader", server)
    server.address()
    died = server.pid
    assert died is not None
    descriptor = os.pidfd_open(died)
    os.kill(died, signal.SIGKILL)
    assert select.select([descriptor], [], [], 20.0)[0]
    os.close(descriptor)
    assert chat.complete(ChatRequest("any", SAY, {"max_tokens": 1})).usage.output_tokens == 1
    assert server.pid not in (died, None)


def test_a_server_that_is_stopped_is_gone_and_never_saw_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    made = LlamaServer()
    made.address()
    assert b"planted" not in Path(f"/proc/{made.pid}/environ").read_bytes()
    descriptor = os.pidfd_open(made.pid or 0)
    made.stop()
    assert made.pid is None
    assert select.select([descriptor], [], [], 0)[0]
    os.close(descriptor)
    made.stop()


PARENT = """
import sys
from memjoin.models.local import LlamaServer

server = LlamaServer()
server.address()
print(server.pid, flush=True)
sys.stdin.read()
"""


def test_a_killed_run_leaves_no_server() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        descriptor = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        assert select.select([descriptor], [], [], 20.0)[0], "the server is still there"
        os.close(descriptor)


def test_a_server_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "weights", lambda: "/nowhere/at-all.gguf")
    with pytest.raises(LocalServerError, match=r"did not start: \w") as caught:
        LlamaServer().address()
    assert caught.value.stops_run


@pytest.mark.parametrize("threads", ["0", "two", ""])
def test_a_number_of_threads_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    monkeypatch.setenv("MEMJOIN_LOCAL_THREADS", threads)
    with pytest.raises(UnknownModelError, match="MEMJOIN_LOCAL_THREADS"):
        LlamaServer().address()


def test_what_is_not_installed_is_named_with_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "xllamacpp" else find(name))
    assert parse_name("local/smollm2").model == "smollm2"
    for ask in (lambda: resolve_chat("local/smollm2", "reader"), lambda: resolve_embedder("local/smollm2")):
        with pytest.raises(UnknownModelError, match="needs xllamacpp, which is not installed") as caught:
            ask()
        assert "--extra local" in caught.value.hint


def test_there_is_one_model_of_the_kind() -> None:
    assert is_local("local/smollm2")
    assert not is_local("localhost/smollm2")
    assert isinstance(resolve_chat("local/smollm2", "judge"), LocalChat)
    with pytest.raises(UnknownModelError, match="no model 'local/llama'"):
        parse_name("local/llama")
    with pytest.raises(UnknownModelError, match="not a model's name"):
        parse_name("local")
