"""What `lint` finds in a file of own cases: which rule, where, and what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from memjoin.cases.files import to_line, to_plain, write_cases
from memjoin.cases.own.check import ADVICE, UNMARKED, Lint, lint
from memjoin.cases.own.new import template
from memjoin.cases.properties import PROPERTIES
from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError

Check = Callable[..., Lint]
FAMILY = Path(str(files("memjoin.cases").joinpath("data/families/F19.yaml")))


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Lint the worked example with some of its text replaced."""

    def replaced(*changes: tuple[str, str]) -> Lint:
        text = template()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        path = tmp_path / "own.yaml"
        path.write_text(text, encoding="utf-8")
        return lint(path)

    return replaced


def line_of(text: str) -> int:
    """Return the line of the worked example in which a text stands."""
    (line,) = [number for number, line in enumerate(template().splitlines(), 1) if text in line]
    return line


def column_of(text: str) -> int:
    return template().splitlines()[line_of(text) - 1].index(text) + 1


def test_the_worked_example_has_nothing_wrong(check: Check) -> None:
    assert next(check().lines()).endswith("own.yaml: 1 case, 0 errors, 0 warnings")


GOES = "[[KV-4821 goes to Marlow House.]]"
END = "Marlow House.]]"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("id: fitness-01", "id: ../fitness", "'../fitness' is no id of the usual form"),
        ("setting:", "seting:", "unknown field 'seting'"),
        ("situation: incompatible", "situation: both", "'both' is none of legitimate, incompatible"),
        ("date: 2029-10-23", "date: 2029-02-30", "'2029-02-30' is no date"),
        ("date: 2029-10-23", f"date: {'9' * 80}", f"'{'9' * 57}...' is no date"),
        ("when: 2029-08-27 07:40", "when: 2029-08-27 25:40", "'2029-08-27 25:40' is no date and time"),
        ("User: My watch", "My watch", "this line belongs to no speaker"),
        ("((KV-3307 is for 2029-11-14.))", "((KV-3307 is for 2029-11-14.", "'((' is not closed in its turn"),
        (GOES, "[[((KV-4821 goes.))]]", "'((' inside of '[['"),
        (GOES, "[[ ]]", "nothing stands between these marks"),
        (GOES, "[[KV-4821 goes to]] Marlow House.", "the marks do not enclose whole sentences"),
        (GOES, "[[It goes to Marlow House.]]", "this one names only 'Marlow House'"),
        (GOES, "[[Off it goes.]]", "this one names nothing that the case lists"),
        (GOES, "[[Mei Tanaka went to Marlow House.]]", "this remark ties values to no entry"),
        (GOES, "[[KV-4821 to Fennel Row, Marlow House.]]", "two of a kind, 'Fennel Row' and 'Marlow House'"),
        (END, "Marlow House. => KV-4821 at Alder]]", "'Alder' is not a name that the case lists"),
        (END, "Marlow House. => Heron at Marlow House]]", "said of 'Heron' in this way: it is a person"),
        (END, "Marlow House. => KV-4821 is Heron]]", "'KV-4821' is an entry and 'Heron' a person"),
        (END, "Marlow House. => KV-4821 on Marlow House]]", "is a site, and a date is expected here"),
        (END, "Marlow House. => nonsense]]", "'nonsense' says nothing that can be understood"),
        (END, "Marlow House. => ]]", "nothing is spelt out behind '=>'"),
        ("aliases: [Heron, Otter]", "aliases: [Heron, Marlow]", "'Marlow' is listed twice, also as site"),
        ("aliases: [Heron, Otter]", "aliases: Heron", "'aliases' is a list"),
        ("cues: [Heron, KV-4821]", "cues: [Heron, Wren]", "the cue 'Wren' is not a name that the case lists"),
        (
            "cues: [Heron, KV-4821]",
            "cues: [knee review]",
            "'knee review' is a service, which connects nothing",
        ),
    ],
)
def test_mistakes_of_form_are_told_with_their_line(check: Check, old: str, new: str, problem: str) -> None:
    told = [one for one in check((old, new)).problems if problem in one.problem]
    assert [(one.rule, one.severity, one.mark.line) for one in told] == [("form", "error", line_of(old))]
    assert told[0].advice


@pytest.mark.parametrize(
    ("rule", "old", "new", "problem"),
    [
        ("P3", "gate: north gate", "gate: south gate", "'south gate' stands in no conversation"),
        ("P4", "((KV-3307 goes to Fennel Row.))", "Be there on 2029-10-23.", "s3 names 2029-10-23 where"),
        (
            "P4",
            "My watch loses",
            "Noor Vasquez's watch loses",
            "session s3 names Noor Vasquez without a clue",
        ),
        ("P6", "cues: [Heron, KV-4821]", "cues: []", "the case has no cue"),
        ("P10", "KV-4821 goes to", "KV-4821 never goes to", "'never' keeps"),
        ("P11", "phone: extension 214", "phone: KV-4821", "is gone with the cues"),
    ],
)
def test_broken_properties_are_told_with_their_line(
    check: Check, rule: str, old: str, new: str, problem: str
) -> None:
    told = [one for one in check((old, new)).problems if problem in one.problem]
    assert [(one.rule, one.severity) for one in told] == [(rule, "error")]
    assert told[0].mark.line == line_of("required:" if rule == "P11" else old)
    assert told[0].advice


def test_a_conversation_whose_lines_would_be_joined_is_refused(check: Check) -> None:
    old = "when: 2029-09-03 19:20\n    talk: "
    (found,) = check((f"{old}|", f"{old}>")).problems
    assert found.problem == "'>' joins the lines of a conversation"
    assert found.mark.line == line_of("when: 2029-09-03") + 1


