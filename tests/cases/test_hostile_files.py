"""Files that mean harm, or were made by something that went wrong: refused with a way out, or harmless."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from memjoin.cases import encoding, files
from memjoin.cases.files import read_cases, to_line, to_plain
from memjoin.cases.own import read
from memjoin.cases.own.check import lint
from memjoin.cases.own.new import template
from memjoin.cases.own.problems import FormError
from memjoin.cases.own.tree import parse
from memjoin.cases.schema import Case
from memjoin.cases.table import lines
from memjoin.cli.reading import print_case
from memjoin.errors import MemJoinError
from memjoin.text.visible import visible

Yaml = Callable[[str | bytes], Path]


@pytest.fixture
def own(tmp_path: Path) -> Yaml:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "own.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(BOMB, r":1:4: '&a' is an anchor of YAML", id="aliases"),
        pytest.param("a: &a [*a]\n", r":1:4: '&a' is an anchor", id="an alias of itself"),
        pytest.param("x: *nothing\n", r":1:4: '\*nothing' is an alias of YAML", id="an alias of nothing"),
        pytest.param("[" * 100_000, r":1:\d+: not readable as YAML: exceeded maximum nesting", id="brackets"),
        pytest.param("- " * 100_000, r":1:\d+: nested more than 12 levels deep", id="dashes"),
        pytest.param(
            "a: !!python/object/apply:os.getcwd []\n", r":1:4: 'tag:yaml.org,2002:python", id="a tag"
        ),
        pytest.param(
            "cases:\n- id: a\n  id: b\n", r":3:3: the field 'id' is given twice, first in line 2", id="twice"
        ),
        pytest.param("a: b\x00c\n", r":1:5: the file holds a control character, U\+0000", id="a zero"),
        pytest.param(
            "a: b\n  \x1b[2J\n", r":2:3: the file holds a control character, U\+001B", id="an escape"
        ),
        pytest.param(
            'a: "\\e[2J"\n', r":1:4: this text holds a control character, U\+001B", id="an escape code"
        ),
        pytest.param("a: b\u009b31m\n", r":1:5: the file holds a control character, U\+009B", id="C1"),
        pytest.param("just text\n", r":1:1: expected a case, found text", id="text"),
        pytest.param("- 7\n- [a]\n", r":1:3: a case has fields with names", id="no fields"),
        pytest.param("cases: none\n", r":1:1: 'cases' is a list of cases", id="cases that are none"),
        pytest.param("cases: []\nid: x\n", r":2:1: 'id' stands beside 'cases'", id="beside"),
        pytest.param("? [a, b]\n: c\n", r":1:3: the name of a field is expected here", id="a list as a name"),
        pytest.param("", r":1: the file holds no case", id="nothing"),
        pytest.param("a: b: c\n", r":1:5: not readable as YAML", id="no YAML"),
    ],
)
def test_yaml_that_is_no_file_of_cases_is_refused_where_it_stands(
    own: Yaml, content: str, problem: str
) -> None:
    path = own(content)
    with pytest.raises(MemJoinError, match=re.escape(str(path)) + problem) as caught:
        read_cases(path)
    assert caught.value.hint
    assert lint(path).errors


@pytest.mark.parametrize(
    ("encode", "problem"),
    [
        (lambda text: text.encode("utf-16"), r"UTF-16, not UTF-8 text"),
        (lambda text: text.encode("utf-32"), r"UTF-32, not UTF-8 text"),
        (lambda text: text.replace("Bello", "Belló").encode("latin-1"), r":30: not UTF-8 text \(byte 0xF3\)"),
    ],
)
def test_other_encodings_are_named(own: Yaml, encode: Callable[[str], bytes], problem: str) -> None:
    with pytest.raises(MemJoinError, match=problem) as caught:
        read_cases(own(encode(template())))
    assert "Save it as UTF-8" in caught.value.hint


def test_files_from_windows_are_read(own: Yaml, built: list[Case], tmp_path: Path) -> None:
    plain = read_cases(own(template()))
    assert read_cases(own(b"\xef\xbb\xbf" + template().replace("\n", "\r\n").encode())) == plain
    path = tmp_path / "own.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + to_line(built[0]).replace("\n", "\r\n").encode())
    assert read_cases(path) == [built[0]]


def test_files_that_are_too_large_are_refused_before_they_are_read(
    own: Yaml, built: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "LARGEST", 2**20)
    with pytest.raises(MemJoinError, match=r"own\.yaml: larger than 1 MB") as caught:
        read_cases(own("# " + "x" * 2**20))
    assert "Split it into several files" in caught.value.hint
    monkeypatch.setattr(files, "LONGEST", 2**20)
    path = tmp_path / "own.jsonl"
    path.write_text(to_line(built[0]) + '{"id": "' + "x" * 2**20, encoding="utf-8")
    with pytest.raises(MemJoinError, match=r"own\.jsonl:2: longer than 1 MB"):
        read_cases(path)
    with pytest.raises(MemJoinError, match="cannot be read: Is a directory"):
        encoding.read_text(tmp_path, 10)


def test_a_turn_of_many_lines_is_refused_at_once(own: Yaml) -> None:
    line = "\n        [[KV-4821 goes to Marlow House.]]"
    text = template().replace("[[KV-4821 goes to Marlow House.]]", line * 50_000)
    with pytest.raises(MemJoinError, match=r":\d+:7: fitness-01: a turn of more than 20,000 characters"):
        read_cases(own(text))


def test_more_sessions_with_remarks_than_subsets_can_be_checked_are_refused(
    own: Yaml, built: list[Case], tmp_path: Path
) -> None:
    head, rest = template().split("  sessions:\n")
    talk, tail = rest.split("  # What the task needs")
    more = "".join(
        f"  - when: 2029-09-06 10:{number:02}\n    talk: |\n      User: ((KV-3307 is with Otter.))\n"
        for number in range(24)
    )
    path = own(f"{head}  sessions:\n{talk}{more}  # What the task needs{tail}")
    with pytest.raises(MemJoinError, match=r":47:3: fitness-01: more than 12 sessions hold remarks"):
        read_cases(path)
    plain = to_plain(built[0])
    clue = plain["annotation"]["clues"][0]
    plain["annotation"]["clues"] = [{**clue, "session": number} for number in range(30)]
    lines = tmp_path / "own.jsonl"
    lines.write_text(json.dumps(plain), encoding="utf-8")
    with pytest.raises(MemJoinError, match=r"own.jsonl:1: more than 12 sessions hold remarks"):
        read_cases(lines)


def with_text(case: Case, text: str) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(case)
    plain["sessions"][0]["turns"][1]["text"] = text
    return plain


def changed(field: str, value: Any) -> Callable[[Case], str]:
    return lambda case: json.dumps({**to_plain(case), field: value})


def saying(text: str) -> Callable[[Case], str]:
    return lambda case: json.dumps(with_text(case, text))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (lambda case: '{"id": "a", "id": "b"}', "the field 'id' is given twice"),
        (lambda case: "[" * 200_000, "nested too deep"),
        (lambda case: f'{{"id": {"9" * 10_000}}}', "a number has too many digits"),
        (lambda case: "7", "expected an object, found 7"),
        (changed("id", float("nan")), "id: expected text, found NaN"),
        (changed("id", 10**40), "id: expected text, found 1000"),
        (saying("\x1b[2J"), r"turns\[1\].text: holds a control character, U\+001B"),
        (saying("\x9b2J"), r"holds a control character, U\+009B"),
        (saying("\ud800"), r"holds half a surrogate pair, U\+D800"),
        (changed("id", "a\nb"), r"id: .a\\nb. is no id of the usual form"),
    ],
)
def test_lines_of_json_that_are_no_case_are_refused(
    built: list[Case], tmp_path: Path, line: Callable[[Case], str], problem: str
) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(f"\n{line(built[0])}\n", encoding="utf-8")
    with pytest.raises(MemJoinError, match=problem) as caught:
        read_cases(path)
    assert caught.value.message.startswith(f"{path}:2: ")
    assert lint(path).problems[0].mark.line == 2


@pytest.mark.parametrize(
    "name",
    ["../etc", "a/b", "a\\b", "", ".", "..", "-rf", "a..b", " a", "a\n", "x" * 101, "a\u202eb", "<b>", "a b"],
)
def test_ids_that_could_be_taken_for_something_else_are_refused(
    built: list[Case], tmp_path: Path, name: str
) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(changed("id", name)(built[0]), encoding="utf-8")
    with pytest.raises(MemJoinError, match="is no id of the usual form") as caught:
        read_cases(path)
    assert caught.value.message.isprintable()
    assert "begin with a letter or digit" in caught.value.hint


def test_text_that_would_act_on_a_terminal_is_shown_as_numbers(built: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    plain = with_text(built[0], "<script>alert(1)</script> \u202egnp.exe\u202c [bold]x[/bold]\u2028y")
    plain["task"]["recipient"] = "desk\u2066"
    plain["category"] = "a\u202eb"
    path.write_text(json.dumps(plain), encoding="utf-8")
    (case,) = read_cases(path)
    out = io.StringIO()
    print_case(case, Console(file=out, highlight=False, width=200))
    shown = out.getvalue()
    assert "<script>alert(1)</script> <U+202E>gnp.exe<U+202C> [bold]x[/bold]<U+2028>y" in shown
    assert "desk<U+2066>" in shown
    assert all(character == "\n" or character.isprintable() for character in shown)
    assert "a<U+202E>b" in "\n".join(lines([case]))
    assert "".join(lines([case])).isprintable()


def test_names_of_fields_are_told_without_what_they_would_do(
    built: list[Case], tmp_path: Path, own: Yaml
) -> None:
    path = own('id: x\n"\\u202Ered": 1\n')
    assert all(line.isprintable() for line in lint(path).lines())
    assert any("unknown field '<U+202E>red'" in line for line in lint(path).lines())


@given(st.text(max_size=200))
def test_whatever_stands_in_a_yaml_file_is_read_or_refused(text: str) -> None:
    try:
        nodes = parse(text)
    except FormError as error:
        problem = error.problem
    else:
        assert isinstance(nodes, list)
        return
    assert problem.mark.line >= 1
    assert problem.line("own.yaml").isprintable()


@given(st.text(max_size=50))
def test_visible_text_keeps_everything_but_what_acts(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    if text.isprintable():
        assert shown == text
    kept = visible(text, keep="\n")
    assert kept.count("\n") == text.count("\n")
