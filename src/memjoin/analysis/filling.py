"""Verdict rows into a frame, one by one: none is kept, whatever their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

import numpy as np

from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.errors import VerdictTableError
from memjoin.analysis.frame import ACTIONS, GROUPINGS, UNKNOWN, Arm, Frame, Groups, Keeps, Mark, Texts
from memjoin.judging.verdict import Joins, VerdictRow

SESSIONS = 16
"""Places that are kept apart; the clues of still later sessions are counted with the last."""

_FIELDS = ("level", "grade", "completed", "refusal", "inappropriate")
_STATUS = {
    "ok": Mark.SEEN.value | Mark.OK.value,
    "invalid": Mark.SEEN.value | Mark.INVALID.value,
    "missing": Mark.SEEN.value,
}
_ACTION = {action: at for at, action in enumerate(ACTIONS)}
_REMADE = "The table of verdicts is damaged, or another run's; make it again from the run's ledger."


def frame(rows: Iterable[VerdictRow], design: Design) -> Frame:
    """Arrange verdict rows by arm, case and trial. A planned answer without a row is missing.

    Raises:
        VerdictTableError: A row is not of the plan, stands there twice, contradicts its status, gives its
            case another group than an earlier row does, or its trial another store.
    """
    into = _Filling(design)
    for row in rows:
        into.add(row)
    return into.frame()


class _Filling:
    """A frame that is being filled.

    Arrays are filled through views of their memory: setting one number of a numpy array takes several times
    as long.
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self.keys = design.arms
        self.arm = {key: at for at, key in enumerate(self.keys)}
        self.case = {case: at for at, case in enumerate(design.cases)}
        shape = (len(self.keys), len(design.cases), design.trials)
        self.bits = np.zeros(shape, np.uint8)
        self.columns = {name: np.full(shape, UNKNOWN, np.int8) for name in (*_FIELDS, "action")}
        self._bits = self.bits.reshape(-1).data
        self._columns = tuple(self.columns[name].reshape(-1).data for name in _FIELDS)
        self._action = self.columns["action"].reshape(-1).data
        systems = sorted({key.system for key in self.keys if key.system})
        self.system = {system: at for at, system in enumerate(systems)}
        self.inputs = _Kept(len(self.keys), design)
        self.stores = _Kept(len(systems), design)
        # What the stores keep, as one number each, and the arm that has it: a second arm must have the same.
        self._print = np.zeros(self.stores.bits.size, np.int64).data
        self._holder = np.zeros(self.stores.bits.size, np.int16).data
        self.groups = _Grouped(len(design.cases))

    def add(self, row: VerdictRow) -> None:
        """Take a row."""
        arm = self.arm.get(ArmKey(row.system, row.condition, row.intervention))
        case = self.case.get(row.case)
        if arm is None or case is None or not 0 <= row.trial < self.design.trials:
            raise VerdictTableError(f"The row of {_name(row)} is not of the run's plan.", _REMADE)
        at = self._at(arm, case, row.trial)
        if self._bits[at]:
            raise VerdictTableError(f"There are two rows of {_name(row)}.", _REMADE)
        if row.status != "ok" and (row.level, row.grade, row.completed) != (None, None, None):
            raise VerdictTableError(f"{_name(row)} is {row.status}, and yet has a verdict.", _REMADE)
        self._group(row, case)
        self._bits[at] = _STATUS[row.status] | (_TIED if row.ties else 0)
        values = (row.level, row.grade, row.completed, row.refusal, row.inappropriate)
        for column, value in zip(self._columns, values, strict=True):
            if value is not None:
                column[at] = value
        if row.action is not None:
            self._action[at] = _ACTION[row.action]
        if row.input is not None:
            self.inputs.add(arm, case, row.trial, row.input)
        if row.store is not None and row.system:
            self._store(row, arm, case)

    def frame(self) -> Frame:
        """Return what was taken."""
        inputs, stores = list(self.inputs.texts()), list(self.stores.texts())
        (nothing,) = _Kept(1, self.design).texts()
        return Frame(
            design=self.design,
            arms={
                key: Arm(
                    key=key,
                    bits=self.bits[at],
                    **{name: column[at] for name, column in self.columns.items()},
                    store=stores[self.system[key.system]] if key.system else nothing,
                    input=inputs[at],
                )
                for key, at in self.arm.items()
            },
            groups=Groups(self.groups.kinds, self.groups.codes),
        )

    def _at(self, arm: int, case: int, trial: int) -> int:
        return (arm * len(self.design.cases) + case) * self.design.trials + trial

    def _group(self, row: VerdictRow, case: int) -> None:
        mine = _grouping(row)
        others = self.groups.of(case, mine)
        if others == mine:
            return
        arm, trial = (int(at[0]) for at in np.nonzero(self.bits[:, case]))
        earlier = _place(self.keys[arm], row.case, trial)
        for grouping, one, other in zip(GROUPINGS, mine, others, strict=True):
            if one != other:
                raise VerdictTableError(
                    f"{_name(row)} has the {grouping} {one!r}, {earlier} has {other!r}.", _REMADE
                )

    def _store(self, row: VerdictRow, arm: int, case: int) -> None:
        """Take a row's store, or see to it that it is the one that is known already."""
        assert row.store is not None
        system = self.system[row.system]
        at = self._at(system, case, row.trial)
        said = hash((_bits(row.store), row.store.kept_by_session))
        if not self.stores.known(at):
            self.stores.add(system, case, row.trial, row.store)
            self._print[at], self._holder[at] = said, arm
        elif self._print[at] != said:
            other = _place(self.keys[self._holder[at]], row.case, row.trial)
            raise VerdictTableError(f"{other} and {_name(row)} read different stores.", _REMADE)


