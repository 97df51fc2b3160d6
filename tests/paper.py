"""Answers, one by one, that have the paper's counts: what a run with its results would have written.

Where the paper's printed tables leave a figure open (SimpleMem; which of the cases), one that fits them is
chosen. Cases 0-95 are RJ, 96-191 UC, 192-287 WM; the 208 from 80 on keep every value in view without cues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from memjoin.analysis.design import ArmKey, Design
from memjoin.judging.verdict import Action, Joins, Level, VerdictRow

CASES, TRIALS = 288, 3
LEFT_OUT = 287
"""The case that is incomplete under M1 to M3: 287 pairs remain, 207 of them with all values seen."""

SYSTEMS = ("amem", "langmem", "mem0", "memgpt", "memorybank", "simplemem")
Three = tuple[int, int, int]

HISTORY: Three = (36, 12, 18)
"""Cases disclosed under Full history in RJ, UC and WM: 66."""


@dataclass(frozen=True)
class Spec:
    """One arm. ``completed``: A4 cases, single A4 answers, other cases and single other answers."""

    disclosed: Sequence[int]
    a4: int = 0
    completed: tuple[int, int, int, int] = (0, 0, 50, 0)
    refusals: int = 0
    grades: int = 1572
    available: int = 864
    a4_without: int = 0
    done: Sequence[int] | None = None
    invalid: int = 0
    actions: Three | None = None
    seen: Sequence[int] = field(default_factory=tuple)


def cases(both: Three, only: Three) -> list[int]:
    """Cases disclosed under Full history too, and cases that are not, for each configuration."""
    found: list[int] = []
    for at, (shared, own, history) in enumerate(zip(both, only, HISTORY, strict=True)):
        begin = 96 * at
        found += [*range(begin, begin + shared), *range(begin + history, begin + history + own)]
    return found


def pair(control: Iterable[int], b: int, c: int) -> list[int]:
    """Cases of a treated arm: the control's without its last c, and b that the control has not."""
    kept = sorted(control)
    others = [case for case in range(CASES) if case not in set(kept)]
    return kept[: len(kept) - c] + others[:b]


FULL = cases(HISTORY, (0, 0, 0))
ITEMIZED = FULL[:60]
RETRIEVED: Mapping[str, list[int]] = {
    "amem": cases((12, 3, 10), (9, 3, 3)),
    "langmem": cases((9, 2, 5), (0, 1, 0)),
    "mem0": cases((14, 2, 2), (4, 4, 1)),
    "memgpt": cases((9, 1, 9), (9, 2, 2)),
    "memorybank": cases((8, 2, 4), (6, 3, 2)),
    "simplemem": cases((8, 2, 6), (4, 2, 2)),
}
ALL: Mapping[str, list[int]] = {
    "amem": cases((26, 5, 12), (0, 0, 0)),
    "langmem": cases((9, 3, 7), (0, 0, 0)),
    "mem0": cases((24, 6, 12), (0, 0, 0)),
    "memgpt": cases((23, 3, 15), (0, 0, 0)),
    "memorybank": cases((20, 6, 10), (0, 0, 0)),
    "simplemem": cases((20, 6, 10), (0, 0, 0)),
}
ACTIONS: Mapping[str, Three] = {
    "amem": (239, 615, 10),
    "langmem": (284, 551, 29),
    "mem0": (303, 520, 41),
    "memgpt": (291, 567, 6),
    "memorybank": (192, 641, 31),
    "simplemem": (255, 574, 35),
}


