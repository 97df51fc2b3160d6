import random
import tracemalloc
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.errors import VerdictTableError
from memjoin.analysis.filling import frame
from memjoin.analysis.frame import ACTIONS, UNKNOWN
from memjoin.judging.verdict import Joins, VerdictRow

Row = Callable[..., VerdictRow]
MakeDesign = Callable[..., Design]
MEMORY = ArmKey("memory", "retrieved")


def test_arms_stand_in_the_order_of_the_design() -> None:
    conditions = ("retrieved", "history", "all", "task-only")
    design = Design(systems=("b", "a"), conditions=conditions, cases=("c1",), trials=1)
    own = [ArmKey(system, condition) for system in ("b", "a") for condition in ("retrieved", "all")]
    assert design.arms == (*own, ArmKey("", "history"), ArmKey("", "task-only"))


def test_arms_with_an_intervention_stand_last_in_the_same_order() -> None:
    treated = (ArmKey("", "history", "M1"), ArmKey("a", "retrieved", "M2"), ArmKey("a", "retrieved", "M1"))
    design = Design(("a",), ("history", "retrieved"), ("c1",), 1, treated=treated)
    assert [str(key) for key in design.arms[2:]] == ["a/retrieved+M1", "a/retrieved+M2", "history+M1"]


def test_the_control_of_an_intervention_is_the_arm_without_it() -> None:
    assert ArmKey("a", "retrieved", "M3:blind").untreated == ArmKey("a", "retrieved")
    assert ArmKey("", "history", "M1").untreated == ArmKey("", "history")
    assert ArmKey("", "history", "M3").untreated == ArmKey("", "itemized")  # Table F.1


def test_answers_stand_by_case_and_trial_whatever_their_order(row: Row, design: MakeDesign) -> None:
    rows = [
        row(case, trial, level=level) for case, trial, level in (("c1", 0, 4), ("c1", 1, 3), ("c2", 0, 2))
    ]
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        arm = frame(rows, design(["c2", "c1"], trials=2)).arms[MEMORY]
        assert arm.level.tolist() == [[2, UNKNOWN], [4, 3]]
        assert arm.missing.tolist() == [[False, True], [False, False]]
        assert arm.complete.tolist() == [False, True]


def test_an_answer_without_a_row_is_missing_and_has_nothing(row: Row, design: MakeDesign) -> None:
    arm = frame([row("c1")], design(["c1", "c2"])).arms[MEMORY]
    assert arm.missing.tolist() == [[False], [True]]
    for name in ("level", "grade", "completed", "refusal", "inappropriate"):
        assert getattr(arm, name).tolist() == [[0], [UNKNOWN]]
    assert not arm.input.known.any()


def test_groups_of_cases(row: Row, design: MakeDesign) -> None:
    verdicts = frame([row("c2", configuration="UC"), row("c1", family="F02")], design(["c1", "c2", "c3"]))
    assert verdicts.groups["configuration"].tolist() == ["RJ", "UC", ""]
    assert verdicts.groups["family"].tolist() == ["F02", "F01", ""]


def test_clues_stand_by_the_place_of_their_session(
    row: Row, design: MakeDesign, texts: Callable[..., Joins]
) -> None:
    arm = frame([row("c1", input=texts(kept=(1, 0, 1)))], design()).arms[MEMORY]
    assert arm.input.kept.tolist() == [[1, 0, 1]]
    assert arm.input.clues.tolist() == [[1, 1, 1]]


def test_clues_of_very_many_sessions_are_all_counted(
    row: Row, design: MakeDesign, texts: Callable[..., Joins]
) -> None:
    arm = frame([row("c1", input=texts(kept=(1,) * 40))], design()).arms[MEMORY]
    assert arm.input.kept.sum() == arm.input.clues.sum() == 40


def test_more_clues_than_can_be_are_no_overflow(
    row: Row, design: MakeDesign, texts: Callable[..., Joins]
) -> None:
    rows = [row("c1", trial, input=texts(kept=(30_000,))) for trial in range(2)]
    with pytest.raises(VerdictTableError, match="case 1 have more clues than a case can have"):
        frame(rows, design(trials=2))


def test_texts_that_cannot_be_vouched_for_add_no_clues(
    row: Row, design: MakeDesign, texts: Callable[..., Joins]
) -> None:
    read = texts(kept=(1, 1))
    rows = [
        row("c1", 0, input=read),
        row("c1", 1, input=texts(kept=(1, 0), unreadable=True)),
        row("c1", 2, input=texts(kept=(0, 1), unreadable=True, joinable=True)),
    ]
    arm = frame(rows, design(trials=3)).arms[MEMORY]
    assert arm.input.vouched.tolist() == [[True, False, True]]
    assert arm.input.kept.tolist() == [[1, 2]]
    assert arm.input.clues.tolist() == [[2, 2]]


