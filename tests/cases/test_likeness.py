from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from memjoin.cases.likeness import EDGES, MOST_CASES, MOST_SHARED, Seen, likeness, mask, spread
from memjoin.cases.schema import Case, Session, Turn


def test_masking_leaves_the_wording_alone_and_hides_what_is_drawn(built: list[Case]) -> None:
    for case in built:
        masked = mask(case)
        words = {word for turn in masked.user_turns for word in turn.split()}
        target = case.annotation.target
        for value in (target.subject, target.site, target.date):
            assert value.canonical.casefold() not in words
        for named in case.annotation.handles:
            if named.handle.type == "person":
                assert named.handle.name.split()[-1].casefold() not in words, named.handle.name
        assert len(masked.sessions) == len(case.sessions)


def test_the_highest_similarity_is_that_of_all_pairs(built: list[Case]) -> None:
    some = built[:24]
    sessions = [
        (f"{case.id}/{session.id}", case.id, set(runs))
        for case in some
        for session, runs in zip(case.sessions, mask(case).sessions, strict=True)
    ]
    best = max(
        len(a & b) / len(a | b)
        for (_, first, a), (_, second, b) in combinations(sessions, 2)
        if first != second
    )
    found = likeness(some)
    assert found.highest == pytest.approx(best)
    by_name = {name: runs for name, _, runs in sessions}
    a, b = (by_name[name] for name in found.between)
    assert len(a & b) / len(a | b) == pytest.approx(best)


def test_turns_in_too_many_cases_are_counted(built: list[Case]) -> None:
    alike = [replace(built[0], id=f"copy-{number}") for number in range(MOST_CASES + 1)]
    found = likeness(alike)
    assert found.highest == 1
    assert {number for _, number in found.repeated} == {MOST_CASES + 1}
    assert len(found.repeated) == found.user_turns
    assert likeness(alike[:MOST_CASES]).repeated == ()


def test_nothing_is_like_nothing() -> None:
    found = likeness([])
    assert (found.highest, found.between, found.repeated) == (0.0, ("", ""), ())


def test_a_second_case_of_the_same_wording_is_too_alike(built: list[Case]) -> None:
    seen = Seen()
    first = mask(built[0])
    assert not seen.too_alike(first)
    seen.add(first)
    assert seen.too_alike(first)


def test_a_turn_may_be_repeated_so_often_and_no_more(built: list[Case]) -> None:
    def with_closing(number: int) -> Case:
        words = " ".join(f"w{number}x{place}" for place in range(40))
        session = Session(
            "s1", "2029-01-01T09:00", (Turn("user", words), Turn("user", "Thanks, that is all."))
        )
        return replace(built[0], sessions=(session,))

    seen = Seen()
    for number in range(MOST_CASES):
        masked = mask(with_closing(number))
        assert not seen.too_alike(masked)
        seen.add(masked)
    assert seen.too_alike(mask(with_closing(MOST_CASES)))


def test_what_the_release_builder_lets_pass_the_measure_confirms(built: list[Case]) -> None:
    seen = Seen()
    kept = []
    for case in built:
        masked = mask(case)
        if not seen.too_alike(masked):
            seen.add(masked)
            kept.append(case)
    found = likeness(kept)
    assert found.highest <= MOST_SHARED
    assert found.repeated == ()


def test_the_spread_counts_every_pair_of_sessions_once(built: list[Case]) -> None:
    some = built[:18]
    sessions = [
        (f"{case.id}/{session.id}", number, set(runs))
        for number, case in enumerate(some)
        for session, runs in zip(case.sessions, mask(case).sessions, strict=True)
    ]
    scores = {
        (first, second): len(a & b) / len(a | b)
        for (first, one, a), (second, other, b) in combinations(sessions, 2)
        if one != other
    }
    nearest = sorted(max(score for pair, score in scores.items() if name in pair) for name, _, _ in sessions)
    found = spread(some)
    assert (found.sessions, found.pairs) == (len(sessions), len(scores))
    assert found.nearest == pytest.approx(nearest)
    assert found.counts == tuple(
        sum(low < score <= high or low == score == 0 for score in scores.values())
        for low, high in pairwise(EDGES)
    )
    assert scores.get(found.between, scores.get(found.between[::-1])) == pytest.approx(max(scores.values()))


def test_the_spread_says_in_how_many_cases_turns_stand(built: list[Case]) -> None:
    alike = [replace(built[0], id=f"copy-{number}") for number in range(3)]
    found = spread([*alike, built[12]])
    turns = mask(built[0]).user_turns
    assert found.turns_by_cases == (len(mask(built[12]).user_turns), 0, len(turns))
    assert found.most_frequent == min(turns)
    assert found.nearest[-1] == 1
    nothing = spread([])
    assert (nothing.sessions, nothing.pairs, sum(nothing.counts)) == (0, 0, 0)
    assert (nothing.turns_by_cases, nothing.most_frequent, nothing.between) == ((), "", ("", ""))
