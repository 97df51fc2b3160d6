"""The arithmetic of ``benchmarks/reading.py``, and how well the paraphrases of somebody else are read."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from memjoin.cases.files import read_cases
from memjoin.cases.schema import Case

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def reading() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_reading", ROOT / "benchmarks" / "reading.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_clues_found_and_stated(reading: ModuleType) -> None:
    score = reading.score({0, 1, 2}, {1, 2, 5}, joinable=True, joined=True, unreadable=False)
    assert (score.stated, score.found, score.right) == (3, 3, 2)
    assert (score.joinable, score.joined, score.apart, score.false_joins) == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("joinable", "joined", "unreadable", "expected"),
    [
        # joinable, joined, missed but unreadable, apart, false joins, apart but unreadable
        (True, True, False, (1, 1, 0, 0, 0, 0)),
        (True, False, False, (1, 0, 0, 0, 0, 0)),
        (True, False, True, (1, 0, 1, 0, 0, 0)),
        (False, True, False, (0, 0, 0, 1, 1, 0)),
        (False, False, False, (0, 0, 0, 1, 0, 0)),
        (False, False, True, (0, 0, 0, 1, 0, 1)),
    ],
)
def test_joins(
    reading: ModuleType, joinable: bool, joined: bool, unreadable: bool, expected: tuple[int, ...]
) -> None:
    score = reading.score([], [], joinable, joined, unreadable)
    assert (
        score.joinable,
        score.joined,
        score.missed_unreadable,
        score.apart,
        score.false_joins,
        score.apart_unreadable,
    ) == expected


def test_scores_add(reading: ModuleType) -> None:
    one = reading.score({0}, {0, 1}, True, False, True)
    other = reading.score({2}, {2}, False, True, False)
    both = one + other
    assert (both.sets, both.stated, both.found, both.right) == (2, 2, 3, 2)
    assert (both.joinable, both.missed_unreadable, both.apart, both.false_joins) == (1, 1, 1, 1)


def test_a_table_has_a_line_a_style_with_shares_of_the_counts(reading: ModuleType) -> None:
    score = reading.score({0, 1}, {0}, True, True, False)
    lines = reading.table({"atomic": score, "all": score + score}).splitlines()
    assert len(lines) == 3
    assert lines[1].split() == [
        "atomic",
        "1",
        "1/1",
        "1.000",
        "1/2",
        "0.500",
        "1/1",
        "1.000",
        "0/0",
        "0/0",
        "0/0",
    ]
    assert lines[2].split()[:6] == ["all", "2", "2/2", "1.000", "2/4", "0.500"]


def test_a_set_is_scored_against_what_the_reading_finds(reading: ModuleType, chain: Case) -> None:
    row = {
        "case": "H-1",
        "style": "atomic",
        "records": ["KX-4821: Northgate Annex", "KX-3307 is the gait review."],
        "clues": [0, 2],
        "joinable": True,
    }
    score, faults = reading.score_row(row, chain)
    assert (score.stated, score.found, score.right) == (2, 2, 1)
    assert (score.joinable, score.joined) == (1, 0)
    assert [fault.split(":")[0] for fault in faults] == ["missed 0", "invented 5", "join missed, unreadable"]


def test_paraphrases_are_read_as_well_as_the_documentation_says(reading: ModuleType) -> None:
    """A floor below the figures of ``docs/reading.md``, so that no rule makes things worse unnoticed."""
    folder = ROOT / "tests" / "data" / "paraphrases"
    cases = {case.id: case for case in read_cases(folder / "cases.jsonl")}
    total = reading.Score()
    for row in reading.read_rows(folder / "held_out.jsonl"):
        score, _ = reading.score_row(row, cases[row["case"]])
        total += score
    assert total.sets >= 120
    assert total.right >= 0.995 * total.found
    assert total.right >= 0.94 * total.stated
    assert total.joined >= 0.88 * total.joinable
    assert total.false_joins == 0
    assert total.missed_unreadable == total.joinable - total.joined


def test_the_command_prints_the_table(
    reading: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ROOT / "tests" / "data" / "paraphrases"
    some = [line for line in (folder / "held_out.jsonl").read_text(encoding="utf-8").splitlines() if line][:5]
    file = tmp_path / "some.jsonl"
    file.write_text("\n".join(some), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["reading.py", str(file), "--cases", str(folder / "cases.jsonl")])
    reading.main()
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert last[:2] == ["all", "5"]
    assert last[4].endswith(f"/{sum(len(json.loads(line)['clues']) for line in some)}")
