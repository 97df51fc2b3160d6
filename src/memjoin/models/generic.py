"""Answers to the common shapes of a memory writer's prompt, for systems that bring no responder.

Three shapes are known: a tool that stores a text; JSON with a list of facts or memories; a summary. The
conversation must be in the prompt, as lines that name their speaker (``user: ...``) or as the request's own
messages. Anything else gets no answer rather than a guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from memjoin.text.salience import salient_sentences

_SPEAKER = re.compile(
    r"^[\s>*-]*(?:\[[^\]\n]*\]\s*)?\**(user|human|assistant|ai|bot)\**\s*:\s*\**\s*(.*)$", re.I | re.M
)
_STORES = re.compile(r"stor|sav|add|insert|create|remember|memor|note|append|fact", re.I)
_TEXT_KEYS = ("content", "text", "memory", "fact", "note", "value", "data", "statement")
_LIST_KEYS = ("facts", "memories", "memory", "notes", "statements", "items", "insights", "observations")
_JSON_LIST = re.compile(r"[\"'](" + "|".join(_LIST_KEYS) + r")[\"']\s*:\s*\[\s*(\{|)")
_JSON_TEXT = re.compile(r"[\"'](" + "|".join(_TEXT_KEYS) + r")[\"']\s*:")
_SUMMARY = re.compile(r"\bsummar(?:y|ies|i[sz]e|i[sz]ing)\b", re.I)


def respond(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Answer a chat request's body with an assistant message, or None where its shape is not known."""
    messages = [message for message in body.get("messages") or [] if isinstance(message, dict)]
    turns = conversation(messages)
    if not turns:
        return None
    facts = [sentence.text for sentence in salient_sentences(turns)]
    prompt = "\n".join(_text(message) for message in messages)
    if body.get("tools") and body.get("tool_choice") != "none":
        return _by_tool(body["tools"], facts)
    if body.get("response_format"):
        return _as_json(body["response_format"], prompt, facts)
    if match := _JSON_LIST.search(prompt):
        return _json_list(match, prompt, facts)
    if _SUMMARY.search(prompt):
        return {"role": "assistant", "content": " ".join(facts)}
    return None


def conversation(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the conversation that a prompt is about, as (speaker, text).

    Lines that name a speaker, in the last message that has any, go before the request's own messages; those
    count only if an assistant has already spoken in them, for otherwise they are the instruction itself.
    """
    for message in reversed(messages):
        text = _text(message)
        found = list(_SPEAKER.finditer(text))
        if found:
            return [_turn(text, found, number) for number in range(len(found))]
    spoken = [
        (str(message["role"]), _text(message))
        for message in messages
        if message.get("role") in ("user", "assistant")
    ]
    return spoken if any(role == "assistant" for role, _ in spoken) else []


def _turn(text: str, found: list[re.Match[str]], number: int) -> tuple[str, str]:
    """A turn runs to the next line with a speaker, and ends at an empty line before."""
    end = found[number + 1].start() if number + 1 < len(found) else len(text)
    said = text[found[number].start(2) : end]
    speaker = "assistant" if found[number].group(1).casefold() in ("assistant", "ai", "bot") else "user"
    return speaker, re.split(r"\n\s*\n", said, maxsplit=1)[0].strip()


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return ""


def _by_tool(tools: object, facts: list[str]) -> dict[str, Any] | None:
    for tool in tools if isinstance(tools, list) else []:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not _STORES.search(str(function.get("name", ""))):
            continue
        key = _text_property(function.get("parameters"))
        if key is None:
            continue
        calls = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {
                    "name": function["name"],
                    "arguments": json.dumps({key: fact}, ensure_ascii=False),
                },
            }
            for number, fact in enumerate(facts, 1)
        ]
        if not calls:
            return {"role": "assistant", "content": "Nothing to remember."}
        return {"role": "assistant", "content": None, "tool_calls": calls}
    return None


def _text_property(schema: object) -> str | None:
    """Return the one property that must be given and is a text; None if others must be given too."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return None
    texts = [
        name
        for name, kind in schema["properties"].items()
        if isinstance(kind, dict) and kind.get("type") == "string" and "enum" not in kind
    ]
    required = schema.get("required") or []
    named = [name for name in texts if name in required] or [name for name in _TEXT_KEYS if name in texts]
    return named[0] if named and set(required) <= {named[0]} else None


def _as_json(response_format: object, prompt: str, facts: list[str]) -> dict[str, Any] | None:
    schema: Any = None
    if isinstance(response_format, dict) and response_format.get("type") == "json_schema":
        schema = (response_format.get("json_schema") or {}).get("schema")
    if schema is None:
        match = _JSON_LIST.search(prompt)
        return _json_list(match, prompt, facts) if match else None
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or len(properties) != 1:
        return None
    [(key, kind)] = properties.items()
    if not isinstance(kind, dict) or kind.get("type") != "array":
        return None
    items = kind.get("items")
    if isinstance(items, dict) and items.get("type") == "string":
        return _json({key: facts})
    inner = _text_property(items)
    return _json({key: [{inner: fact} for fact in facts]}) if inner else None


def _json_list(match: re.Match[str], prompt: str, facts: list[str]) -> dict[str, Any]:
    """Answer in the form of the example that the prompt shows: texts, or objects with a text in them."""
    inner = _JSON_TEXT.search(prompt, match.end()) if match.group(2) else None
    return _json({match.group(1): [{inner.group(1): fact} if inner else fact for fact in facts]})


def _json(value: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": json.dumps(value, ensure_ascii=False)}
