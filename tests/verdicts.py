"""Verdict rows to try tables on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memjoin.judging.verdict import VerdictRow

_ROW = VerdictRow(
    system="verbatim",
    condition="retrieved",
    case="c1",
    trial=0,
    family="F19",
    category="Medical",
    situation="legitimate",
    configuration="RJ",
    topology="chain",
    stratum="separated",
    status="ok",
    reason="",
    level=0,
    inappropriate=None,
    completed=True,
    refusal=None,
    grade=3,
    store=None,
    input=None,
)


def verdict_row(**changes: Any) -> VerdictRow:
    """Return a valid row in which nothing is disclosed and the task is done, with changes."""
    return replace(_ROW, **changes)
