"""Own cases in YAML: what people write comes out as the case that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memjoin.cases.files import read_cases
from memjoin.cases.own.new import template
from memjoin.cases.own.read import scan
from memjoin.cases.schema import Case
from memjoin.cases.verify import findings
from memjoin.errors import MemJoinError
from memjoin.text.graph import Attribute, Handle, Same
from written import as_fields, as_yaml, shares_sentences

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(text: str) -> Path:
        path = tmp_path / "own.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return to_file


def changed(*changes: tuple[str, str]) -> str:
    """Return the worked example with some of its text replaced."""
    text = template()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_cases_of_the_builder_come_back_from_yaml(built: list[Case], write: Write) -> None:
    chosen = [case for case in built if not shares_sentences(case)]
    assert len(chosen) > len(built) / 2
    read = read_cases(write(as_yaml(*(as_fields(case, spell=True) for case in chosen))))
    for case, own in zip(chosen, read, strict=True):
        theirs, ours = own.annotation, case.annotation
        assert (own.id, own.sessions, own.situation) == (case.id, case.sessions, case.situation)
        assert own.task == case.task
        assert [(clue.session, clue.decoy) for clue in theirs.clues] == [
            (clue.session, clue.decoy) for clue in sorted(ours.clues, key=lambda one: min(one.sentences))
        ]
        assert {(c.statements, c.sentences, frozenset(c.values)) for c in theirs.clues} == {
            (c.statements, c.sentences, frozenset(c.values)) for c in ours.clues
        }
        assert {(cue.handle, frozenset(cue.places)) for cue in theirs.cues} == {
            (cue.handle, frozenset(cue.places)) for cue in ours.cues
        }
        assert [(item.name, item.value, item.place) for item in theirs.required] == [
            (item.name, item.value, item.place) for item in ours.required
        ]
        assert theirs.stratum == ours.stratum
        assert findings(own) == []


def test_what_is_read_off_a_remark_is_never_something_else_than_it_says(
    built: list[Case], write: Write
) -> None:
    chosen = [case for case in built if not shares_sentences(case)]
    meant = {
        (case.id, clue.sentences): set(clue.statements) for case in chosen for clue in case.annotation.clues
    }
    read = open_remarks = 0
    for case, own in zip(
        chosen, scan(write(as_yaml(*(as_fields(case, spell=False) for case in chosen)))), strict=True
    ):
        open_remarks += len(own.problems)
        if own.case is None:
            for problem in own.problems:
                assert re.search("says is open|ties values to no entry", problem.problem), problem
            continue
        for clue in own.case.annotation.clues:
            said = meant[case.id, clue.sentences]
            assert set(map(_unordered, clue.statements)) == set(map(_unordered, said)), clue
            read += 1
    assert read > 3 * open_remarks > 0


def _unordered(statement: Any) -> Any:
    return frozenset((statement.a, statement.b)) if isinstance(statement, Same) else statement


def test_the_worked_example_keeps_every_property(write: Write) -> None:
    (case,) = read_cases(write(template()))
    assert findings(case) == []
    assert (case.id, case.family, case.configuration) == ("fitness-01", "own", "RJ")
    clue = next(clue for clue in case.annotation.clues if clue.session == 2 and not clue.decoy)
    (sentence,) = clue.sentences
    turn = case.sessions[2].turns[sentence.turn]
    assert turn.text[sentence.start : sentence.end] == "KV-4821 goes to Marlow House."
    assert clue.statements == (Attribute("site", Handle("entry", "KV-4821"), "Marlow House"),)
    assert not re.search(r"\[\[|\]\]|\(\(|\)\)|=>", " ".join(t.text for s in case.sessions for t in s.turns))


def test_the_page_shows_the_worked_example_as_it_is_written() -> None:
    page = (Path(__file__).parents[2] / "docs" / "own-cases.md").read_text(encoding="utf-8")
    assert f"```yaml\n{template().replace('THIS_FILE', 'own.yaml')}```\n" in page


def test_cases_may_stand_in_a_list_in_documents_or_alone(write: Write) -> None:
    body = template().split("cases:\n", 1)[1]
    alone = "\n".join(line[2:] if line.startswith(("- id", "  ")) else line for line in body.splitlines())
    second = alone.replace("fitness-01", "fitness-02")
    assert [case.id for case in read_cases(write(alone))] == ["fitness-01"]
    assert [case.id for case in read_cases(write(body))] == ["fitness-01"]
    two = read_cases(write(f"{alone}\n---\n{second}"))
    assert [case.id for case in two] == ["fitness-01", "fitness-02"]
    assert two[0].annotation == two[1].annotation == read_cases(write(template()))[0].annotation


def test_line_breaks_and_blanks_within_marks_leave_no_trace(write: Write) -> None:
    (plain,) = read_cases(write(template()))
    text = changed(("[[KV-4821 goes to Marlow House.]]", "[[  KV-4821 goes\n        to Marlow House. ]]"))
    assert read_cases(write(text)) == [plain]


def test_what_a_remark_says_can_be_spelt_out(write: Write) -> None:
    text = changed(
        ("sites: [Fennel Row]", "sites: [Fennel Row, Alder Court]"),
        (
            "[[KV-4821 goes to Marlow House.]]",
            "[[KV-4821 goes to Marlow House instead of Alder Court. => KV-4821 at Marlow House]]",
        ),
    )
    (case,) = read_cases(write(text))
    assert findings(case) == []
    assert Attribute("site", Handle("entry", "KV-4821"), "Marlow House") in [
        statement for clue in case.annotation.clues for statement in clue.statements
    ]


def test_a_site_that_connects_takes_what_stands_beside_it(write: Write) -> None:
    text = changed(
        ("cues: [Heron, KV-4821]", "cues: [Heron, KV-4821, Marlow]"),
        (
            "[[KV-4821 is for the eating disorder\n        intake on 2029-10-23.]]",
            "[[Marlow House has the eating disorder intake on\n        2029-10-23.]]",
        ),
    )
    (case,) = read_cases(write(text))
    site = Handle("site", "Marlow House")
    assert case.annotation.clues[-3].statements == (
        Attribute("date", site, "2029-10-23"),
        Attribute("service", site, "eating disorder intake"),
    )
    assert case.annotation.stratum == "separated"


def test_an_item_stands_where_no_cue_touches_it_if_it_can(write: Write) -> None:
    text = changed(("    gate: north gate\n", "    gate: [KV-4821, north gate]\n"))
    (case,) = read_cases(write(text))
    assert {one.property for one in findings(case)} == {"P3"}
    place = case.annotation.required[-1].place
    assert case.sessions[3].turns[place.turn].text[place.start : place.end] == "north gate"


def test_a_case_without_marks_can_be_read_and_run_but_not_joined(write: Write) -> None:
    text = re.sub(r"\[\[|\]\]|\(\(|\)\)", "", template())
    (case,) = read_cases(write(text))
    assert case.annotation.clues == ()
    assert case.sessions == read_cases(write(template()))[0].sessions


def test_the_first_mistake_is_told_with_its_place_and_how_to_see_the_others(write: Write) -> None:
    path = write(changed(("date: 2029-10-23", "date: soon"), ("situation: incompatible", "situation: bad")))
    with pytest.raises(MemJoinError, match=r"own\.yaml:15:14: fitness-01: 'bad' is none of") as caught:
        read_cases(path)
    assert f"`memjoin cases lint {path}` shows all 2 mistakes." in caught.value.hint
