"""Reads a judge's reply. Strictly: what is not exactly the form asked for is no vote."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema

from memjoin.judging.verdict import Vote

Stated = Literal["binding", "service", "site", "date"]
STATED: tuple[Stated, ...] = get_args(Stated)
"""The fields for which a judge must quote the answer."""


class UnusableReplyError(Exception):
    """A judge's reply that is no vote; the message says what is wrong with it, for the judge to read."""


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Evidence(_Form):
    binding: list[str]
    service: list[str]
    site: list[str]
    date: list[str]


# An integer, where a literal would let `true` pass for 1; endpoints get the four values.
_Grade = Annotated[int, Field(ge=0, le=3), WithJsonSchema({"type": "integer", "enum": [0, 1, 2, 3]})]


class _Reply(_Form):
    evidence: _Evidence
    binding: bool
    service: bool
    site: bool
    date: bool
    inappropriate: bool
    completed: bool
    refusal: bool
    grade: _Grade


def reply_schema() -> dict[str, Any]:
    """Return the JSON schema of a reply, for endpoints that can enforce one."""
    return _Reply.model_json_schema()


def parse(judge: str, reply: str, answer: str, *, last: bool = False) -> Vote:
    """Return the vote in a judge's reply.

    The reply must be one JSON object with exactly the fields of the form, no name twice, each of its type (a
    code fence around the whole is let pass). Each of binding, service, site and date must be quoted from the
    answer where it is true, and not quoted where it is false. Quotes are compared with the answer letter by
    letter, white space and the shape of quotation marks aside.

    Args:
        judge: The judge's name, for the vote.
        reply: What the judge wrote.
        answer: The answer that was judged.
        last: Whether nobody will be asked again. Then a field whose evidence is not as it should be is lost,
            and the others count.

    Raises:
        UnusableReplyError: The reply is anything else.
    """
    form = _read(reply)
    said: dict[str, Any] = {name: getattr(form, name) for name in _Reply.model_fields if name != "evidence"}
    problems = _problems(form, _plain(answer))
    if problems and not last:
        raise UnusableReplyError(next(iter(problems.values())))
    return Vote(judge=judge, **(said | dict.fromkeys(problems)), lost=tuple(problems))


def _problems(form: _Reply, text: str) -> dict[Stated, str]:
    """Return what is wrong with the evidence, by field."""
    found: dict[Stated, str] = {}
    for name in STATED:
        quotes: list[str] = getattr(form.evidence, name)
        if not getattr(form, name):
            if quotes:
                found[name] = f'"{name}" is false, but there is evidence for it.'
        elif not quotes:
            found[name] = f'"{name}" is true, but there is no evidence for it.'
        else:
            absent = next((quote for quote in quotes if not _plain(quote) or _plain(quote) not in text), None)
            if absent is not None:
                found[name] = f'the evidence for "{name}" does not stand in the answer: {absent!r}.'
    return found


_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)


def one_object(reply: str) -> Any:
    """Return the JSON of a model's reply; a code fence around the whole is let pass.

    Raises:
        UnusableReplyError: It is no JSON, or has a field twice.
    """
    text = reply.strip()
    fenced = _FENCE.match(text)
    try:
        return json.loads(fenced.group(1) if fenced else text, object_pairs_hook=_once)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UnusableReplyError("it is not one JSON object.") from error


def _read(reply: str) -> _Reply:
    content = one_object(reply)
    try:
        return _Reply.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the reply"
        raise UnusableReplyError(f"{place}: {first['msg']}.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise UnusableReplyError("a field stands in it twice.")
    return content


_MARKS = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})


@lru_cache(maxsize=64)
def _plain(text: str) -> str:
    return " ".join(text.translate(_MARKS).split())
