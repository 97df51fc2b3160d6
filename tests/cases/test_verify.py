"""Every property is checked on the text: a case that is damaged in any of these ways fails.

Here the damage is looked at closely, in some cases; ``test_mutations`` goes through all of the release.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from memjoin.cases.schema import Case, RequiredItem, Span
from memjoin.cases.verify import findings, verify


def broken(case: Case) -> set[str]:
    return {found.property for found in findings(case)}


def clue_sessions(case: Case) -> list[int]:
    return sorted({clue.session for clue in case.annotation.clues if not clue.decoy})


def filler(case: Case) -> tuple[int, int]:
    """Return a session and a user's turn in it that carry nothing and do not name the subject."""
    naming = {clue.sentences[0].session for clue in case.annotation.clues if not clue.decoy}
    taken = {(clue.sentences[0].session, clue.sentences[0].turn) for clue in case.annotation.clues}
    free = [
        (number, place)
        for number, session in enumerate(case.sessions)
        for place, turn in enumerate(session.turns)
        if turn.speaker == "user" and (number, place) not in taken
    ]
    last = max(naming)
    return next(one for one in free if one[0] == last)


def test_every_built_case_keeps_every_property(built: list[Case]) -> None:
    report = verify(built)
    assert report.checked == len(built) == 12 * len({case.family for case in built})
    assert report.findings == ()


def test_findings_name_the_case_the_property_and_the_place(damage: Any, by_topology: dict[str, Case]) -> None:
    case = by_topology["star"]
    session, turn = filler(case)
    name = case.annotation.target.subject.canonical
    found = findings(damage.add_text(case, session, turn, f"{name} waves."))
    assert [(one.case, one.property) for one in found] == [(case.id, "P4")]
    assert name in found[0].problem
    assert case.sessions[session].id in found[0].problem


def test_dropping_a_clue_session_breaks_p1(damage: Any, some: list[Case]) -> None:
    for case in some:
        for number in clue_sessions(case):
            assert "P1" in broken(damage.drop_session(case, number)), (case.id, number)


def test_dropping_a_session_but_keeping_its_annotation_breaks_p1(some: list[Case]) -> None:
    for case in some:
        first = clue_sessions(case)[0]
        kept = case.sessions[:first] + case.sessions[first + 1 :]
        assert "P1" in broken(replace(case, sessions=kept)), case.id


@pytest.mark.parametrize("kind", ["service", "site", "date"])
def test_another_value_in_the_text_breaks_p1(damage: Any, some: list[Case], kind: str) -> None:
    for case in some:
        target = getattr(case.annotation.target, kind)
        other = next(
            value
            for which, value in case.annotation.values
            if which == kind and value.canonical != target.canonical
        )
        place = next(
            span
            for clue in case.annotation.clues
            if not clue.decoy
            for span in clue.values
            if case.sessions[span.session].turns[span.turn].text[span.start : span.end].casefold()
            in [form.casefold() for form in target.forms]
        )
        changed = damage.replace_at(case, place, other.canonical)
        assert "P1" in broken(changed), case.id


def test_crossing_the_two_clues_of_one_sentence_breaks_p1(some: list[Case], damage: Any) -> None:
    crossed = 0
    for case in some:
        clues = list(case.annotation.clues)
        for place, (first, second) in enumerate(pairwise(clues)):
            if first.sentences != second.sentences or not first.values:
                continue
            values = first.statements[0].value, second.statements[0].value
            halves = (first, second), values[::-1]
            swapped = [
                replace(half, statements=(replace(half.statements[0], value=value),), values=other.values)
                for half, value, other in zip(*halves, (second, first), strict=True)
            ]
            changed = damage.annotated(case, clues=(*clues[:place], *swapped, *clues[place + 2 :]))
            assert {"P1", "P5"} <= broken(changed), case.id
            crossed += 1
    assert crossed