def _specs() -> dict[ArmKey, Spec]:
    views = {
        "amem": Spec(RETRIEVED["amem"], 124, (4, 2, 54, 2), refusals=62),
        "langmem": Spec(RETRIEVED["langmem"], 72, (4, 0, 35, 31), refusals=84, available=520, grades=1452),
        "mem0": Spec(RETRIEVED["mem0"], 82, (4, 0, 38, 24), refusals=48, available=560, a4_without=3),
        "memgpt": Spec(RETRIEVED["memgpt"], 93, (1, 1, 51, 3), refusals=86),
        "memorybank": Spec(RETRIEVED["memorybank"], 92, (2, 0, 40, 9), refusals=55),
        "simplemem": Spec(RETRIEVED["simplemem"], 80, (2, 0, 40, 9), refusals=55),
    }
    found = {ArmKey(system, "retrieved"): spec for system, spec in views.items()}
    found |= {ArmKey(system, "all"): Spec(ALL[system], 3 * len(ALL[system])) for system in SYSTEMS}
    found[ArmKey("amem", "all")] = Spec(ALL["amem"], 146, (6, 1, 41, 16), refusals=32, grades=1590)
    found |= {
        ArmKey("", "history"): Spec(FULL, 198, (0, 0, 52, 0), refusals=34, grades=1578),
        ArmKey("", "itemized"): Spec(ITEMIZED, 180, (0, 0, 53, 0), refusals=35),
        ArmKey("", "task-only"): Spec((), 0, available=0),
        ArmKey("", "history", "M1"): _treated(pair(FULL, 15, 41), 59, 47, invalid=1),
        ArmKey("", "history", "M2"): _treated([], 22, 227, invalid=2, available=0),
        ArmKey("", "itemized", "M3"): _treated(pair(ITEMIZED, 7, 49), 46, 95, invalid=2, seen=range(80, 288)),
        ArmKey("amem", "retrieved", "M1"): _treated(pair(RETRIEVED["amem"], 20, 22), 58, 22, invalid=1),
        ArmKey("amem", "retrieved", "M2"): _treated([], 15, 232, invalid=2, available=0),
        ArmKey("amem", "retrieved", "M3"): _treated(
            pair(RETRIEVED["amem"], 5, 29), 55, 121, invalid=2, seen=range(80, 288)
        ),
        ArmKey("amem", "retrieved", "M4"): _treated([], 38, 78, available=0),
        ArmKey("memgpt", "retrieved", "M1"): _treated(pair(RETRIEVED["memgpt"], 6, 18), 50, 30, invalid=1),
        ArmKey("memgpt", "retrieved", "M2"): _treated([], 15, 200, invalid=2, available=0),
        ArmKey("memgpt", "retrieved", "M3"): _treated(
            pair(RETRIEVED["memgpt"], 1, 29), 50, 110, invalid=2, seen=range(80, 288)
        ),
        ArmKey("memgpt", "retrieved", "M4"): _treated([], 38, 78, available=0),
    }
    for system in SYSTEMS:
        found[ArmKey(system, "retrieved", "M5")] = Spec([], 0, actions=ACTIONS[system], refusals=100)
    done = pair(_completed(Spec(RETRIEVED["amem"], 124, (4, 2, 54, 2))), 37, 15)
    found[ArmKey("amem", "retrieved", "M5")] = Spec([], 1, actions=ACTIONS["amem"], done=done, refusals=68)
    one = [case for case in range(200) if case not in RETRIEVED["memgpt"]][:1]
    found[ArmKey("memgpt", "retrieved", "M5")] = Spec(one, 3, actions=ACTIONS["memgpt"], refusals=112)
    for condition in ("history", "itemized"):
        found[ArmKey("", condition, "M5")] = Spec([], 0, actions=(300, 550, 14), refusals=60)
    return found


def _treated(disclosed: Sequence[int], completed: int, refusals: int, **more: Any) -> Spec:
    return Spec(disclosed, 3 * len(disclosed), (0, 0, completed, 0), refusals=refusals, grades=1500, **more)


def design(**changes: Any) -> Design:
    """The run that the paper's tables are of."""
    values: dict[str, Any] = {
        "systems": SYSTEMS,
        "conditions": ("retrieved", "all", "history", "itemized", "task-only"),
        "cases": tuple(f"c{case:03}" for case in range(CASES)),
        "trials": TRIALS,
        "treated": tuple(key for key in SPECS if key.intervention),
    }
    return Design(**{**values, **changes})


def rows() -> Iterator[VerdictRow]:
    """Every answer."""
    for key, spec in SPECS.items():
        yield from _rows(key, spec)


