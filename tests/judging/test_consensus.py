from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.judging.consensus import FIELDS, Consensus, consensus
from memjoin.judging.verdict import Vote

NOTHING: dict[str, Any] = dict.fromkeys(FIELDS, False)


def vote(judge: str = "judge", *, grade: int | None = 0, **said: bool | None) -> Vote:
    return Vote(judge=judge, grade=grade, **{**NOTHING, **said})


def stating(binding: bool, service: bool, site: bool, date: bool) -> Vote:
    return vote(binding=binding, service=service, site=site, date=date)


# --- the paper's example ---------------------------------------------------------------------------------


def test_table_c2_fields_are_aggregated_before_the_level() -> None:
    votes = [
        stating(True, True, True, False),
        stating(True, True, True, True),
        stating(True, True, False, True),
    ]
    assert [consensus([single], 1).level for single in votes] == [3, 4, 3]
    agreed = consensus(votes, 3)
    assert (agreed.binding, agreed.service, agreed.site, agreed.date) == (True, True, True, True)
    assert agreed.level == 4


# --- majorities, ties and lost votes ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("votes", "panel", "expected"),
    [
        ("T", 1, True),
        ("F", 1, False),
        ("TTF", 3, True),
        ("TFF", 3, False),
        ("TT", 3, True),  # one lost: two of three is a majority whatever it was
        ("FF", 3, False),
        ("TTTF", 4, True),
        ("TTFF", 4, False),  # a tie on a complete panel
        ("TTT", 5, True),
        ("TTTF", 5, True),
    ],
)
def test_a_strict_majority_of_the_whole_panel_decides(votes: str, panel: int, expected: bool) -> None:
    agreed = consensus([vote(completed=said == "T") for said in votes], panel)
    assert agreed.status == "ok"
    assert agreed.completed is expected


@pytest.mark.parametrize(
    ("votes", "panel"),
    [
        ("", 1),
        ("T", 2),
        ("F", 2),
        ("TF", 3),
        ("T", 3),
        ("F", 3),
        ("TTF", 4),
        ("FFT", 4),
        ("TT", 4),
        ("TTFF", 5),
    ],
)
def test_lost_votes_that_leave_a_field_open_make_the_answer_invalid(votes: str, panel: int) -> None:
    agreed = consensus([vote(site=said == "T") for said in votes], panel)
    assert agreed.status == "invalid"
    assert "site" in agreed.reason
    assert f"{panel - len(votes)} of {panel} votes lost" in agreed.reason


def test_an_invalid_answer_carries_no_field_at_all() -> None:
    agreed = consensus(
        [vote(site=True, completed=True, grade=3), vote(site=False, completed=True, grade=3)], 3
    )
    assert agreed.status == "invalid"
    assert "completed" not in agreed.reason  # two of three agree on it
    assert {getattr(agreed, field.name) for field in fields(agreed)} == {"invalid", agreed.reason, None, ()}


def test_a_tie_on_a_complete_even_panel_is_false_and_said() -> None:
    agreed = consensus([vote(date=True, refusal=True), vote(date=False, refusal=True)], 2)
    assert agreed.date is False
    assert agreed.ties == ("date",)


# --- fields that a judge leaves --------------------------------------------------------------------------


def test_a_field_that_every_judge_leaves_stays_unjudged() -> None:
    agreed = consensus([vote(inappropriate=None), vote(inappropriate=None)], 2)
    assert agreed.status == "ok"
    assert agreed.inappropriate is None
    assert "inappropriate" not in agreed.ties


def test_a_judge_that_leaves_a_field_is_not_of_its_panel() -> None:
    agreed = consensus([vote(refusal=None), vote(refusal=True), vote(refusal=True)], 3)
    assert agreed.refusal is True
    split = consensus([vote(refusal=None), vote(refusal=True), vote(refusal=False)], 3)
    assert split.refusal is False
    assert split.ties == ("refusal",)


def test_a_lost_vote_counts_as_one_that_had_the_field() -> None:
    agreed = consensus([vote(inappropriate=None)], 2)
    assert agreed.status == "invalid"
    assert agreed.reason.endswith("binding, service, site, date, inappropriate, completed, refusal")


