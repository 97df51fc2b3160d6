"""The verdict table as arrays: one arm a (system, condition), one place a (case, trial)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from memjoin.analysis.design import Design
from memjoin.analysis.errors import VerdictTableError
from memjoin.judging.verdict import Joins, VerdictRow

Flags: TypeAlias = npt.NDArray[np.bool_]
Counts: TypeAlias = npt.NDArray[np.int64]
Names: TypeAlias = npt.NDArray[np.str_]

UNKNOWN = -1
"""In an array of levels, grades or judged fields: not known. It is never summed."""

GROUPINGS = ("configuration", "topology", "family", "category", "situation", "stratum")
"""What cases can be grouped by."""


@dataclass(frozen=True)
class Texts:
    """What texts of one kind (stores, or inputs) keep, shape (cases, trials) each.

    ``known`` is false where there is no such text, and all else is then false or zero. ``kept`` and
    ``clues`` have shape (cases, trials, sessions): clues by the place of their session in the case.
    """

    known: Flags
    available: Flags
    joinable: Flags
    collected: Flags
    materialized: Flags
    unreadable: Flags
    kept: Counts
    clues: Counts

    def or_else(self, other: Texts) -> Texts:
        """Return these texts, and the other's where these are not known.

        Where both know a text it is the same (``frame`` sees to that), and what is not known is zero.
        """
        return Texts(
            known=self.known | other.known,
            available=self.available | other.available,
            joinable=self.joinable | other.joinable,
            collected=self.collected | other.collected,
            materialized=self.materialized | other.materialized,
            unreadable=self.unreadable | other.unreadable,
            kept=np.maximum(self.kept, other.kept),
            clues=np.maximum(self.clues, other.clues),
        )


@dataclass(frozen=True)
class Arm:
    """All answers of one system under one condition, shape (cases, trials) each.

    ``level`` (0 to 4), ``grade`` (0 to 3), ``completed``, ``refusal`` and ``inappropriate`` (0, 1) are
    ``UNKNOWN`` where the answer is invalid or missing, or no judge has the field.
    """

    system: str
    condition: str
    ok: Flags
    invalid: Flags
    tied: Flags
    level: Counts
    grade: Counts
    completed: Counts
    refusal: Counts
    inappropriate: Counts
    store: Texts
    input: Texts

    @property
    def missing(self) -> Flags:
        """Planned answers that were not had."""
        return ~(self.ok | self.invalid)

    @property
    def complete(self) -> Flags:
        """Cases all of whose trials are valid, shape (cases,)."""
        complete: Flags = np.all(self.ok, axis=1)
        return complete


@dataclass(frozen=True)
class Frame:
    """A run's verdicts by arm, and the groups that its cases belong to.

    ``groups`` holds for each of ``GROUPINGS`` the name of every case's group, in the design's order of
    cases; empty for a case of which there is no row.
    """

    design: Design
    arms: Mapping[tuple[str, str], Arm]
    groups: Mapping[str, Names]

    def stores(self, system: str) -> Texts:
        """Return a system's stores. All its conditions read one and the same store of a (case, trial)."""
        of_system = [arm.store for (name, _), arm in self.arms.items() if name == system]
        return reduce(Texts.or_else, of_system)


def frame(rows: Iterable[VerdictRow], design: Design) -> Frame:
    """Arrange verdict rows by arm, case and trial. A planned answer without a row is missing.

    Raises:
        VerdictTableError: A row is not of the plan, stands there twice, contradicts its status, gives its
            case another group than an earlier row does, or its trial another store.
    """
    table = list(rows)
    about = _about(table)
    _one_store(table)
    place = {case: at for at, case in enumerate(design.cases)}
    trial = {number: at for at, number in enumerate(sorted({row.trial for row in table}))}
    by_arm: dict[tuple[str, str], list[VerdictRow | None]] = {
        arm: [None] * design.answers for arm in design.arms
    }
    for row in table:
        arm = by_arm.get((row.system, row.condition))
        if arm is None or row.case not in place or len(trial) > design.trials:
            raise VerdictTableError(f"The row of {_name(row)} is not of the run's plan.", _REMADE)
        at = place[row.case] * design.trials + trial[row.trial]
        if arm[at] is not None:
            raise VerdictTableError(f"There are two rows of {_name(row)}.", _REMADE)
        if row.status != "ok" and (row.level, row.grade, row.completed) != (None, None, None):
            raise VerdictTableError(f"{_name(row)} is {row.status}, and yet has a verdict.", _REMADE)
        arm[at] = row
    shape = (len(design.cases), design.trials)
    return Frame(
        design=design,
        arms={key: _arm(key, cells, shape) for key, cells in by_arm.items()},
        groups={
            name: np.array([getattr(about.get(case), name, "") for case in design.cases], dtype=np.str_)
            for name in GROUPINGS
        },
    )


