"""Cases of one's own on the command line, from the first file to the run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memjoin.cases.files import read_cases, to_plain
from memjoin.cases.json_schema import published

Memjoin = Callable[..., Any]


def test_a_new_file_is_clean_and_is_never_written_over(memjoin: Memjoin) -> None:
    said = memjoin("cases", "new")
    assert (said.code, Path("cases.yaml").exists()) == (0, True)
    assert "memjoin cases lint cases.yaml" in said.out
    assert "memjoin run --cases cases.yaml" in Path("cases.yaml").read_text(encoding="utf-8")
    said = memjoin("cases", "lint", "cases.yaml")
    assert (said.code, said.out) == (0, "cases.yaml: 1 case, 0 errors, 0 warnings\n")
    Path("cases.yaml").write_text("mine", encoding="utf-8")
    said = memjoin("cases", "new")
    assert (said.code, "cases.yaml: exists already" in said.err) == (2, True)
    assert Path("cases.yaml").read_text(encoding="utf-8") == "mine"
    assert "ends in .yaml" in memjoin("cases", "new", "cases.txt").err
    assert "cannot be written: No such file" in memjoin("cases", "new", "no/cases.yaml").err


def test_lint_tells_place_rule_and_way_out_and_its_exit_code_tells_errors(memjoin: Memjoin) -> None:
    memjoin("cases", "new", "own.yaml")
    path = Path("own.yaml")
    good = path.read_text(encoding="utf-8")
    path.write_text(good.replace("situation: incompatible", "situation: nobody"), encoding="utf-8")
    said = memjoin("cases", "lint", "own.yaml")
    first, advice, last = said.out.splitlines()
    assert said.code == 1
    assert first.startswith("own.yaml:15:14: error: form: fitness-01: 'nobody' is none of")
    assert advice.startswith("    Write legitimate")
    assert last == "own.yaml: 1 case, 1 error, 0 warnings"
    told = json.loads(memjoin("cases", "lint", "own.yaml", "--json").out)
    assert (told["errors"], told["findings"][0]["line"], told["findings"][0]["column"]) == (1, 15, 14)
    path.write_text(good.replace("((KV-5150 is for the knee review.))", ""), encoding="utf-8")
    said = memjoin("cases", "lint", "own.yaml")
    assert (said.code, "warning: P5: fitness-01:" in said.out) == (0, True)
    assert memjoin("cases", "lint", "own.yaml", "--strict").code == 1
    assert memjoin("cases", "lint", "none.yaml").code == 2


def test_own_cases_work_wherever_the_release_does(memjoin: Memjoin) -> None:
    memjoin("cases", "new", "own.yaml")
    said = memjoin("cases", "list", "--cases", "own.yaml")
    assert (said.code, "1 case of own.yaml" in said.out) == (0, True)
    said = memjoin("cases", "show", "fitness-01", "--cases", "own.yaml")
    assert (said.code, "[<KV-4821> goes to *Marlow House*.]" in said.out) == (0, True)
    said = memjoin("cases", "verify", "--cases", "own.yaml")
    assert (said.code, said.out.splitlines()[-1]) == (0, "1 case checked, 0 of them break a property")
    said = memjoin("cases", "export", "--cases", "own.yaml", "--out", "own.jsonl")
    assert (said.code, said.out) == (0, "own.jsonl: 1 case of own.yaml\n")
    assert read_cases(Path("own.jsonl")) == read_cases(Path("own.yaml"))
    said = memjoin("run", "--cases", "own.yaml", "--system", "verbatim", "--json")
    assert said.code == 0
    assert Path("runs", "cases", "manifest.json").exists()


def test_a_run_of_cases_without_marks_counts_them_as_unreadable(memjoin: Memjoin) -> None:
    memjoin("cases", "new", "own.yaml")
    path = Path("own.yaml")
    text = path.read_text(encoding="utf-8").split("  sessions:", 1)
    for mark in ("[[", "]]", "((", "))"):
        text[1] = text[1].replace(mark, "")
    path.write_text("  sessions:".join(text), encoding="utf-8")
    said = memjoin("cases", "lint", "own.yaml")
    assert (said.code, "no remark is marked" in said.out) == (0, True)
    said = memjoin("run", "--cases", "own.yaml", "--system", "verbatim", "--json")
    assert said.code == 0
    for row in json.loads(said.out)["tables"]["memory"]["rows"]:
        assert (row["unreadable"]["numerator"], row["unreadable"]["denominator"]) == (1, 1)
        assert row["joinable"]["denominator"] == 0
        assert row["available"]["denominator"] == 1


def test_what_a_terminal_would_act_on_is_shown_as_numbers_in_a_run_too(memjoin: Memjoin) -> None:
    memjoin("cases", "new", "own.yaml")
    path = Path("own.yaml")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Runners come in", "Runners\u202e come in"), encoding="utf-8")
    memjoin("run", "--cases", "own.yaml", "--system", "verbatim")
    said = memjoin("show", "runs/cases", "fitness-01", "--system", "verbatim")
    assert said.code == 0
    assert "Runners<U+202E> come in" in said.out
    assert "\u202e" not in said.out


def test_a_run_of_a_broken_file_names_the_place(memjoin: Memjoin) -> None:
    memjoin("cases", "new", "own.yaml")
    path = Path("own.yaml")
    path.write_text(
        path.read_text(encoding="utf-8").replace("date: 2029-10-23", "date: soon"), encoding="utf-8"
    )
    said = memjoin("run", "--cases", "own.yaml", "--system", "verbatim")
    assert said.code == 2
    assert "Error: own.yaml:23:11: fitness-01: 'soon' is no date\nWrite it like 2029-10-23." in said.err


def test_export_needs_a_format_it_knows(memjoin: Memjoin) -> None:
    said = memjoin("cases", "export", "--out", "x.csv")
    assert (said.code, "the name does not tell the format" in said.err) == (2, True)
    said = memjoin("cases", "export", "--out", "hub", "--format", "hf", "--family", "F19")
    assert (said.code, said.out) == (0, "hub: 12 cases of v1-rc\n")
    assert to_plain(read_cases(Path("hub", "cases.jsonl"))[0])["family"] == "F19"


def test_schema_prints_the_published_file(memjoin: Memjoin) -> None:
    assert memjoin("cases", "schema").out == published()


def test_an_error_message_moves_no_cursor(memjoin: Memjoin) -> None:
    said = memjoin("cases", "show", "\x1b[2J\u202ex")
    assert said.code == 2
    assert "unknown case '<U+001B>[2J<U+202E>x'" in said.err
