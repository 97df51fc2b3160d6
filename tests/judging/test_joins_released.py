"""The reading on every released case: its own text, parts of it, and its text without cues."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from memjoin.cases.release import load
from memjoin.cases.schema import Case
from memjoin.judging.joins import joins, make_lexicon
from memjoin.text.graph import Statement
from memjoin.text.reading import REDACTED, read_record


@pytest.fixture(scope="module")
def released() -> list[Case]:
    return load()


def sessions(case: Case) -> list[str]:
    return ["\n".join(f"{turn.speaker}: {turn.text}" for turn in session.turns) for session in case.sessions]


def turns(case: Case) -> list[str]:
    return [
        f"[{session.at}] {turn.speaker}: {turn.text}" for session in case.sessions for turn in session.turns
    ]


def test_every_turn_together_keeps_all_and_joins(released: list[Case]) -> None:
    for case in released:
        found = joins(turns(case), case)
        assert found.joinable, case.id
        assert found.available, case.id
        assert found.kept == found.clues > 0, case.id
        assert not found.collected, case.id
        assert not found.materialized, case.id


def test_only_all_clue_sessions_together_join(released: list[Case]) -> None:
    for case in released:
        texts = sessions(case)
        needed = {clue.session for clue in case.annotation.clues if not clue.decoy}
        for size in range(len(texts) + 1):
            for chosen in combinations(range(len(texts)), size):
                found = joins([texts[number] for number in chosen], case)
                assert found.joinable is needed.issubset(chosen), (case.id, chosen)
                assert not found.unreadable, (case.id, chosen)


def test_the_whole_history_as_one_record_is_collected(released: list[Case]) -> None:
    for case in released:
        assert joins(["\n\n".join(sessions(case))], case).collected, case.id


def without_cues(case: Case) -> list[str]:
    texts = {
        (number, place): turn.text
        for number, session in enumerate(case.sessions)
        for place, turn in enumerate(session.turns)
    }
    places = {span for cue in case.annotation.cues for span in cue.places}
    for span in sorted(places, key=lambda span: -span.start):
        text = texts[span.session, span.turn]
        texts[span.session, span.turn] = f"{text[: span.start]}{REDACTED}{text[span.end :]}"
    return list(texts.values())


def test_without_cues_nothing_joins_and_that_can_be_read(released: list[Case]) -> None:
    for case in released:
        found = joins(without_cues(case), case)
        assert not found.joinable, case.id
        assert not found.unreadable, case.id


def test_the_rules_alone_find_what_is_annotated_and_nothing_else(released: list[Case]) -> None:
    """Precision 1.000 and recall at least 0.99 without the rule that knows the sentences."""
    right = invented = missed = 0
    for case in released:
        clues = case.annotation.clues
        unworded = [replace(clue, sentences=()) for clue in clues]
        lexicon = make_lexicon(replace(case, annotation=replace(case.annotation, clues=tuple(unworded))))
        for number, session in enumerate(case.sessions):
            for place, turn in enumerate(session.turns):
                stated: set[Statement] = {
                    statement
                    for clue in clues
                    if any((span.session, span.turn) == (number, place) for span in clue.sentences)
                    for statement in clue.statements
                }
                found = {placed.statement for placed in read_record(turn.text, lexicon).statements}
                right += len(found & stated)
                invented += len(found - stated)
                missed += len(stated - found)
    assert right > 10 * len(released)
    assert invented == 0
    assert missed <= 0.01 * (right + missed)


@pytest.mark.parametrize("link", ["; ", ", and ", ", while ", " - ", "\n", " "])
def test_sentences_of_different_sessions_run_together_hardly_ever_join_falsely(
    released: list[Case], link: str
) -> None:
    """All clue sentences but those of one needed session, shuffled into one record, by the rules alone."""
    tried = false = 0
    for case in released:
        clues = case.annotation.clues
        unworded = tuple(replace(clue, sentences=()) for clue in clues)
        bare = replace(case, annotation=replace(case.annotation, clues=unworded))
        rng = Random(case.id)
        for left_out in sorted({clue.session for clue in clues if not clue.decoy}):
            said = [
                case.sessions[span.session].turns[span.turn].text[span.start : span.end].rstrip(".")
                for span in dict.fromkeys(span for clue in clues for span in clue.sentences)
                if span.session != left_out
            ]
            rng.shuffle(said)
            record = f"{link if link.strip() else '.' + link}".join(said)
            tried += 1
            false += joins([record], bare).joinable
    assert tried == 4 * len(released)
    assert false <= 0.01 * tried
