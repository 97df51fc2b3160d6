"""How MemoryBank finds memories: nearest pieces, joined with their neighbours, in the order of their days.

A piece is one turn pair or one daily summary. The pieces nearest to the query are the hits; each takes in
the pieces beside it, of the same day, as long as the whole stays within 200 characters; pieces that then
stand side by side are given as one text. Results come in the order of days, not of scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

MERGE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring pieces that are given as one: their places in the index, and the best score among them."""

    places: tuple[int, ...]
    score: float


def similarity(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the dot product: the cosine of two unit vectors."""
    product: float = sum(map(mul, a, b))
    return product


def nearest(vectors: Sequence[Sequence[float] | None], query: Sequence[float], k: int) -> dict[int, float]:
    """Return the places of the ``k`` vectors nearest to a query, best first, with their scores.

    Of equally near ones the earlier comes first. Places without a vector are never found.
    """
    scores = [
        (similarity(vector, query), place) for place, vector in enumerate(vectors) if vector is not None
    ]
    scores.sort(key=lambda scored: (-scored[0], scored[1]))
    return {place: score for score, place in scores[: max(k, 0)]}


def merge(
    hits: dict[int, float],
    sources: Sequence[str],
    lengths: Sequence[int],
    limit: int = MERGE_CHARACTERS,
) -> list[Run]:
    """Join hits with their neighbours.

    Args:
        hits: Places in the index, with scores.
        sources: The source (the day) of each place; one source's places follow each other.
        lengths: Characters of each place's text.
        limit: How many characters a hit and what it takes in may have together. A hit that is longer by
            itself stays as it is.

    Returns:
        The runs, in the order of the index. No run goes across two sources.
    """
    taken: set[int] = set()
    for hit in hits:
        taken.update(_grow(hit, sources, lengths, limit))
    runs: list[list[int]] = []
    for place in sorted(taken):
        if runs and runs[-1][-1] == place - 1 and sources[place - 1] == sources[place]:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [Run(tuple(run), max(hits[place] for place in run if place in hits)) for run in runs]


def _grow(hit: int, sources: Sequence[str], lengths: Sequence[int], limit: int) -> set[int]:
    """Take in neighbours of one hit, one step further at a time, the later one first."""
    grown, total = {hit}, lengths[hit]
    ends = {1: hit, -1: hit}
    open_ends = [1, -1]
    while open_ends:
        for direction in tuple(open_ends):
            place = ends[direction] + direction
            fits = (
                0 <= place < len(sources)
                and sources[place] == sources[hit]
                and total + lengths[place] <= limit
            )
            if fits:
                grown.add(place)
                total += lengths[place]
                ends[direction] = place
            else:
                open_ends.remove(direction)
    return grown