class _Kept:
    """What some kinds of texts keep, while it is being gathered."""

    def __init__(self, kinds: int, design: Design) -> None:
        self.bits = np.zeros((kinds, len(design.cases), design.trials), np.uint8)
        self._flat = self.bits.reshape(-1).data
        self._shape = self.bits.shape
        self._width = 0
        self._clues = np.zeros((2, kinds, len(design.cases), 0), np.int16)

    def known(self, at: int) -> bool:
        """Whether the text at a place is known."""
        return bool(self._flat[at])

    def add(self, kind: int, case: int, trial: int, joins: Joins) -> None:
        """Take a text. Raises ``VerdictTableError`` where a case has more clues than can be."""
        kinds, cases, trials = self._shape
        self._flat[(kind * cases + case) * trials + trial] = _bits(joins)
        if joins.unreadable and not joins.joinable:
            return
        sessions = joins.kept_by_session
        if len(sessions) > self._width:
            self._widen(min(len(sessions), SESSIONS))
        first = (kind * cases + case) * self._width
        second = first + kinds * cases * self._width
        counts = self._counts
        try:
            for session, (_, stated, there) in enumerate(sessions):
                place = session if session < SESSIONS else SESSIONS - 1
                counts[first + place] += stated
                counts[second + place] += there
        except ValueError as error:
            raise VerdictTableError(
                f"The texts of case {case + 1} have more clues than a case can have.", _REMADE
            ) from error

    def _widen(self, width: int) -> None:
        if width > self._width:
            self._clues = np.pad(self._clues, ((0, 0), (0, 0), (0, 0), (0, width - self._width)))
            self._counts, self._width = self._clues.reshape(-1).data, width

    def texts(self) -> Iterator[Texts]:
        """Yield the texts of each kind."""
        for kind, bits in enumerate(self.bits):
            yield Texts(bits, self._clues[0, kind], self._clues[1, kind])


class _Grouped:
    """The groups of each case, all groupings together: a number for each combination that occurs."""

    def __init__(self, cases: int) -> None:
        self.codes = np.full(cases, UNKNOWN, np.int32)
        self._flat = self.codes.data
        self._code: dict[tuple[str, ...], int] = {}

    @property
    def kinds(self) -> list[tuple[str, ...]]:
        """The combinations by their numbers."""
        return list(self._code)

    def of(self, case: int, groups: tuple[str, ...]) -> tuple[str, ...]:
        """Return the groups of a case; they become those that are given if it has none."""
        code = self._code.setdefault(groups, len(self._code))
        if (had := self._flat[case]) == UNKNOWN:
            self._flat[case] = had = code
        return groups if had == code else self.kinds[had]


_grouping = attrgetter(*GROUPINGS)


def _bits(joins: Joins) -> int:
    return (
        Keeps.KNOWN.value
        | _AVAILABLE * joins.available
        | _JOINABLE * joins.joinable
        | _COLLECTED * joins.collected
        | _MATERIALIZED * joins.materialized
        | _UNREADABLE * joins.unreadable
    )


# As plain numbers: members of an enumeration take a microsecond each to be combined.
_TIED = Mark.TIED.value
_AVAILABLE, _JOINABLE = Keeps.AVAILABLE.value, Keeps.JOINABLE.value
_COLLECTED, _MATERIALIZED = Keeps.COLLECTED.value, Keeps.MATERIALIZED.value
_UNREADABLE = Keeps.UNREADABLE.value


def _name(row: VerdictRow) -> str:
    return _place(ArmKey(row.system, row.condition, row.intervention), row.case, row.trial)


def _place(key: ArmKey, case: str, trial: int) -> str:
    intervention = f" + {key.intervention}" if key.intervention else ""
    return f"{key.system or 'reference'}, {key.condition}{intervention}, {case}, trial {trial}"
