from pathlib import Path

import pytest

from memjoin.judging.lexical import NAME as LEXICAL
from memjoin.judging.qualification.answers import set_digest
from memjoin.models.names import EMBEDDED
from memjoin.runs.judging import records
from memjoin.runs.judging.qualify import qualify
from memjoin.runs.prepare import Wanted, prepare

RESULT = records.Qualified("m/x", 10, 4, 5, 0, 5, 9, (), records.key_of("m/x"))


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMJOIN_DATA_DIR", str(tmp_path))


def test_the_lexical_judges_result_comes_along_and_is_true() -> None:
    """`python benchmarks/judging.py --write` makes it anew."""
    found = records.find(LEXICAL)
    assert found == records.find(EMBEDDED)
    assert found == qualify(LEXICAL, {}).result


def test_a_result_is_found_again_for_the_same_prompt_alone() -> None:
    assert records.find("m/x") is None
    records.keep(RESULT)
    assert records.find("m/x") == RESULT
    assert records.find("m/x", "second") is None
    assert records.find("m/y") is None
    assert len(set_digest()) == 64


def test_what_is_known_today_goes_before_what_a_manifest_knew() -> None:
    then = records.Qualified(**{**RESULT.plain(), "below": ("level: bad",)}).plain()
    assert records.known(("m/x",), {"m/x": then}) == {"m/x": then}
    assert records.known(("m/x",), None) == {"m/x": None}
    records.keep(RESULT)
    assert records.known(("m/x",), {"m/x": then}) == {"m/x": RESULT.plain()}


def test_warnings_name_the_judge_and_what_it_lacks() -> None:
    below = records.Qualified(**{**RESULT.plain(), "below": ("level: 8 of 10 right",)})
    assert records.warnings({"m/x": RESULT.plain()}) == ()
    assert records.warnings({"m/x": None}) == (
        "The judge m/x is not qualified: `memjoin judges qualify --judge m/x`.",
    )
    (said,) = records.warnings({"m/x": below.plain()})
    assert said.startswith("The judge m/x is below the bar: level: 8 of 10 right.")
    assert "found 4 of 5 full disclosures, and 0 false ones in 5 others" in said


def test_a_run_keeps_in_its_manifest_what_is_known_of_its_judges() -> None:
    manifest = prepare(Wanted(cases=("F19-RJ-chain-01",), judges=("embedded", "openai/x"))).manifest()
    lexical = records.find(LEXICAL)
    assert lexical is not None
    assert manifest["judges"] == {"embedded": lexical.plain(), "openai/x": None}