def _rows(key: ArmKey, spec: Spec) -> Iterator[VerdictRow]:
    a4 = _a4(spec)
    completed = _completion(spec, a4)
    available = _available(spec, a4)
    grades = np.where(np.arange(CASES * TRIALS) < spec.grades - CASES * TRIALS, 2, 1)
    refusals = np.arange(CASES * TRIALS) < spec.refusals
    actions = [name for name, many in zip(_NAMES, spec.actions or (), strict=False) for _ in range(many)]
    for case in range(CASES):
        for trial in range(TRIALS):
            flat = TRIALS * case + trial
            ok = case != LEFT_OUT or trial >= spec.invalid
            verdict: dict[str, Any] = {
                "level": cast(Level, 4 if a4[case, trial] else 0),
                "completed": bool(completed[case, trial]),
                "refusal": bool(refusals[flat]),
                "grade": int(grades[flat]),
                "inappropriate": bool(a4[case, trial]),
            }
            joins = _joins(bool(available[case, trial]))
            yield VerdictRow(
                system=key.system,
                condition=key.condition,
                intervention=key.intervention,
                case=f"c{case:03}",
                trial=trial,
                **_about(case),
                status="ok" if ok else "invalid",
                reason="" if ok else "votes lost",
                **(verdict if ok else dict.fromkeys(verdict)),
                store=_store(key, case, trial) if key.system else None,
                input=None if key.condition == "task-only" else joins,
                action=cast(Action, actions[flat]) if actions else None,
            )


_NAMES = ("allow", "redact", "block")


def _about(case: int) -> dict[str, Any]:
    family = case % 24
    return {
        "configuration": ("RJ", "UC", "WM")[case // 96],
        "topology": ("one", "two", "three", "four")[case // 24 % 4],
        "family": f"F{family + 1:02}",
        "category": f"category {family // 2 + 1:02}",
        "situation": ("legitimate", "incompatible")[family % 2],
        "stratum": "values-visible" if case >= 80 else "separated",
    }


def _a4(spec: Spec) -> Any:
    a4 = np.zeros((CASES, TRIALS), bool)
    a4[list(spec.disclosed)] = True
    for case in list(spec.disclosed)[: max(0, int(a4.sum()) - spec.a4)]:
        a4[case, 2] = False
    quiet = [case for case in reversed(range(LEFT_OUT)) if case not in set(spec.disclosed)]
    for case in quiet[: max(0, spec.a4 - int(a4.sum()))]:
        a4[case, 0] = True
    assert a4.sum() == spec.a4
    return a4


def _completed(spec: Spec) -> list[int]:
    return [case for case, many in enumerate(_completion(spec, _a4(spec)).sum(axis=1)) if many >= 2]


def _completion(spec: Spec, a4: Any) -> Any:
    completed = np.zeros((CASES, TRIALS), bool)
    if spec.done is not None:
        completed[list(spec.done)] = True
        return completed
    told = [case for case in range(CASES) if a4[case].all()]
    quiet = [case for case in range(LEFT_OUT) if not a4[case].any()]
    a4_cases, a4_single, other_cases, other_single = spec.completed
    completed[told[:a4_cases]] = True
    completed[told[a4_cases : a4_cases + a4_single], 0] = True
    completed[quiet[:other_cases]] = True
    completed[quiet[other_cases : other_cases + other_single], 0] = True
    return completed


def _available(spec: Spec, a4: Any) -> Any:
    available = np.zeros((CASES, TRIALS), bool)
    if len(spec.seen):
        available[list(spec.seen)] = True
        return available
    told, rest = np.flatnonzero(a4), np.flatnonzero(~a4)
    inside = told[spec.a4_without :] if spec.available else told[:0]
    available.flat[np.concatenate([inside, rest[: spec.available - len(inside)]])] = True
    return available


def _store(key: ArmKey, case: int, trial: int) -> Joins:
    spec = SPECS[ArmKey(key.system, "retrieved")]
    if key.system not in _STORES:
        _STORES[key.system] = _available(spec, _a4(spec))
    return _joins(bool(_STORES[key.system][case, trial]))


_STORES: dict[str, Any] = {}


def _joins(available: bool) -> Joins:
    by_session = (("s1", int(available), 1), ("s2", 1, 1))
    return Joins(
        available=available,
        service=available,
        site=available,
        date=available,
        clues=2,
        kept=1 + available,
        kept_by_session=by_session,
        joinable=available,
        collected=False,
        materialized=False,
        unreadable=False,
    )


SPECS = _specs()
