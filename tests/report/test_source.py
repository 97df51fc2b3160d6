from dataclasses import replace
from types import SimpleNamespace

import pytest

from memjoin.analysis.builders.pairs import LossCount
from memjoin.analysis.design import ArmKey
from memjoin.analysis.tables import tables_of
from memjoin.report.source import design_of, losses_of, results_of
from memjoin.runs.cell import Cell
from memjoin.runs.config import RunConfig
from memjoin.runs.reader import LostMemory
from memjoin.systems.protocol import Loss, LossKind
from verdicts import verdict_row

CONFIG = RunConfig(
    dataset="v1-rc",
    dataset_sha256="0" * 64,
    cases=("F19-RJ-chain-01", "F19-UC-amend-01"),
    systems=("verbatim", "memorybank:paper", "no longer there"),
    conditions=("retrieved", "history"),
    trials=3,
    writer="embedded",
    reader="embedded",
    judges=("embedded",),
    embedder="embedded",
    k=7,
    seed=0,
    temperature=0.7,
)


def test_a_design_is_what_the_configuration_plans() -> None:
    design = design_of(CONFIG)
    assert design.systems == CONFIG.systems
    assert design.conditions == CONFIG.conditions
    assert (design.cases, design.trials) == (CONFIG.cases, 3)


def test_k_is_the_runs_or_the_systems_own() -> None:
    design = design_of(CONFIG)
    assert design.title("verbatim", "retrieved") == "Retrieved memory, k=7"
    assert design.title("memorybank:paper", "retrieved") == "Retrieved memory, k=2, its own"
    assert design.title("no longer there", "retrieved") == "Retrieved memory"


@pytest.mark.parametrize(
    ("changes", "embedded", "pipeline_only"),
    [
        ({}, {"writer", "reader", "judge", "embedder"}, True),
        ({"reader": "openai/m", "judges": ("openai/m",)}, {"writer", "embedder"}, False),
        ({"reader": "openai/m"}, {"writer", "judge", "embedder"}, True),
        ({"judges": ("openai/m", "openai/n")}, {"writer", "reader", "embedder"}, True),
    ],
)
def test_embedded_roles_are_told_from_models(
    changes: dict[str, object], embedded: set[str], pipeline_only: bool
) -> None:
    design = design_of(replace(CONFIG, **changes))
    assert design.embedded == embedded
    assert design.pipeline_only is pipeline_only


def test_a_design_knows_from_the_manifest_what_systems_are_called_and_which_interventions_filter() -> None:
    config = replace(CONFIG, interventions=("retrieved+M1", "history+mine:Careful"))
    said = {
        "systems": {
            "verbatim": {"title": "Verbatim"},
            "memorybank:paper": {"title": "MemoryBank"},
            "own:Memory": {"title": "own:Memory"},
            "exec: /bin/one -x": {"title": "python"},
            "exec: /bin/two -x": {"title": "python"},
        },
        "interventions": {
            "M1": {"annotated": False, "filter": False, "remark": ""},
            "mine:Careful": {"annotated": True, "filter": True, "remark": "decided by itself"},
        },
    }
    design = design_of(config, said)
    assert design.titles == {
        "verbatim": "Verbatim",
        "memorybank:paper": "MemoryBank (paper)",
        "own:Memory": "own:Memory",
        "exec: /bin/one -x": "exec: /bin/one -x",  # the title would be another's too
        "exec: /bin/two -x": "exec: /bin/two -x",
    }
    assert design.system_title("mem0") == "mem0"
    assert design.filters == {"M5", "mine:Careful"}
    assert design.annotated == {"mine:Careful"}
    assert design.remarks == {"mine:Careful": "decided by itself"}
    assert design.treated == (
        ArmKey("", "history", "mine:Careful"),
        ArmKey("memorybank:paper", "retrieved", "M1"),
        ArmKey("no longer there", "retrieved", "M1"),
        ArmKey("verbatim", "retrieved", "M1"),
    )


def test_the_lexical_judge_goes_by_its_name() -> None:
    assert design_of(replace(CONFIG, judges=("embedded", "openai/m"))).judges == ("lexical", "openai/m")


def test_losses_are_counted_by_system_and_kind_with_an_example() -> None:
    def lost(system: str, session: str, kind: LossKind, detail: str, case: str = "c1") -> LostMemory:
        return LostMemory(Cell(system, case, 0), session, Loss(kind, detail))

    losses = [
        lost("mem0", "s1", "unparseable-reply", "prose"),
        lost("mem0", "s1", "unparseable-reply", "truncated"),
        lost("mem0", "s1", "unparseable-reply", "prose", case="c2"),
        lost("mem0", "s2", "empty-reply", "nothing"),
        lost("amem", "s2", "empty-reply", "nothing at all"),
    ]
    assert losses_of(losses) == [
        LossCount("amem", "empty-reply", 1, 1, "nothing at all"),
        LossCount("mem0", "empty-reply", 1, 1, "nothing"),
        LossCount("mem0", "unparseable-reply", 3, 2, "prose"),
    ]
    assert losses_of([]) == []


def test_verdicts_that_contradict_themselves_are_told_with_the_tables_of_a_run() -> None:
    config = replace(CONFIG, systems=("verbatim",), conditions=("retrieved",), trials=1)
    rows = [verdict_row(case=case, grade=grade) for case, grade in zip(config.cases, (3, 1), strict=True)]
    run = SimpleNamespace(rows=lambda: rows, config=config, manifest={})
    said = "1 verdict contradicts itself (completed, with grade 1: 1)."
    assert said in results_of(run).design.warnings
    assert any(said in note for table in tables_of(results_of(run)) for note in table.notes)
