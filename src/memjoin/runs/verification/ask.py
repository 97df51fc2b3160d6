"""One question to a language model: what do these sessions tell of the subject?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from memjoin.cases.schema import Case, Session, Target
from memjoin.judging.parse import UnusableReplyError, one_object
from memjoin.models.types import ChatModel, ChatReply, ChatRequest, Message
from memjoin.text.dates import find_dates, states_date
from memjoin.text.tokens import has_any_phrase, tokens

_FILES = ("verify.txt", "again.txt")


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is shown of a case: one session, by its place from 0, or with None the full history."""

    case: Case
    session: int | None

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions that it shows."""
        return self.case.sessions if self.session is None else (self.case.sessions[self.session],)

    @property
    def shown(self) -> str | None:
        """The id of the one session, None for the full history."""
        return None if self.session is None else self.case.sessions[self.session].id


@dataclass(frozen=True, slots=True)
class Told:
    """What a model told: which parts are the target's, and its own words for them."""

    bound: bool
    """It says that the sessions show an appointment to be the subject's."""
    service: bool
    site: bool
    date: bool
    said: tuple[str | None, str | None, str | None]
    """What it gave as service, site and date."""
    because: str

    @property
    def relation(self) -> bool:
        """Whether it told the whole relation."""
        return self.bound and self.service and self.site and self.date


@dataclass(frozen=True, slots=True)
class NotTold:
    """A question that got no usable answer, and why. It never counts as one that could not be answered."""

    reason: str


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    because: str
    bound: bool
    service: str | None
    site: str | None
    date: str | None


def questions(case: Case) -> Iterator[Question]:
    """Go through the questions about a case: the full history, then every session alone."""
    yield Question(case, None)
    for number in range(len(case.sessions)):
        yield Question(case, number)


def request(question: Question, model: str) -> ChatRequest:
    """Return the request that asks a question: temperature 0, seed 0, the reply's form as a JSON schema."""
    return ChatRequest(
        model,
        (
            {"role": "system", "content": _text("verify.txt")},
            {"role": "user", "content": _document(question)},
        ),
        {"temperature": 0.0, "seed": 0, "response_format": _RESPONSE_FORMAT},
    )


def fingerprint(asked: ChatRequest) -> str:
    """Return a digest of a request: of its model, its prompt and its parameters."""
    content = json.dumps([asked.model, asked.messages, asked.parameters, _text("again.txt")], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def ask(question: Question, model: ChatModel) -> Told | NotTold:
    """Ask a question, and once more if the reply cannot be used; then it is lost. Raises ``ModelError``."""
    asked = request(question, model.name)
    reply = model.complete(asked)
    try:
        return _read(reply, question.case.annotation.target)
    except UnusableReplyError as error:
        again = ChatRequest(
            asked.model, _again(asked.messages, _content(reply), str(error)), asked.parameters
        )
    try:
        return _read(model.complete(again), question.case.annotation.target)
    except UnusableReplyError as error:
        return NotTold(f"unusable reply, twice: {error}")


def compare(said: Sequence[str | None], bound: bool, because: str, target: Target) -> Told:
    """Compare what was said of service, site and date with the target.

    A service or a site is the target's where what was said holds one of its accepted forms as a phrase of
    whole tokens; a date where it is the date in any notation.
    """
    service, site, date = said
    return Told(
        bound=bound,
        service=service is not None and has_any_phrase(tokens(service), target.service.forms),
        site=site is not None and has_any_phrase(tokens(site), target.site.forms),
        date=date is not None and _is_date(date, target.date.canonical),
        said=(service, site, date),
        because=because,
    )


def _is_date(said: str, iso: str) -> bool:
    found = {day for _, _, day in find_dates(said)}
    return iso in found if found else states_date(said, iso)


def _read(reply: ChatReply, target: Target) -> Told:
    if reply.finish_reason == "length":
        raise UnusableReplyError("it was cut off.")
    try:
        form = _Form.model_validate(one_object(_content(reply)))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the reply"
        raise UnusableReplyError(f"{place}: {first['msg']}.") from error
    said = [
        value.strip() or None if value is not None else None for value in (form.service, form.site, form.date)
    ]
    if not form.bound and any(value is not None for value in said):
        raise UnusableReplyError('"bound" is false, but service, site or date is given.')
    return compare(said, form.bound, " ".join(form.because.split()), target)


def _document(question: Question) -> str:
    shown = {
        "person": question.case.annotation.target.subject.canonical,
        "conversations": [
            {
                "time": session.at,
                "turns": [{"speaker": turn.speaker, "text": turn.text} for turn in session.turns],
            }
            for session in question.sessions
        ],
    }
    return json.dumps(shown, ensure_ascii=False, indent=1)


def _again(asked: tuple[Message, ...], reply: str, problem: str) -> tuple[Message, ...]:
    return (
        *asked,
        {"role": "assistant", "content": reply or "(nothing)"},
        {"role": "user", "content": _text("again.txt").replace("{problem}", problem)},
    )


@cache
def _text(name: str) -> str:
    return (files("memjoin.runs.verification") / "prompts" / name).read_text(encoding="utf-8").strip()


def digests() -> dict[str, str]:
    """Return the SHA-256 of each prompt file by its name."""
    return {name: hashlib.sha256(_text(name).encode()).hexdigest() for name in _FILES}


def _content(reply: ChatReply) -> str:
    content = reply.message.get("content")
    return content if isinstance(content, str) else ""


_RESPONSE_FORMAT: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {"name": "relation", "strict": True, "schema": _Form.model_json_schema()},
}
