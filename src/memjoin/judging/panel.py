"""A panel of judges, and what it says of one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memjoin.cases.schema import Case
from memjoin.judging.consensus import Consensus, consensus
from memjoin.judging.verdict import Vote
from memjoin.models.errors import ModelError
from memjoin.models.types import Scope


@dataclass(frozen=True, slots=True)
class Lost:
    """A vote that could not be had, and why. It is never a vote for or against anything."""

    judge: str
    reason: str


class Judge(Protocol):
    """Anything that votes on answers. ``embedded`` judges are rules, not language models."""

    @property
    def name(self) -> str:
        """The name that votes carry."""

    @property
    def embedded(self) -> bool:
        """Whether it is one of MemJoin's own rules."""

    def judge(self, scope: Scope, case: Case, answer: str) -> Vote | Lost:
        """Vote on one answer. Raises ``ModelError`` where the judge cannot be reached."""


@dataclass(frozen=True, slots=True)
class PanelVerdict:
    """What every judge said of one answer, in the panel's order, and what the panel agrees on."""

    ballots: tuple[Vote | Lost, ...]
    consensus: Consensus


def ask_panel(judges: Sequence[Judge], scope: Scope, case: Case, answer: str) -> PanelVerdict:
    """Ask every judge about one answer, and aggregate.

    A judge whose endpoint fails on this one call counts as a lost vote.

    Raises:
        ModelError: An endpoint fails in a way that would lose every other vote too (a wrong key, an address
            that is no API): nothing is gained by going on.
        ValueError: The panel is empty.
    """
    ballots = tuple(_ballot(judge, scope, case, answer) for judge in judges)
    votes = [ballot for ballot in ballots if isinstance(ballot, Vote)]
    return PanelVerdict(ballots, consensus(votes, panel_size=len(ballots)))


def _ballot(judge: Judge, scope: Scope, case: Case, answer: str) -> Vote | Lost:
    try:
        return judge.judge(scope, case, answer)
    except ModelError as error:
        if error.stops_run:
            raise
        return Lost(judge.name, error.message)
