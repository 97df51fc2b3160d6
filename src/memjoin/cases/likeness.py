"""How alike cases are: repeated user turns, and shared five-word runs, with all values masked.

Masking replaces names, handles, values and required items by one mark, so that what is left is the wording.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from memjoin.cases.plaintext import masked, phrase, plain
from memjoin.cases.schema import Case

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

RUN = 5
"""Length of the word runs that are compared."""
MOST_CASES = 3
"""In how many cases one user turn may occur."""
MOST_SHARED = 0.5
"""The highest Jaccard similarity that the release allows between sessions of different cases."""

_MARK = " _ "
_ROWS = 512


@dataclass(frozen=True, slots=True)
class Masked:
    """A case's wording: its user turns, and the word runs of each session."""

    user_turns: frozenset[str]
    sessions: tuple[tuple[str, ...], ...]
    """Each session's word runs, each once."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike the cases of a set are.

    ``highest`` is the highest Jaccard similarity of word runs between two sessions of different cases, and
    ``between`` names those. ``repeated`` are user turns, masked, that occur in more than ``MOST_CASES``
    cases, with the number of cases.
    """

    sessions: int
    highest: float
    between: tuple[str, str]
    user_turns: int
    repeated: tuple[tuple[str, int], ...]


def mask(case: Case) -> Masked:
    """Return the wording of a case."""
    annotation = case.annotation
    forms = [form for _, value in annotation.values for form in value.forms]
    forms += [form for handle in annotation.handles for form in handle.forms]
    forms += [form for item in annotation.required for form in item.forms]
    for person in annotation.people:
        forms += [person, person.split()[0]]
    wanted = sorted({phrase(form) for form in forms}, key=lambda one: (-len(one), one))
    turns: list[str] = []
    sessions = []
    for session in case.sessions:
        words: list[str] = []
        for turn in session.turns:
            here = masked(plain(turn.text), wanted, _MARK).split()
            words.extend(here)
            if turn.speaker == "user":
                turns.append(" ".join(here))
        runs = [" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]
        sessions.append(tuple(dict.fromkeys(runs)))
    return Masked(frozenset(turns), tuple(sessions))


@dataclass(slots=True)
class Seen:
    """The wording of the cases taken so far; says whether another is too like them."""

    turns: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)
    holders: dict[str, list[int]] = field(default_factory=dict)

    def too_alike(self, masked: Masked) -> bool:
        """Tell whether a case repeats a turn once too often or has a session much like an earlier one."""
        if any(self.turns[turn] >= MOST_CASES for turn in masked.user_turns):
            return True
        for runs in masked.sessions:
            shared = Counter(session for run in runs for session in self.holders.get(run, ()))
            size = len(runs)
            for session, number in shared.items():
                if number / (size + self.sizes[session] - number) > MOST_SHARED:
                    return True
        return False

    def add(self, masked: Masked) -> None:
        """Take a case in."""
        self.turns.update(masked.user_turns)
        for runs in masked.sessions:
            for run in runs:
                self.holders.setdefault(run, []).append(len(self.sizes))
            self.sizes.append(len(runs))


@dataclass(frozen=True, slots=True)
class Spread:
    """How alike the sessions of different cases are, all pairs of them.

    Attributes:
        sessions: How many sessions there are.
        pairs: Pairs of sessions of different cases.
        edges: Bounds of the classes of Jaccard similarity, rising, from 0 to 1.
        counts: How many pairs are in each class, its upper bound included; the first has those from 0 on.
        nearest: Each session's similarity to the one of another case that is most like it, rising.
        user_turns: How many different user turns there are, masked.
        turns_by_cases: How many of them occur in one case, in two, in three and so on.
        most_frequent: One that occurs in the most cases, the first in the alphabet; empty if there is none.
        between: The two sessions that are most alike; empty where no two share anything.
    """

    sessions: int
    pairs: int
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    nearest: tuple[float, ...]
    user_turns: int
    turns_by_cases: tuple[int, ...]
    most_frequent: str
    between: tuple[str, str]


EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
"""Classes of similarity in a ``Spread``."""


