"""Prices from a file, and what is unknown without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from memjoin.errors import MemJoinError
from memjoin.models.prices import EXAMPLE, Price, Prices, read_prices, total

KNOWN = Prices(
    "EUR",
    {"openai/a": Price(2, 10), "vllm/*": Price(0, 0), "vllm/big*": Price(1, 1), "http://h/v1#m": Price(3, 3)},
)


def test_a_cost_is_that_of_a_million_tokens_sent_and_received() -> None:
    assert KNOWN.cost("openai/a", 500_000, 200_000) == pytest.approx(3.0)
    assert KNOWN.cost("http://h/v1#m", 1_000_000, 0) == pytest.approx(3.0)


def test_what_no_price_is_known_of_is_unknown_and_not_free() -> None:
    assert KNOWN.cost("openai/b", 1, 1) is None
    assert KNOWN.cost("openai/a", None, 1) is None
    assert KNOWN.shown(None) == "unknown"
    assert Prices().cost("openai/a", 1, 1) is None
    assert total([1.0, None]) is None
    assert total([1.0, 2.0]) == 3.0


@pytest.mark.parametrize("model", ["embedded", "embedded/writer", "local/smollm2"])
def test_what_runs_here_costs_nothing(model: str) -> None:
    assert Prices().cost(model, 1000, None) == 0.0


def test_no_tokens_cost_nothing_whatever_the_price() -> None:
    assert Prices().cost("openai/b", 0, 0) == 0.0


def test_the_longest_beginning_that_fits_counts() -> None:
    assert KNOWN.cost("vllm/small", 1_000_000, 0) == 0.0
    assert KNOWN.cost("vllm/big-one", 1_000_000, 0) == 1.0


@pytest.mark.parametrize(
    ("cost", "said"), [(0.0, "0"), (0.004, "under 0.01 EUR"), (1234.5, "1,234.50 EUR"), (0.01, "0.01 EUR")]
)
def test_costs_are_put_for_people(cost: float, said: str) -> None:
    assert KNOWN.shown(cost) == said


def test_the_example_of_the_documentation_is_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    assert EXAMPLE.strip() in page
    path = tmp_path / "prices.toml"
    path.write_text(EXAMPLE)
    read = read_prices(path)
    assert read.currency == "USD"
    assert read.price("ollama/qwen3") == Price(0, 0)
    assert read_prices(None) == Prices()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("currency =", "is no TOML"),
        ("\xff", "is no TOML"),
        ("[models]\n", "'currency' is missing"),
        ('currency = ""\n[models]\n', "'currency' is missing"),
        ('currency = "USD"\n', r"\[models\] is missing"),
        ('currency = "USD"\nper = 1\n[models]\n', "unknown key 'per'"),
        ('currency = "USD"\n[models]\n"a/b" = 3\n', "'a/b': a price has 'input' and 'output'"),
        ('currency = "USD"\n[models]\n"a/b" = { input = 1 }\n', "'a/b': a price has"),
        ('currency = "USD"\n[models]\n"a/b" = { input = -1, output = 1 }\n', "'input' is -1"),
        ('currency = "USD"\n[models]\n"a/b" = { input = 1, output = "2" }\n', "'output' is '2'"),
        ('currency = "USD"\n[models]\n"a/b" = { input = nan, output = 1 }\n', "'input' is nan"),
        ('currency = "USD"\n[models]\n"a/b" = { input = true, output = 1 }\n', "'input' is True"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_place_and_the_form(
    tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(MemJoinError, match=says) as caught:
        read_prices(path)
    assert "prices.toml" in caught.value.message
    assert "[models]" in caught.value.hint


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MemJoinError, match=r"nowhere\.toml cannot be read: No such file"):
        read_prices(tmp_path / "nowhere.toml")
