"""The verdict table as arrays: one arm a (system, condition, intervention), one place a (case, trial)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.errors import VerdictTableError
from memjoin.judging.verdict import Action, Joins, VerdictRow

Flags: TypeAlias = npt.NDArray[np.bool_]
Counts: TypeAlias = npt.NDArray[np.int64]
Small: TypeAlias = npt.NDArray[np.int8]
Names: TypeAlias = npt.NDArray[np.str_]

UNKNOWN = -1
"""In an array of levels, grades or judged fields: not known. It is never summed."""

ACTIONS: tuple[Action, ...] = ("allow", "redact", "block")
"""What an output filter can do to an answer. In an array of actions each stands by its place here."""

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
    kept: npt.NDArray[np.int16]
    clues: npt.NDArray[np.int16]

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

    def differs(self, other: Texts) -> Flags:
        """Return where both know a text and do not say the same of it, shape (cases, trials)."""
        different = np.any((self.kept != other.kept) | (self.clues != other.clues), axis=2)
        for name in ("available", "joinable", "collected", "materialized", "unreadable"):
            different |= getattr(self, name) != getattr(other, name)
        differ: Flags = different & self.known & other.known
        return differ


@dataclass(frozen=True)
class Arm:
    """All answers of one arm, shape (cases, trials) each. ``seen``: there is a row.

    ``level`` (0 to 4), ``grade`` (0 to 3), ``completed``, ``refusal`` and ``inappropriate`` (0, 1) are
    ``UNKNOWN`` where the answer is invalid or missing, or no judge has the field; ``action`` (by its place in
    ``ACTIONS``) where no output filter was applied.
    """

    key: ArmKey
    ok: Flags
    invalid: Flags
    tied: Flags
    seen: Flags
    level: Small
    grade: Small
    completed: Small
    refusal: Small
    inappropriate: Small
    action: Small
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
    arms: Mapping[ArmKey, Arm]
    groups: Mapping[str, Names]

    def stores(self, system: str) -> Texts:
        """Return a system's stores. All its conditions read one and the same store of a (case, trial)."""
        of_system = [arm.store for key, arm in self.arms.items() if key.system == system]
        return reduce(Texts.or_else, of_system)


def frame(rows: Iterable[VerdictRow], design: Design) -> Frame:
    """Arrange verdict rows by arm, case and trial. A planned answer without a row is missing.

    The rows are taken one by one and not kept: an answer takes about two hundred bytes here, whatever the
    number of cases.

    Raises:
        VerdictTableError: A row is not of the plan, stands there twice, contradicts its status, gives its
            case another group than an earlier row does, or its trial another store.
    """
    shape = (len(design.cases), design.trials)
    arms = {key: _empty(key, shape) for key in design.arms}
    place = {case: at for at, case in enumerate(design.cases)}
    about: dict[str, VerdictRow] = {}
    for row in rows:
        arm = arms.get(ArmKey(row.system, row.condition, row.intervention))
        if arm is None or row.case not in place or not 0 <= row.trial < design.trials:
            raise VerdictTableError(f"The row of {_name(row)} is not of the run's plan.", _REMADE)
        at = place[row.case], row.trial
        if arm.seen[at]:
            raise VerdictTableError(f"There are two rows of {_name(row)}.", _REMADE)
        if row.status != "ok" and (row.level, row.grade, row.completed) != (None, None, None):
            raise VerdictTableError(f"{_name(row)} is {row.status}, and yet has a verdict.", _REMADE)
        _same_case(about.setdefault(row.case, row), row)
        _fill(arm, at, row)
    made = Frame(
        design=design,
        arms=arms,
        groups={
            name: np.array([getattr(about.get(case), name, "") for case in design.cases], dtype=np.str_)
            for name in GROUPINGS
        },
    )
    _one_store(made)
    return made


_REMADE = "The table of verdicts is damaged, or another run's; make it again from the run's ledger."


def _name(row: VerdictRow) -> str:
    return _place(ArmKey(row.system, row.condition, row.intervention), row.case, row.trial)


def _place(key: ArmKey, case: str, trial: int) -> str:
    intervention = f" + {key.intervention}" if key.intervention else ""
    return f"{key.system or 'reference'}, {key.condition}{intervention}, {case}, trial {trial}"


def _same_case(first: VerdictRow, row: VerdictRow) -> None:
    for name in GROUPINGS:
        if (mine := getattr(row, name)) != (others := getattr(first, name)):
            raise VerdictTableError(
                f"{_name(row)} has the {name} {mine!r}, {_name(first)} has {others!r}.", _REMADE
            )


def _one_store(made: Frame) -> None:
    """See to it that all arms of a system read one and the same store of a case and trial."""
    first: dict[str, list[Arm]] = {}
    for arm in made.arms.values():
        earlier = first.setdefault(arm.key.system, [])
        for other in earlier:
            differ = other.store.differs(arm.store)
            if differ.any():
                case, trial = (int(at[0]) for at in np.nonzero(differ))
                where = made.design.cases[case], trial
                raise VerdictTableError(
                    f"{_place(other.key, *where)} and {_place(arm.key, *where)} read different stores.",
                    _REMADE,
                )
        if arm.key.system and arm.store.known.any():
            earlier.append(arm)


_SESSIONS = 16
"""Places that are kept apart; the clues of still later sessions are counted with the last."""


def _empty(key: ArmKey, shape: tuple[int, int]) -> Arm:
    def no() -> Flags:
        return np.zeros(shape, dtype=np.bool_)

    def unknown() -> Small:
        return np.full(shape, UNKNOWN, dtype=np.int8)

    def texts() -> Texts:
        sessions = (*shape, _SESSIONS)
        kept, clues = np.zeros(sessions, dtype=np.int16), np.zeros(sessions, dtype=np.int16)
        return Texts(no(), no(), no(), no(), no(), no(), kept, clues)

    return Arm(
        key=key,
        ok=no(),
        invalid=no(),
        tied=no(),
        seen=no(),
        level=unknown(),
        grade=unknown(),
        completed=unknown(),
        refusal=unknown(),
        inappropriate=unknown(),
        action=unknown(),
        store=texts(),
        input=texts(),
    )


def _fill(arm: Arm, at: tuple[int, int], row: VerdictRow) -> None:
    arm.seen[at] = True
    arm.ok[at] = row.status == "ok"
    arm.invalid[at] = row.status == "invalid"
    arm.tied[at] = bool(row.ties)
    for into, value in (
        (arm.level, row.level),
        (arm.grade, row.grade),
        (arm.completed, row.completed),
        (arm.refusal, row.refusal),
        (arm.inappropriate, row.inappropriate),
    ):
        if value is not None:
            into[at] = value
    if row.action is not None:
        arm.action[at] = ACTIONS.index(row.action)
    if row.store is not None:
        _fill_texts(arm.store, at, row.store)
    if row.input is not None:
        _fill_texts(arm.input, at, row.input)


def _fill_texts(texts: Texts, at: tuple[int, int], joins: Joins) -> None:
    texts.known[at] = True
    texts.available[at] = joins.available
    texts.joinable[at] = joins.joinable
    texts.collected[at] = joins.collected
    texts.materialized[at] = joins.materialized
    texts.unreadable[at] = joins.unreadable
    for session, (_, kept, clues) in enumerate(joins.kept_by_session):
        place = (*at, min(session, _SESSIONS - 1))
        texts.kept[place] += kept
        texts.clues[place] += clues
