import pytest

from memjoin.analysis.changes import change, discordant
from memjoin.analysis.errors import VerdictTableError
from memjoin.analysis.paired import Change
from memjoin.analysis.rates import Rate
from memjoin.analysis.table import (
    NOT_MEASURABLE,
    NOTHING,
    Cell,
    Column,
    Table,
    check_partition,
    count_of,
    counted_noun,
    exact,
    number,
    p_value,
    rate,
)


@pytest.mark.parametrize(
    ("count", "of", "printed"),
    [
        (40, 288, "13.9"),
        (124, 864, "14.4"),
        (146, 864, "16.9"),
        (72, 864, "8.3"),
        (14, 178, "7.9"),
        (520, 864, "60.2"),
        (79, 560, "14.1"),
        (58, 288, "20.1"),
        (80, 288, "27.8"),
        (18, 288, "6.2"),  # 6.25 exactly: halves go to the even digit
        (54, 288, "18.8"),  # 18.75
        (0, 288, "0.0"),
        (288, 288, "100.0"),
    ],
)
def test_the_papers_rates_as_printed(count: int, of: int, printed: str) -> None:
    assert number(count, of, "percent") == printed


def test_a_difference_is_rounded_once() -> None:
    """58 and 80 of 288 are 20.1 and 27.8, and yet 7.6 apart (Table F.6)."""
    before, after = Rate(58, 288, "cases"), Rate(80, 288, "cases")
    cell = change(Change(before, after, 22 / 288, (0.028, 0.125)))
    assert (rate(before).text, rate(after).text) == ("20.1", "27.8")
    assert cell.text == "+7.6 [+2.8, +12.5]"
    assert (cell.numerator, cell.denominator) == (22, 288)


def test_a_difference_of_scores_has_two_decimals() -> None:
    made = Change(Rate(5 / 3, 2, "cases"), Rate(11 / 3, 2, "cases"), 1.0, (0.0, 2.0))
    assert change(made, scale=1).text == "+1.00 [+0.00, +2.00]"


def test_a_difference_that_nobody_measured_says_so() -> None:
    unmeasured = Change(Rate(0, 0, "cases", measurable=False), Rate(0, 3, "cases"))
    assert change(unmeasured).text == discordant(unmeasured, None).text == NOT_MEASURABLE
    nothing = Change(Rate(0, 0, "cases"), Rate(0, 0, "cases"))
    assert change(nothing).text == discordant(nothing, None).text == NOTHING


def test_a_cell_keeps_all_that_its_number_came_from() -> None:
    cell = rate(Rate(40, 288, "cases", interval=(0.1006, 0.1806), exact=(0.101, 0.184)), with_interval=True)
    assert cell.text == "13.9 [10.1, 18.1]"
    assert cell.value == 40 / 288
    assert (cell.numerator, cell.denominator, cell.unit) == (40, 288, "cases")
    assert (cell.interval, cell.exact) == ((0.1006, 0.1806), (0.101, 0.184))


def test_help_has_two_decimals() -> None:
    assert rate(Rate(11 / 3, 2, "cases", interval=(1.0, 2.667)), "score", with_interval=True).text == (
        "1.83 [1.00, 2.67]"
    )


def test_nothing_and_everything_show_the_exact_interval_with_a_star() -> None:
    none = Rate(0, 24, "cases", interval=(0.0, 0.0), exact=(0.0, 0.1425))
    assert rate(none, with_interval=True).text == "0.0 [0.0, 14.2]*"
    assert rate(none, with_interval=True).interval == (0.0, 0.0)
    assert rate(none).text == "0.0"
    answers = Rate(0, 72, "answers", interval=(0.0, 0.0))  # three of a case: no exact interval
    assert rate(answers, with_interval=True).text == "0.0 [0.0, 0.0]"


@pytest.mark.parametrize(
    ("count", "of", "shown"),
    [(0, 288, True), (288, 288, True), (40, 288, False), (10, 39, True), (10, 40, False)],
)
def test_exact_intervals_stand_beside_extreme_rates_and_few_cases(count: int, of: int, shown: bool) -> None:
    cell = exact(Rate(count, of, "cases", exact=(0.1, 0.2)))
    assert cell.text == ("[10.0, 20.0]" if shown else "")


def test_what_cannot_be_measured_says_so_and_has_no_number() -> None:
    for cell in (
        rate(Rate(0, 0, "answers", measurable=False)),
        count_of(Rate(0, 0, "cases", measurable=False)),
    ):
        assert cell.text == NOT_MEASURABLE
        assert cell.value is None
        assert cell.numerator is None


def test_a_rate_of_nothing_is_a_dash() -> None:
    assert rate(Rate(0, 0, "answers")).text == NOTHING
    assert count_of(Rate(0, 0, "cases")).text == NOTHING
    assert exact(Rate(0, 0, "cases")).text == ""


@pytest.mark.parametrize(
    ("p", "printed"),
    [
        (6.8556e-4, "6.86e-4"),
        (2.7711e-13, "2.77e-13"),
        (0.8776, "0.878"),
        (0.0020567, "0.002"),
        (0.001, "0.001"),
        (0.0009999, "1.00e-3"),
        (1.0, "1.000"),
        (None, NOTHING),
    ],
)
def test_p_values_as_printed(p: float | None, printed: str) -> None:
    assert p_value(p).text == printed


def test_parts_must_add_up_to_the_whole() -> None:
    check_partition("completion", "A-Mem, Retrieved memory", [14, 110, 164, 576], 864)
    with pytest.raises(
        VerdictTableError, match=r"Table completion, row A-Mem.*14 \+ 110 \+ 164 is 288, not 864"
    ):
        check_partition("completion", "A-Mem, Retrieved memory", [14, 110, 164], 864)


def test_a_row_has_a_cell_for_every_column() -> None:
    with pytest.raises(ValueError, match="table t: 1 cells for 2 columns"):
        Table("t", "T", (Column("a", "A"), Column("b", "B")), ((Cell("x"),),))


@pytest.mark.parametrize(("number", "said"), [(0, "0 cases"), (1, "1 case"), (12_096, "12,096 cases")])
def test_a_count_is_said_with_its_noun(number: int, said: str) -> None:
    assert counted_noun(number, "case") == said