def likeness(cases: Iterable[Case]) -> Likeness:
    """Measure how alike cases are, exactly: every session against every one of another case.

    Cases are read one after the other; of each, only numbers are kept.
    """
    wording = _read(cases)
    highest, between = _highest(wording)
    repeated = [(turn, number) for turn, number in wording.turns.items() if number > MOST_CASES]
    names = wording.names
    return Likeness(
        len(names),
        highest,
        (names[between[0]], names[between[1]]) if highest else ("", ""),
        len(wording.turns),
        tuple(sorted(repeated, key=lambda one: (-one[1], one[0]))),
    )


def spread(cases: Iterable[Case]) -> Spread:
    """Measure how the likeness of sessions is distributed, exactly: all pairs of different cases."""
    import numpy as np

    wording = _read(cases)
    owner = np.asarray(wording.owners)
    nearest = np.zeros(len(owner))
    counts = np.zeros(len(EDGES) - 1, dtype=np.int64)
    alike, highest, between = 0, 0.0, ("", "")
    for rows, columns, scores in _scores(wording):
        np.maximum.at(nearest, rows, scores)
        best = int(scores.argmax())
        if scores[best] > highest:
            highest = float(scores[best])
            between = wording.names[rows[best]], wording.names[columns[best]]
        once = rows < columns
        alike += int(once.sum())
        classes = np.searchsorted(EDGES, scores[once], side="left") - 1
        counts += np.bincount(classes, minlength=len(counts))
    sizes = np.bincount(owner) if len(owner) else np.zeros(0, dtype=np.int64)
    pairs = (len(owner) ** 2 - int((sizes**2).sum())) // 2
    counts[0] += pairs - alike
    by_cases = Counter(wording.turns.values())
    most = max(by_cases, default=0)
    return Spread(
        sessions=len(owner),
        pairs=pairs,
        edges=EDGES,
        counts=tuple(counts.tolist()),
        nearest=tuple(np.sort(nearest).tolist()),
        user_turns=len(wording.turns),
        turns_by_cases=tuple(by_cases[times] for times in range(1, most + 1)),
        most_frequent=min((turn for turn, times in wording.turns.items() if times == most), default=""),
        between=between,
    )


@dataclass(slots=True)
class _Wording:
    """The wording of a set of cases, as numbers: the runs of each session, one session after the other."""

    turns: Counter[str] = field(default_factory=Counter)
    names: list[str] = field(default_factory=list)
    owners: array[int] = field(default_factory=lambda: array("l"))
    """Each session's case."""
    runs: array[int] = field(default_factory=lambda: array("l"))
    ends: array[int] = field(default_factory=lambda: array("l", [0]))
    """Where each session's runs end, a zero before the first."""
    different: int = 0
    """How many different runs there are."""


def _read(cases: Iterable[Case]) -> _Wording:
    wording = _Wording()
    places: dict[str, int] = {}
    for owner, case in enumerate(cases):
        masked = mask(case)
        wording.turns.update(masked.user_turns)
        for session, runs in zip(case.sessions, masked.sessions, strict=True):
            wording.names.append(f"{case.id}/{session.id}")
            wording.owners.append(owner)
            wording.runs.extend([places.setdefault(run, len(places)) for run in runs])
            wording.ends.append(len(wording.runs))
    wording.different = len(places)
    return wording


def _highest(wording: _Wording) -> tuple[float, tuple[int, int]]:
    """Return the highest similarity and its two sessions."""
    highest, between = 0.0, (0, 0)
    for rows, columns, scores in _scores(wording):
        best = int(scores.argmax())
        if scores[best] > highest:
            highest, between = float(scores[best]), (int(rows[best]), int(columns[best]))
    return highest, between


def _scores(wording: _Wording) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Go through all ordered pairs of sessions of different cases that share a run: both, and how alike.

    From a sparse matrix of sessions by runs, some hundred sessions at a time.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    owner, ends = np.asarray(wording.owners), np.asarray(wording.ends)
    sizes = np.diff(ends)
    ones = np.ones(len(wording.runs), dtype=np.int32)
    shape = (len(owner), max(wording.different, 1))
    matrix = csr_matrix((ones, np.asarray(wording.runs), ends), shape=shape)
    turned = matrix.T.tocsr()
    for start in range(0, len(owner), _ROWS):
        shared = (matrix[start : start + _ROWS] @ turned).tocoo()
        rows, columns, counts = shared.row + start, shared.col, shared.data
        other = owner[rows] != owner[columns]
        rows, columns, counts = rows[other], columns[other], counts[other]
        if counts.size:
            yield rows, columns, counts / (sizes[rows] + sizes[columns] - counts)
