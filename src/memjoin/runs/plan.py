"""What a run is made of, and what it will ask for: cells, calls and tokens, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memjoin.cases.schema import Case
from memjoin.conditions.interventions.apply import request_of
from memjoin.conditions.interventions.base import Draft, is_filter
from memjoin.conditions.views import view
from memjoin.judging import prompt as judge_prompt
from memjoin.models import names
from memjoin.models.prices import Prices, total
from memjoin.models.reader_prompt import build_messages
from memjoin.models.tokens import estimate_messages, estimate_text
from memjoin.runs.arms import Arm, arms_of
from memjoin.runs.cell import Cell
from memjoin.runs.cells import conditions_of
from memjoin.runs.config import RunConfig
from memjoin.systems.protocol import Record
from memjoin.systems.spec import SystemSpec

ANSWER_TOKENS = 200
"""What an answer, a page of a few lines, is taken to have."""
VOTE_TOKENS = 150


@dataclass(frozen=True, slots=True)
class CallEstimate:
    """Calls of one role, for one system (empty: references).

    ``calls`` is None where it is not known how often a system asks, and the tokens then are too. ``embedded``
    calls cost nothing. Input and output tokens are estimates. ``cost`` is in the currency of the prices, None
    where a price or the tokens are not known.
    """

    role: str
    model: str
    system: str
    calls: int | None
    input_tokens: int | None
    output_tokens: int | None
    embedded: bool
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A run before it is begun. ``answers`` are (case, trial, condition, system) combinations; ``currency``
    is that of the costs, empty without prices."""

    cases: int
    trials: int
    cells: int
    answers: int
    sessions: int
    estimates: tuple[CallEstimate, ...]
    currency: str = ""

    @property
    def paid_calls(self) -> int:
        """Calls, so far as known, that go to models behind endpoints."""
        return sum(e.calls or 0 for e in self.estimates if not e.embedded)

    @property
    def cost(self) -> float | None:
        """What they will cost; None where a part is not known."""
        return total(e.cost for e in self.estimates)


def cells(config: RunConfig) -> list[Cell]:
    """Return all cells of a run: the references' first, then each system's; case by case, trial by trial."""
    return list(each_cell(config))


def each_cell(config: RunConfig) -> Iterator[Cell]:
    """Return the same one after the other."""
    for system in ("", *config.systems):
        if conditions_of(Cell(system, "", 0), config.conditions):
            # A case's trials in a row: what is worked out about a case is remembered for a while.
            for case in config.cases:
                for trial in range(config.trials):
                    yield Cell(system, case, trial)


def plan(
    config: RunConfig, cases: Sequence[Case], systems: Iterable[SystemSpec], prices: Prices | None = None
) -> Plan:
    """Return what a run will ask for, as far as that can be known beforehand.

    Reader and judge calls are exact (a judge's second try apart). Writer and embedder calls are those that
    the system's description states for a session and a retrieval. Tokens are estimated from the cases' own
    texts: what a system stores is taken to be as long as what it was told.
    """
    prices = prices or Prices()
    all_cells = cells(config)
    estimates = []
    specs = {spec.name: spec for spec in systems}
    for system in config.systems:
        estimates.append(_writer(config, cases, specs[system]))
    estimates += _embedder(config, cases, list(specs.values()))
    judges = [name for name in config.judges if name != names.EMBEDDED]
    answers = 0
    for system in ("", *config.systems):
        arms = arms_of(Cell(system, "", 0), config.conditions, config.interventions)
        own = [arm for arm in arms if not arm.filtered]
        judged = len(arms) * len(cases) * config.trials
        calls = len(own) * len(cases) * config.trials
        if not calls:
            continue
        answers += judged
        k = _k(config, specs[system]) if system else None
        tokens = config.trials * sum(
            estimate_messages(build_messages(case.task.text, _items(arm.condition, case, k)))
            for case in cases
            for arm in own
        )
        embedded = config.reader == names.EMBEDDED
        estimates.append(
            CallEstimate("reader", config.reader, system, calls, tokens, calls * ANSWER_TOKENS, embedded)
        )
        estimates += _filters(config, cases, [arm for arm in arms if arm.filtered], system)
        asked = (
            len(arms)
            * config.trials
            * sum(estimate_messages(judge_prompt.messages(case, "")) + ANSWER_TOKENS for case in cases)
        )
        estimates += [
            CallEstimate("judge", name, system, judged, asked, judged * VOTE_TOKENS, embedded=False)
            for name in judges
        ]
    return Plan(
        cases=len(cases),
        trials=config.trials,
        cells=len(all_cells),
        answers=answers,
        sessions=config.trials * len(config.systems) * sum(len(case.sessions) for case in cases),
        estimates=tuple(
            replace(each, cost=prices.cost(each.model, each.input_tokens, each.output_tokens))
            for each in estimates
        ),
        currency=prices.currency,
    )


