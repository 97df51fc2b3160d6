"""Calibration: what the reference memory ``verbatim`` brings back for the tasks of a set of cases.

It keeps every turn and retrieves by similarity, so its figures tell how hard the cases make retrieval: were
nothing joinable among ten records, systems could not be told apart; were everything, retrieval would not
matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.judging.joins import joins
from memjoin.judging.verdict import Joins
from memjoin.models.direct import DirectExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import Embedder, Scope
from memjoin.systems import registry
from memjoin.systems.launch import OpenSystem, open_system
from memjoin.systems.protocol import Record, Session, Settings, Turn

SYSTEM = "verbatim"
SIZES = (5, 10, 20)
"""Numbers of records that are looked at, beside all of them."""
GOAL_SIZE, GOAL = 10, 0.6
"""In the release at least this share of cases is joinable with so many records."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Share:
    """Shares of cases, by the measures Available and Joinable of ``docs/measures.md``."""

    cases: int
    available: float
    joinable: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Shares by number of records (``5``, ``10``, ``20``, ``all``), by configuration and of all cases.

    ``records`` is how many records the memory holds a case, on average.
    """

    system: str
    embedder: str
    records: float
    by_configuration: Mapping[str, Mapping[str, Share]]
    overall: Mapping[str, Share]


def calibrate(
    cases: Sequence[Case], embedder: Embedder, progress: Progress = lambda done, of: None
) -> Calibration:
    """Write every case into ``verbatim``, in its worker, and retrieve for the case's task.

    The calls are those of a run: sessions in order, then one retrieval with the task's text as the query.
    The records are asked for once, in their order; fewer of them are the first ones, as the system's
    own retrieval cuts its list.

    Args:
        cases: The cases.
        embedder: What the memory embeds with.
        progress: Told after each case how many are done, of how many.

    Raises:
        SystemFault: The system does not start, or fails.
        MemJoinError: The memory lost something.
    """
    found: dict[str, list[tuple[str, Joins]]] = {}
    records = 0
    with Gateway(DirectExchange({}, embedder)) as gateway:
        connection = gateway.connect(Scope(SYSTEM, "calibration", 0))
        settings = Settings(
            connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, embedder.dimensions, "", {}
        )
        with open_system(registry.find(SYSTEM), settings) as system:
            for number, case in enumerate(cases, start=1):
                stored, retrieved = _remember(system, case, number)
                records += len(stored)
                for size in SIZES:
                    kept = joins([record.text for record in retrieved[:size]], case)
                    found.setdefault(str(size), []).append((case.configuration, kept))
                everything = joins([record.text for record in stored], case)
                found.setdefault("all", []).append((case.configuration, everything))
                progress(number, len(cases))
    configurations = dict.fromkeys(case.configuration for case in cases)
    return Calibration(
        system=SYSTEM,
        embedder=embedder.name,
        records=records / max(len(cases), 1),
        by_configuration={
            name: {
                size: _share([kept for where, kept in all_of_it if where == name])
                for size, all_of_it in found.items()
            }
            for name in configurations
        },
        overall={size: _share([kept for _, kept in all_of_it]) for size, all_of_it in found.items()},
    )


def _remember(system: OpenSystem, case: Case, number: int) -> tuple[list[Record], list[Record]]:
    # A case's id would tell its family and topology.
    system.reset(f"case-{number}", 0)
    for session in case.sessions:
        turns = tuple(Turn(turn.speaker, turn.text) for turn in session.turns)
        report = system.write(Session(session.id, session.at, turns))
        if report.losses:
            raise MemJoinError(
                f"{SYSTEM} lost a part of {case.id}: {report.losses[0].detail}",
                "Run the command again.",
            )
    stored = list(system.export())
    return stored, list(system.retrieve(case.task.text, len(stored)))


def _share(kept: Sequence[Joins]) -> Share:
    number = max(len(kept), 1)
    return Share(
        cases=len(kept),
        available=sum(one.available for one in kept) / number,
        joinable=sum(one.joinable for one in kept) / number,
    )
