"""An HTTP client whose timeout bounds an attempt as a whole, not the wait for its next byte."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx2
import openai


class DeadlineClient(openai.DefaultHttpxClient):
    """As the ``openai`` client's own, proxies of the environment included, with one difference.

    A read timeout begins anew with every byte. Routers send blanks while a model is busy, so that an answer
    that never comes would be waited for without end. Here a request's read timeout is also how long its body
    may take from the moment it is sent; afterwards ``httpx2.ReadTimeout`` is raised.
    """

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Send a request. The client tries again after the timeout, as after any other."""
        seconds = request.extensions.get("timeout", {}).get("read")
        ends = time.monotonic() + seconds if seconds is not None else float("inf")
        response = super().send(request, stream=True, **options)
        if not isinstance(response.stream, httpx2.SyncByteStream):
            return response
        response.stream = _Until(response.stream, ends, request)
        if not stream:
            try:
                response.read()
            finally:
                response.close()
        return response


class _Until(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, ends: float, request: httpx2.Request) -> None:
        self._inner = inner
        self._ends = ends
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        for part in self._inner:
            if time.monotonic() > self._ends:
                raise httpx2.ReadTimeout("the body took too long", request=self._request)
            yield part

    def close(self) -> None:
        self._inner.close()