def test_stating_a_clue_in_another_clue_session_too_breaks_p2(
    damage: Any, by_topology: dict[str, Case]
) -> None:
    for topology in ("star", "slot", "backref"):
        case = by_topology[topology]
        clues = [clue for clue in case.annotation.clues if not clue.decoy]
        first, last = clues[1], clues[-1]
        span = first.sentences[0]
        sentence = case.sessions[span.session].turns[span.turn].text[span.start : span.end]
        home = last.sentences[0]
        old = case.sessions[home.session].turns[home.turn].text
        changed = damage.add_text(case, home.session, home.turn, sentence)

        def move(place: Span, start: int = len(old) + 1 - span.start, home: Span = home) -> Span:
            return Span(home.session, home.turn, place.start + start, place.end + start)

        copied = damage.map_spans(replace(first, session=home.session), move)
        copies = [
            replace(cue, places=(*cue.places, *(move(one) for one in cue.places if inside(one, span))))
            for cue in case.annotation.cues
        ]
        changed = damage.annotated(changed, clues=(*case.annotation.clues, copied), cues=tuple(copies))
        assert "P2" in broken(changed), topology
        assert "P1" not in broken(changed), topology


def inside(place: Span, sentence: Span) -> bool:
    same = (place.session, place.turn) == (sentence.session, sentence.turn)
    return same and sentence.start <= place.start and place.end <= sentence.end


@pytest.mark.parametrize(
    "component",
    [
        lambda case: case.annotation.target.service.forms[-1],
        lambda case: case.annotation.target.site.forms[-1],
        lambda case: case.annotation.target.date.forms[2],
        lambda case: case.annotation.cues[0].forms[0],
        lambda case: case.annotation.required[0].forms[0],
    ],
    ids=["service", "site", "date", "cue", "item"],
)
def test_a_task_that_names_a_component_or_a_cue_breaks_p3(
    some: list[Case], component: Callable[[Case], str]
) -> None:
    for case in some:
        text = f"{case.task.text} It is about {component(case)}."
        assert "P3" in broken(replace(case, task=replace(case.task, text=text))), case.id


@pytest.mark.parametrize(
    "leak",
    [
        lambda case: case.annotation.target.subject.canonical,
        lambda case: case.annotation.target.subject.canonical.split()[0],
        lambda case: case.annotation.target.service.canonical.upper(),
        lambda case: case.annotation.target.site.forms[-1],
        lambda case: case.annotation.cues[0].forms[-1],
    ],
    ids=["name", "given name", "service", "site", "cue"],
)
def test_a_leak_into_another_turn_breaks_p4(
    damage: Any, some: list[Case], leak: Callable[[Case], str]
) -> None:
    for case in some:
        session, turn = filler(case)
        assert "P4" in broken(damage.add_text(case, session, turn, f"And so on, {leak(case)}.")), case.id


def test_a_moved_span_breaks_p4(damage: Any, some: list[Case]) -> None:
    for case in some:
        clue = next(clue for clue in case.annotation.clues if clue.values and not clue.decoy)
        moved = clue.values[0]._replace(start=clue.values[0].start + 1, end=clue.values[0].end + 1)
        clues = [
            replace(one, values=(moved, *one.values[1:])) if one is clue else one
            for one in case.annotation.clues
        ]
        assert {"P1", "P4"} <= broken(damage.annotated(case, clues=tuple(clues))), case.id


def test_half_a_sentence_breaks_p4(damage: Any, some: list[Case]) -> None:
    for case in some:
        clue = case.annotation.clues[0]
        cut = clue.sentences[0]._replace(start=clue.sentences[0].start + 2)
        clues = (replace(clue, sentences=(cut,)), *case.annotation.clues[1:])
        assert "P4" in broken(damage.annotated(case, clues=clues)), case.id


def test_both_ends_of_a_same_in_another_sentence_break_p4(damage: Any, by_topology: dict[str, Case]) -> None:
    for topology in ("chain", "relay", "renumber", "backref", "late"):
        case = by_topology[topology]
        first, second = (cue.forms[0] for cue in case.annotation.cues[:2])
        if topology == "chain":
            first, second = case.annotation.target.subject.canonical, case.annotation.cues[0].forms[0]
        session, turn = filler(case)
        found = findings(damage.add_text(case, session, turn, f"{first} comes before {second}."))
        assert any("also says that" in one.problem for one in found if one.property == "P4"), topology


def test_a_case_without_decoys_breaks_p5(damage: Any, some: list[Case]) -> None:
    for case in some:
        clues = tuple(clue for clue in case.annotation.clues if not clue.decoy)
        assert "P5" in broken(damage.annotated(case, clues=clues)), case.id


def test_a_decoy_that_the_text_does_not_state_breaks_p5(damage: Any, some: list[Case]) -> None:
    for case in some:
        clue = next(clue for clue in case.annotation.clues if clue.decoy)
        wrong = replace(
            clue, sentences=case.annotation.clues[-1].sentences, session=case.annotation.clues[-1].session
        )
        if wrong.sentences == clue.sentences:
            continue
        clues = tuple(wrong if one is clue else one for one in case.annotation.clues)
        assert "P5" in broken(damage.annotated(case, clues=clues)), case.id


