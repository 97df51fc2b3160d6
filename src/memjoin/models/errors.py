"""What can go wrong between MemJoin and a model. No message ever holds a key.

Every error names who asked (the role), what was asked (the model) and where (the endpoint), so that one line
of output is enough to mend it. ``status`` and ``code`` are what the gateway answers a memory system with when
a call that it made on the system's behalf fails.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from memjoin.errors import MemJoinError


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked what, where: the part of a message that places an error.

    ``endpoint`` is a base URL, or empty for embedded models; it is shown without user, password and query.
    """

    role: str
    model: str
    endpoint: str = ""

    def __str__(self) -> str:
        place = f" at {shown_url(self.endpoint)}" if self.endpoint else ""
        return f"{self.role} model {self.model}{place}"


class ModelError(MemJoinError):
    """No answer could be had from a model.

    ``stops_run`` is true where asking again, or asking for another case, cannot help: the run should stop
    and say so, instead of losing every case in the same way.
    """

    status: ClassVar[int] = 502
    type: ClassVar[str] = "api_error"
    code: ClassVar[str | None] = None
    stops_run: ClassVar[bool] = False

    def body(self) -> dict[str, Any]:
        """Return the error in the shape of OpenAI's API, for the gateway's answer."""
        return error_body(str(self), self.type, self.code)


class AuthenticationError(ModelError):
    """The endpoint did not accept the key (401), or the key may not use this model (403)."""

    status = 401
    type = "authentication_error"
    code = "invalid_api_key"
    stops_run = True


class RateLimitedError(ModelError):
    """Still turned away (429) after all retries."""

    status = 429
    type = "rate_limit_error"
    code = "rate_limit_exceeded"


class QuotaError(RateLimitedError):
    """The account's quota is used up (429): waiting does not help."""

    code = "insufficient_quota"
    stops_run = True


class ServerError(ModelError):
    """The endpoint failed (5xx) after all retries."""

    status = 500
    type = "server_error"


class NotAnApiError(ModelError):
    """The endpoint answered, but not as an OpenAI-compatible API does: HTML, nothing, other JSON."""

    status = 502
    stops_run = True


class ModelTimeoutError(ModelError):
    """No answer within the time-out, after all retries."""

    status = 504
    type = "timeout_error"
    code = "timeout"


class UnreachableError(ModelError):
    """No connection: refused, no such host, broken off."""

    status = 502
    code = "connection_error"
    stops_run = True


class ContextLengthError(ModelError):
    """The messages are longer than the model's context window."""

    status = 400
    type = "invalid_request_error"
    code = "context_length_exceeded"


class BadRequestError(ModelError):
    """The endpoint refused the request as it was made (400, 404, 409, 422)."""

    status = 400
    type = "invalid_request_error"


class UnknownModelError(ModelError):
    """A model's name could not be understood, or what it needs is not set."""

    status = 404
    type = "invalid_request_error"
    code = "model_not_found"
    stops_run = True


class UnknownPromptError(ModelError):
    """An embedded role was asked something that it has no answer for."""

    status = 422
    type = "invalid_request_error"
    code = "unknown_prompt"
    stops_run = True


def error_body(message: str, kind: str, code: str | None, param: str | None = None) -> dict[str, Any]:
    """Return an error as OpenAI's API writes it."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def shown_url(url: str) -> str:
    """Return a URL without what may hold a secret: user, password, query and fragment."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


_KEY_LIKE = re.compile(
    r"\b(?:sk|rk|pk|key|AIza|gsk|xai|hf)[-_][\w*-]{6,}|\bAIza[\w-]{8,}|(?i:\bbearer\s+)[\w.~+/=-]+|"
    r"(?i:\b(?:api[-_]?key|token|secret|password)\b[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,;}]+"
)


def without_keys(text: str, *secrets: str) -> str:
    """Return text with the given secrets, and all that looks like a key, replaced by ``[key]``.

    Endpoints like to quote the key that they refuse; their words are shown to the user, the key is not.
    """
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[key]")
    return _KEY_LIKE.sub("[key]", text)
