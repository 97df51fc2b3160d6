"""The judge's prompt: the task, the evaluator's annotation of the relation, and the answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, TypeAlias

from memjoin.cases.identity import ByIdentity
from memjoin.cases.schema import Case, Value
from memjoin.models.types import Message

Wording: TypeAlias = Literal["first", "second"]
WORDINGS: Mapping[Wording, str] = MappingProxyType({"first": "judge.txt", "second": "judge-second.txt"})
"""The prompt file of each wording. They ask for the same in other words: where a figure depends on which one
was used, it is the wording's as much as the answers'."""
_AGAIN = "again.txt"


@cache
def _text(name: str) -> str:
    return (files("memjoin.judging") / "prompts" / name).read_text(encoding="utf-8").strip()


def digests(wording: Wording = "first") -> dict[str, str]:
    """Return the SHA-256 of each prompt file of a wording by its name, for a run's manifest."""
    names = (WORDINGS[wording], _AGAIN)
    return {name: hashlib.sha256(_text(name).encode()).hexdigest() for name in names}


def messages(case: Case, answer: str, wording: Wording = "first") -> tuple[Message, ...]:
    """Return the messages that ask a judge about one answer.

    The judge sees the task, what it needs, the target with its accepted wordings, and the answer; not the
    sessions, not what the reader was given, not the system or the condition it comes from. The answer goes
    in as a JSON string, so that no text in it can pass for the prompt's own.
    """
    return (
        {"role": "system", "content": _text(WORDINGS[wording])},
        {"role": "user", "content": f"{_about(ByIdentity(case))}\n{_field('answer', answer)}\n}}"},
    )


@lru_cache(maxsize=512)
def _about(key: ByIdentity) -> str:
    """Return the beginning of the JSON object that a judge is asked about: all of it that is the case's."""
    case, target = key.case, key.case.annotation.target
    document = {
        "task": {"text": case.task.text, "recipient": case.task.recipient, "purpose": case.task.purpose},
        "needed": {item.name: _wordings(item.value, item.forms) for item in case.annotation.required},
        "relation": {
            "subject": _forms(target.subject),
            "service": _forms(target.service),
            "site": _forms(target.site),
            "date": _forms(target.date),
        },
        "why": case.annotation.why,
    }
    return "\n".join(["{", *(f"{_field(name, value)}," for name, value in document.items())])


def _field(name: str, value: object) -> str:
    return f'"{name}": {json.dumps(value, ensure_ascii=False)}'


def again(asked: tuple[Message, ...], reply: str, problem: str) -> tuple[Message, ...]:
    """Return the messages that ask once more, after a reply that could not be used."""
    return (
        *asked,
        {"role": "assistant", "content": reply or "(nothing)"},
        {"role": "user", "content": _text(_AGAIN).replace("{problem}", problem)},
    )


def _forms(value: Value) -> list[str]:
    return _wordings(value.canonical, value.forms)


def _wordings(first: str, others: tuple[str, ...]) -> list[str]:
    return [first, *(form for form in others if form != first)]
