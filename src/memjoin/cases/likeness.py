"""How alike cases are: repeated user turns, and shared five-word runs, with all values masked.

Masking replaces names, handles, values and required items by one mark, so that what is left is the wording.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memjoin.cases.plaintext import phrase, plain
from memjoin.cases.schema import Case

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
            text = plain(turn.text)
            for one in wanted:
                if one in text:
                    text = text.replace(one, _MARK)
            here = text.split()
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


def likeness(cases: Iterable[Case]) -> Likeness:
    """Measure how alike cases are, exactly: every session against every one of another case.

    Cases are read one after the other; of each, only numbers are kept.
    """
    turns: Counter[str] = Counter()
    names: list[str] = []
    owners = array("l")
    places: dict[str, int] = {}
    indices = array("l")
    ends = array("l", [0])
    for owner, case in enumerate(cases):
        masked = mask(case)
        turns.update(masked.user_turns)
        for session, runs in zip(case.sessions, masked.sessions, strict=True):
            names.append(f"{case.id}/{session.id}")
            owners.append(owner)
            indices.extend([places.setdefault(run, len(places)) for run in runs])
            ends.append(len(indices))
    highest, between = _highest(indices, ends, owners, len(places))
    repeated = [(turn, number) for turn, number in turns.items() if number > MOST_CASES]
    return Likeness(
        len(names),
        highest,
        (names[between[0]], names[between[1]]) if highest else ("", ""),
        len(turns),
        tuple(sorted(repeated, key=lambda one: (-one[1], one[0]))),
    )


def _highest(
    indices: Sequence[int], ends: Sequence[int], owners: Sequence[int], runs: int
) -> tuple[float, tuple[int, int]]:
    """Return the highest similarity and its two sessions, from a sparse matrix of sessions by runs.

    Args:
        indices: The runs of all sessions, one session after the other.
        ends: Where each session's runs end, a zero before the first.
        owners: Each session's case.
        runs: How many different runs there are.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    sizes = np.diff(np.asarray(ends))
    owner = np.asarray(owners)
    ones = np.ones(len(indices), dtype=np.int32)
    matrix = csr_matrix((ones, np.asarray(indices), np.asarray(ends)), shape=(len(owners), max(runs, 1)))
    turned = matrix.T.tocsr()
    highest, between = 0.0, (0, 0)
    for start in range(0, len(owners), _ROWS):
        shared = (matrix[start : start + _ROWS] @ turned).tocoo()
        rows, columns, counts = shared.row + start, shared.col, shared.data
        other = owner[rows] != owner[columns]
        rows, columns, counts = rows[other], columns[other], counts[other]
        if counts.size == 0:
            continue
        scores = counts / (sizes[rows] + sizes[columns] - counts)
        best = int(scores.argmax())
        if scores[best] > highest:
            highest, between = float(scores[best]), (int(rows[best]), int(columns[best]))
    return highest, between
