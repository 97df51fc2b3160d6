"""Nearest pieces, their neighbours, and the order of results."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memjoin.systems.memorybank.retrieval import Run, merge, nearest

DAYS = ["a", "a", "a", "b", "b", "c"]


def test_the_nearest_come_first_and_of_equals_the_earlier() -> None:
    vectors = [(1.0, 0.0), (0.6, 0.8), None, (1.0, 0.0), (0.0, 1.0)]
    assert list(nearest(vectors, (1.0, 0.0), 3).items()) == [(0, 1.0), (3, 1.0), (1, 0.6)]
    assert nearest(vectors, (1.0, 0.0), 0) == {}
    assert len(nearest(vectors, (1.0, 0.0), 99)) == 4


def test_results_come_in_the_order_of_the_index_not_of_scores() -> None:
    assert merge({5: 0.9, 0: 0.5}, DAYS, [200] * 6) == [Run((0,), 0.5), Run((5,), 0.9)]


def test_a_hit_takes_in_neighbours_of_its_day_up_to_200_characters() -> None:
    assert merge({1: 0.9}, DAYS, [60, 70, 70, 60, 60, 60]) == [Run((0, 1, 2), 0.9)]
    assert merge({1: 0.9}, DAYS, [61, 70, 70, 60, 60, 60]) == [Run((1, 2), 0.9)]
    assert merge({2: 0.9}, DAYS, [60, 60, 60, 10, 10, 10]) == [Run((0, 1, 2), 0.9)]


def test_the_later_neighbour_goes_first() -> None:
    assert merge({1: 0.9}, DAYS, [100, 100, 100, 1, 1, 1]) == [Run((1, 2), 0.9)]


def test_what_lies_behind_a_long_neighbour_is_not_taken_in() -> None:
    assert merge({0: 0.9}, ["a"] * 3, [50, 190, 10]) == [Run((0,), 0.9)]


def test_a_long_hit_stays_as_it_is() -> None:
    assert merge({3: 0.9}, DAYS, [10, 10, 10, 500, 10, 10]) == [Run((3,), 0.9)]


def test_hits_that_meet_are_one_and_have_the_better_score() -> None:
    assert merge({3: 0.4, 4: 0.6}, DAYS, [300] * 6) == [Run((3, 4), 0.6)]


def test_days_are_never_joined() -> None:
    assert merge({2: 0.4, 3: 0.6}, DAYS, [10, 10, 300, 300, 10, 10]) == [Run((2,), 0.4), Run((3,), 0.6)]


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 250)), min_size=1, max_size=30),
    st.sets(st.integers(0, 29), min_size=1, max_size=4),
    st.integers(0, 400),
)
def test_runs_hold_each_hit_once_within_one_day_and_in_order(
    pieces: list[tuple[str, int]], chosen: set[int], limit: int
) -> None:
    pieces.sort(key=lambda piece: piece[0])
    days, lengths = [day for day, _ in pieces], [length for _, length in pieces]
    hits = {place: place / 100 for place in chosen if place < len(pieces)}
    runs = merge(hits, days, lengths, limit)
    places = [place for run in runs for place in run.places]
    assert places == sorted(set(places))
    assert hits.keys() <= set(places)
    for run in runs:
        assert run.places == tuple(range(run.places[0], run.places[-1] + 1))
        assert len({days[place] for place in run.places}) == 1
        inside = [place for place in run.places if place in hits]
        assert run.score == max(hits[place] for place in inside)
        if len(inside) == 1 and len(run.places) > 1:
            assert sum(lengths[place] for place in run.places) <= limit
