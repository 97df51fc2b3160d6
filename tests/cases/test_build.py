"""What built cases look like. That they keep the properties is tested in ``test_verify.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import pytest

from memjoin.cases.build import build_case, build_cases
from memjoin.cases.evidence import text_at
from memjoin.cases.family import Family
from memjoin.cases.pool import Pool
from memjoin.cases.schema import TOPOLOGIES, Case
from memjoin.cases.topologies import all_topologies
from memjoin.errors import MemJoinError
from memjoin.text.dates import date_forms, states_date
from memjoin.text.graph import Same
from memjoin.text.sentences import split_sentences


def clue_turns(case: Case) -> list[tuple[int, int]]:
    """Return the places of the turns that carry the clues, in order."""
    return sorted({(span.session, span.turn) for clue in case.annotation.clues for span in clue.sentences})


def test_one_case_of_every_topology(built: list[Case]) -> None:
    names = {(case.family, case.configuration, case.topology) for case in built}
    families = {case.family for case in built}
    assert names == {(family, *one) for family in families for one in all_topologies()}
    for case in built:
        assert case.id == f"{case.family}-{case.configuration}-{case.topology}-01"
        assert case.topology in TOPOLOGIES[case.configuration]


def test_sessions_have_four_to_six_turns_on_days_apart(built: list[Case]) -> None:
    for case in built:
        assert 4 <= len(case.sessions) <= 6
        assert [session.id for session in case.sessions] == [f"s{n + 1}" for n in range(len(case.sessions))]
        times = [datetime.fromisoformat(session.at) for session in case.sessions]
        for earlier, later in pairwise(times):
            assert (later.date() - earlier.date()).days >= 2
        for session in case.sessions:
            assert 4 <= len(session.turns) <= 6
            for place, turn in enumerate(session.turns):
                assert turn.speaker == ("user", "assistant")[place % 2]


def test_four_clue_sessions_each_with_one_turn_that_opens_with_an_item(built: list[Case]) -> None:
    for case in built:
        turns = clue_turns(case)
        assert len({session for session, _ in turns}) == 4
        assert [(item.place.session, item.place.turn) for item in case.annotation.required] == turns
        for item in case.annotation.required:
            remarks = [
                span
                for clue in case.annotation.clues
                for span in clue.sentences
                if (span.session, span.turn) == (item.place.session, item.place.turn)
            ]
            assert item.place.end < min(span.start for span in remarks)


def test_the_persons_item_stands_where_the_name_stands(built: list[Case]) -> None:
    for case in built:
        name = case.annotation.target.subject.canonical
        naming = {
            number
            for number, session in enumerate(case.sessions)
            if any(name in turn.text for turn in session.turns)
        }
        assert len(naming) == 1
        (session,) = naming
        item = next(item for item in case.annotation.required if item.place.session == session)
        opening = case.sessions[session].turns[item.place.turn].text
        first = min(
            span.start for clue in case.annotation.clues for span in clue.sentences if span.session == session
        )
        assert name in opening[:first]


def test_annotated_sentences_are_those_of_the_splitter(built: list[Case]) -> None:
    for case in built:
        for clue in case.annotation.clues:
            for span in clue.sentences:
                turn = case.sessions[span.session].turns[span.turn].text
                assert (span.start, span.end) in split_sentences(turn), text_at(case, span)


def test_the_marks_of_entries_and_items_leave_articles_out(built: list[Case]) -> None:
    with_article = 0
    for case in built:
        annotation = case.annotation
        for span in [place for cue in annotation.cues for place in cue.places] + [
            item.place for item in annotation.required
        ]:
            assert not (text_at(case, span) or "").lower().startswith("the ")
            turn = case.sessions[span.session].turns[span.turn].text
            with_article += turn[: span.start].lower().endswith("the ")
    assert with_article


def test_all_dates_are_written_by_the_rule_of_table_c4(built: list[Case]) -> None:
    for case in built:
        for kind, value in case.annotation.values:
            if kind == "date":
                assert value.forms == date_forms(value.canonical)
                assert all(states_date(form, value.canonical) for form in value.forms)


def test_values_handles_and_people_are_annotated(built: list[Case]) -> None:
    for case in built:
        annotation = case.annotation
        text = "\n".join(turn.text for session in case.sessions for turn in session.turns)
        assert all(person in text for person in annotation.people)
        assert len(annotation.people) >= 4
        kinds = {kind for kind, _ in annotation.values}
        assert kinds == {"service", "site", "date"}
        known = {named.handle for named in annotation.handles}
        for clue in annotation.clues:
            for statement in clue.statements:
                ends = (statement.a, statement.b) if isinstance(statement, Same) else (statement.on,)
                assert known.issuperset(ends)
        assert annotation.target.subject.canonical in case.task.text
        assert annotation.why.endswith(".")


def test_the_same_arguments_give_the_same_case(all_families: Mapping[str, Family], pool: Pool) -> None:
    family = all_families["F19"]
    one = build_case(family, pool, "UC", "amend", number=5, seed=9)
    # Alone, and as the fifth of its kind in a set.
    again = list(build_cases([family], pool, per_family=12 * 5, seed=9))
    assert one in again
    assert one.id == "F19-UC-amend-05"


def test_seed_number_and_redraw_each_give_another_case(
    all_families: Mapping[str, Family], pool: Pool
) -> None:
    family = all_families["F19"]
    cases = [
        build_case(family, pool, "RJ", "star", number, seed, redraw).sessions
        for number, seed, redraw in ((1, 1, 0), (2, 1, 0), (1, 2, 0), (1, 1, 1))
    ]
    assert len(set(cases)) == 4


def test_a_family_that_cannot_keep_a_property_is_reported(
    all_families: Mapping[str, Family], pool: Pool
) -> None:
    # Everybody bears the same alias, so it also stands where the decoy's is stated.
    narrow = replace(pool, aliases=("Juniper", "Juniper"))
    with pytest.raises(MemJoinError, match=r"F19-RJ-chain-01: no case without a broken property .* P\d+: "):
        build_case(all_families["F19"], narrow, "RJ", "chain")
