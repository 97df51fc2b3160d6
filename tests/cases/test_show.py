from __future__ import annotations

from collections.abc import Mapping

from memjoin.cases.evidence import text_at
from memjoin.cases.schema import Case
from memjoin.cases.show import LEGEND, MARKS, Role, facts, heading, segments


def marked(case: Case, session: int, turn: int) -> str:
    return "".join(segment.text for segment in segments(case, session, turn))


def test_without_its_marks_the_text_is_the_turns(built: list[Case]) -> None:
    marks = {mark for pair in MARKS.values() for mark in pair}
    for case in built:
        for number, session in enumerate(case.sessions):
            for place, turn in enumerate(session.turns):
                pieces = segments(case, number, place)
                text = "".join(one.text for one in pieces if not (one.role != "plain" and one.text in marks))
                assert text == turn.text


def test_every_annotated_place_bears_its_mark(built: list[Case]) -> None:
    for case in built:
        annotation = case.annotation
        for cue in annotation.cues:
            for span in cue.places:
                assert f"<{text_at(case, span)}>" in marked(case, span.session, span.turn)
        for item in annotation.required:
            assert f"_{item.value}_" in marked(case, item.place.session, item.place.turn).replace(
                text_at(case, item.place) or "", item.value
            )
        for clue in annotation.clues:
            opening, closing = MARKS["decoy" if clue.decoy else "clue"]
            shared = any(not one.decoy and one.sentences == clue.sentences for one in annotation.clues)
            if clue.decoy and shared:
                opening, closing = MARKS["clue"]
            text = marked(case, clue.session, clue.sentences[0].turn)
            assert text.count(opening) >= 1
            assert text.count(opening) == text.count(closing)


def test_marks_are_balanced_and_nested(built: list[Case]) -> None:
    closing: dict[str, Role] = {pair[1]: role for role, pair in MARKS.items()}
    for case in built:
        for number, session in enumerate(case.sessions):
            for place in range(len(session.turns)):
                stack: list[Role] = []
                for segment in segments(case, number, place):
                    if segment.role == "plain" or len(segment.text) > 1:
                        continue
                    if stack and stack[-1] == segment.role and segment.text in closing:
                        stack.pop()
                    elif segment.text == MARKS[segment.role][0]:
                        stack.append(segment.role)
                assert stack == []


def test_values_used_as_cues_bear_both_marks(by_topology: Mapping[str, Case]) -> None:
    case = by_topology["place"]
    text = " ".join(marked(case, n, m) for n, s in enumerate(case.sessions) for m in range(len(s.turns)))
    assert "*<" in text
    assert ">*" in text


def test_facts_and_heading_say_what_the_case_is(by_topology: Mapping[str, Case]) -> None:
    case = by_topology["chain"]
    told = dict(facts(case))
    target = case.annotation.target
    assert told["Target"] == ", ".join(
        value.canonical for value in (target.subject, target.service, target.site, target.date)
    )
    assert told["Without cues"] == "separated, all values still visible"
    assert case.annotation.required[0].value in told["Required"]
    assert heading(case) == "F19-RJ-chain-01: Medical, legitimate recipient, RJ chain"


def test_the_legend_explains_every_mark() -> None:
    assert [role for role, _ in LEGEND] == list(MARKS)
