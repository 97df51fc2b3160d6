"""What edits of the input did to it, by the reading of its text: departures of M3, and variants compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memjoin.analysis import measures
from memjoin.analysis.builders.paper.common import Row, arm_title, paper_table, treated_arms, with_controls
from memjoin.analysis.design import ArmKey
from memjoin.analysis.frame import Flags
from memjoin.analysis.results import Results
from memjoin.analysis.table import NOTHING, Cell, Column, Table, count, label

REMOVAL = "M3"
SEPARATED, VISIBLE = "separated", "values-visible"
_TITLES = {SEPARATED: "A value no longer visible", VISIBLE: "All values visible"}
ALONE = {REMOVAL, "M1"}
"""What may be combined with M3 where departures are counted: whatever else edits records changes them too."""


def departures(results: Results) -> Table:
    """Return how often an input that M3 edited is not what the case's stratum says.

    In every stratum it should no longer be joinable; all values that stood there should still stand there in
    the one, and not in the other.
    """
    frame = results.frame
    of = [
        key
        for key in treated_arms(results, filtered=False)
        if REMOVAL in key.kinds and ALONE.issuperset(key.kinds)
    ]
    rows: list[Row] = []
    for stratum, title in _TITLES.items():
        cases = frame.groups["stratum"] == stratum
        for key in of:
            control = frame.arms.get(key.untreated)
            if control is None or not cases.any():
                continue
            treated = frame.arms[key].input
            both: Flags = treated.known & control.input.known & cases[:, None]
            before = control.input.available & both
            after = treated.available & both
            odd = before & ~after if stratum == VISIBLE else after
            rows.append(
                (
                    label(title),
                    label(arm_title(results.design, key)),
                    count(int(both.sum()), int(both.sum()), "answers"),
                    *(
                        count(int(flags.sum()), int(both.sum()), "answers")
                        for flags in (
                            control.input.joinable & both,
                            treated.joinable & both,
                            treated.unreadable & both,
                            before,
                            after,
                            odd,
                        )
                    ),
                )
            )
    return paper_table(
        results,
        "m3-departures",
        "Cue removal (M3): inputs that depart from their case's stratum",
        (
            Column("stratum", "Cases"),
            Column("source", "M3 source"),
            Column("inputs", "Inputs"),
            Column("joinable_control", "Control", group="Joinable"),
            Column("joinable", "M3", group="Joinable"),
            Column("unreadable", "Unreadable"),
            Column("available_control", "Control", group="Available"),
            Column("available", "M3", group="Available"),
            Column("odd", "Availability departs"),
        ),
        rows,
        (
            "A stratum is fixed by the case's annotated history. Joinable under M3: a memory wrote the join "
            "down, or a cue in words that M3 does not know. Availability departs: a value that stood in the "
            "control and should stay is gone, or all values are there although a cue is one of them. "
            "Unreadable inputs are never counted as safe. M3 alone, or with M1, which edits no record.",
        ),
        missing="the run needs cue removal (M3) and the same inputs without it.",
        arms=with_controls(results, of),
    )


@dataclass(frozen=True, slots=True)
class _Effect:
    """How many of some places an arm takes a property away from, net of those that it gives it."""

    control: int
    treated: int

    @property
    def gone(self) -> int:
        return self.control - self.treated


def variants(results: Results) -> Table:
    """Return how much of an annotated edit's effect its other variants reach, over the same answers."""
    rows: list[Row] = []
    of: list[ArmKey] = []
    for key in treated_arms(results, filtered=False):
        bound = key._replace(intervention="+".join(key.kinds))
        if key == bound or bound not in results.frame.arms or key.untreated not in results.frame.arms:
            continue
        of += [key, bound]
        cells: list[Cell] = []
        for name in ("joinable", "available", "disclosed"):
            own, most = _effect(results, key, bound, name), _effect(results, bound, key, name)
            cells += [count(own.gone), count(most.gone), _share(own.gone, most.gone)]
        rows.append((label(arm_title(results.design, key)), label(arm_title(results.design, bound)), *cells))
    groups = (("joinable", "Joinable inputs"), ("available", "Available inputs"), ("disclosed", "N_D"))
    return paper_table(
        results,
        "intervention-variants",
        "Interventions without the annotation: how much of the bound's effect they reach",
        (
            Column("variant", "Variant"),
            Column("bound", "Bound"),
            *(
                Column(f"{name}_{which}", title, group=f"{group} less")
                for name, group in groups
                for which, title in (("own", "Variant"), ("most", "Bound"), ("share", "Share (%)"))
            ),
        ),
        rows,
        (
            "Less: control minus treated, over the inputs (of N_D: the cases) that control, variant and "
            "bound all have. The bound edits by the annotation; the variant sees the records alone.",
        ),
        missing="the run needs an intervention in two variants, such as M3 and M3:detected.",
        arms=with_controls(results, of),
    )


def _effect(results: Results, key: ArmKey, other: ArmKey, name: str) -> _Effect:
    arms = [results.frame.arms[each] for each in (key.untreated, key, other)]
    if name == "disclosed":
        shares = [measures.disclosed(arm) for arm in arms]
        cases = np.all([share.denominators > 0 for share in shares], axis=0)
        return _Effect(*(int(share.among(cases).numerators.sum()) for share in shares[:2]))
    known = np.all([arm.input.known for arm in arms], axis=0)
    return _Effect(*(int((getattr(arm.input, name) & known).sum()) for arm in arms[:2]))


def _share(own: int, most: int) -> Cell:
    if most <= 0:
        return Cell(NOTHING)
    return Cell(f"{100 * own / most:.1f}", value=own / most, numerator=own, denominator=most)
