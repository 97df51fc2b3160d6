"""The embedded writer's answers to MemGPT's agent. Host side: it reads the prompt, and nothing else.

Which sentences are remembered is decided by ``text.salience``, and which of them an update replaces by
``text.renewal``, the same for every framework. The form is MemGPT's: the agent saves up to three sentences
that were said together with a tool call each, what the user says of their own things in core memory while
there is room and all else in archival memory, and then answers. A summary is the salient sentences of what
it is given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from memjoin.text.renewal import renews
from memjoin.text.salience import Salient, salient_sentences
from memjoin.text.sentences import split_sentences
from memjoin.text.tokens import tokens

MAX_SENTENCES = 3
ROOM = 1800
"""Characters of the block of the user that may be filled; MemGPT's limit is 2,000."""

_SPEAKER = re.compile(r"^(user|assistant): ", re.MULTILINE)
_HUMAN = re.compile(r"<human characters=\"(\d+)/\d+\">\n(.*?)\n</human>", re.DOTALL)
_EVENTS = frozenset(("heartbeat", "login", "system_alert", "user_message"))
_DONE = "I have noted what was said."
_OWN = frozenset(("i", "my", "mine", "me", "our", "ours", "we"))


def respond(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Answer a chat request that MemGPT makes.

    Args:
        body: The request body as OpenAI's chat protocol has it.

    Returns:
        The assistant message, or None if the request is none of MemGPT's.
    """
    messages = body.get("messages") or []
    offered = {tool["function"]["name"] for tool in body.get("tools") or [] if "function" in tool}
    if not {"archival_memory_insert", "send_message"} <= offered:
        return _summary(messages)
    events = _events(messages)
    if not events:
        return None
    talks = [place for place, event in events.items() if event["type"] == "user_message"]
    if not talks:
        # MemGPT has summarised the session away between two steps: what it said stands in recall memory.
        return _call(0, "send_message", message=_DONE)
    place = talks[-1]
    text = str(events[place].get("message"))
    human = _HUMAN.search(str(messages[0].get("content")))
    used = int(human[1]) if human else ROOM
    known = human[2] if human else ""
    done = sum(len(message.get("tool_calls") or []) for message in messages[place:])
    groups = list(_groups(salient_sentences(_turns(text))))
    for number, group in list(enumerate(groups))[done:]:
        said = " ".join(_stopped(sentence.text) for sentence in group)
        own = group[0].speaker == "user" and not _OWN.isdisjoint(tokens(said))
        if earlier := _renewed(known, said):
            arguments = {"old_content": earlier, "new_content": said, "request_heartbeat": True}
            return _call(number, "core_memory_replace", name="human", **arguments)
        if own and said not in known and used + len(said) < ROOM:
            return _call(number, "core_memory_append", name="human", content=said, request_heartbeat=True)
        return _call(number, "archival_memory_insert", content=said, request_heartbeat=True)
    return _call(len(groups), "send_message", message=_DONE)


def _renewed(known: str, said: str) -> str:
    """Return the sentence of core memory that something said renews; empty if none."""
    new = [said[start:end] for start, end in split_sentences(said)]
    old = (known[start:end] for start, end in split_sentences(known))
    return next((sentence for sentence in old if any(renews(news, sentence) for news in new)), "")


def _summary(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    if not messages or "summarize a history of previous messages" not in str(messages[0].get("content")):
        return None
    text = str(messages[-1].get("content"))
    sentences = [kept.text for kept in salient_sentences([("user", text)])]
    return {"role": "assistant", "content": " ".join(sentences)[:600] or "Nothing of note was said."}


def _events(messages: Sequence[Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return what users' messages hold, by place: talk, and events that MemGPT tells its agent of."""
    found: dict[int, dict[str, Any]] = {}
    for place, message in enumerate(messages):
        if message.get("role") != "user":
            continue
        try:
            content = json.loads(str(message.get("content")), strict=False)
        except ValueError:
            continue
        if isinstance(content, dict) and str(content.get("type")) in _EVENTS:
            found[place] = content
    return found


def _turns(text: str) -> list[tuple[str, str]]:
    marks = list(_SPEAKER.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [(mark[1], text[mark.end() : end].strip("\n")) for mark, end in zip(marks, ends, strict=False)]


def _groups(sentences: Sequence[Salient]) -> list[list[Salient]]:
    """Put sentences of one turn together that follow each other, up to three."""
    groups: list[list[Salient]] = []
    for sentence in sentences:
        last = groups[-1] if groups else []
        if (
            last
            and len(last) < MAX_SENTENCES
            and last[-1].turn == sentence.turn
            and (sentence.start - last[-1].end <= 2)
        ):
            last.append(sentence)
        else:
            groups.append([sentence])
    return groups


def _stopped(sentence: str) -> str:
    """End a sentence that a line break ended, so that it does not run into the next."""
    return f"{sentence}." if sentence[-1].isalnum() else sentence


def _call(number: int, tool: str, /, **arguments: object) -> dict[str, Any]:
    function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"call_{number}", "type": "function", "function": function}],
    }
