"""The gateway: a small OpenAI-compatible server on loopback, put between a memory system and its models.

Systems are made with its address and a key of its own; they never see a provider's. Each key stands for one
connection, which says on whose behalf calls are made (its scope) and counts them. The gateway fixes
temperature and seed, enforces a context window, and hands each call to an exchange, which asks the model, or
a run's ledger.

    with Gateway(exchange) as gateway:
        connection = gateway.connect(Scope("mem0", "F19-RJ-chain-01", 0))
        settings = Settings(connection.base_url, connection.api_key, ...)
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from memjoin.errors import MemJoinError
from memjoin.models import wire
from memjoin.models.connection import Connection
from memjoin.models.errors import AuthenticationError, BadRequestError, ModelError, error_body
from memjoin.models.tokens import estimate_text
from memjoin.models.types import Exchange, Scope

CHAT_MODEL = "memjoin-writer"
EMBEDDING_MODEL = "memjoin-embedder"
HOST = "127.0.0.1"
CHAT, EMBED, MODELS = "/v1/chat/completions", "/v1/embeddings", "/v1/models"

_T = TypeVar("_T")
_NO_RETRY = {"x-should-retry": "false"}
"""The client behind the gateway has retried already; a framework's own client must not do so again."""


class GatewayError(MemJoinError):
    """The gateway could not be started."""


class GatewayClosedError(ModelError):
    """The gateway was closed while a call was under way."""

    status = 503
    type = "server_error"


