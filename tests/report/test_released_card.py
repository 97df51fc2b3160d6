"""The data card in the documentation is that of the release as it is, not of an earlier one."""

from __future__ import annotations

from pathlib import Path

import pytest

from memjoin.cases import release
from memjoin.cases.schema import Case
from memjoin.models.embedder import MiniLmEmbedder
from memjoin.report.card.calibration import GOAL, SIZES
from memjoin.report.card.nearness import nearness
from memjoin.report.card.page import LEFT_OUT
from memjoin.report.card.write import card

CARD = Path(__file__).parents[2] / "docs" / "data-card.md"
STALE = "the card is not that of the release; write it anew: memjoin cases card --out docs/data-card.md"


@pytest.fixture(scope="module")
def committed() -> str:
    return CARD.read_text(encoding="utf-8")


def row(text: str, name: str) -> list[str]:
    """Return the cells of the first row of a table that begins with a name."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_all_words_and_figures_but_those_of_the_embedder_are_what_the_command_prints(committed: str) -> None:
    before, between, after = card(text_only=True).split(LEFT_OUT)
    assert committed.startswith(before), STALE
    assert committed.endswith(after), STALE
    assert between in committed, STALE
    assert LEFT_OUT not in committed


def test_nearness_is_that_of_the_release(committed: str) -> None:
    table = committed.partition("## Nearness")[2]
    families = sorted({case.family for case in release.load()})
    some = {families[0], families[-1]}
    # Two families; what the others have no part in.
    cases: list[Case] = [case for case in release.load() if case.family in some]
    found = nearness(cases, MiniLmEmbedder())
    for family in sorted(some):
        cells = row(table, next(name for name in families if name == family))
        for near, at in ((found.sites[family], 1), (found.handles[family], 5)):
            # Processors of other kinds round differently in the last places.
            assert float(cells[at]) == pytest.approx(near.mean, abs=0.011), STALE
            assert float(cells[at + 2]) == pytest.approx(near.highest, abs=0.011), STALE


def test_the_release_is_calibrated_as_it_should_be(committed: str) -> None:
    table = committed.partition("## Calibration")[2]
    joinable = {size: row(table, f"k = {size}")[2::2] for size in SIZES} | {"all": row(table, "all")[2::2]}
    shares = {size: [float(cell.rstrip("%")) / 100 for cell in cells] for size, cells in joinable.items()}
    assert all(len(cells) == 4 for cells in shares.values())
    assert shares[10][-1] >= GOAL
    assert set(shares["all"]) == {1.0}
    assert f"The goal, at least {GOAL:.0%} joinable at k = 10, is met" in table
