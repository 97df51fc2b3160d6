"""The embedded writer's answers to LangMem's prompts. Host side: it reads the prompt, and nothing else.

Which sentences are remembered is decided by ``text.salience``, and which of them an update replaces by
``text.renewal``, the same for every framework. The form is LangMem's: a call of ``Memory`` for up to three
sentences that were said together; a call of ``PatchDoc`` where they say that something changed about a name,
code or number of a memory that the prompt shows; and a mended call where LangMem sends a wrong one back.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memjoin.text.renewal import renews, says_change
from memjoin.text.salience import Salient, salient_sentences
from memjoin.text.sentences import split_sentences
from memjoin.text.shapes import find_shapes

MAX_SENTENCES = 3

_SESSION = re.compile(r"<session_(?P<id>[^>\s]+)>\n(?P<talk>.*)\n</session_(?P=id)>", re.DOTALL)
_TITLE = re.compile(r"^={20,} (System|Human|Ai) Message ={20,}\n\n?", re.MULTILINE)
_SHOWN = re.compile(r'^<instance id=(\S+) schema_type="Memory">\n(.*)\n</instance>$', re.MULTILINE)
_SPEAKERS = {"Human": "user", "Ai": "assistant"}


def respond(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Answer a chat request with tool calls.

    Args:
        body: The request body as OpenAI's chat protocol has it.

    Returns:
        The assistant message, or None if the request is not LangMem's.
    """
    tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
    messages = body.get("messages") or []
    session = _SESSION.search(_content(messages, "user"))
    if session is None:
        return None
    if "PatchFunctionErrors" in tools:
        return _mended(messages)
    if "Memory" not in tools:
        return None
    shown = _shown(_content(messages, "system"))
    new, patched = _changes(_texts(_turns(session["talk"])), shown)
    calls = [("PatchDoc", _patch(identity, text)) for identity, text in patched.items()]
    calls += [("Memory", {"content": text}) for text in new]
    if not calls and shown and "PatchDoc" in tools:
        # A tool must be called; a patch of nothing is how one says that nothing changes.
        calls = [("PatchDoc", _patch(next(iter(shown)), None))]
    return _calling(calls)


def _changes(texts: Iterable[str], shown: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Tell new memories from news about shown ones: (texts, text by id)."""
    new: list[str] = []
    patched: dict[str, str] = {}
    for text in texts:
        held = {**shown, **patched}
        if text in new or any(text in memory for memory in held.values()):
            continue
        identity = _concerned(text, held) if says_change(text) else None
        if identity is None:
            new.append(text)
        else:
            patched[identity] = _merged(held[identity], text)
    return new, patched


def _concerned(text: str, memories: Mapping[str, str]) -> str | None:
    """The memory that shares most names, codes and numbers with a text; the first of equals."""
    keys = _keys(text)
    shared = {identity: len(keys & _keys(memory)) for identity, memory in memories.items()}
    best = max(shared, key=lambda identity: shared[identity], default=None)
    return best if best is not None and shared[best] else None


def _merged(memory: str, text: str) -> str:
    """Add a text to a memory, in the place of the sentences that it renews."""
    said = _sentences(text)
    kept = [old for old in _sentences(memory) if not any(renews(new, old) for new in said)]
    return " ".join([*map(_stopped, kept), text])


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


def _keys(text: str) -> set[str]:
    return {shape.key for shape in find_shapes(text) if shape.kind != "date"}


def _texts(turns: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Sentences of one turn that follow each other, up to three together."""
    group: list[Salient] = []
    for sentence in salient_sentences(turns):
        if group and not (len(group) < MAX_SENTENCES and _follows(group[-1], sentence)):
            yield " ".join(_stopped(each.text) for each in group)
            group = []
        group.append(sentence)
    if group:
        yield " ".join(_stopped(each.text) for each in group)


def _follows(before: Salient, after: Salient) -> bool:
    # Sentences are a space or a line break apart; a dropped one between them would be longer.
    return before.turn == after.turn and after.start - before.end <= 2


def _stopped(sentence: str) -> str:
    """End a sentence that a line break ended, so that it does not run into the next."""
    return f"{sentence}." if sentence[-1].isalnum() else sentence


def _turns(talk: str) -> list[tuple[str, str]]:
    """Split a conversation at its titles. Messages of the system say when it was, and are no turns."""
    marks = list(_TITLE.finditer(talk))
    ends = [*(mark.start() for mark in marks[1:]), len(talk)]
    return [
        (_SPEAKERS[mark[1]], talk[mark.end() : end].strip("\n"))
        for mark, end in zip(marks, ends, strict=True)
        if mark[1] in _SPEAKERS
    ]


def _shown(prompt: str) -> dict[str, str]:
    """The memories in a prompt, by id. Each is written as Python writes a dictionary, on one line."""
    found: dict[str, str] = {}
    for identity, written in _SHOWN.findall(prompt):
        try:
            value = ast.literal_eval(written)
        except (ValueError, SyntaxError):
            continue
        if isinstance(value, dict) and isinstance(value.get("content"), str):
            found[identity] = value["content"]
    return found


def _patch(identity: str, text: str | None) -> dict[str, Any]:
    edits = [] if text is None else [{"op": "replace", "path": "/content", "value": text}]
    plan = "Say what changed." if edits else "Nothing changes."
    return {"json_doc_id": identity, "planned_edits": plan, "patches": edits}


def _mended(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mend the tool call that the last message is about: put the text that it holds where it belongs."""
    last = messages[-1]
    identity = str(last.get("tool_call_id") or "")
    call = next(
        (
            call["function"]
            for message in messages
            for call in message.get("tool_calls") or ()
            if call.get("id") == identity
        ),
        {"name": "", "arguments": "{}"},
    )
    if "Unrecognized tool name" in str(last.get("content")):
        reasons = ["There is no such tool.", "A memory is recorded by Memory."]
        fix = {"json_doc_id": identity, "reasoning": reasons, "fixed_name": "Memory"}
        return _calling([("PatchFunctionName", fix)])
    text = next((value for value in _arguments(call).values() if isinstance(value, str)), None)
    edits = [] if text is None else [{"op": "add", "path": "/content", "value": text}]
    plan = "Put the text under content." if edits else "There is no text to put under content."
    return _calling(
        [("PatchFunctionErrors", {"json_doc_id": identity, "planned_edits": plan, "patches": edits})]
    )


def _arguments(function: Mapping[str, Any]) -> dict[str, Any]:
    try:
        value = json.loads(function["arguments"])
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _calling(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    if not calls:
        return {"role": "assistant", "content": ""}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
            }
            for number, (name, arguments) in enumerate(calls, 1)
        ],
    }


def _content(messages: Sequence[Mapping[str, Any]], role: str) -> str:
    """The content of the first message of a role."""
    found = next((message.get("content") for message in messages if message.get("role") == role), None)
    return found if isinstance(found, str) else ""
