"""A small client of an OpenAI-compatible endpoint, for systems that bring none. Standard library only.

It speaks plain HTTP to the gateway on this machine, over one connection that is kept open. A system that has
a client of its own (most frameworks do) should use that: what is measured is the framework as it is.
"""

from __future__ import annotations

import base64
import binascii
import http.client
import json
import sys
from array import array
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from memjoin.systems.protocol import Settings


class EndpointError(Exception):
    """A request had no usable answer.

    Attributes:
        status: The HTTP status; None if there was no HTTP answer.
        code: The error code of the answer (``context_length_exceeded``, ...), None if it had none.
    """

    def __init__(self, message: str, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Endpoint:
    """A connection to the gateway that a system's settings name.

    Args:
        settings: The settings that the system was made with.
        timeout: Seconds that one request may take.

    ``calls`` counts the chat requests that were sent, answered or not. ``finish_reason`` says how the last
    answer ended: ``length`` is one that was cut off at the token limit, which nothing else in it shows.
    """

    def __init__(self, settings: Settings, timeout: float = 120.0) -> None:
        parts = urlsplit(settings.base_url)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError(f"the gateway's address must begin with http://, got {settings.base_url!r}")
        self._settings = settings
        self._path = parts.path.rstrip("/")
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)
        self.calls = 0
        self.finish_reason = ""

    def chat(self, messages: Sequence[Mapping[str, Any]], **parameters: object) -> dict[str, Any]:
        """Return the assistant message for a conversation.

        Args:
            messages: The conversation as OpenAI's chat protocol has it.
            parameters: Anything else of the request body (``response_format``, ``tools``, ...).

        Raises:
            EndpointError: The endpoint failed, or its answer holds no message.
        """
        self.calls += 1
        body = {"model": self._settings.chat_model, "messages": list(messages), **parameters}
        answer = self._post("/chat/completions", body)
        try:
            choice = answer["choices"][0]
            message = choice["message"]
        except (KeyError, IndexError, TypeError) as error:
            raise EndpointError("the answer holds no message", 200) from error
        if not isinstance(message, dict):
            raise EndpointError("the answer's message is no object", 200)
        self.finish_reason = str(choice.get("finish_reason") or "")
        return message

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text, in their order; no request is made for no text.

        Raises:
            EndpointError: The endpoint failed, or answered with another number of vectors.
        """
        if not texts:
            return []
        body = {"model": self._settings.embedding_model, "input": list(texts), "encoding_format": "base64"}
        answer = self._post("/embeddings", body)
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = [_vector(row["embedding"]) for row in rows]
        except (KeyError, TypeError, ValueError, binascii.Error) as error:
            raise EndpointError("the answer holds no vectors", 200) from error
        if len(vectors) != len(texts):
            raise EndpointError(f"{len(texts)} texts were sent, {len(vectors)} vectors came back", 200)
        return vectors

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        data = json.dumps(body).encode()
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self._settings.api_key}",
        }
        # A server may close a connection that was kept open just as it is used again: that one request was
        # not handled and goes out once more.
        reused = self._connection.sock is not None
        try:
            status, text = self._send(path, data, headers)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as error:
            self._connection.close()
            if not reused:
                raise EndpointError(f"the connection was closed: {error}") from error
            status, text = self._again(path, data, headers)
        except (http.client.HTTPException, OSError) as error:
            self._connection.close()
            raise EndpointError(f"no answer: {error or type(error).__name__}") from error
        return _read(status, text)

    def _again(self, path: str, data: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        try:
            return self._send(path, data, headers)
        except (http.client.HTTPException, OSError) as error:
            self._connection.close()
            raise EndpointError(f"no answer: {error or type(error).__name__}") from error

    def _send(self, path: str, data: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        self._connection.request("POST", self._path + path, data, dict(headers))
        response = self._connection.getresponse()
        return response.status, response.read()


def _read(status: int, text: bytes) -> Any:
    try:
        answer = json.loads(text)
    except ValueError as error:
        raise EndpointError(f"HTTP {status}: the answer is not JSON", status) from error
    if status == 200:
        return answer
    problem = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(problem, dict):
        raise EndpointError(f"HTTP {status}", status)
    code = problem.get("code")
    raise EndpointError(
        f"HTTP {status}: {problem.get('message', '')}", status, code if isinstance(code, str) else None
    )


def _vector(value: object) -> list[float]:
    if isinstance(value, list):
        return [float(number) for number in value]
    if not isinstance(value, str):
        raise TypeError(f"a vector is a list or base64 text, got {type(value).__name__}")
    floats = array("f", base64.b64decode(value, validate=True))
    if sys.byteorder == "big":
        floats.byteswap()
    return floats.tolist()
