from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.text.dates import date_forms, date_stated, find_dates, states_date
from memjoin.text.tokens import tokens

TARGET = "2029-09-17"
days = st.dates(min_value=date(1900, 1, 1), max_value=date(2199, 12, 31))


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        # Table C.4, row by row
        ("2029-09-17", True),
        ("September 17, 2029", True),
        ("17 September 2029", True),
        ("Sep 17, 2029", True),
        ("09/17/2029", True),
        ("2029/09/17", True),
        ("9/17/2029", False),
        ("September 17th, 2029", False),
        # the ISO form on digit boundaries
        ("due 2029-09-17.", True),
        ("x2029-09-17T10:00", True),
        ("12029-09-17", False),
        ("2029-09-170", False),
        # tokens anywhere, in any order, whatever their case
        ("In 2029 we meet, on the first SEPTEMBER days or on 17", True),
        ("room 17, form 09, year 2029", True),
        ("17.09.2029", True),
        # one token short
        ("September 2029", False),
        ("17 September", False),
        ("17 Sept 2029", False),
        ("17 Septembers 2029", False),
        ("20290917", False),
        ("17 9 2029", False),
        ("", False),
    ],
)
def test_the_date_rule_of_table_c4(text: str, passes: bool) -> None:
    assert states_date(text, TARGET) is passes


def test_a_day_below_ten_needs_its_leading_zero() -> None:
    assert states_date("05 May 2030", "2030-05-05")
    assert not states_date("5 May 2030", "2030-05-05")


def test_year_month_and_day_may_come_from_different_dates() -> None:
    assert states_date("2029-01-02, 2030-09-03, 2031-04-17", TARGET)


@given(days, st.text(alphabet=" ab1-"))
def test_a_stated_date_stays_stated_whatever_is_added(day: date, more: str) -> None:
    for form in date_forms(day.isoformat()):
        assert states_date(f"{more} {form} {more}", day.isoformat())


@given(days)
def test_every_form_of_a_case_passes_and_is_found(day: date) -> None:
    iso = day.isoformat()
    for form in date_forms(iso):
        assert states_date(form, iso)
        text = f"It is on {form}, I think."
        assert find_dates(text) == [(9, 9 + len(form), iso)]


@given(days)
def test_a_date_with_its_tokens_at_hand(day: date) -> None:
    text = f"from {date_forms(day.isoformat())[1]} on"
    assert date_stated(text, set(tokens(text)), day.isoformat())


def test_the_forms_that_cases_use() -> None:
    assert date_forms(TARGET) == (
        "2029-09-17",
        "17 September 2029",
        "September 17, 2029",
        "17 Sep 2029",
        "Sep 17, 2029",
        "2029/09/17",
        "09/17/2029",
    )
    assert len(date_forms("2029-05-17")) == 5  # May is its own abbreviation


@pytest.mark.parametrize(
    "text",
    [
        "September 17th, 2029",
        "the 17th of September 2029",
        "17th September, 2029",
        "Sept. 17, 2029",
        "Sep. 17 2029",
        "september the 17th 2029",
        "9/17/2029",
        "17/09/2029",
        "17.9.2029",
        "2029-09-17T10:00",
        "2029.09.17",
    ],
)
def test_more_is_understood_than_passes_the_check(text: str) -> None:
    assert [iso for _, _, iso in find_dates(text)] == [TARGET]


@pytest.mark.parametrize(
    "text",
    ["2029-13-17", "31 February 2029", "17 September", "2029", "version 1.2.3", "9/2029"],
)
def test_what_is_no_date(text: str) -> None:
    assert find_dates(text) == []


def test_an_all_numeric_date_is_month_first_where_both_are_possible() -> None:
    assert find_dates("03/04/2029")[0][2] == "2029-03-04"
    assert find_dates("03.04.2029")[0][2] == "2029-04-03"


def test_places_of_dates() -> None:
    text = "moved from Sep 13, 2029 to 2029-09-17"
    assert [text[start:end] for start, end, _ in find_dates(text)] == ["Sep 13, 2029", "2029-09-17"]


@pytest.mark.parametrize("bad", ["2029-9-17", "17 September 2029", "2029-02-30", "", "20290917"])
def test_a_target_that_is_no_iso_date_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        states_date("2029-09-17", bad)
    with pytest.raises(ValueError, match=r"."):
        date_forms(bad)
