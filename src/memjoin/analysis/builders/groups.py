"""The same figures by groups of cases (Table 2 and Figure 3c)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from memjoin.analysis import measures
from memjoin.analysis.bootstrap import Draws
from memjoin.analysis.builders.common import LABELS, basis, label_of_answers, labels, roles
from memjoin.analysis.design import ArmKey
from memjoin.analysis.frame import Arm, Flags, Frame, Texts
from memjoin.analysis.outcomes import outcome
from memjoin.analysis.rates import PerCase, counted, measured_by_group
from memjoin.analysis.table import (
    NOTHING,
    Cell,
    Column,
    Format,
    Table,
    check_partition,
    count,
    count_of,
    exact,
    label,
    number,
    rate,
)

CONFIGURATIONS = ("RJ", "UC", "WM")

GROUP_TITLES = {
    "configuration": "By evidence configuration",
    "topology": "By topology",
    "family": "By family",
    "category": "By category of information",
    "situation": "By situation",
    "stratum": "By stratum of cue removal",
}


def by_group(frame: Frame, grouping: str, drawn: Draws) -> Table:
    """Return the main figures of each input for each group of cases.

    Args:
        frame: The verdicts.
        grouping: One of ``frame.GROUPINGS``.
        drawn: The bootstrap's draws of the frame's cases.
    """
    groups = frame.groups.members(grouping)
    disclosed = measured_by_group(frame.arms, lambda key: outcome(frame, key, "disclosed"), groups, drawn)
    others = {key: _others(frame, key, groups) for key in frame.arms}
    for key in frame.arms:
        whole = counted(outcome(frame, key, "disclosed"))
        parts = [disclosed[group, key].denominator for group in groups]
        check_partition(f"by-{grouping}", str(key), parts, whole.denominator)
    return Table(
        name=f"by-{grouping}",
        title=GROUP_TITLES[grouping],
        columns=(
            Column(grouping, grouping.capitalize()),
            *LABELS,
            Column("cases", "Cases"),
            Column("incomplete", "Incomplete", wide=True),
            Column("disclosed", "N_D"),
            Column("rate", "DR (%) [95% CI]"),
            Column("rate_exact", "DR, exact 95% CI", wide=True),
            *(Column(name, title, wide=name in _WIDE) for name, title in _GROUPED.items()),
        ),
        rows=tuple(
            (
                label(group),
                *labels(frame, arm),
                count(int((arm.complete & cases).sum()), int(cases.sum()), "cases"),
                count(int((~arm.complete & cases).sum()), int(cases.sum()), "cases"),
                count_of(disclosed[group, key]),
                rate(disclosed[group, key], with_interval=True),
                exact(disclosed[group, key]),
                *others[key][group],
            )
            for group, cases in groups.items()
            for key, arm in frame.arms.items()
        ),
        labels=3,
        subtitle=label_of_answers(frame),
        notes=(
            "Cases: complete ones; incomplete ones leave all counts of cases. Avail. to Unreadable: of the "
            "reader's input.",
            basis(frame),
            *roles(frame),
        ),
    )


_GROUPED = {
    "completed": "TCR (%)",
    "helpfulness": "Help.",
    "refusal": "Refusal (%)",
    "a4": "A4 (%)",
    "a4_given_available": "A4 | Avail. (%)",
    "inappropriate_answers": "B (%)",
    "inappropriate": "DR by B (%)",
    "available": "Avail. (%)",
    "joinable": "Joinable (%)",
    "collected": "Collected (%)",
    "materialized": "Materialized (%)",
    "kept": "Kept (%)",
    "unreadable": "Unreadable (%)",
}
"""The measures of a group beside DR, by their keys."""

_WIDE = _GROUPED.keys() - {"completed", "a4", "available", "joinable"}


def _others(frame: Frame, key: ArmKey, groups: Mapping[str, Flags]) -> dict[str, tuple[Cell, ...]]:
    """Return the cells of an arm beside DR, by group."""
    texts = frame.arms[key].input
    found: dict[str, list[Cell]] = {group: [] for group in groups}
    for name in _GROUPED:
        of_texts = _OF_TEXTS.get(name)
        added = of_texts(texts) if of_texts else outcome(frame, key, name)
        for group, cases in groups.items():
            form: Format = "score" if name == "helpfulness" else "percent"
            found[group].append(rate(counted(added.of(cases)), form))
    return {group: tuple(cells) for group, cells in found.items()}


_OF_TEXTS: Mapping[str, Callable[[Texts], PerCase]] = MappingProxyType(
    {
        "collected": measures.collected,
        "materialized": measures.materialized,
        "kept": measures.kept,
        "unreadable": measures.unreadable,
    }
)


def configurations(frame: Frame) -> Table:
    """Return joinable inputs and disclosed cases by evidence configuration, with the share rows (Table 2).

    A share divides the systems' sum of N_D by as many times the N_D of Full history as there are systems.
    """
    groups = {name: frame.groups["configuration"] == name for name in CONFIGURATIONS}
    rows = []
    for arm in frame.arms.values():
        joinable, disclosed = measures.joinable(arm.input), measures.disclosed(arm)
        rows.append(
            (
                *labels(frame, arm),
                *(rate(counted(joinable.among(cases))) for cases in groups.values()),
                *(count_of(counted(disclosed.among(cases))) for cases in groups.values()),
                *memory_only(frame, arm, list(groups.values())),
            )
        )
    for condition in ("retrieved", "all"):
        shares = [share(frame, condition, cases) for cases in groups.values()]
        if any(share is not None for share in shares):
            cells = [Cell(NOTHING) if share is None else share for share in shares]
            title = frame.design.title("", condition)
            rows.append((label("share of history"), label(title), *_NONE, *cells, *_NONE))
    return Table(
        name="configurations",
        title="By evidence configuration",
        columns=(
            *LABELS,
            *(Column(f"joinable_{name}", f"{name}: joinable (%)") for name in CONFIGURATIONS),
            *(Column(f"disclosed_{name}", f"{name}: N_D") for name in CONFIGURATIONS),
            *(Column(f"memory_only_{name}", f"{name}: Mem.-only", wide=True) for name in CONFIGURATIONS),
        ),
        rows=tuple(rows),
        labels=2,
        subtitle=label_of_answers(frame),
        notes=(
            "RJ: retrieval join. UC: update consolidation. WM: writer materialization. "
            + ", ".join(f"{name}: {int(cases.sum())} cases" for name, cases in groups.items())
            + ".",
            "Joinable: of the reader's input.",
            *roles(frame),
        ),
    )


_NONE = (Cell(""),) * len(CONFIGURATIONS)


def memory_only(frame: Frame, arm: Arm, groups: Sequence[Flags]) -> tuple[Cell, ...]:
    """Return the cases disclosed under a system's input and not under Full history, for each group."""
    history = frame.arms.get(ArmKey("", "history"))
    if history is None or not arm.key.system:
        return _NONE
    here, there = measures.disclosed(arm), measures.disclosed(history)
    both = (here.denominators > 0) & (there.denominators > 0)
    only = (here.numerators > 0) & (there.numerators == 0) & both
    return tuple(count(int((only & cases).sum()), int((both & cases).sum()), "cases") for cases in groups)


def share(frame: Frame, condition: str, cases: Flags) -> Cell | None:
    """Return the systems' sum of N_D over as many times Full history's; None where there is no such share."""
    history = frame.arms.get(ArmKey("", "history"))
    arms = [
        arm for key, arm in frame.arms.items() if key.system and (key.condition, key.kind) == (condition, "")
    ]
    if history is None or not arms:
        return None
    top = sum(int(counted(measures.disclosed(arm).among(cases)).numerator) for arm in arms)
    bottom = len(arms) * int(counted(measures.disclosed(history).among(cases)).numerator)
    if not bottom:
        return None
    return Cell(f"{number(top, bottom, 'percent')}%", top / bottom, top, bottom, "cases")
