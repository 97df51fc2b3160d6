"""The embedded writer's answers to MemoryBank's prompts. Host side: it reads the prompt, and nothing else.

Which sentences go into a summary is decided by ``text.salience``, the same for every framework, and they
stand there as they were said. An overall account keeps what the daily ones hold, each sentence once. A
portrait is a judgement of character, which rules cannot give: it is one and the same neutral sentence, and
states nothing that was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memjoin.systems.memorybank.prompts import recognise
from memjoin.text.salience import salient_sentences
from memjoin.text.sentences import split_sentences

NOTHING = "Small talk, nothing to keep."
PORTRAIT = "The user comes with practical matters; answer briefly and to the point."

_SPEAKER = re.compile(r"^(user|assistant): ", re.MULTILINE)
_DAY = re.compile(r"^\[\d{4}-\d{2}-\d{2}\] ", re.MULTILINE)


def respond(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Answer a chat request that MemoryBank makes.

    Args:
        body: The request body as OpenAI's chat protocol has it.

    Returns:
        The assistant message, or None if the request is none of MemoryBank's.
    """
    messages = body.get("messages") or []
    content = messages[-1].get("content") if messages else None
    known = recognise(content) if isinstance(content, str) else None
    if known is None:
        return None
    task, text = known
    if task == "day_events":
        sentences = [_stopped(kept.text) for kept in salient_sentences(list(_parts(_SPEAKER, text)))]
        answer = " ".join(sentences) or NOTHING
    elif task == "overall_events":
        answer = " ".join(_once(text)) or NOTHING
    else:
        answer = PORTRAIT
    return {"role": "assistant", "content": answer}


def _stopped(sentence: str) -> str:
    """End a sentence that a line break ended, so that it does not run into the next."""
    return f"{sentence}." if sentence[-1].isalnum() else sentence


def _once(notes: str) -> list[str]:
    """Return the sentences of daily notes, in order, each once, without those that say that nothing was."""
    found: dict[str, None] = {}
    for _, note in _parts(_DAY, notes):
        for start, end in split_sentences(note):
            found[note[start:end]] = None
    found.pop(NOTHING, None)
    return list(found)


def _parts(mark: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """Split text at marks that begin a line; yields what each mark names and the text up to the next."""
    marks = list(mark.finditer(text))
    ends = [*(found.start() for found in marks[1:]), len(text)]
    for found, end in zip(marks, ends, strict=False):
        yield found[0].rstrip(": "), text[found.end() : end].strip()
