"""What came out of a verification by a language model: case by case, and in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from memjoin.runs.verification.ask import NotTold, Told, digests
from memjoin.runs.verification.record import fields
from memjoin.text.visible import visible

Outcome: TypeAlias = Literal["as it should be", "not told from the history", "told from one session", "lost"]

OUTCOMES: tuple[tuple[Outcome, str], ...] = (
    ("as it should be", "the full history tells the relation, and no single session does"),
    ("not told from the history", "the model could not put the relation together from the full history"),
    ("told from one session", "a single session tells the whole relation"),
    ("lost", "an answer that it would take to decide is lost"),
)
"""What can come of a case, and what each means."""


@dataclass(frozen=True, slots=True)
class CaseAnswers:
    """The answers about one case."""

    case: str
    history: Told | NotTold
    sessions: tuple[tuple[str, Told | NotTold], ...]
    """Each session's id, and the answer from it alone."""

    @property
    def outcome(self) -> Outcome:
        """What comes of the case. A session that tells all decides, whatever else is lost."""
        alone = [answer for _, answer in self.sessions]
        if any(isinstance(answer, Told) and answer.relation for answer in alone):
            return "told from one session"
        if isinstance(self.history, Told) and not self.history.relation:
            return "not told from the history"
        if any(isinstance(answer, NotTold) for answer in (self.history, *alone)):
            return "lost"
        return "as it should be"


@dataclass(frozen=True, slots=True)
class Verification:
    """The answers of a model about a set of cases."""

    model: str
    cases: tuple[CaseAnswers, ...]

    @property
    def confirmed(self) -> bool:
        """Whether every case is as it should be."""
        return all(case.outcome == "as it should be" for case in self.cases)

    def counts(self) -> dict[str, int]:
        """Return how many cases have each outcome."""
        found = [case.outcome for case in self.cases]
        return {outcome: found.count(outcome) for outcome, _ in OUTCOMES}

    def plain(self) -> dict[str, Any]:
        """Return it as JSON has it; ``prompts`` holds the SHA-256 of each prompt file."""
        return {
            "model": self.model,
            "prompts": digests(),
            "cases": len(self.cases),
            "outcomes": self.counts(),
            "history": _rates([case.history for case in self.cases]),
            "single sessions": _rates([answer for case in self.cases for _, answer in case.sessions]),
            "answers": [
                {
                    "case": case.case,
                    "outcome": case.outcome,
                    "history": fields(case.history),
                    "sessions": [{"session": session, **fields(answer)} for session, answer in case.sessions],
                }
                for case in self.cases
            ],
        }

    def lines(self) -> Iterator[str]:
        """Go through it as lines to read: a table of who could tell what, what was lost, and the counts."""
        width = max([len(case.case) for case in self.cases], default=0)
        yield f"{'case':<{width}}  {'shown':<9}  told of the subject"
        for case in self.cases:
            yield visible(f"{case.case:<{width}}  {'history':<9}  {_told(case.history)}")
            for session, answer in case.sessions:
                # What a single session tells nothing of is left out, so that the rest can be seen.
                if isinstance(answer, NotTold) or answer.bound:
                    yield visible(f"{'':<{width}}  {session:<9}  {_told(answer)}")
        yield ""
        history = _rates([case.history for case in self.cases])
        alone = _rates([answer for case in self.cases for _, answer in case.sessions])
        for what, rates in (("full histories", history), ("single sessions", alone)):
            parts = ", ".join(f"{name} {rates[name]}" for name in ("bound", "service", "site", "date"))
            yield (
                f"Of {rates['answered']} {what}: the relation {rates['relation']} ({parts}); "
                f"lost {rates['lost']}"
            )
        yield ""
        for outcome, meaning in OUTCOMES:
            yield f"{self.counts()[outcome]:>5}  {outcome}: {meaning}"


def _told(answer: Told | NotTold) -> str:
    if isinstance(answer, NotTold):
        return f"lost: {answer.reason}"
    if not answer.bound:
        return "nothing"
    parts = [
        name if right else f"{name} wrong ({said})" if said else f"no {name}"
        for name, right, said in zip(
            ("service", "site", "date"), (answer.service, answer.site, answer.date), answer.said, strict=True
        )
    ]
    return ("THE RELATION: " if answer.relation else "") + ", ".join(parts)


def _rates(answers: list[Told | NotTold]) -> dict[str, int]:
    told = [answer for answer in answers if isinstance(answer, Told)]
    return {
        "answered": len(told),
        "lost": len(answers) - len(told),
        "relation": sum(answer.relation for answer in told),
        "bound": sum(answer.bound for answer in told),
        "service": sum(answer.service for answer in told),
        "site": sum(answer.site for answer in told),
        "date": sum(answer.date for answer in told),
    }