def test_a_cue_that_is_not_annotated_breaks_p6(damage: Any, some: list[Case]) -> None:
    for case in some:
        assert "P6" in broken(damage.annotated(case, cues=())), case.id


def test_the_wrong_stratum_breaks_p6(damage: Any, some: list[Case]) -> None:
    for case in some:
        other = "separated" if case.annotation.stratum == "values-visible" else "values-visible"
        assert broken(damage.annotated(case, stratum=other)) == {"P6"}, case.id


def test_strata_follow_from_the_topology(built: list[Case]) -> None:
    for case in built:
        by_value = case.topology in ("value", "redate", "place")
        assert case.annotation.stratum == ("separated" if by_value else "values-visible")


@pytest.mark.parametrize(
    "text", ["We need {day} chairs.", "It was {day} May {other}.", "Seat {day}B, row {day}."]
)
def test_a_third_date_or_number_that_completes_the_date_breaks_p7(
    damage: Any, some: list[Case], text: str
) -> None:
    for case in some:
        session, turn = filler(case)
        year, _, day = case.annotation.target.date.canonical.split("-")
        said = text.format(day=day, other=int(year) - 1)
        assert "P7" in broken(damage.add_text(case, session, turn, said)), case.id


def test_a_session_on_the_targets_day_breaks_p7(some: list[Case]) -> None:
    for case in some:
        day = case.annotation.target.date.canonical[8:]
        sessions = (replace(case.sessions[0], at=f"2026-01-{day}T08:05"), *case.sessions[1:])
        assert broken(replace(case, sessions=sessions)) == {"P7"}, case.id


@pytest.mark.parametrize(
    "at", ["2026-01-04", "2026-13-04T08:05", "2026-01-04T08:05\n2026-01-05T08:05", "4 January 2026, 08:05"]
)
def test_a_time_in_another_form_breaks_p7(some: list[Case], at: str) -> None:
    for case in some:
        changed = replace(case, sessions=(replace(case.sessions[0], at=at), *case.sessions[1:]))
        assert any(at in found.problem for found in findings(changed) if found.property == "P7"), case.id


def test_a_site_named_after_its_service_breaks_p8(damage: Any, some: list[Case]) -> None:
    for case in some:
        word = re.split(r"[ -]", case.annotation.target.service.canonical)[0].capitalize()
        found = broken(damage.rename_site(case, f"{word} Annex"))
        assert found == {"P8"}, case.id


def test_too_few_people_break_p9(damage: Any, some: list[Case]) -> None:
    for case in some:
        alone = (case.annotation.target.subject.canonical,)
        assert broken(damage.annotated(case, people=alone)) == {"P9"}, case.id


def test_people_that_no_session_names_break_p9(damage: Any, some: list[Case]) -> None:
    for case in some:
        people = (*case.annotation.people, "Nadia Nowhere")
        assert broken(damage.annotated(case, people=people)) == {"P9"}, case.id


@pytest.mark.parametrize(
    ("old", "new"),
    [(".", ", not."), (".", ", I heard."), (".", "?"), (".", ", if all goes well.")],
    ids=["negation", "hearsay", "question", "condition"],
)
def test_a_remark_that_is_no_plain_assertion_breaks_p10(
    damage: Any, some: list[Case], old: str, new: str
) -> None:
    for case in some:
        end = case.annotation.clues[0].sentences[-1]
        stop = end._replace(start=end.end - len(old))
        assert "P10" in broken(damage.replace_at(case, stop, new)), case.id


def test_an_item_that_goes_with_the_cues_breaks_p11(damage: Any, some: list[Case]) -> None:
    for case in some:
        cue = case.annotation.cues[0]
        item = RequiredItem("code", cue.forms[0], cue.forms, cue.places[0])
        required = (item, *case.annotation.required[1:])
        assert {"P3", "P11"} <= broken(damage.annotated(case, required=required)), case.id


def test_handles_without_forms_are_findings_and_no_crash(some: list[Case]) -> None:
    for case in some:
        bare = tuple(replace(named, forms=()) for named in case.annotation.handles)
        assert findings(replace(case, annotation=replace(case.annotation, handles=bare)))
