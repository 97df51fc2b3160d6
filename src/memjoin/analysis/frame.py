"""The verdict table as arrays: one arm a (system, condition, intervention), one place a (case, trial).

An answer takes some twenty bytes here: bits for what is yes or no, one byte for what has few values, whole
numbers for names of groups. ``filling`` makes a frame from rows, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from memjoin.analysis.design import ArmKey, Design
from memjoin.judging.verdict import Action

Flags: TypeAlias = npt.NDArray[np.bool_]
Counts: TypeAlias = npt.NDArray[np.signedinteger]
Small: TypeAlias = npt.NDArray[np.int8]
Names: TypeAlias = npt.NDArray[np.str_]
Bits: TypeAlias = npt.NDArray[np.uint8]

UNKNOWN = -1
"""In an array of levels, grades or judged fields: not known. It is never summed."""

ACTIONS: tuple[Action, ...] = ("allow", "redact", "block")
"""What an output filter can do to an answer. In an array of actions each stands by its place here."""

GROUPINGS = ("configuration", "topology", "family", "category", "situation", "stratum")
"""What cases can be grouped by."""


class Mark(IntFlag):
    """What is known of an answer, a bit each."""

    SEEN = 1
    OK = 2
    INVALID = 4
    TIED = 8


class Keeps(IntFlag):
    """What is known of a text, a bit each."""

    KNOWN = 1
    AVAILABLE = 2
    JOINABLE = 4
    COLLECTED = 8
    MATERIALIZED = 16
    UNREADABLE = 32


def _has(bits: Bits, mark: IntFlag) -> Flags:
    flags: Flags = (bits & np.uint8(mark)) != 0
    return flags


@dataclass(frozen=True)
class Texts:
    """What texts of one kind (stores, or inputs) keep.

    ``bits`` has shape (cases, trials), and so has every flag that is read from it. ``known`` is false where
    there is no such text, and all else is then false or zero. ``kept`` and ``clues`` have shape (cases,
    sessions): over the vouched texts of a case, clues still stated and clues there are, by the place of their
    session in the case.
    """

    bits: Bits
    kept: npt.NDArray[np.int16]
    clues: npt.NDArray[np.int16]

    @property
    def known(self) -> Flags:
        """There is such a text."""
        return _has(self.bits, Keeps.KNOWN)

    @property
    def available(self) -> Flags:
        """Service, site and date of the target each pass their lexical check."""
        return _has(self.bits, Keeps.AVAILABLE)

    @property
    def joinable(self) -> Flags:
        """What it keeps entails the target."""
        return _has(self.bits, Keeps.JOINABLE)

    @property
    def collected(self) -> Flags:
        """One record alone entails it."""
        return _has(self.bits, Keeps.COLLECTED)

    @property
    def materialized(self) -> Flags:
        """One record entails it even without any cue."""
        return _has(self.bits, Keeps.MATERIALIZED)

    @property
    def unreadable(self) -> Flags:
        """The reading cannot vouch for it."""
        return _has(self.bits, Keeps.UNREADABLE)

    @property
    def vouched(self) -> Flags:
        """Texts that count for or against: read, or joinable in spite of what could not be read.

        What cannot be read is in neither count, so that it is never taken for safe.
        """
        return self.known & (~self.unreadable | self.joinable)


@dataclass(frozen=True)
class Arm:
    """All answers of one arm, shape (cases, trials) each.

    ``level`` (0 to 4), ``grade`` (0 to 3), ``completed``, ``refusal`` and ``inappropriate`` (0, 1) are
    ``UNKNOWN`` where the answer is invalid or missing, or no judge has the field; ``action`` (by its place in
    ``ACTIONS``) where no output filter was applied. ``store`` is the system's, whichever of its arms read it.
    """

    key: ArmKey
    bits: Bits
    level: Small
    grade: Small
    completed: Small
    refusal: Small
    inappropriate: Small
    action: Small
    store: Texts
    input: Texts

    @property
    def seen(self) -> Flags:
        """There is a row."""
        return _has(self.bits, Mark.SEEN)

    @property
    def ok(self) -> Flags:
        """Valid answers."""
        return _has(self.bits, Mark.OK)

    @property
    def invalid(self) -> Flags:
        """Answers that the judges left undecided."""
        return _has(self.bits, Mark.INVALID)

    @property
    def tied(self) -> Flags:
        """Answers with a field on which an even panel was split."""
        return _has(self.bits, Mark.TIED)

    @property
    def missing(self) -> Flags:
        """Planned answers that were not had."""
        return ~(self.ok | self.invalid)

    @property
    def complete(self) -> Flags:
        """Cases all of whose trials are valid, shape (cases,)."""
        complete: Flags = np.all(self.ok, axis=1)
        return complete


class Groups(Mapping[str, Names]):
    """For each of ``GROUPINGS`` the name of every case's group, in the design's order of cases.

    A name is empty where there is no row of the case. Kept as whole numbers; a lookup gives names.

    Args:
        kinds: Every combination of groups that occurs, in the order of ``GROUPINGS``.
        codes: The place of every case's among them, shape (cases,); ``UNKNOWN`` where there is none.
    """

    def __init__(self, kinds: Sequence[tuple[str, ...]], codes: npt.NDArray[np.int32]) -> None:
        # The combination of a case without a row stands last, where the code -1 finds it.
        self._kinds = (*kinds, ("",) * len(GROUPINGS))
        self._codes = codes

    def __getitem__(self, grouping: str) -> Names:
        if grouping not in GROUPINGS:
            raise KeyError(grouping)
        at = GROUPINGS.index(grouping)
        return np.array([kind[at] for kind in self._kinds], dtype=np.str_)[self._codes]

    def __iter__(self) -> Iterator[str]:
        return iter(GROUPINGS)

    def __len__(self) -> int:
        return len(GROUPINGS)

    def members(self, grouping: str) -> dict[str, Flags]:
        """Return which cases belong to each group of a grouping, shape (cases,), in the order of names."""
        names = self[grouping]
        return {str(name): names == name for name in np.unique(names) if name}


@dataclass(frozen=True)
class Frame:
    """A run's verdicts by arm, and the groups that its cases belong to."""

    design: Design
    arms: Mapping[ArmKey, Arm]
    groups: Groups

    def stores(self, system: str) -> Texts:
        """Return a system's stores. All its arms read one and the same store of a (case, trial)."""
        return next(arm.store for key, arm in self.arms.items() if key.system == system)
