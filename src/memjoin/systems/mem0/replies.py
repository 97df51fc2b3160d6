"""What Mem0's model answered, what of it is in the store, and how the rest was lost.

Mem0 loses memory without saying so: a reply that is no JSON leaves a line in its log, one with another key
leaves nothing at all, a record whose embedding fails is skipped. So each write compares what the model
answered with what the store then holds. Reading a reply here follows ``mem0ai`` 2.2.1: code fences and
thinking blocks are taken off, and JSON inside prose is looked for between the first and the last brace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from memjoin.systems.protocol import Loss

_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"```[a-zA-Z0-9]*\s*(.*?)\s*```", re.DOTALL)
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the chat model: its content, None where it had none, and how it ended."""

    content: str | None
    finish_reason: str = "stop"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reply holds.

    ``texts`` are the memories it states, ``malformed`` what stands among them and is none; ``problem`` is the
    loss of a reply that could not be read as the prompt asks, None for one that could, be it empty of
    memories.
    """

    texts: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    problem: Loss | None = None


def read_reply(reply: Reply) -> Extraction:
    """Read a reply as Mem0's prompt asks for it: ``{"memory": [{"text": ...}, ...]}``."""
    text = _THINKING.sub("", reply.content or "").strip()
    if not text:
        return Extraction(problem=Loss("empty-reply", f"the reply is empty{_ending(reply)}"))
    try:
        value = _parse(text)
    except json.JSONDecodeError:
        return _unreadable(f"the reply is not JSON{_ending(reply)}: {_shown(text)}")
    if not isinstance(value, dict):
        return _unreadable(f"the reply is {_kind(value)}, not an object: {_shown(text)}")
    if "memory" not in value:
        keys = ", ".join(sorted(value)) or "none"
        return _unreadable(f"the reply has no key 'memory'; its keys: {_shown(keys)}")
    items = value["memory"]
    if not isinstance(items, list):
        return _unreadable(f"'memory' is {_kind(items)}, not a list: {_shown(text)}")
    if items and not any(isinstance(item, dict) for item in items):
        return _unreadable(f"'memory' lists {_kind(items[0])}, not objects: {_shown(text)}")
    texts = [_text(item) for item in items]
    return Extraction(
        texts=tuple(found for found in texts if found is not None),
        malformed=tuple(
            json.dumps(item, ensure_ascii=False)
            for item, found in zip(items, texts, strict=True)
            if found is None
        ),
    )


def losses(
    extraction: Extraction, added: Collection[str], held: Collection[str], failures: Mapping[str, str]
) -> list[Loss]:
    """Compare what a reply holds with what was stored.

    Args:
        extraction: The reply as read.
        added: Texts of the records that this write added.
        held: Texts of all records in the store after it. A memory that repeats one of them word for word is
            dropped by Mem0, and nothing is lost by that.
        failures: Texts that could not be embedded, with the error.

    Returns:
        One loss for each thing that the reply holds and the store does not.
    """
    found: list[Loss] = []
    if extraction.problem is not None and not added:
        found.append(extraction.problem)
    for item in extraction.malformed:
        found.append(Loss("ignored-reply", f"a memory without a text was skipped: {_shown(item)}"))
    for text in extraction.texts:
        if text in held:
            continue
        if text in failures:
            found.append(
                Loss("model-error", f"not embedded, so not stored: {_shown(text)}: {failures[text]}")
            )
        else:
            found.append(Loss("storage-error", f"extracted and not in the store: {_shown(text)}"))
    return found


def _parse(text: str) -> Any:
    whole = re.fullmatch(_FENCED, text)
    inner = whole.group(1) if whole else text
    try:
        return json.loads(inner, strict=False)
    except json.JSONDecodeError:
        fenced = _FENCED.search(inner)
        start, end = inner.find("{"), inner.rfind("}")
        if fenced:
            inner = fenced.group(1)
        elif 0 <= start < end:
            inner = inner[start : end + 1]
        return json.loads(inner, strict=False)


def _text(item: object) -> str | None:
    text = item.get("text") if isinstance(item, dict) else None
    return text if isinstance(text, str) and text else None


def _unreadable(detail: str) -> Extraction:
    return Extraction(problem=Loss("unparseable-reply", detail))


def _ending(reply: Reply) -> str:
    return " and was cut off at the token limit" if reply.finish_reason == "length" else ""


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(text: str) -> str:
    # Half a surrogate pair is text to JSON, and to nothing after it.
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
