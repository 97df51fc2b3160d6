"""What the figures show, as plain values: Figures 3a, 3b, 3c and 4."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memjoin.analysis import measures
from memjoin.analysis.bootstrap import Interval, Ratios
from memjoin.analysis.design import TITLES, ArmKey
from memjoin.analysis.frame import Counts, Flags, Frame
from memjoin.analysis.paired import Change
from memjoin.analysis.rates import Rate, counted
from memjoin.analysis.results import Results

VIEWS = ("retrieved", "all")


@dataclass(frozen=True, slots=True)
class View:
    """One system's input in a figure of views: its availability, and its answers by level (A0 to A4)."""

    system: str
    title: str
    available: Rate
    levels: tuple[Rate, ...]
    a4: Rate


@dataclass(frozen=True, slots=True)
class FamilyChange:
    """The change of disclosed cases from Retrieved to All memory in a family, all systems pooled.

    ``title`` is the family with what its cases are about and whether the recipient may know of it.
    ``gain`` cases more of ``of``: the cases of the family that are complete in both, summed over the systems
    (6 times 12 in the paper). ``interval`` is that of the ratio, from resampling cases.
    """

    family: str
    title: str
    gain: int
    of: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Shift:
    """What an intervention changes in one system's Retrieved memory, by measure.

    ``filters``: it edits the answer.
    """

    system: str
    intervention: str
    filters: bool
    paired: int
    changes: dict[str, Change]

    @property
    def measurable(self) -> bool:
        """Whether any of it is measurable, and anything is paired."""
        return any(change.difference is not None for change in self.changes.values())


def views(results: Results) -> list[View]:
    """Return Retrieved memory and All memory of every system, as far as the run has them (3a, 3b)."""
    found = []
    for system in results.design.systems:
        for condition in VIEWS:
            key = ArmKey(system, condition)
            if key in results.frame.arms:
                arm = results.frame.arms[key]
                found.append(
                    View(
                        system=system,
                        title=TITLES[condition],
                        available=results.rates[key, "available"],
                        levels=tuple(counted(measures.at_level(arm, level)) for level in measures.LEVELS),
                        a4=results.rates[key, "a4"],
                    )
                )
    return found


def family_changes(results: Results) -> list[FamilyChange]:
    """Return the pooled change of each family, in the order of their names (3c).

    Systems that lack either view are left out, and with them their cases.
    """
    frame = results.frame
    gains: Counts = np.zeros(len(results.design.cases), np.int32)
    pairs: Counts = np.zeros_like(gains)
    for system in results.design.systems:
        retrieved, everything = (frame.arms.get(ArmKey(system, view)) for view in VIEWS)
        if retrieved is None or everything is None:
            continue
        before, after = measures.disclosed(retrieved), measures.disclosed(everything)
        both = (before.denominators > 0) & (after.denominators > 0)
        gains = gains + after.among(both).numerators - before.among(both).numerators
        pairs = pairs + both
    if not pairs.any():
        return []
    families = frame.groups.members("family")
    ratio = Ratios(results.drawn, 1)
    ratio.add(gains, pairs)
    return [
        FamilyChange(
            name, _about(frame, name, cases), int(gains[cases].sum()), int(pairs[cases].sum()), interval
        )
        for (name, cases), (interval,) in zip(
            families.items(), ratio.intervals(list(families.values())), strict=True
        )
    ]


def _about(frame: Frame, family: str, cases: Flags) -> str:
    """Return a family's name with the category and situation of its cases, where they share one."""
    said = [np.unique(frame.groups[grouping][cases]) for grouping in ("category", "situation")]
    words = ", ".join(str(names[0]) for names in said if len(names) == 1 and names[0])
    return f"{family} {words}".strip()


def shifts(results: Results) -> list[Shift]:
    """Return what M1 and filters of the answer change in each system's Retrieved memory (4)."""
    found = []
    for key in results.frame.arms:
        pair = results.pair(key, key.untreated)
        if (
            pair
            and key.system
            and key.condition == "retrieved"
            and (key.kind == "M1" or results.design.filtered(key))
        ):
            filters = results.design.filtered(key)
            found.append(Shift(key.system, key.intervention, filters, pair.paired, dict(pair.changes)))
    return found
