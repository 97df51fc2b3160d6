"""What connects one note to another: names, codes, labels and dates that stand in both.

By shape alone: capitalised names, codes, a word with its number ('line 41', 'extension 214'), two words
after an article ('the amber sticker'), what opens a sentence before a verb ('Juniper sits'), dates. What
stands in a large part of the notes connects nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from memjoin.models.passages import Block
from memjoin.text.dates import find_dates
from memjoin.text.shapes import CALENDAR_WORDS, find_shapes, is_function
from memjoin.text.tokens import has_tokens, tokens

Handle: TypeAlias = tuple[str, ...]
"""The tokens by which text names it; a date is its ISO form, which no token can be."""

FREQUENT_SHARE = 0.25
FREQUENT_LEAST = 8

_NUMBERED = re.compile(r"([^\W\d_]+)\s+(?:no\.?\s*)?(\d+)\b")
_SUBJECT = re.compile(r"(?:^|[.!?]\s+)([^\W\d_a-z][^\W\d_]+) [a-z]+(?:s|ed)\b")
_PAIR = re.compile(r"\b(?:the|my|our|his|her|their|your|an?)\s+([^\W\d_]+)[ -]([^\W\d_]+)", re.IGNORECASE)


def names_in(text: str) -> list[Handle]:
    """Return the names in a text, in order, each once."""
    return _unique(tokens(shape.key) for shape in find_shapes(text) if shape.kind == "name")


@lru_cache(maxsize=8192)  # the conditions of a run show the same notes again and again
def handles_in(text: str) -> tuple[Handle, ...]:
    """Return everything in a text that may connect it to others, in order of kind and place, each once."""
    found: list[Handle] = []
    for shape in find_shapes(text):
        if shape.kind == "date":
            found.append((shape.key,))
        elif shape.kind != "number":
            found.append(tokens(shape.key))
    for pattern in (_NUMBERED, _PAIR, _SUBJECT):
        for match in pattern.finditer(text):
            words = tokens(" ".join(match.groups()))
            if not any(is_function(word) or word in CALENDAR_WORDS for word in words):
                found.append(words)
    return tuple(_unique(found))


class Index:
    """Blocks by the handles that stand in them."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._dates: dict[Handle, list[int]] = defaultdict(list)
        self._of_block: list[list[Handle]] = []
        for number, block in enumerate(blocks):
            for word in _unique((word,) for sentence in block.sentences for word in sentence.words):
                self._by_word[word[0]].append(number)
            for date in _unique((iso,) for _, _, iso in find_dates(block.text)):
                self._dates[date].append(number)
            self._of_block.append(list(handles_in(block.text)))
        self._found: dict[Handle, list[int]] = {}
        self._limit = max(FREQUENT_LEAST, int(len(blocks) * FREQUENT_SHARE))
        known = _unique(handle for handles in self._of_block for handle in handles)
        for handle in known:
            for number in self.where(handle):
                if handle not in self._of_block[number]:
                    self._of_block[number].append(handle)

    def where(self, handle: Handle) -> list[int]:
        """Return the numbers of the blocks that a handle stands in, in order."""
        if handle not in self._found:
            self._found[handle] = self._dates[handle] if handle in self._dates else self._holding(handle)
        return self._found[handle]

    def connected(self, seeds: Iterable[Handle]) -> set[int]:
        """Return the blocks that handles connect to the seeds, over any number of other blocks.

        A seed is followed however often it stands in the notes, and so are the beginnings and ends of its
        name (the first name alone).
        """
        followed: set[Handle] = set()
        reached: set[int] = set()
        waiting = [part for seed in seeds for part in _parts(seed)]
        always = set(waiting)
        while waiting:
            handle = waiting.pop()
            if handle in followed:
                continue
            followed.add(handle)
            blocks = self.where(handle)
            if handle not in always and len(blocks) > self._limit:
                continue
            for number in blocks:
                if number not in reached:
                    reached.add(number)
                    waiting.extend(self._of_block[number])
        return reached

    def _holding(self, handle: Handle) -> list[int]:
        candidates = self._by_word.get(handle[0], []) if handle else []
        return [
            number
            for number in candidates
            if any(has_tokens(sentence.words, handle) for sentence in self._blocks[number].sentences)
        ]


def _parts(name: Handle) -> list[Handle]:
    """Return a name, its beginnings and its ends, but no function word alone."""
    parts = [name[:end] for end in range(1, len(name))] + [name[start:] for start in range(1, len(name))]
    return [name, *(part for part in parts if not all(map(is_function, part)))]


def _unique(handles: Iterable[Handle]) -> list[Handle]:
    return list(dict.fromkeys(handle for handle in handles if handle))