def test_a_tab_is_named(check: Check) -> None:
    found = check(("  people:", "\tpeople:"))
    assert [one.problem for one in found.problems] == ["this line is indented with a tab"]
    assert (found.problems[0].mark.line, found.cases) == (line_of("people:"), 0)


def test_of_what_gives_the_relation_away_only_the_least_is_told(check: Check) -> None:
    found = check(
        (
            GOES,
            "[[KV-4821 is Heron's. => KV-4821 belongs to Heron]] [[Heron is Noor Vasquez.]] "
            "[[KV-4821 is the eating disorder intake at Marlow House on 2029-10-23.]]",
        )
    )
    told = [one.problem for one in found.problems if one.rule == "P2"]
    assert told == ["session s3 alone entails the target"]


def test_a_field_that_is_empty_is_one_finding(check: Check) -> None:
    found = check(("  task:\n", "  task:\n  tsk:\n"))
    assert [one.problem for one in found.problems] == [
        "'task' has fields with names, 'name: value'",
        "unknown field 'tsk'",
    ]


def test_columns_point_at_the_characters(check: Check) -> None:
    (found,) = check(("[[KV-4821 goes to Marlow House.]]", "[[KV-4821 goes to]] Marlow House.")).problems
    assert found.mark.column == column_of("[[KV-4821 goes")
    (found,) = check(("Marlow House.]]", "Marlow House. => KV-4821 at Alder]]")).problems
    assert found.mark.column == column_of("Marlow House.]]") + len("Marlow House. => ")
    found = check(("[[KV-4821 is for", "[[KV-4821 is never for"))
    (p10,) = [one for one in found.problems if one.rule == "P10"]
    assert (p10.mark.line, p10.mark.column) == (line_of("[[KV-4821 is for"), column_of("KV-4821 is for"))


def test_all_mistakes_of_a_file_are_told_at_once(check: Check) -> None:
    found = check(
        ("date: 2029-10-23", "date: soon"), ("gate: north gate", "gate: ''"), ("User: My watch", "My watch")
    )
    assert [one.mark.line for one in found.problems] == sorted(
        [line_of("date: 2029-10-23"), line_of("gate: north"), line_of("My watch")]
    )


def test_what_a_case_may_lack_is_a_warning(check: Check) -> None:
    found = check(
        ("((Tomas Lindqvist goes by Otter.))", ""),
        ("- Tomas Lindqvist", "- Mei Tanaka"),
        ("  - Daniel Bello\n", ""),
    )
    assert {(one.rule, one.severity) for one in found.problems} == {("P9", "warning")}
    assert (found.errors, found.warnings) == (0, len(found.problems))
    found = check(("sites: [Fennel Row]", "sites: [Eating Corner]"), ("Fennel Row", "Eating Corner"))
    assert {(one.rule, one.severity) for one in found.problems} == {("P8", "warning")}
    found = check(("((KV-3307 goes to Fennel Row.))", ""))
    assert {(one.rule, one.severity) for one in found.problems} == {("P5", "warning")}


def test_a_case_without_marks_is_checked_for_what_can_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(re.sub(r"\[\[|\]\]|\(\(|\)\)", "", template()), encoding="utf-8")
    found = lint(path)
    assert [(one.rule, one.severity, one.problem) for one in found.problems] == [("P1", "warning", UNMARKED)]


def test_every_property_has_advice_and_every_finding_of_a_damaged_case_a_line(
    built: list[Case], tmp_path: Path
) -> None:
    assert set(ADVICE) == set(PROPERTIES)
    broken = []
    for case in built[:12]:
        plain = to_plain(case)
        plain["task"]["text"] += f" It is the {case.annotation.target.service.canonical}."
        broken.append(json.dumps(plain) + "\n")
    path = tmp_path / "own.jsonl"
    path.write_text("".join(broken), encoding="utf-8")
    found = lint(path)
    assert found.cases == 12
    assert {one.mark.line for one in found.problems} == set(range(1, 13))
    assert all(one.case == built[one.mark.line - 1].id for one in found.problems)


def test_json_lines_are_checked_line_by_line(built: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    first = to_line(built[0])
    path.write_text(f"{first}{{]\n\n{first}{first.replace('Z', '')[:-20]}\n[]\n", encoding="utf-8")
    found = lint(path)
    assert found.cases == 5
    assert [(one.mark.line, one.rule) for one in found.problems] == [
        (2, "form"),
        (4, "form"),
        (5, "form"),
        (6, "form"),
    ]
    assert found.problems[0].mark.column == 2
    assert "was given in line 1 already" in found.problems[1].problem
    assert "expected an object, found []" in found.problems[3].problem


def test_cases_of_the_builder_have_nothing_wrong(built: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    write_cases(built, path)
    found = lint(path)
    assert (found.cases, found.problems) == (len(built), ())


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    for name in ("own.yaml", "own.jsonl"):
        path = tmp_path / name
        path.write_text("\n", encoding="utf-8")
        if name.endswith("yaml"):
            (found,) = lint(path).problems
            assert found.problem == "the file holds no case"
        else:
            with pytest.raises(MemJoinError, match="holds no case"):
                lint(path)


def test_a_family_is_told_from_a_case(tmp_path: Path) -> None:
    path = tmp_path / "F19.yaml"
    path.write_text(FAMILY.read_text(encoding="utf-8"), encoding="utf-8")
    (finding,) = lint(path).problems
    assert finding.problem == "this is a family, from which cases are built, and no case"
    assert "--family-file" in finding.advice