class Gateway:
    """The server, from ``start`` to ``close``; a context manager. It runs in a thread of its own.

    Args:
        exchange: Where calls go, unless a connection has an exchange of its own.
        port: The port on loopback; 0 takes any free one.
        sampling: Temperature and seed of every chat call, unless a connection has its own.
        context_window: Tokens that the messages of one call may have; None: no limit.
        workers: How many calls are answered at once; others wait.

    Raises (on start):
        GatewayError: The port is in use, or loopback cannot be listened on.
    """

    def __init__(
        self,
        exchange: Exchange,
        *,
        port: int = 0,
        sampling: wire.Sampling | None = None,
        context_window: int | None = None,
        workers: int = 32,
    ) -> None:
        self._exchange = exchange
        self._port = port
        self._sampling = sampling or wire.Sampling()
        self._window = context_window
        self._workers = anyio.CapacityLimiter(workers)
        self._connections: dict[str, Connection] = {}
        self._under_way: set[anyio.CancelScope] = set()
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self.base_url = ""

    def __enter__(self) -> Gateway:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def start(self) -> None:
        """Listen. Returns once requests are answered."""
        listener = _listen(self._port)
        self.base_url = f"http://{HOST}:{listener.getsockname()[1]}/v1"
        config = uvicorn.Config(
            self._app(),
            http="h11",
            loop="asyncio",
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            date_header=False,
            timeout_keep_alive=3600,
            timeout_graceful_shutdown=2,
        )
        self._server = _Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([listener],), name="memjoin-gateway", daemon=True
        )
        self._thread.start()
        self._server.ready.wait()
        if not self._server.started:
            self._thread.join()
            raise GatewayError("The gateway did not start.", "Its own error stands above.")

    def close(self) -> None:
        """Stop. Calls under way get an error at once; closing twice does nothing.

        What a call under way waits for, a model's answer, say, is left to itself, in a thread that does not
        keep the process alive.
        """
        if self._server is None or self._thread is None:
            return
        self._connections.clear()
        self._server.loop.call_soon_threadsafe(self._abandon)
        self._server.should_exit = True
        self._thread.join()
        self._server = self._thread = None

    def connect(
        self,
        scope: Scope,
        *,
        exchange: Exchange | None = None,
        sampling: wire.Sampling | None = None,
        context_window: int | None = None,
    ) -> Connection:
        """Open a connection for a system; what is not given is as the gateway has it."""
        connection = Connection(
            base_url=self.base_url,
            api_key=f"memjoin-{secrets.token_urlsafe(12)}",
            scope=scope,
            exchange=exchange or self._exchange,
            sampling=sampling or self._sampling,
            context_window=self._window if context_window is None else context_window,
            forget=lambda key: self._connections.pop(key, None),
        )
        self._connections[connection.api_key] = connection
        return connection

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route(CHAT, self._chat, methods=["POST"]),
                Route(EMBED, self._embeddings, methods=["POST"]),
                Route(MODELS, self._models, methods=["GET"]),
            ],
            exception_handlers={
                HTTPException: self._no_route,
                MemJoinError: self._refuse,
                Exception: self._fail,
            },
        )

    async def _chat(self, request: Request) -> Response:
        connection = self._authenticate(request)
        call = wire.parse_chat(await _json(request), CHAT_MODEL, connection.sampling)
        wire.check_window(call.request, connection.context_window)
        scope = connection.scope
        reply = await self._run(lambda: connection.exchange.chat(scope, "writer", call.request))
        number = connection.count_chat(reply.usage)
        if call.stream:
            events = wire.completion_events(reply, number, call.usage_in_stream)
            return StreamingResponse(events, media_type="text/event-stream")
        return _answer(wire.completion(reply, number))

    async def _embeddings(self, request: Request) -> Response:
        connection = self._authenticate(request)
        call = wire.parse_embeddings(await _json(request))
        scope = connection.scope
        vectors = await self._run(lambda: connection.exchange.embed(scope, call.texts))
        tokens = sum(estimate_text(text) for text in call.texts)
        answer = wire.embeddings(vectors, call, EMBEDDING_MODEL, tokens)
        connection.count_embeddings(len(call.texts), tokens)
        return _answer(answer)

    async def _models(self, request: Request) -> Response:
        self._authenticate(request)
        models = [
            {"id": name, "object": "model", "created": wire.CREATED, "owned_by": "memjoin"}
            for name in (CHAT_MODEL, EMBEDDING_MODEL)
        ]
        return _answer({"object": "list", "data": models})

    def _authenticate(self, request: Request) -> Connection:
        connection = self._known(request)
        if connection is None:
            raise AuthenticationError("This gateway knows no such key.", "Use the key of an open connection.")
        return connection

    def _known(self, request: Request) -> Connection | None:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        return self._connections.get(key.strip()) if scheme.lower() == "bearer" else None

    async def _run(self, call: Callable[[], _T]) -> _T:
        with anyio.CancelScope() as scope:
            self._under_way.add(scope)
            try:
                return await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._workers)
            finally:
                self._under_way.discard(scope)
        raise GatewayClosedError("The gateway was closed while this call was under way.")

    def _abandon(self) -> None:
        for scope in self._under_way:
            scope.cancel()

    def _note(self, request: Request, error: Exception) -> None:
        if (connection := self._known(request)) is not None:
            connection.count_error(error)

    async def _refuse(self, request: Request, error: Exception) -> Response:
        self._note(request, error)
        if isinstance(error, ModelError):
            return _answer(error.body(), error.status)
        return _answer(error_body(str(error), "server_error", None), 500)

    async def _no_route(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        place = f"{request.method} {request.url.path}"
        message = f"This gateway does not answer {place}; it answers POST {CHAT}, POST {EMBED}, GET {MODELS}."
        self._note(request, BadRequestError(message))
        return _answer(error_body(message, "invalid_request_error", "unknown_url"), status)

    async def _fail(self, request: Request, error: Exception) -> Response:
        # A fault of ours, not of the system's: kept for whoever opened the connection, and logged by the
        # server, which gets it again from here.
        self._note(request, error)
        return _answer(error_body(f"The gateway failed: {error!r}", "server_error", None), 500)


class _Server(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self.loop: asyncio.AbstractEventLoop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        try:
            await super().startup(sockets)
        finally:
            self.ready.set()


def _listen(port: int) -> socket.socket:
    # The protocol is named because asyncio switches Nagle's algorithm off only where it is, and 40 ms a call
    # are lost with it.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise GatewayError(
            f"The gateway cannot listen on {HOST}, port {port or 'any'}: {error.strerror}.",
            "Free the port, or choose another; 0 takes any free one.",
        ) from error
    return listener


async def _json(request: Request) -> object:
    try:
        return json.loads(await request.body())
    except ValueError as error:
        raise BadRequestError(f"The request's body is not JSON: {error}.") from error


def _answer(value: dict[str, Any], status: int = 200) -> Response:
    content = json.dumps(value, separators=(",", ":"))  # escaped to ASCII: lone surrogates survive
    headers = _NO_RETRY if status >= 400 else None
    return Response(content, status, headers=headers, media_type="application/json")
