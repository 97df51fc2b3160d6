"""The release: the cases that come with MemJoin, and how it is built and cut down."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from memjoin.cases.build import build_case, check_topics
from memjoin.cases.echoes import echo
from memjoin.cases.family import Family
from memjoin.cases.files import read_cases
from memjoin.cases.likeness import Seen, mask
from memjoin.cases.pool import Pool
from memjoin.cases.schema import TOPOLOGIES, Case
from memjoin.cases.topologies import all_topologies
from memjoin.cases.yamlfile import suggest
from memjoin.errors import MemJoinError

VERSION = "v1-rc"
"""The version of the packaged cases; a candidate until the first public one, then never edited."""
SEED = 1
PER_FAMILY = 12
"""One case of each topology a family."""
QUICK = 24
"""The most cases of the preset ``quick``."""
_REDRAWS = 60


def load() -> list[Case]:
    """Return the cases of the release, in order.

    Raises:
        MemJoinError: The packaged file is damaged: its digest is not the one published with it.
    """
    return list(_load())


@cache
def _load() -> tuple[Case, ...]:
    folder = resources.files("memjoin.cases").joinpath("data")
    with resources.as_file(folder.joinpath("cases.jsonl")) as path:
        published = folder.joinpath("cases.jsonl.sha256").read_text(encoding="ascii").split()[0]
        if file_digest(path) != published:
            raise MemJoinError(
                f"the packaged cases, {VERSION}, are damaged: their SHA-256 is not {published}",
                "Install MemJoin again.",
            )
        return tuple(read_cases(path))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def build_release(
    families: Sequence[Family], pool: Pool, per_family: int = PER_FAMILY, seed: int = SEED
) -> Iterator[Case]:
    """Build cases that are unlike each other; a case too like an earlier one, or with an echo, is drawn anew.

    The same families, pool and seed always give the same cases. What is compared is the wording, with all
    values masked (see ``likeness`` and ``echoes``).

    Raises:
        MemJoinError: A family cannot yield cases that keep the properties, or that differ enough.
    """
    seen = Seen()
    topologies = list(all_topologies())
    for family in families:
        check_topics(family, pool)
    for family in families:
        for place in range(per_family):
            configuration, topology = topologies[place % len(topologies)]
            number = place // len(topologies) + 1
            for redraw in range(_REDRAWS):
                case = build_case(family, pool, configuration, topology, number, seed, redraw)
                if echo(case):
                    continue
                masked = mask(case)
                if not seen.too_alike(masked):
                    break
            else:
                raise MemJoinError(
                    f"{case.id}: too like earlier cases, or itself, in {_REDRAWS} draws",
                    "Give the family more wordings, or the pool more small talk.",
                )
            seen.add(masked)
            yield case


def select(
    cases: Sequence[Case],
    ids: Collection[str] = (),
    families: Collection[str] = (),
    configurations: Collection[str] = (),
) -> list[Case]:
    """Return the cases that are among the ids, the families and the configurations that are named.

    Raises:
        MemJoinError: An id, a family or a configuration is not known; the hint names those close to it.
    """
    for what, wanted, known in (
        ("case", ids, {case.id for case in cases}),
        ("family", families, {case.family for case in cases}),
        ("configuration", configurations, set(TOPOLOGIES)),
    ):
        for name in wanted:
            if name not in known:
                raise MemJoinError(f"unknown {what} '{name}'", suggest(name, known))
    return [
        case
        for case in cases
        if (not ids or case.id in ids)
        and (not families or case.family in families)
        and (not configurations or case.configuration in configurations)
    ]


def quick(cases: Sequence[Case], most: int = QUICK) -> list[Case]:
    """Return at most ``most`` cases, balanced over topologies, families and configurations, in order."""
    taken: set[int] = set()
    counts: Counter[object] = Counter()
    while len(taken) < min(most, len(cases)):
        place = min(
            (place for place in range(len(cases)) if place not in taken),
            key=lambda place: (*_crowding(cases[place], counts), place),
        )
        taken.add(place)
        counts.update(_groups(cases[place]))
    return [case for place, case in enumerate(cases) if place in taken]


def _groups(case: Case) -> tuple[object, ...]:
    return (
        (case.configuration, case.topology),
        case.family,
        (case.family, case.configuration),
        case.configuration,
    )


def _crowding(case: Case, counts: Counter[object]) -> tuple[int, ...]:
    return tuple(counts[group] for group in _groups(case))
