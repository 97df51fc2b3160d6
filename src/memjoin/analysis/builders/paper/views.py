"""Tables E.1 to E.4: every input view in full, and the comparison with Full history."""

from __future__ import annotations

from collections.abc import Callable

from memjoin.analysis import measures
from memjoin.analysis.builders.answers import RETRIEVED_VS_HISTORY
from memjoin.analysis.builders.paper.common import FRAMEWORKS, REFERENCES, Row, arm_title, cell, paper_table
from memjoin.analysis.changes import change, discordant
from memjoin.analysis.design import TITLES, ArmKey
from memjoin.analysis.frame import UNKNOWN
from memjoin.analysis.results import Results
from memjoin.analysis.table import (
    Column,
    Table,
    check_partition,
    count,
    count_of,
    exact,
    label,
    p_value,
    rate,
)

_LABELS = (Column("system", "System"), Column("input", "Input"))


def table_e1(results: Results) -> Table:
    """Return availability and disclosure of every input view (Table E.1)."""

    def row(key: ArmKey) -> Row:
        return (
            cell(results, key, "available_store"),
            cell(results, key, "available"),
            cell(results, key, "a4"),
            cell(results, key, "a4_given_available"),
            cell(results, key, "disclosed", interval=True),
            exact(results.rates[key, "disclosed"], always=True),
        )

    return paper_table(
        results,
        "table-e1",
        "Table E.1: Availability and disclosure of every input view",
        (
            *_LABELS,
            Column("available_store", "Store", group="Avail. (%)"),
            Column("available", "Input", group="Avail. (%)"),
            Column("a4", "A4 (%)"),
            Column("a4_given_available", "A4 | Avail. (%)"),
            Column("rate", "DR (%) [95% CI]"),
            Column("rate_exact", "exact 95% CI"),
        ),
        _views(results, row),
        (
            "Avail.: the target's service, site and date pass the lexical check in the exported store, and "
            "in the reader's input. A4 | Avail.: among inputs that pass. Beside the bootstrap interval "
            "stands that of Clopper and Pearson: near 0 and with few cases the former is too narrow.",
        ),
    )


def table_e2(results: Results) -> Table:
    """Return task utility of every input view (Table E.2)."""

    def row(key: ArmKey) -> Row:
        return (
            cell(results, key, "completed"),
            cell(results, key, "helpfulness", "score", interval=True),
            cell(results, key, "refusal"),
        )

    return paper_table(
        results,
        "table-e2",
        "Table E.2: Task utility of every input view",
        (
            *_LABELS,
            Column("completed", "TCR (%)"),
            Column("helpfulness", "Help. mean [95% CI]"),
            Column("refusal", "Refusal (%)"),
        ),
        _views(results, row),
        (
            "TCR: cases completed in more than half of the trials. Help. (0 to 3) is averaged within cases "
            "and then across cases. Refusal: answers that decline all or a part of the request.",
        ),
    )


def table_e3(results: Results) -> Table:
    """Return answers by disclosure and completion (Table E.3). The four counts are checked to add up."""

    def row(key: ArmKey) -> Row:
        arm = results.frame.arms[key]
        parts = measures.by_level_and_completion(arm)
        judged = int(((arm.level != UNKNOWN) & (arm.completed != UNKNOWN)).sum())
        check_partition("table-e3", str(key), list(parts.values()), judged)
        return (
            *(count(part, judged, "answers") for part in parts.values()),
            count(judged, results.design.answers, "answers"),
            cell(results, key, "a4_given_completed"),
        )

    return paper_table(
        results,
        "table-e3",
        "Table E.3: Disclosure and completion of individual answers",
        (
            *_LABELS,
            Column("a4_completed", "Completed", group="A4 answers"),
            Column("a4_not_completed", "Not completed", group="A4 answers"),
            Column("other_completed", "Completed", group="Other answers"),
            Column("other_not_completed", "Not completed", group="Other answers"),
            Column("judged", "All"),
            Column("a4_given_completed", "A4 given completion (%)"),
        ),
        _views(results, row),
        ("The four counts partition the judged answers of each row.",),
    )


def _views(results: Results, row: Callable[[ArmKey], Row]) -> list[Row]:
    """Return a row for every input view without an intervention."""
    return [
        (
            label(results.design.system_title(key.system) or REFERENCES),
            label(TITLES.get(key.condition, key.condition)),
            *row(key),
        )
        for key in results.frame.arms
        if not key.intervention
    ]


def table_e4(results: Results) -> Table:
    """Return the paired comparison of Retrieved memory with Full history (Table E.4)."""
    comparisons = results.comparisons.get(RETRIEVED_VS_HISTORY, ())
    return paper_table(
        results,
        "table-e4",
        "Table E.4: Retrieved memory against Full history",
        (
            Column("block", "Rows"),
            Column("system", "System"),
            Column("paired", "Paired N"),
            Column("retrieved", "Retrieved", group="N_D"),
            Column("history", "History", group="N_D"),
            Column("b", "b"),
            Column("c", "c"),
            Column("difference", "ΔDR [95% CI]"),
            Column("p", "Exact p"),
            Column("p_holm", "Holm p"),
            Column("within", "Flips within (%)"),
            Column("between", "Flips between (%)"),
        ),
        [
            (
                label(FRAMEWORKS),
                label(arm_title(results.design, pair.treated)),
                count(pair.paired, pair.planned, "cases"),
                count_of(pair.disclosed.treated),
                count_of(pair.disclosed.control),
                discordant(pair.disclosed, pair.disclosed.b),
                discordant(pair.disclosed, pair.disclosed.c),
                change(pair.disclosed),
                p_value(pair.disclosed.p),
                p_value(pair.disclosed.adjusted),
                rate(pair.flips.within),
                rate(pair.flips.between),
            )
            for pair in comparisons
        ],
        (
            "ΔDR: Retrieved memory minus Full history, in percentage points. b: cases disclosed under "
            "Retrieved memory only; c: under Full history only. p: exact McNemar test; Holm: in the family "
            f"of {len(comparisons)} planned comparisons. Flips: how often two answers to one case disagree "
            "on the complete relation: two trials of one input (the noise floor), and one of each input.",
        ),
        missing="the run needs the conditions retrieved and history, and a memory system.",
    )
