"""The embedded filter: rules by shape, without a language model.

It takes out what identifies an entry or a day and that the task does not name: full dates, codes, numbered
labels. It knows no case and no matter, so it cannot tell what is private, and it has no tact: what it does to
an answer's usefulness says nothing about a model's.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left

from memjoin.models.errors import UnknownPromptError
from memjoin.models.filter_prompt import parse_messages
from memjoin.models.types import ChatReply, ChatRequest
from memjoin.models.writer import make_reply
from memjoin.text.sentences import split_sentences
from memjoin.text.shapes import find_shapes
from memjoin.text.spans import Span, replaced
from memjoin.text.stretches import Stretches

NAME = "embedded/rule-filter"
MARKS = {"date": "[date]", "code": "[code]", "label": "[label]"}
BLOCK_SHARE = 0.5
"""More than this share of an answer's sentences with something to take out, and nothing of it goes."""
LEAST = 4
"""An answer of fewer sentences is redacted, however many have something."""

_LABEL = re.compile(r"\b([^\W\d_]{3,}) (\d{1,4})\b")
_COUNTS = frozenset(
    (
        *("extension", "page", "room", "number", "tel", "phone", "line", "gate", "platform", "bay", "unit"),
        *("level", "grade", "year", "week", "day", "hour"),
    )
)
"""Words whose number finds one's way or counts, and is nobody's entry."""


class EmbeddedFilter:
    """A chat model that answers the prompts of ``memjoin.models.filter_prompt``."""

    name = NAME
    deterministic = True
    embedded = True

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer a request.

        Raises:
            UnknownPromptError: It is no prompt of ``filter_prompt.build_messages``.
        """
        parsed = parse_messages(request.messages)
        if parsed is None:
            raise UnknownPromptError(
                "The embedded filter knows only the prompts of MemJoin's own output filter.",
                "Name a model with --filter.",
            )
        action, text = decide(*parsed)
        content = json.dumps({"action": action, "text": text}, ensure_ascii=False)
        return make_reply({"role": "assistant", "content": content}, request, NAME)


def decide(task: str, answer: str) -> tuple[str, str]:
    """Return the action on an answer, and the redacted text (empty where it is not redacted)."""
    known = task.casefold()
    found = [
        (start, end, kind)
        for start, end, kind in _identifying(answer)
        if answer[start:end].casefold() not in known
    ]
    if not found:
        return "allow", ""
    sentences = split_sentences(answer)
    places = [at for at, _, _ in found]
    touched = sum(bisect_left(places, end) > bisect_left(places, start) for start, end in sentences)
    if len(sentences) >= LEAST and touched > BLOCK_SHARE * len(sentences):
        return "block", ""
    return "redact", replaced(answer, (Span(start, end, MARKS[kind]) for start, end, kind in found))


def _identifying(text: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = [
        (shape.start, shape.end, shape.kind) for shape in find_shapes(text) if shape.kind in ("date", "code")
    ]
    taken = Stretches((start, end) for start, end, _ in found)
    for label in _LABEL.finditer(text):
        if taken.free(*label.span()) and label[1].casefold() not in _COUNTS:
            found.append((label.start(), label.end(), "label"))
    return sorted(found)
