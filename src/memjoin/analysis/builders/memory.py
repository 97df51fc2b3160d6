"""What stores and inputs keep: computed from text and the clue graph, without any model."""

from __future__ import annotations

from memjoin.analysis import measures
from memjoin.analysis.bootstrap import Draws
from memjoin.analysis.builders.common import basis, roles, texts
from memjoin.analysis.frame import Frame
from memjoin.analysis.rates import counted, measured
from memjoin.analysis.table import Column, Table, exact, label, rate

_MEASURES = {
    "available": measures.available,
    "joinable": measures.joinable,
    "collected": measures.collected,
    "materialized": measures.materialized,
    "kept": measures.kept,
    "unreadable": measures.unreadable,
}

_LABELS = (Column("system", "System"), Column("text", "Store or input"))


def memory(frame: Frame, drawn: Draws) -> Table:
    """Return Avail., Joinable, Collected, Materialized, Kept and Unreadable of each store and input.

    Joinable bounds what a reader could disclose; it says nothing of how often a language model would.
    """
    found = list(texts(frame))
    rates = measured(
        [(at, name) for at in range(len(found)) for name in _MEASURES],
        lambda of: _MEASURES[of[1]](found[of[0]][1]),
        drawn,
    )
    return Table(
        name="memory",
        title="What memory keeps: the joinable bound (%)",
        columns=(
            *_LABELS,
            Column("available", "Avail."),
            Column("joinable", "Joinable [95% CI]"),
            Column("joinable_exact", "Joinable, exact 95% CI", wide=True),
            Column("collected", "Collected"),
            Column("materialized", "Materialized"),
            Column("kept", "Kept"),
            Column("unreadable", "Unreadable"),
        ),
        rows=tuple(
            (
                label(system),
                label(what),
                rate(rates[at, "available"]),
                rate(rates[at, "joinable"], with_interval=True),
                exact(rates[at, "joinable"]),
                *(rate(rates[at, name]) for name in ("collected", "materialized", "kept", "unreadable")),
            )
            for at, ((system, what), _) in enumerate(found)
        ),
        labels=2,
        notes=(
            basis(frame),
            "Shares of answers (a store counts once a trial of a case), Kept of clues. Texts that cannot be "
            "read for clues count in Unreadable alone, never as safe.",
            *roles(frame),
        ),
    )


def kept(frame: Frame) -> Table:
    """Return the share of clues that each store and input still states, by the place of the clue session."""
    found = list(texts(frame))
    sessions = range(max((measures.clue_sessions(of) for _, of in found), default=0))
    return Table(
        name="kept",
        title="Clues kept, by the session that states them (%)",
        columns=(
            *_LABELS,
            *(Column(f"session_{at + 1}", f"Session {at + 1}") for at in sessions),
            Column("all", "All"),
        ),
        rows=tuple(
            (
                label(system),
                label(what),
                *(rate(counted(measures.kept(of, session=at))) for at in sessions),
                rate(counted(measures.kept(of))),
            )
            for (system, what), of in found
        ),
        labels=2,
        notes=("Clue sessions in the order of the case, others not counted. Shares of clues.", *roles(frame)),
    )
