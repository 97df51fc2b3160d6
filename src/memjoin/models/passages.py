"""Notes, as a reader takes them in: sentences, and blocks of sentences that lean on each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memjoin.text.sentences import split_sentences
from memjoin.text.tokens import tokens

_STAMP = re.compile(r"\s*[\[(][^\])\n]*\d{4}-\d{2}-\d{2}[^\])\n]*[\])]\s*:?")
_HEADING = re.compile(r"[^.!?\n]{0,40}\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\s*:?\s*")
_SPEAKER = re.compile(r"\s*(user|assistant|human|ai)\s*:\s*", re.IGNORECASE)
# What makes a sentence lean on the one before: a pronoun in it, a demonstrative or a label at its start.
_PRONOUNS = frozenset(
    {"it", "its", "he", "she", "him", "her", "his", "hers", "they", "them", "their", "theirs"}
)
_OPENERS = frozenset({"this", "that", "these", "those", "there", "here", "both", "which"})
_PLAIN_WORD = re.compile(r"(?<![\w-])[A-Za-z][a-z]*(?![\w-])")  # no part of a code: IT-4821 is no 'it'
_LABEL = re.compile(r"\w+(?: \w+)?:\s")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a note. ``assistant``: known to be the assistant's words."""

    text: str
    words: tuple[str, ...]
    assistant: bool

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip("\"'”’)").endswith("?")


@dataclass(frozen=True, slots=True)
class Block:
    """A sentence and those after it that lean on it ('It is at ...', 'Venue: ...'), of one turn."""

    sentences: tuple[Sentence, ...]

    @property
    def assistant(self) -> bool:
        """Whether it is known to be the assistant's words."""
        return self.sentences[0].assistant

    @property
    def text(self) -> str:
        """Its sentences, as one text."""
        return " ".join(sentence.text for sentence in self.sentences)


def blocks(items: Sequence[str]) -> list[Block]:
    """Split notes into blocks, in order. Time stamps, headings with a date, and speakers are left out."""
    return [block for item in items for line in _lines(item) for block in _glued(line)]


def _lines(item: str) -> Iterator[list[Sentence]]:
    assistant = False
    for line in item.splitlines():
        start = 0
        if stamp := _STAMP.match(line):
            start = stamp.end()
            assistant = False
        elif _HEADING.fullmatch(line):
            continue
        if speaker := _SPEAKER.match(line, start):
            start = speaker.end()
            assistant = speaker.group(1).casefold() in ("assistant", "ai")
        rest = line[start:]
        yield [
            Sentence(rest[first:last], tokens(rest[first:last]), assistant)
            for first, last in split_sentences(rest)
        ]


def _glued(line: list[Sentence]) -> Iterator[Block]:
    held: list[Sentence] = []
    for sentence in line:
        if held and not _leans(sentence):
            yield Block(tuple(held))
            held = []
        held.append(sentence)
    if held:
        yield Block(tuple(held))


def _leans(sentence: Sentence) -> bool:
    words = [word.casefold() for word in _PLAIN_WORD.findall(sentence.text)]
    return (
        not _PRONOUNS.isdisjoint(words)
        or (bool(words) and words[0] in _OPENERS and sentence.words[0] == words[0])
        or _LABEL.match(sentence.text) is not None
    )
