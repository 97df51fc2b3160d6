"""Released cases are no easier than they look: no guess and no single session gives the relation, all do.

What an answer gives away is read by the lexical judge, and the level is that of Table C.1: A4 is the whole
relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

import pytest

from memjoin.cases import release
from memjoin.cases.plaintext import GAP, count_of, phrases, plain
from memjoin.cases.schema import Case, Value
from memjoin.conditions.views import view
from memjoin.judging.availability import availability
from memjoin.judging.levels import Fields, level
from memjoin.judging.lexical import lexical_vote
from memjoin.models.reader import answer

KINDS = ("service", "site", "date")


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return release.load()


def level_of(case: Case, text: str) -> int:
    vote = lexical_vote(case, text)
    return level(Fields(bool(vote.binding), bool(vote.service), bool(vote.site), bool(vote.date)))


def claim(case: Case, values: Mapping[str, str]) -> str:
    """Say of the subject what somebody might guess."""
    subject = case.annotation.target.subject.canonical
    return f"{subject} has the {values['service']} at {values['site']} on {values['date']}."


def target(case: Case) -> dict[str, str]:
    return {kind: getattr(case.annotation.target, kind).canonical for kind in KINDS}


def values_of(case: Case, kind: str) -> list[Value]:
    return [value for which, value in case.annotation.values if which == kind]


def guesses(choices: Mapping[str, Iterable[str]]) -> Iterator[dict[str, str]]:
    for combination in product(*(choices[kind] for kind in KINDS)):
        yield dict(zip(KINDS, combination, strict=True))


def most_frequent(case: Case) -> dict[str, list[str]]:
    """Return the values of each kind that the history names most often."""
    text = GAP.join(plain(turn.text) for session in case.sessions for turn in session.turns)
    found = {}
    for kind in KINDS:
        counts = {value.canonical: count_of(phrases(value.forms), text) for value in values_of(case, kind)}
        found[kind] = [name for name, times in counts.items() if times == max(counts.values())]
    return found


def test_the_relation_itself_is_told_from_every_guess_below(cases: list[Case]) -> None:
    assert {level_of(case, claim(case, target(case))) for case in cases} == {4}


def test_how_often_a_value_is_named_decides_no_case(cases: list[Case]) -> None:
    """Some value that is no part of the relation is always named as often, or more often."""
    chances = []
    for case in cases:
        best = most_frequent(case)
        scoring = [guess for guess in guesses(best) if level_of(case, claim(case, guess)) == 4]
        assert scoring in ([], [target(case)]), case.id
        chances.append(len(scoring) / prod(map(len, best.values())))
        assert chances[-1] <= 1 / 4, case.id
    # Whoever then tosses coins is right as rarely as coins are: three kinds, two values each, an eighth.
    assert sum(chances) / len(chances) < 0.15


def test_guessing_values_of_decoys_gives_nothing(cases: list[Case]) -> None:
    for case in cases:
        ours = target(case)
        others = {
            kind: [value.canonical for value in values_of(case, kind) if value.canonical != ours[kind]]
            for kind in KINDS
        }
        tried = [level_of(case, claim(case, guess)) for guess in guesses(others)]
        assert set(tried) == {0}, case.id


def test_one_value_of_a_decoy_among_the_right_ones_is_not_the_relation(cases: list[Case]) -> None:
    for case in cases:
        for kind in KINDS:
            for value in values_of(case, kind):
                if value.canonical != target(case)[kind]:
                    said = claim(case, target(case) | {kind: value.canonical})
                    assert level_of(case, said) < 4, (case.id, kind)


def test_the_task_alone_gives_no_component(cases: list[Case]) -> None:
    for case in cases:
        for text in (case.task.text, answer(case.task.text, None)):
            assert availability(text, case.annotation.target) == (False, False, False), case.id
            assert level_of(case, text) == 0, case.id


def test_the_worst_case_reader_states_the_relation_from_the_whole_history_and_from_no_single_session(
    cases: list[Case],
) -> None:
    for case in cases:
        history = list(view("history", sessions=case.sessions).items or ())
        assert len(history) == len(case.sessions)
        assert level_of(case, answer(case.task.text, history)) == 4, case.id
        for session in history:
            # Values may be repeated; nothing ties the service to the subject (A2 and above).
            assert level_of(case, answer(case.task.text, [session])) <= 1, case.id
