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
from memjoin.models.handles import Handle, Index, names_in
from memjoin.models.passages import Block, Sentence, blocks
from memjoin.models.reader_prompt import parse_messages
from memjoin.models.types import ChatReply, ChatRequest
from memjoin.models.writer import make_reply
from memjoin.text.shapes import content_words

NAME = "embedded/worst-case-reader"
MAX_DETAILS = 14
RELEVANT = 0.1
"""The share of the best sentence's relevance that another one needs to be used for the task."""

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
        A message with the sentences that serve the task, and after it every block of notes that is connected
        to the task's people, in the order of the notes.
    """
    found = blocks(items or ())
    people = names_in(task)
    details = _details(_matters(task, people), found)
    seeds = people or [name for sentence in details for name in names_in(sentence.text)]
    connected = Index(found).connected(seeds)
    said = {sentence.text for sentence in details}
    message = " ".join(dict.fromkeys(sentence.text for sentence in details)) or NO_DETAILS
    rest = [
        f"- {block.text}"
        for number, block in enumerate(found)
        if number in connected and any(sentence.text not in said for sentence in block.sentences)
    ]
    parts = [GREETING, "", message]
    if rest:
        parts += ["", REST, *dict.fromkeys(rest)]
    return "\n".join(parts)


def _details(matters: list[str], found: Sequence[Block]) -> list[Sentence]:
    """Return the sentences that say most about the task's matters, in the order of the notes."""
    sentences = [sentence for block in found for sentence in block.sentences if not sentence.asks]
    words = [_said(sentence.text) for sentence in sentences]
    spread = Counter(word for each in words for word in each)
    weights = {word: math.log(1 + len(sentences) / spread[word]) for word in matters if spread[word]}
    scores = [
        # The assistant mostly repeats; where the user says as much, the user is quoted.
        math.fsum(weights[word] for word in matters if word in weights and word in each)
        * (0.6 if sentence.assistant else 1.0)
        for sentence, each in zip(sentences, words, strict=True)
    ]
    best = max(scores, default=0.0)
    ranked = sorted(range(len(sentences)), key=lambda number: (-scores[number], number))
    chosen = [number for number in ranked[:MAX_DETAILS] if scores[number] > best * RELEVANT]
    return [sentences[number] for number in sorted(chosen)]


def _matters(task: str, people: Sequence[Handle]) -> list[str]:
    """Return the words of a task that are no function words and no names, each once."""
    names = {word for name in people for word in name}
    return list(dict.fromkeys(_stem(word) for word in content_words(task) if word not in names))


@lru_cache(maxsize=8192)
def _said(text: str) -> frozenset[str]:
    return frozenset(map(_stem, content_words(text)))


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