_REMADE = "The table of verdicts is damaged, or another run's; make it again from the run's ledger."


def _name(row: VerdictRow) -> str:
    return f"{row.system or 'reference'}, {row.condition}, {row.case}, trial {row.trial}"


def _about(table: Sequence[VerdictRow]) -> dict[str, VerdictRow]:
    """Return one row of each case, all of whose rows say the same of it."""
    about: dict[str, VerdictRow] = {}
    for row in table:
        first = about.setdefault(row.case, row)
        for name in GROUPINGS:
            if (mine := getattr(row, name)) != (others := getattr(first, name)):
                raise VerdictTableError(
                    f"{_name(row)} has the {name} {mine!r}, {_name(first)} has {others!r}.", _REMADE
                )
    return about


def _one_store(table: Sequence[VerdictRow]) -> None:
    stores: dict[tuple[str, str, int], VerdictRow] = {}
    for row in table:
        if row.store is not None:
            first = stores.setdefault((row.system, row.case, row.trial), row)
            if first.store != row.store:
                raise VerdictTableError(f"{_name(first)} and {_name(row)} read different stores.", _REMADE)


def _arm(key: tuple[str, str], rows: Sequence[VerdictRow | None], shape: tuple[int, int]) -> Arm:
    def flags(of: Sequence[bool]) -> Flags:
        return np.array(of, dtype=np.bool_).reshape(shape)

    def numbers(name: str) -> Counts:
        values = [None if row is None else getattr(row, name) for row in rows]
        return np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64).reshape(
            shape
        )

    return Arm(
        system=key[0],
        condition=key[1],
        ok=flags([row is not None and row.status == "ok" for row in rows]),
        invalid=flags([row is not None and row.status == "invalid" for row in rows]),
        tied=flags([row is not None and bool(row.ties) for row in rows]),
        level=numbers("level"),
        grade=numbers("grade"),
        completed=numbers("completed"),
        refusal=numbers("refusal"),
        inappropriate=numbers("inappropriate"),
        store=_texts([None if row is None else row.store for row in rows], shape),
        input=_texts([None if row is None else row.input for row in rows], shape),
    )


_SESSIONS = 16
"""Places that are kept apart; the clues of still later sessions are counted with the last."""


def _texts(joins: Sequence[Joins | None], shape: tuple[int, int]) -> Texts:
    def flags(name: str) -> Flags:
        values = [texts is not None and bool(getattr(texts, name)) for texts in joins]
        return np.array(values, dtype=np.bool_).reshape(shape)

    kept = np.zeros((len(joins), _SESSIONS), dtype=np.int64)
    clues = np.zeros((len(joins), _SESSIONS), dtype=np.int64)
    for at, texts in enumerate(joins):
        for session, (_, kept_here, clues_here) in enumerate(() if texts is None else texts.kept_by_session):
            place = min(session, _SESSIONS - 1)
            kept[at, place] += kept_here
            clues[at, place] += clues_here
    return Texts(
        known=np.array([texts is not None for texts in joins], dtype=np.bool_).reshape(shape),
        available=flags("available"),
        joinable=flags("joinable"),
        collected=flags("collected"),
        materialized=flags("materialized"),
        unreadable=flags("unreadable"),
        kept=kept.reshape(*shape, _SESSIONS),
        clues=clues.reshape(*shape, _SESSIONS),
    )
