"""What A-Mem's model answered for one note, and what of that A-Mem drops without saying so.

A note takes two calls: one analyses it (keywords, context, tags), one decides whether it is linked to its
nearest neighbours and whether their context and tags change. A-Mem parses both with ``json.loads``, prints
or logs what goes wrong, and stores the note with whatever it has by then. Wrong keys, unknown ids and lists
that are too short do not even leave a line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memjoin.systems.protocol import Loss

_SHOWN = 80
_ANALYSIS = {"keywords": "texts", "context": "text", "tags": "texts"}
_EVOLUTION = {"should_evolve": "a truth value", "actions": "texts"}
_STRENGTHEN = {"suggested_connections": "texts", "tags_to_update": "texts"}
_UPDATE = {"new_context_neighborhood": "texts", "new_tags_neighborhood": "lists of texts"}


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the chat model: its content, None where it had none, and how it ended."""

    content: str | None
    finish_reason: str = "stop"


@dataclass(frozen=True, slots=True)
class Change:
    """What a reply asks to be stored with a neighbour; None: it says nothing of it."""

    id: str
    context: str | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evolution:
    """What a reply of the second call asks for, and what of it cannot be done."""

    changes: tuple[Change, ...] = ()
    losses: tuple[Loss, ...] = ()


def read_analysis(reply: Reply) -> Loss | None:
    """Return what is lost of a reply to the first call, None for one in good form."""
    value = _parse(reply)
    if isinstance(value, Loss):
        return value
    return _form(value, _ANALYSIS)


def read_evolution(reply: Reply, neighbours: Sequence[str], known: Sequence[str]) -> Evolution:
    """Read a reply to the second call.

    Args:
        reply: The reply.
        neighbours: Ids of the notes that the prompt shows, in its order.
        known: Ids of all stored notes, which can be linked to.
    """
    value = _parse(reply)
    problem = value if isinstance(value, Loss) else _form(value, _EVOLUTION)
    if problem is not None or not value["should_evolve"]:
        return Evolution(losses=(problem,) if problem else ())
    losses: list[Loss] = []
    changes: tuple[Change, ...] = ()
    for action in value["actions"]:
        if action == "strengthen":
            problem = _form(value, _STRENGTHEN)
            unknown = [] if problem else [i for i in value["suggested_connections"] if i not in known]
            if unknown:
                losses.append(_ignored(f"linked to notes that do not exist: {_shown(', '.join(unknown))}"))
        elif action == "update_neighbor":
            problem = _form(value, _UPDATE)
            if problem is None:
                contexts, tags = value["new_context_neighborhood"], value["new_tags_neighborhood"]
                losses += _lengths(len(neighbours), len(contexts), len(tags))
                changes = tuple(
                    Change(identity, contexts[place] if place < len(contexts) else None, tuple(tags[place]))
                    for place, identity in enumerate(neighbours[: len(tags)])
                )
        else:
            losses.append(_ignored(f"there is no action {_shown(action)}"))
        if problem is not None:
            # A-Mem stops at the first error, and keeps what it had done before.
            return Evolution(changes, (*losses, problem))
    return Evolution(changes, tuple(losses))


def _lengths(neighbours: int, contexts: int, tags: int) -> list[Loss]:
    if contexts == tags == neighbours:
        return []
    return [_ignored(f"{neighbours} neighbours, but {contexts} contexts and {tags} lists of tags for them")]


def _parse(reply: Reply) -> Any:
    """Parse a reply as A-Mem does; a Loss if it is no JSON object."""
    ending = " and was cut off at the token limit" if reply.finish_reason == "length" else ""
    if not (reply.content or "").strip():
        return Loss("empty-reply", f"the reply is empty{ending}")
    try:
        value = json.loads(reply.content or "")
    except ValueError:
        return Loss("unparseable-reply", f"the reply is not JSON{ending}: {_shown(reply.content or '')}")
    if not isinstance(value, dict):
        return Loss("unparseable-reply", f"the reply is no object: {_shown(reply.content or '')}")
    return value


def _form(value: dict[str, Any], form: dict[str, str]) -> Loss | None:
    for key, kind in form.items():
        if key not in value:
            keys = ", ".join(value) or "none"
            return Loss("unparseable-reply", f"the reply has no key {key!r}; its keys: {_shown(keys)}")
        if not _is(value[key], kind):
            found = json.dumps(value[key], ensure_ascii=False)
            return Loss("unparseable-reply", f"{key!r} is not {kind}: {_shown(found)}")
    return None


def _is(value: object, kind: str) -> bool:
    if kind == "a truth value":
        return isinstance(value, bool)
    if kind == "text":
        return isinstance(value, str)
    inner = "texts" if kind == "lists of texts" else "text"
    return isinstance(value, list) and all(_is(item, inner) for item in value)


def _ignored(detail: str) -> Loss:
    return Loss("ignored-reply", detail)


def _shown(text: str) -> str:
    # Half a surrogate pair is text to JSON, and to nothing after it.
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
