"""A plan against what real memory systems then ask for, by the embedded roles."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from memjoin.cases import release
from memjoin.runs.plan import plan
from memjoin.runs.prepare import Wanted, prepare
from memjoin.runs.reader import Run
from memjoin.runs.run import Models, find_models, run

SYSTEMS = ("mem0", "memorybank", "verbatim")


class Elsewhere:
    """The embedded embedder, taken for one behind an endpoint: its calls are counted, its vectors kept."""

    name, embedded = "openai/some-embedder", False

    def __init__(self, embedder) -> None:
        self.dimensions = embedder.dimensions
        self.embed = embedder.embed


@pytest.fixture
def planned_and_used(quiet, tmp_path):
    """Calls by role and system: those of the plan, and those of the run."""
    cases = ",".join(case.id for case in release.quick(release.load())[:4])
    prepared = prepare(Wanted(systems=SYSTEMS, cases=tuple(cases.split(",")), trials=1))
    found = find_models(prepared)
    prepared = replace(prepared, config=replace(prepared.config, embedder=Elsewhere.name))
    finished = run(
        prepared,
        root=tmp_path,
        name="asked",
        reporter=quiet,
        concurrency=2,
        models=Models(found.roles, Elsewhere(found.embedder)),
    )
    assert finished.failed == ()
    with Run(finished.folder.path) as opened:
        used = Counter({(each.role, each.system): each.calls for each in opened.usage().spent})
    made = plan(prepared.config, prepared.cases, prepared.systems)
    return Counter({(each.role, each.system): each.calls for each in made.estimates}), used


def test_each_systems_calls_are_within_a_tenth_of_the_plan(planned_and_used):
    planned, used = planned_and_used
    chat = {place for place in planned + used if place[0] != "embedder"}
    assert {system for role, system in chat if role == "writer"} == {"mem0", "memorybank:repository"}
    for place in chat:
        assert planned[place] == pytest.approx(used[place], rel=0.1), place
    embedded = [
        sum(calls for (role, _), calls in counted.items() if role == "embedder")
        for counted in (planned, used)
    ]
    assert embedded[0] == pytest.approx(embedded[1], rel=0.1)
    assert planned.total() == pytest.approx(used.total(), rel=0.1)
