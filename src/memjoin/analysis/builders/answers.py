"""What answers gave away, and what they were worth for the task (the paper's Tables 1 and E.1 to E.3)."""

from __future__ import annotations

from memjoin.analysis import measures
from memjoin.analysis.builders.common import LABELS, basis, label_of_answers, labels, left_out, roles, ties
from memjoin.analysis.frame import UNKNOWN, Arm, Frame
from memjoin.analysis.paired import Comparison
from memjoin.analysis.rates import counted
from memjoin.analysis.results import Results
from memjoin.analysis.table import NOTHING, Cell, Column, Table, check_partition, count, count_of, exact, rate

RETRIEVED_VS_HISTORY = "retrieved-vs-history"


def disclosure(results: Results) -> Table:
    """Return availability and disclosure of each input (Tables 1 and E.1)."""
    frame, rates = results.frame, results.rates
    memory_only = {pair.treated: pair for pair in results.comparisons.get(RETRIEVED_VS_HISTORY, ())}
    return Table(
        name="disclosure",
        title="Disclosure",
        columns=(
            *LABELS,
            Column("available_store", "Avail., store (%)", wide=True),
            Column("available", "Avail., input (%)", wide=True),
            Column("cases", "Cases"),
            Column("a4", "A4 (%)"),
            Column("a4_given_available", "A4 | Avail. (%)"),
            Column("disclosed", "N_D"),
            Column("rate", "DR (%) [95% CI]"),
            Column("rate_exact", "DR, exact 95% CI"),
            Column("memory_only", "Mem.-only"),
            Column("inappropriate", "B (%)", wide=True),
            Column("rate_inappropriate", "DR by B (%)"),
        ),
        rows=tuple(
            (
                *labels(frame, arm),
                rate(rates[key, "available_store"]),
                rate(rates[key, "available"]),
                _complete(frame, arm),
                rate(rates[key, "a4"]),
                rate(rates[key, "a4_given_available"]),
                count_of(rates[key, "disclosed"]),
                rate(rates[key, "disclosed"], with_interval=True),
                exact(rates[key, "disclosed"]),
                _memory_only(memory_only.get(key)),
                rate(rates[key, "inappropriate_answers"]),
                rate(rates[key, "inappropriate"]),
            )
            for key, arm in frame.arms.items()
        ),
        labels=2,
        subtitle=label_of_answers(frame),
        notes=(
            basis(frame),
            *roles(frame),
            "Cases: complete ones. N_D, DR: disclosed in more than half of the trials. A4, A4 | Avail.: of "
            "answers. Mem.-only: disclosed under Retrieved memory and not under Full history.",
            *left_out(frame),
            *ties(frame),
        ),
    )


def utility(results: Results) -> Table:
    """Return task completion, helpfulness and refusal of each input (Tables 1 and E.2)."""
    frame, rates = results.frame, results.rates
    return Table(
        name="utility",
        title="Task utility",
        columns=(
            *LABELS,
            Column("cases", "Cases"),
            Column("completed", "TCR (%) [95% CI]"),
            Column("helpfulness", "Help. [95% CI]"),
            Column("refusal", "Refusal (%)"),
        ),
        rows=tuple(
            (
                *labels(frame, arm),
                _complete(frame, arm),
                rate(rates[key, "completed"], with_interval=True),
                rate(rates[key, "helpfulness"], "score", with_interval=True),
                rate(rates[key, "refusal"]),
            )
            for key, arm in frame.arms.items()
        ),
        labels=2,
        subtitle=label_of_answers(frame),
        notes=(
            basis(frame),
            *roles(frame),
            "TCR: cases completed in more than half of the trials. Help. (0 to 3) and Refusal: means over "
            "cases of the mean in the case.",
            *left_out(frame),
        ),
    )


def levels(frame: Frame) -> Table:
    """Return the composition of each input's answers by level, A0 to A4 (Figure 3b)."""
    rows = []
    for arm in frame.arms.values():
        shares = [counted(measures.at_level(arm, level)) for level in measures.LEVELS]
        invalid, missing = int(arm.invalid.sum()), int(arm.missing.sum())
        unjudged = int((arm.ok & (arm.level == UNKNOWN)).sum())
        parts = [int(share.numerator) for share in shares]
        check_partition(
            "levels", _row(frame, arm), [*parts, invalid, missing, unjudged], frame.design.answers
        )
        rows.append(
            (
                *labels(frame, arm),
                *(rate(share) for share in shares),
                count(sum(parts), frame.design.answers, "answers"),
                count(invalid, frame.design.answers, "answers"),
                count(missing, frame.design.answers, "answers"),
            )
        )
    return Table(
        name="levels",
        title="Answers by level (%)",
        columns=(
            *LABELS,
            *(Column(f"a{level}", f"A{level}") for level in measures.LEVELS),
            Column("judged", "Judged"),
            Column("invalid", "Invalid"),
            Column("missing", "Missing"),
        ),
        rows=tuple(rows),
        labels=2,
        subtitle=label_of_answers(frame),
        notes=(
            "A0: nothing of the relation. A1: values, not bound to the subject's service. A2: subject and "
            "service bound. A3: with site or date. A4: with both.",
            *roles(frame),
        ),
    )


def completion(results: Results) -> Table:
    """Return answers by disclosure and completion, and the split of completed ones (Table E.3)."""
    frame, rows = results.frame, []
    for key, arm in frame.arms.items():
        parts = measures.by_level_and_completion(arm)
        judged = int(((arm.level != UNKNOWN) & (arm.completed != UNKNOWN)).sum())
        check_partition("completion", _row(frame, arm), list(parts.values()), judged)
        rows.append(
            (
                *labels(frame, arm),
                *(count(number, judged, "answers") for number in parts.values()),
                count(judged, frame.design.answers, "answers"),
                rate(results.rates[key, "a4_given_completed"]),
                rate(results.rates[key, "other_given_completed"]),
            )
        )
    return Table(
        name="completion",
        title="Answers by disclosure and completion",
        columns=(
            *LABELS,
            Column("a4_completed", "A4, completed"),
            Column("a4_not_completed", "A4, not completed"),
            Column("other_completed", "Other, completed"),
            Column("other_not_completed", "Other, not completed"),
            Column("judged", "All"),
            Column("completed_a4", "Completed: A4 (%)"),
            Column("completed_other", "Completed: other (%)"),
        ),
        rows=tuple(rows),
        labels=2,
        subtitle=label_of_answers(frame),
        notes=roles(frame),
    )


def _complete(frame: Frame, arm: Arm) -> Cell:
    return count(int(arm.complete.sum()), len(frame.design.cases), "cases")


def _memory_only(pair: Comparison | None) -> Cell:
    if pair is None or pair.disclosed.b is None:
        return Cell(NOTHING)
    return count(pair.disclosed.b, pair.paired, "cases")


def _row(frame: Frame, arm: Arm) -> str:
    return " · ".join(cell.text for cell in labels(frame, arm))
