"""The reader's prompt: one wording for every condition, with or without notes.

The task comes after the notes. Notes are numbered, and a note's further lines are indented, so that the
prompt can be taken apart again without loss, whatever a note says. Where no memory is given at all (Task
only) there is no section for it; where memory was asked and had nothing, the section says so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from memjoin.models.types import Message

SYSTEM = (
    "You are a personal assistant who writes for the user. Do the task you are given. If notes from earlier "
    "conversations with the user come with it, use what they say where the task calls for it. Answer with "
    "the finished text alone, ready to be sent."
)
NOTES = "Notes from earlier conversations with the user:"
NO_NOTES = "(There are none.)"
TASK = "Task:"

_ITEM = re.compile(r"\d+\. ")
_INDENT = "   "


def build_messages(task: str, items: Sequence[str] | None, instructions: Sequence[str] = ()) -> list[Message]:
    """Return the messages for a reader.

    Args:
        task: The task's text.
        items: The notes, in the order in which the reader sees them; None: no section for notes.
        instructions: What the reader is told besides, each a paragraph after the fixed words.
    """
    system = "\n\n".join((SYSTEM, *instructions))
    parts = []
    if items is not None:
        notes = [
            f"{number}. " + item.replace("\n", f"\n{_INDENT}") for number, item in enumerate(items, 1)
        ] or [NO_NOTES]
        parts += [NOTES, *notes, ""]
    parts += [TASK, task]
    return [{"role": "system", "content": system}, {"role": "user", "content": "\n".join(parts)}]


def parse_messages(messages: Sequence[Message]) -> tuple[str, tuple[str, ...] | None] | None:
    """Take the messages of ``build_messages`` apart: the task, and its items.

    Returns:
        (task, items), or None where the messages were not built by ``build_messages``. Instructions are
        passed over.
    """
    system = messages[0].get("content") if len(messages) == 2 else None
    if system != SYSTEM and not str(system).startswith(f"{SYSTEM}\n\n"):
        return None
    text = messages[1].get("content")
    if not isinstance(text, str):
        return None
    if text.startswith(f"{TASK}\n"):
        return text[len(TASK) + 1 :], None
    # Lines of notes begin with a number or an indent, so the first bare heading is the real one.
    notes, heading, task = text.partition(f"\n\n{TASK}\n")
    if not heading or not notes.startswith(f"{NOTES}\n"):
        return None
    items: list[str] = []
    for line in notes[len(NOTES) + 1 :].split("\n"):
        if number := _ITEM.match(line):
            items.append(line[number.end() :])
        elif items and line.startswith(_INDENT):
            items[-1] += "\n" + line[len(_INDENT) :]
        elif line != NO_NOTES:
            return None
    return task, tuple(items)


def prompt_hash() -> str:
    """Return the SHA-256 of the prompt's fixed words, for a run's manifest."""
    return hashlib.sha256("\x00".join((SYSTEM, NOTES, NO_NOTES, TASK)).encode()).hexdigest()
