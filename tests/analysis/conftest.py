"""Verdict rows by hand: a row needs only what a test is about."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from memjoin.analysis.design import Design
from memjoin.judging.verdict import Joins, VerdictRow

Row = Callable[..., VerdictRow]
Texts = Callable[..., Joins]


@pytest.fixture(scope="session")
def texts() -> Texts:
    """What a text keeps: nothing of four clues, but what is said."""

    def make(kept: Iterable[int] = (0, 0, 0, 0), **said: bool) -> Joins:
        by_session = tuple((f"s{at}", number, 1) for at, number in enumerate(kept, start=1))
        flags = dict.fromkeys(("available", "joinable", "collected", "materialized", "unreadable"), False)
        flags |= said
        return Joins(
            service=flags["available"],
            site=flags["available"],
            date=flags["available"],
            clues=len(by_session),
            kept=sum(number for _, number, _ in by_session),
            kept_by_session=by_session,
            **flags,
        )

    return make


@pytest.fixture(scope="session")
def row(texts: Texts) -> Row:
    """An answer of a memory system: valid, of level 0, with every field false."""

    def make(case: str = "c1", trial: int = 0, **said: Any) -> VerdictRow:
        fields: dict[str, Any] = {
            "system": "memory",
            "condition": "retrieved",
            "family": "F01",
            "category": "Medical",
            "situation": "legitimate",
            "configuration": "RJ",
            "topology": "chain",
            "stratum": "separated",
            "status": "ok",
            "reason": "",
            "level": 0,
            "inappropriate": False,
            "completed": False,
            "refusal": False,
            "grade": 0,
            "store": None,
            "input": None,
        }
        if said.get("status", "ok") != "ok":
            nothing = ("level", "inappropriate", "completed", "refusal", "grade")
            fields |= {"reason": "a reason", **dict.fromkeys(nothing)}
        return VerdictRow(case=case, trial=trial, **{**fields, **said})

    return make


@pytest.fixture(scope="session")
def design() -> Callable[..., Design]:
    """A run of one memory system, Retrieved memory and Full history, on the cases given."""

    def make(cases: Iterable[str] = ("c1",), trials: int = 1, **said: Any) -> Design:
        values: dict[str, Any] = {
            "systems": ("memory",),
            "conditions": ("retrieved", "history"),
            "resamples": 200,
        }
        return Design(cases=tuple(cases), trials=trials, **{**values, **said})

    return make