def test_an_answer_takes_some_twenty_bytes_whatever_its_row_says(
    row: Row, design: MakeDesign, texts: Callable[..., Joins]
) -> None:
    """Rows are made one by one and are gone. What stays is measured on a few cases and on many."""
    keeps = texts(kept=(1, 0, 1, 1))

    def rows(cases: Sequence[str]) -> Iterator[VerdictRow]:
        for case in cases:
            for trial in range(3):
                for condition in ("retrieved", "all"):
                    yield row(case, trial, condition=condition, store=keeps, input=keeps)

    def bytes_of(many: int) -> tuple[int, int]:
        planned = design([f"c{at}" for at in range(many)], trials=3, conditions=("retrieved", "all"))
        tracemalloc.start()
        try:
            verdicts = frame(rows(planned.cases), planned)
            kept, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert all(arm.ok.all() for arm in verdicts.arms.values())
        return kept, most

    few, many = bytes_of(100), bytes_of(1100)
    kept, most = ((more - less) / 6000 for less, more in zip(few, many, strict=True))
    assert kept < 22
    assert most < 60  # with what finds a case by its name


def test_a_store_is_known_through_any_condition_that_reads_it(
    row: Row, design: MakeDesign, texts: Callable[..., Joins]
) -> None:
    store = texts(kept=(1, 1), joinable=True)
    rows = [
        row("c1", condition="retrieved", status="missing"),
        row("c1", condition="all", store=store),
        row("c2", condition="retrieved", store=store),
    ]
    verdicts = frame(rows, design(["c1", "c2", "c3"], conditions=("retrieved", "all")))
    stores = verdicts.stores("memory")
    assert stores.known.tolist() == [[True], [True], [False]]
    assert stores.joinable.tolist() == [[True], [True], [False]]
    assert stores.kept.sum() == 4


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"case": "c9"}, "memory, retrieved, c9, trial 0 is not of the run's plan"),
        ({"system": "other"}, "other, retrieved, c1, trial 0 is not of the run's plan"),
        ({"condition": "itemized"}, "memory, itemized, c1, trial 0 is not of the run's plan"),
        ({"trial": 2}, "is not of the run's plan"),
        ({"trial": 0}, "There are two rows of memory, retrieved, c1, trial 0"),
        ({"trial": 1, "family": "F02"}, "memory, retrieved, c1, trial 1 has the family 'F02'"),
        (
            {"trial": 1, "reason": "", "status": "invalid", "level": 4},
            "trial 1 is invalid, and yet has a verdict",
        ),
    ],
)
def test_rows_that_cannot_be_are_named(row: Row, design: MakeDesign, wrong: dict, says: str) -> None:
    rows = [row("c1", 0), row("c2", 1), row(**wrong)]
    with pytest.raises(VerdictTableError, match=says):
        frame(rows, design(["c1", "c2"], trials=2))


def test_two_stores_of_one_trial_are_named(row: Row, design: MakeDesign, texts: Callable[..., Joins]) -> None:
    rows = [
        row("c1", condition="retrieved", store=texts(kept=(1, 0))),
        row("c1", condition="all", store=texts(kept=(0, 1))),
    ]
    with pytest.raises(VerdictTableError, match="retrieved, c1, trial 0 and memory, all, c1, trial 0"):
        frame(rows, design(conditions=("retrieved", "all")))


def test_an_arm_with_an_intervention_is_an_arm_of_its_own(row: Row, design: MakeDesign) -> None:
    treated = ArmKey("memory", "retrieved", "M5")
    rows = [row("c1", level=4), row("c1", level=0, intervention="M5", action="redact")]
    verdicts = frame(rows, design(treated=(treated,)))
    assert verdicts.arms[MEMORY].level.tolist() == [[4]]
    assert verdicts.arms[treated].level.tolist() == [[0]]
    assert verdicts.arms[MEMORY].action.tolist() == [[UNKNOWN]]
    assert verdicts.arms[treated].action.tolist() == [[ACTIONS.index("redact")]]
    with pytest.raises(
        VerdictTableError, match=r"memory, retrieved \+ M5, c1, trial 0 is not of the run's plan"
    ):
        frame(rows, design())


def test_a_frame_is_of_numbers_that_can_be_summed(row: Row, design: MakeDesign) -> None:
    arm = frame([row("c1", completed=True, refusal=None, level=4)], design()).arms[MEMORY]
    assert arm.level.sum(dtype=np.int64) == 4
    assert (arm.completed[0, 0], arm.refusal[0, 0]) == (1, UNKNOWN)
