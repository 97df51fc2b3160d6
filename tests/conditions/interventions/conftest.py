"""Cases of every topology, as they are built."""

import pytest

from memjoin.cases.build import build_cases
from memjoin.cases.family import families
from memjoin.cases.pool import load_pool
from memjoin.cases.schema import Case


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    """Every fifth of one case of every family and topology: all topologies, in one family or another."""
    return list(build_cases(list(families().values()), load_pool(), per_family=12, seed=3))[::5]


@pytest.fixture(scope="session")
def by_topology(cases) -> dict[str, Case]:
    return {case.topology: case for case in cases}