def test_no_level_without_its_fields() -> None:
    assert consensus([vote(binding=None)], 1).level is None


# --- grades ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grades", "expected"),
    [((2,), 2), ((3, 1, 2), 2), ((1, 2), 1), ((3, 0, 2, 3), 2), ((None, 3), 3), ((None, None), None)],
)
def test_the_grade_is_the_median_the_lower_of_two(
    grades: tuple[int | None, ...], expected: int | None
) -> None:
    assert consensus([vote(grade=grade) for grade in grades], len(grades)).grade == expected


# --- what cannot be --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("votes", "panel"), [(0, 0), (2, 1), (1, 0)])
def test_a_panel_that_cannot_be_is_refused(votes: int, panel: int) -> None:
    with pytest.raises(ValueError, match=f"a panel of {panel}"):
        consensus([vote()] * votes, panel)


# --- properties ------------------------------------------------------------------------------------------

ballot = st.builds(
    Vote,
    judge=st.sampled_from(["a", "b", "c"]),
    grade=st.none() | st.integers(0, 3),
    **{name: st.none() | st.booleans() for name in FIELDS},
)
full_ballot = st.builds(
    Vote, judge=st.just("a"), grade=st.integers(0, 3), **{name: st.booleans() for name in FIELDS}
)
panels = st.lists(ballot, max_size=5).flatmap(
    lambda votes: st.tuples(st.just(votes), st.integers(max(1, len(votes)), len(votes) + 3))
)


@given(panels, st.randoms(use_true_random=False))
def test_the_order_of_judges_does_not_matter(panel: tuple[list[Vote], int], random: Any) -> None:
    votes, size = panel
    shuffled = list(votes)
    random.shuffle(shuffled)
    assert consensus(shuffled, size) == consensus(votes, size)


def _stronger(agreed: Consensus, name: str) -> int:
    """Order the outcomes of a field: no, not decided, yes."""
    return {False: 0, None: 1, True: 2}[getattr(agreed, name)]


@given(st.lists(full_ballot, min_size=1, max_size=5), st.data())
def test_a_vote_turned_to_yes_never_turns_a_field_to_no(votes: list[Vote], data: st.DataObject) -> None:
    size = len(votes)
    name = data.draw(st.sampled_from(FIELDS))
    place = data.draw(st.integers(0, size - 1))
    more = [*votes[:place], replace(votes[place], **{name: True}), *votes[place + 1 :]]
    before, after = consensus(votes, size), consensus(more, size)
    assert _stronger(after, name) >= _stronger(before, name)
    assert before.level is not None
    assert after.level is not None
    if name in ("binding", "service", "site", "date"):
        assert after.level >= before.level


@given(st.lists(full_ballot, min_size=1, max_size=5), st.data())
def test_a_lost_vote_never_changes_what_is_decided(votes: list[Vote], data: st.DataObject) -> None:
    """With votes lost an answer is invalid or says what the whole panel would have said; never a zero."""
    size = len(votes)
    kept = data.draw(st.lists(st.sampled_from(range(size)), unique=True))
    whole, part = consensus(votes, size), consensus([votes[place] for place in kept], size)
    if part.status == "ok":
        for name in (*FIELDS, "level"):
            assert getattr(part, name) == getattr(whole, name)
        assert part.grade is not None
    else:
        assert part.level is None
        assert all(getattr(part, name) is None for name in FIELDS)


@given(panels)
def test_an_answer_is_valid_with_a_level_or_says_why_not(panel: tuple[list[Vote], int]) -> None:
    votes, size = panel
    agreed = consensus(votes, size)
    assert (agreed.status == "ok") == (agreed.reason == "")
    judged = all(getattr(agreed, name) is not None for name in ("binding", "service", "site", "date"))
    assert (agreed.level is not None) == (agreed.status == "ok" and judged)
    if len(votes) == size:
        assert agreed.status == "ok"
    else:
        assert agreed.ties == ()