def _filters(
    config: RunConfig, cases: Sequence[Case], arms: Sequence[Arm], system: str
) -> Iterator[CallEstimate]:
    """Estimate what filters of answers ask a model; some filters ask none."""
    steps = [step for arm in arms for step in arm.steps if is_filter(step.intervention)]
    asked = [
        messages
        for step in steps
        for case in cases
        if (messages := request_of(step, Draft(case.task.text, ""))) is not None
    ]
    if calls := config.trials * len(asked):
        tokens = config.trials * sum(estimate_messages(messages) + ANSWER_TOKENS for messages in asked)
        yield CallEstimate(
            *("filter", config.filter, system, calls, tokens, calls * ANSWER_TOKENS),
            embedded=config.filter == names.EMBEDDED,
        )


def _writer(config: RunConfig, cases: Sequence[Case], spec: SystemSpec) -> CallEstimate:
    embedded = config.writer == names.EMBEDDED
    if spec.model_calls is False:
        return CallEstimate("writer", config.writer, spec.name, 0, 0, 0, embedded)
    if "write" not in spec.calls:
        return CallEstimate("writer", config.writer, spec.name, None, None, None, embedded)
    sessions = sum(len(case.sessions) for case in cases)
    calls = config.trials * (spec.calls["write"] * sessions + spec.calls.get("retrieve", 0) * len(cases))
    known = {"input_tokens", "output_tokens"} <= spec.calls.keys()
    return CallEstimate(
        "writer",
        config.writer,
        spec.name,
        round(calls),
        round(calls * spec.calls["input_tokens"]) if known else None,
        round(calls * spec.calls["output_tokens"]) if known else None,
        embedded,
    )


def _embedder(
    config: RunConfig, cases: Sequence[Case], specs: Sequence[SystemSpec]
) -> Iterator[CallEstimate]:
    """Estimate the calls to an embedder behind an endpoint. A run has no text embedded twice: so trials cost
    anew only where a language model writes, and a case's task is embedded once, for all systems."""
    if config.embedder == names.EMBEDDED:
        return
    sessions = sum(len(case.sessions) for case in cases)
    # Once a case its task, and once a run a word, to see how many dimensions there are: put down to the first
    # system that has texts embedded.
    asking = [spec for spec in specs if spec.calls.get("embeddings") != 0]
    once = len(cases) + 1
    once_tokens = sum(estimate_text(case.task.text) for case in cases) + estimate_text("dimensions")
    for spec in specs:
        if "embeddings" not in spec.calls:
            yield CallEstimate("embedder", config.embedder, spec.name, None, None, None, False)
            continue
        anew = config.writer != names.EMBEDDED and spec.model_calls is not False
        calls = round(spec.calls["embeddings"] * sessions * (config.trials if anew else 1))
        of_one = spec.calls.get("embedding_tokens", 0.0 if calls == 0 else None)
        first = spec in asking[:1]
        yield CallEstimate(
            "embedder",
            config.embedder,
            spec.name,
            calls + (once if first else 0),
            None if of_one is None else round(calls * of_one) + (once_tokens if first else 0),
            0,
            embedded=False,
        )


def _k(config: RunConfig, spec: SystemSpec) -> int:
    return config.k if spec.k == "honoured" else spec.k_own or config.k


def _items(name: str, case: Case, k: int | None) -> tuple[str, ...] | None:
    turns = [
        Record("", f"[{session.at}] {turn.speaker}: {turn.text}")
        for session in case.sessions
        for turn in session.turns
    ]
    return view(name, sessions=case.sessions, exported=turns, retrieved=turns[:k]).items
