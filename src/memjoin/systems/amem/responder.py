"""The embedded writer's answers to A-Mem's two prompts. Host side: it reads the prompt, and nothing else.

Which sentences count is decided by ``text.salience``, the same for every framework. The form is A-Mem's: a
note's context is what its turn says, its key words are the names, codes, numbers and dates in it. A note is
linked to the neighbours that mention a name or code of its own. Where it says that something about one of
these is otherwise now, the neighbour's context takes that sentence in: A-Mem cannot change what a note says.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memjoin.text.salience import salient_sentences
from memjoin.text.shapes import content_words, find_shapes
from memjoin.text.tokens import tokens

NOTHING = "Small talk, nothing to keep."
MAX_KEYWORDS = 8

_ANALYSE = re.compile(
    r"\AGenerate a structured analysis of the following content by:.*?"
    r"Content for analysis:\n +(?P<content>.*)\Z",
    re.DOTALL,
)
_EVOLVE = re.compile(
    r"\A\s*You are an AI memory evolution agent .*?The new memory context:\n +(?P<context>.*?)"
    r"\n +content: (?P<content>.*)\n +keywords: \[.*\]\n\n"
    r" +The nearest neighbors memories \(each line starts with memory_id\):\n +(?P<neighbours>memory_id:.*)"
    r"\n\n +Based on this information, determine:",
    re.DOTALL,
)
_NEIGHBOUR = re.compile(
    r"memory_id:(?P<id>[^\t]+)\ttalk start time:[^\t]*\tmemory content: (?P<content>.*?)"
    r"\tmemory context: (?P<context>.*?)\tmemory keywords: \[.*?\]\tmemory tags: (?P<tags>\[.*?\])"
    r"(?=\nmemory_id:|\s*\Z)",
    re.DOTALL,
)
_SPOKEN = re.compile(r"\ASpeaker (\w+) says: ")
_OTHERWISE = frozenset(("now", "instead", "anymore", "longer", "again", "otherwise", "later", "new"))


@dataclass(frozen=True, slots=True)
class _Note:
    """A stored note as the second prompt shows it."""

    id: str
    content: str
    context: str
    tags: list[str]


def respond(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Answer a chat request that A-Mem makes.

    Args:
        body: The request body as OpenAI's chat protocol has it.

    Returns:
        The assistant message, or None if the request is none of A-Mem's.
    """
    messages = body.get("messages") or []
    last = messages[-1] if messages else {}
    prompt = last.get("content")
    if last.get("role") != "user" or not isinstance(prompt, str):
        return None
    answer: dict[str, Any] | None = None
    if found := _ANALYSE.match(prompt):
        answer = _analyse(found["content"])
    elif found := _EVOLVE.match(prompt):
        answer = _evolve(found["content"], _notes(found["neighbours"]))
    if answer is None:
        return None
    return {"role": "assistant", "content": json.dumps(answer, ensure_ascii=False)}


def _analyse(content: str) -> dict[str, Any]:
    said = _SPOKEN.sub("", content)
    shapes = find_shapes(said)
    words = dict.fromkeys([said[shape.start : shape.end] for shape in shapes] + content_words(said))
    return {
        "keywords": list(words)[:MAX_KEYWORDS],
        "context": " ".join(_salient(content)) or NOTHING,
        "tags": _tags(content),
    }


def _evolve(content: str, neighbours: list[_Note]) -> dict[str, Any] | None:
    if not neighbours:
        return None
    mine = _handles(_SPOKEN.sub("", content))
    news = [s for s in _salient(content) if not _OTHERWISE.isdisjoint(tokens(s))]
    connected = [note for note in neighbours if mine & _handles(_SPOKEN.sub("", note.content))]
    contexts = [_with_news(note, news) if note in connected else note.context for note in neighbours]
    changed = any(note.context != context for note, context in zip(neighbours, contexts, strict=True))
    return {
        "should_evolve": bool(connected),
        "actions": (["strengthen"] if connected else []) + (["update_neighbor"] if changed else []),
        "suggested_connections": [note.id for note in connected],
        "tags_to_update": _tags(content),
        "new_context_neighborhood": contexts,
        "new_tags_neighborhood": [note.tags for note in neighbours],
    }


def _with_news(note: _Note, news: list[str]) -> str:
    """Return a neighbour's context with the sentences that say otherwise of a name or code in its content."""
    theirs = _handles(_SPOKEN.sub("", note.content))
    taken = [s for s in news if theirs & _handles(s) and s not in note.context]
    return " ".join([note.context, *taken]) if note.context != NOTHING else " ".join(taken) or NOTHING


def _notes(text: str) -> list[_Note]:
    return [
        _Note(found["id"], found["content"], found["context"], _listed(found["tags"]))
        for found in _NEIGHBOUR.finditer(text)
    ]


def _listed(text: str) -> list[str]:
    try:
        return [str(tag) for tag in ast.literal_eval(text)]
    except (ValueError, SyntaxError):
        return []


def _salient(content: str) -> list[str]:
    spoken = _SPOKEN.match(content)
    speaker, text = (spoken[1], content[spoken.end() :]) if spoken else ("user", content)
    return [_stopped(sentence.text) for sentence in salient_sentences([(speaker, text)])]


def _stopped(sentence: str) -> str:
    """End a sentence that a line break ended, so that it does not run into the next."""
    return f"{sentence}." if sentence[-1].isalnum() else sentence


def _handles(text: str) -> frozenset[str]:
    return frozenset(shape.key for shape in find_shapes(text) if shape.kind in ("name", "code"))


def _tags(content: str) -> list[str]:
    """Name what is found in a note by its kind; rules can tell no themes."""
    spoken = _SPOKEN.match(content)
    kinds = {shape.kind for shape in find_shapes(content[spoken.end() if spoken else 0 :])}
    return ["conversation", *([spoken[1]] if spoken else []), *sorted(kinds)]
