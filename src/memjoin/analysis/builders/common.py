"""What the tables share: their rows' labels and their notes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memjoin.analysis.design import EMBEDDED_LABEL, ArmKey
from memjoin.analysis.frame import Arm, Frame, Texts
from memjoin.analysis.table import Cell, Column, counted_noun, label

LABELS = (Column("system", "System"), Column("input", "Input"))
REFERENCE = "reference"
ROLES = ("writer", "reader", "judge", "filter", "embedder")


def labels(frame: Frame, arm: Arm) -> tuple[Cell, Cell]:
    """Return the first two cells of an arm's row."""
    return label(arm.key.system or REFERENCE), label(frame.design.title(*arm.key))


def texts(frame: Frame) -> Iterator[tuple[tuple[str, str], Texts]]:
    """Yield (system, what) and the texts of every store and every input, where there is any."""
    for system in frame.design.systems:
        if any(key.system == system for key in frame.arms):
            yield (system, "Store"), frame.stores(system)
        for key, arm in frame.arms.items():
            # A filter edits answers: its inputs are those of the arm without it.
            if key.system == system and not frame.design.filtered(key):
                yield (system, frame.design.title(*key)), arm.input
    for key, arm in frame.arms.items():
        if not key.system and not frame.design.filtered(key) and arm.input.known.any():
            yield (REFERENCE, frame.design.title(*key)), arm.input


def basis(frame: Frame) -> str:
    """Say how many cases and trials the rows are of, and what the brackets are."""
    design = frame.design
    cases, trials = counted_noun(len(design.cases), "case"), counted_noun(design.trials, "trial")
    return (
        f"{cases}, {trials} each. [ ]: 95% percentile bootstrap over cases, "
        f"{design.resamples:,} resamples, seed {design.seed}; with a star the exact one."
    )


def label_of_answers(frame: Frame) -> str:
    """Return what stands above figures of answers that no language model gave or judged; else nothing."""
    return EMBEDDED_LABEL if frame.design.pipeline_only else ""


def roles(frame: Frame) -> tuple[str, ...]:
    """Say which roles were embedded, who judged, how far to trust them, and what interventions are bounds."""
    design = frame.design
    embedded = [role for role in ROLES if role in design.embedded]
    return (
        *([f"Embedded roles: {', '.join(embedded)}."] if embedded else []),
        *([f"Judges: {', '.join(design.judges)}."] if design.judges else []),
        *bounds(frame),
        *design.warnings,
    )


def bounds(frame: Frame) -> tuple[str, ...]:
    """Say which of a run's interventions use the annotation, which makes of what they reach a bound, not a
    defence; and what else must be known of one.
    """
    names = {name for key in frame.arms for name in key.intervention.split("+")}
    bounded = ", ".join(sorted(names & frame.design.annotated))
    return (
        *([f"{bounded}: edited by the evaluator's annotation, as a bound."] if bounded else []),
        *(f"{name}: {said}." for name, said in sorted(frame.design.remarks.items()) if name in names),
    )


def left_out(frame: Frame, arms: Collection[ArmKey] | None = None) -> tuple[str, ...]:
    """Say which arms have invalid or missing answers, and how many cases these leave incomplete.

    Of all arms, or of some.
    """
    return tuple(
        f"{_arm(frame, arm)}: {int(arm.invalid.sum())} invalid and {int(arm.missing.sum())} missing answers; "
        f"{int((~arm.complete).sum())} of {len(frame.design.cases)} cases incomplete; none counts as zero."
        for key, arm in frame.arms.items()
        if not arm.ok.all() and (arms is None or key in arms)
    )


def ties(frame: Frame) -> tuple[str, ...]:
    """Say how many answers had a tie in a panel of even size."""
    tied = sum(int(arm.tied.sum()) for arm in frame.arms.values())
    if not tied:
        return ()
    return (f"{tied} answers had a field on which the judges were evenly split; it counts as false.",)


def _arm(frame: Frame, arm: Arm) -> str:
    title = frame.design.title(*arm.key)
    return f"{arm.key.system}, {title}" if arm.key.system else title
