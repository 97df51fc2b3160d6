"""What the tests of cases share: the packaged families and pool, cases of every kind, ways to damage one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from damage import Damage
from memjoin.cases.build import build_cases
from memjoin.cases.family import Family, families
from memjoin.cases.pool import Pool, load_pool
from memjoin.cases.schema import Case


@pytest.fixture
def damage() -> type[Damage]:
    return Damage


@pytest.fixture(scope="session")
def all_families() -> Mapping[str, Family]:
    return families()


@pytest.fixture(scope="session")
def pool() -> Pool:
    return load_pool()


@pytest.fixture(scope="session")
def built(all_families: Mapping[str, Family], pool: Pool) -> list[Case]:
    """One case of every family and topology."""
    return list(build_cases(list(all_families.values()), pool, per_family=12, seed=3))


@pytest.fixture(scope="session")
def some(built: list[Case]) -> list[Case]:
    """Every fifth of them: all topologies, in one family or another."""
    return built[::5]


@pytest.fixture(scope="session")
def by_topology(built: list[Case]) -> Mapping[str, Case]:
    """One case of every topology, of family F19."""
    return {case.topology: case for case in built if case.family == "F19"}
