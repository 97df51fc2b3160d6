"""BM25: keeps every turn as it was said, and finds turns by their words, as the library bm25s ranks them."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

from memjoin.systems.protocol import Record, Session, Settings, WriteReport
from memjoin.systems.verbatim.adapter import turn_record


class Bm25:
    """Every turn a record, with its date and speaker; retrieval by Okapi BM25 over words.

    Words, stop words and weights are the library's defaults (k1 = 1.5, b = 0.75, no stemming). Options:
    ``k``, the number of records where the run leaves it to the system.
    """

    def __init__(self, settings: Settings) -> None:
        self._library: Any = importlib.import_module("bm25s")
        self._k = int(str(settings.options.get("k", 10)))
        self._stored: list[Record] = []
        self._index: Any = None

    def reset(self, case_id: str, seed: int) -> None:
        """Forget everything. Neither the case nor the seed matters here."""
        self._stored, self._index = [], None

    def write(self, session: Session) -> WriteReport:
        """Store every turn of a session. Nothing is asked, so nothing can be lost."""
        self._stored += [turn_record(session, number, turn) for number, turn in enumerate(session.turns, 1)]
        self._index = None
        return WriteReport(added=len(session.turns))

    def export(self) -> list[Record]:
        """Return every turn in the order in which it was said."""
        return list(self._stored)

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return up to k turns that share a word with the query, best first, of equal ones the earlier."""
        (asked,) = self._words([query])
        index = self._indexed() if asked else None
        if index is None:
            return []
        scores = [float(score) for score in index.get_scores(asked)]
        found = [
            replace(record, score=score)
            for record, score in zip(self._stored, scores, strict=True)
            if score > 0
        ]
        found.sort(key=lambda record: -(record.score or 0.0))
        return found[: self._k if k is None else k]

    def close(self) -> None:
        """Hold nothing any more."""
        self._stored, self._index = [], None

    def _indexed(self) -> Any:
        """The index of all turns, made anew after a write; None where they have no word."""
        if self._index is None:
            words = self._words([record.text for record in self._stored])
            if any(words):
                self._index = self._library.BM25()
                self._index.index(words, show_progress=False)
        return self._index

    def _words(self, texts: list[str]) -> list[list[str]]:
        words: list[list[str]] = self._library.tokenize(texts, return_ids=False, show_progress=False)
        return words
