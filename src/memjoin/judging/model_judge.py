"""A language model as a judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from memjoin.cases.schema import Case
from memjoin.judging.panel import Lost
from memjoin.judging.parse import UnusableReplyError, parse, reply_schema
from memjoin.judging.prompt import Wording, again, messages
from memjoin.judging.verdict import Vote
from memjoin.models.types import ChatReply, ChatRequest, Exchange, Message, Scope


@dataclass(frozen=True)
class ModelJudge:
    """Asks a model for a vote, and once more if its reply cannot be used; then the vote is lost, or the field
    alone for which it quotes what the answer does not say.

    Args:
        name: The judge's name in votes and reports.
        model: The model that requests name.
        exchange: Where calls go through, with the role ``judge``.
        parameters: What else goes on the wire (temperature, seed, ...).
        wording: Which of the prompt's wordings it is asked in.
    """

    embedded: ClassVar[bool] = False

    name: str
    model: str
    exchange: Exchange
    parameters: Mapping[str, Any] = field(default_factory=dict)
    wording: Wording = "first"

    def judge(self, scope: Scope, case: Case, answer: str) -> Vote | Lost:
        """Vote on one answer, or say why there is no vote. Raises ``ModelError``."""
        asked = messages(case, answer, self.wording)
        reply = self._ask(scope, asked)
        try:
            return self._read(reply, answer)
        except UnusableReplyError as error:
            asked = again(asked, _content(reply), str(error))
        try:
            return self._read(self._ask(scope, asked), answer, last=True)
        except UnusableReplyError as error:
            return Lost(self.name, f"unusable reply, twice: {error}")

    def _ask(self, scope: Scope, asked: tuple[Message, ...]) -> ChatReply:
        parameters = {"response_format": _RESPONSE_FORMAT, **self.parameters}
        return self.exchange.chat(scope, "judge", ChatRequest(self.model, asked, parameters))

    def _read(self, reply: ChatReply, answer: str, *, last: bool = False) -> Vote:
        if reply.finish_reason == "length":
            raise UnusableReplyError("it was cut off.")
        return parse(self.name, _content(reply), answer, last=last)


_RESPONSE_FORMAT: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {"name": "verdict", "strict": True, "schema": reply_schema()},
}


def _content(reply: ChatReply) -> str:
    """Return the text of a reply; a refusal to judge, or no text at all, is an empty one."""
    content = reply.message.get("content")
    return content if isinstance(content, str) else ""
