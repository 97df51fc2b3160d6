"""The data card: its figures are those of the cases, counted here in another way."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from memjoin.cases import release
from memjoin.cases.family import families
from memjoin.cases.files import write_cases
from memjoin.cases.pool import load_pool
from memjoin.cases.schema import Case
from memjoin.cli.app import app
from memjoin.errors import MemJoinError
from memjoin.models.embedder import MiniLmEmbedder
from memjoin.models.types import Vectors
from memjoin.report.card import composition, naming, tables, wording
from memjoin.report.card.calibration import Calibration, Share, calibrate
from memjoin.report.card.figures import measure
from memjoin.report.card.nearness import nearness
from memjoin.report.card.page import LEFT_OUT, page
from memjoin.report.card.quantiles import quantiles

runner = CliRunner()


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return release.load()[:24]


def run(*arguments: str) -> tuple[int, str]:
    result = runner.invoke(app, ["cases", "card", *arguments])
    if isinstance(result.exception, MemJoinError):
        raise result.exception
    return result.exit_code, result.stdout


def test_quantiles_are_those_of_the_ranks() -> None:
    found = quantiles(range(11))
    assert (found.least, found.p10, found.median, found.p90, found.most, found.mean) == (0, 1, 5, 9, 10, 5)
    assert quantiles([]).mean == 0


def test_composition_counts_every_case_once(cases: list[Case]) -> None:
    found = composition.compose(cases, families())
    assert found.cases == sum(family.cases for family in found.families) == len(cases)
    for counts in (found.categories, found.situations, found.configurations, found.topologies):
        assert sum(counts.values()) == len(cases)
    strata = Counter((case.configuration, case.annotation.stratum) for case in cases)
    assert {(name, one): times for name, by in found.strata.items() for one, times in by.items()} == strata
    assert set(found.failing.values()) == {0}
    first = found.families[0]
    assert first.title == families()[first.id].title
    assert 0 < first.services <= first.offered


def test_words_are_counted_turn_by_turn(cases: list[Case]) -> None:
    found = wording.read(cases)
    turns = [turn for case in cases for session in case.sessions for turn in session.turns]
    assert found.turns == len(turns)
    assert found.sessions == sum(len(case.sessions) for case in cases)
    assert 0.9 < found.words / sum(len(turn.text.split()) for turn in turns) < 1.1
    assert found.vocabulary < found.distinct_trigrams < found.trigrams < found.words
    assert found.words == pytest.approx(found.words_a_session.mean * found.sessions)
    assert found.alike.sessions == found.sessions


def test_dates_are_told_by_their_forms_in_may_too(cases: list[Case]) -> None:
    found = naming.count(cases, load_pool())
    text = "\n".join(turn.text for case in cases for session in case.sessions for turn in session.turns)
    assert found.forms["2029-09-17"] > 0
    assert sum(found.months) == sum(found.days.values()) == len(cases)
    for case in cases:
        assert found.years[0] <= int(case.annotation.target.date.canonical[:4]) <= found.years[1]
    # Every form that was counted stands in the text, and none that was not.
    assert bool(found.forms["2029/09/17"]) is bool([one for one in text.split() if one.count("/") == 2])
    assert dict(naming.examples("2029-05-17")) == {
        "2029-05-17": "2029-09-17",
        "17 may 2029": "17 September 2029",
        "may 17, 2029": "September 17, 2029",
        "2029/05/17": "2029/09/17",
        "05/17/2029": "09/17/2029",
    }


class Letters:
    """An embedder that knows the first letter of a name alone."""

    name, dimensions, embedded = "letters", 26, True

    def embed(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), 26), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row, (ord(text.casefold()[0]) - ord("a")) % 26] = 1
        return vectors


def test_nearness_finds_the_names_nearest_to_their_own_services(cases: list[Case]) -> None:
    found = nearness(cases, Letters())
    for family, near in found.sites.items():
        names = {
            kind: {
                form
                for case in cases
                if case.family == family
                for which, value in case.annotation.values
                if which == kind
                for form in value.forms
            }
            for kind in ("site", "service")
        }
        initials = {kind: Counter(name[0].casefold() for name in forms) for kind, forms in names.items()}
        same = sum(times * initials["service"][letter] for letter, times in initials["site"].items())
        assert near.names == len(names["site"])
        assert near.mean == pytest.approx(same / (len(names["site"]) * len(names["service"])))
        assert near.highest == (same > 0)
        assert near.name in names["site"]
    assert found.all_handles.names == sum(near.names for near in found.handles.values())


def test_calibration_takes_the_first_records_and_then_all(cases: list[Case]) -> None:
    some = cases[:2] + cases[4:6]
    told: list[tuple[int, int]] = []
    found = calibrate(some, MiniLmEmbedder(), lambda done, of: told.append((done, of)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert list(found.overall) == ["5", "10", "20", "all"]
    assert found.overall["all"] == Share(4, 1.0, 1.0)
    assert set(found.by_configuration) == {"RJ", "UC"}
    joinable = [share.joinable for share in found.overall.values()]
    assert joinable == sorted(joinable)
    assert all(share.available >= share.joinable for share in found.overall.values())
    turns = [sum(len(session.turns) for session in case.sessions) for case in some]
    assert found.records == sum(turns) / len(turns)


def test_the_goal_is_held_against_the_figure() -> None:
    def at(joinable: float) -> Calibration:
        return Calibration("verbatim", "some", 20.0, {}, {"10": Share(100, 1.0, joinable)})

    assert tables.goal(at(0.6)).endswith("is met: 60.0%.")
    assert "is **not** met: 59.0%." in tables.goal(at(0.59))


def test_the_card_of_own_cases_has_the_figures_alone(cases: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    write_cases(cases[:6], path)
    code, out = run("--cases", str(path), "--text-only")
    assert code == 0
    assert out.startswith("# Figures of the cases in mine.jsonl\n")
    assert release.file_digest(path) in out
    assert "6 cases checked, P1 to P11: no case breaks one." in out
    assert out.count(LEFT_OUT) == 2
    assert "Table A.1" not in out
    code, out = run("--cases", str(path), "--text-only", "--json")
    told = json.loads(out)
    assert (told["composition"]["cases"], told["released"], told["calibration"]) == (6, False, None)


def test_a_card_is_written_to_a_file(cases: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    write_cases(cases[:3], path)
    for _ in range(2):
        code, out = run("--cases", str(path), "--text-only", "--out", str(tmp_path / "card.md"))
        assert (code, out) == (0, f"{tmp_path / 'card.md'}: written\n")
    assert (tmp_path / "card.md").read_text(encoding="utf-8").startswith("# Figures of the cases")
    with pytest.raises(MemJoinError, match="cannot be written"):
        run("--cases", str(path), "--text-only", "--out", str(tmp_path / "no" / "card.md"))


def test_what_a_file_holds_breaks_no_table(cases: list[Case]) -> None:
    odd = [
        Case(case.id, "F|1", "<b>odd</b>\u202e\n| x", *(getattr(case, name) for name in Case.__slots__[3:]))
        for case in cases[:2]
    ]
    text = page(measure(odd, "odd.jsonl", "0" * 64))
    assert "| F\\|1 | &lt;b>odd&lt;/b>" in text
    assert "<b>" not in text
    assert "\u202e" not in text


def test_no_case_makes_no_card() -> None:
    with pytest.raises(MemJoinError, match="holds no case"):
        measure([], "none.jsonl", "0" * 64)
