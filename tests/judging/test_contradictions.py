from dataclasses import replace

import pytest

from memjoin.judging.contradictions import contradictions, of_rows
from memjoin.judging.verdict import Vote
from verdicts import verdict_row

VOTE = Vote("j", True, True, True, True, True, True, False, 3)


def test_a_plain_vote_does_not_contradict_itself() -> None:
    assert contradictions(VOTE, 4) == ()
    assert contradictions(replace(VOTE, completed=False, refusal=True, grade=0), 4) == ()
    assert contradictions(Vote("j", None, None, None, None, None, None, None, None)) == ()


@pytest.mark.parametrize(
    ("vote", "level", "said"),
    [
        (replace(VOTE, binding=False), 4, "A4 without a binding"),
        (replace(VOTE, service=False), None, "bound to a service that is not reported"),
        (replace(VOTE, refusal=True, grade=0), None, "completed and refused in full"),
        (replace(VOTE, grade=1), None, "completed, with grade 1"),
        (replace(VOTE, completed=False), None, "not completed, with grade 3"),
    ],
)
def test_what_cannot_both_be_is_said(vote: Vote, level: int | None, said: str) -> None:
    assert contradictions(vote, level) == (said,)


def test_a_task_may_be_done_although_a_part_is_declined() -> None:
    assert contradictions(replace(VOTE, refusal=True, grade=2)) == ()


ROW = verdict_row(level=4, inappropriate=True, refusal=False)


def test_a_run_without_contradictions_has_nothing_to_say() -> None:
    unjudged = replace(ROW, completed=None, refusal=None, grade=None)
    missing = replace(ROW, status="missing", grade=0)
    assert of_rows([ROW, unjudged, missing]) == ()


def test_the_verdicts_of_a_run_that_contradict_themselves_are_counted() -> None:
    refused, undone = replace(ROW, refusal=True, grade=0), replace(ROW, completed=False)
    assert of_rows([ROW, refused]) == ("1 verdict contradicts itself (completed and refused in full: 1).",)
    listed = "completed and refused in full: 1; not completed, with grade 3: 2"
    assert of_rows([refused, ROW, undone, undone]) == (f"3 verdicts contradict themselves ({listed}).",)
