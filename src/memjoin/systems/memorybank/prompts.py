"""The four prompts of MemoryBank, in our words, and how a filled one is known again.

Each is a text file with one place for its content, so that what a run asked can be read and hashed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias, get_args

Task: TypeAlias = Literal["day_events", "day_portrait", "overall_events", "overall_portrait"]
TASKS: tuple[Task, ...] = get_args(Task)

_FOLDER = Path(__file__).parent / "prompts"
_CONTENT = "$content"


def messages(task: Task, content: str) -> list[dict[str, str]]:
    """Return the chat messages that ask for a task on a content (a conversation, or notes)."""
    before, after = _frame(task)
    return [
        {"role": "system", "content": _read("system")},
        {"role": "user", "content": f"{before}{content}{after}"},
    ]


def recognise(text: str) -> tuple[Task, str] | None:
    """Return the task of a user message and its content, None if no prompt of ours was filled to make it."""
    for task in TASKS:
        before, after = _frame(task)
        if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
            return task, text[len(before) : len(text) - len(after)]
    return None


def conversation(turns: Iterable[tuple[str, str]]) -> str:
    """Write turns, (speaker, text) each, as a prompt shows them."""
    return "\n".join(f"{speaker}: {text.strip()}" for speaker, text in turns)


def notes(days: Iterable[tuple[str, str]]) -> str:
    """Write notes, (day, text) each, as a prompt shows them."""
    return "\n".join(f"[{day}] {text.strip()}" for day, text in days)


@functools.cache
def _read(name: str) -> str:
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def _frame(task: Task) -> tuple[str, str]:
    before, _, after = _read(task).partition(_CONTENT)
    return before, after
