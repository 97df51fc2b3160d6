"""The embedded writer's answers to Mem0's prompt. Host side: it reads the prompt, and nothing else.

Which sentences are remembered is decided by ``text.salience``, the same for every framework. The form is
Mem0's: memories of up to three sentences that were said together (its prompt asks for whole statements of
one to three sentences, not fragments), in the speaker's words, each with whose it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memjoin.text.salience import Salient, salient_sentences

MAX_SENTENCES = 3

_PROMPT = re.compile(
    r"\A## Summary\n.*?"
    r"\n\n## Recently Extracted Memories\n[^\n]*"
    r"\n\n## Existing Memories\n(?P<existing>[^\n]*)"
    r"\n\n## New Messages\n(?P<messages>.*)"
    r"\n\n## Observation Date\n[^\n]*\n\n## Current Date\n.*# Output:\s*\Z",
    re.DOTALL,
)
_SPEAKER = re.compile(r"^(user|assistant|system): ", re.MULTILINE)


def respond(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Answer a chat request with the memories in its new messages.

    Args:
        body: The request body as OpenAI's chat protocol has it.

    Returns:
        The assistant message, or None if the request is not Mem0's extraction.
    """
    prompt = _PROMPT.match(_last_user_message(body))
    if prompt is None:
        return None
    known = _texts(prompt["existing"])
    if known is None:
        return None
    turns = list(_turns(prompt["messages"]))
    memories: list[dict[str, Any]] = []
    for group in _groups(salient_sentences(turns)):
        text = " ".join(_stopped(sentence.text) for sentence in group)
        if text in known:
            continue
        known.add(text)
        memories.append(
            {
                "id": str(len(memories)),
                "text": text,
                "attributed_to": "assistant" if group[0].speaker == "assistant" else "user",
                "linked_memory_ids": [],
            }
        )
    return {"role": "assistant", "content": json.dumps({"memory": memories}, ensure_ascii=False)}


def _last_user_message(body: Mapping[str, Any]) -> str:
    messages = body.get("messages") or []
    last = messages[-1] if messages else {}
    content = last.get("content")
    return content if last.get("role") == "user" and isinstance(content, str) else ""


def _texts(existing: str) -> set[str] | None:
    try:
        return {memory["text"] for memory in json.loads(existing)}
    except (ValueError, TypeError, KeyError):
        return None


def _turns(messages: str) -> Iterator[tuple[str, str]]:
    """Split ``speaker: text`` lines; a line without a speaker goes on with the turn before."""
    marks = list(_SPEAKER.finditer(messages))
    ends = [*(mark.start() for mark in marks[1:]), len(messages)]
    for mark, end in zip(marks, ends, strict=False):
        yield mark[1], messages[mark.end() : end].strip("\n")


def _groups(sentences: Iterable[Salient]) -> Iterator[list[Salient]]:
    """Put sentences of one turn together that follow each other, up to three."""
    group: list[Salient] = []
    for sentence in sentences:
        if group and not (len(group) < MAX_SENTENCES and _follows(group[-1], sentence)):
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def _stopped(sentence: str) -> str:
    """End a sentence that a line break ended, so that it does not run into the next."""
    return f"{sentence}." if sentence[-1].isalnum() else sentence


def _follows(before: Salient, after: Salient) -> bool:
    # Sentences are a space or a line break apart; a dropped one between them would be longer.
    return before.turn == after.turn and after.start - before.end <= 2
