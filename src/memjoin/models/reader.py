"""The embedded reader: the worst that a reader could do with its context, without a language model.

It does the task with what its notes say about the task's matter, and then repeats, word for word, every note
that names, codes, labels and dates let it connect to the people whom the task names. It has no annotation and
no vocabulary; it goes by shapes and by the words of the task. So it bounds what a context makes possible. How
often a language model would say it, it cannot tell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from memjoin.models.errors import UnknownPromptError
from memjoin.models.handles import Index, names_in
from memjoin.models.passages import Block, blocks
from memjoin.models.reader_prompt import parse_messages
from memjoin.models.types import ChatReply, ChatRequest
from memjoin.models.writer import make_reply
from memjoin.text.shapes import content_words, find_shapes, is_function

NAME = "embedded/worst-case-reader"
MAX_DETAILS = 12
RELEVANT = 0.15
"""The share of the best block's relevance that another one needs to be used for the task."""
ASSISTANT = 0.6
"""What the assistant's words count, beside the user's."""

GREETING = "Hello,"
NO_DETAILS = "here is the message; the details are still to be filled in."
REST = "What the notes say besides:"


class EmbeddedReader:
    """A chat model that answers the prompts of ``memjoin.models.reader_prompt``."""

    name = NAME
    deterministic = True
    embedded = True

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer a request.

        Raises:
            UnknownPromptError: It is no prompt of ``reader_prompt.build_messages``.
        """
        parsed = parse_messages(request.messages)
        if parsed is None:
            raise UnknownPromptError(
                "The embedded reader knows only the prompts of MemJoin's own reader.",
                "Name a model with --reader.",
            )
        text = answer(*parsed)
        return make_reply({"role": "assistant", "content": text}, request, NAME)


def answer(task: str, items: Sequence[str] | None) -> str:
    """Do a task in the worst way that notes allow.

    Returns:
        A message with the statements that serve the task, and after it every other block of notes that is
        connected to the task's people, in the order of the notes.
    """
    found = blocks(items or ())
    people = names_in(task)
    details = _details(_matters(task), found)
    message = " ".join(dict.fromkeys(_statements(found[number]) for number in details)) or NO_DETAILS
    seeds = people or [name for number in details for name in names_in(found[number].text)]
    connected = Index(found).connected(seeds)
    rest = [f"- {found[number].text}" for number in sorted(connected.difference(details))]
    parts = [GREETING, "", message]
    if rest:
        parts += ["", REST, *dict.fromkeys(rest)]
    return "\n".join(parts)


def _details(matters: Sequence[str], found: Sequence[Block]) -> list[int]:
    """Return the numbers of the blocks that state most about the task's matters, in order."""
    words = [_content(_statements(block)) for block in found]
    spread = Counter(word for each in words for word in each)
    weights = {word: math.log(1 + len(found) / spread[word]) for word in matters if spread[word]}
    scores = [
        # The assistant mostly repeats; where the user says as much, the user is quoted.
        math.fsum(weight for word, weight in weights.items() if word in each)
        * (ASSISTANT if block.assistant else 1.0)
        for block, each in zip(found, words, strict=True)
    ]
    least = max(scores, default=0.0) * RELEVANT
    ranked = sorted(range(len(found)), key=lambda number: (-scores[number], number))
    return sorted(number for number in ranked[:MAX_DETAILS] if scores[number] > least)


def _matters(task: str) -> tuple[str, ...]:
    """Return the words of a task that are no function words and no names, each once, in order."""
    for shape in reversed(find_shapes(task)):
        if shape.kind == "name":
            task = f"{task[: shape.start]} {task[shape.end :]}"
    return _content(task)


def _statements(block: Block) -> str:
    return " ".join(sentence.text for sentence in block.sentences if not sentence.asks)


@lru_cache(maxsize=8192)
def _content(text: str) -> tuple[str, ...]:
    """Return the content words of a text by their stems, and the parts of compounds, each once, in order."""
    parts = (part for word in content_words(text) for part in [word, *word.split("-")])
    return tuple(dict.fromkeys(_stem(part) for part in parts if not is_function(part)))


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
