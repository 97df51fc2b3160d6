from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.cases.schema import Target, Value
from memjoin.judging.availability import Availability, availability

TARGET = Target(
    Value("Priya Raman", ("Priya Raman",)),
    Value("hereditary cancer screening", ("hereditary cancer screening", "hereditary screening")),
    Value("Northgate Annex", ("Northgate Annex",)),
    Value("2029-09-17", ("2029-09-17",)),
)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        # Table C.4
        ("2029-09-17", True),
        ("September 17, 2029 or 17 September 2029", True),
        ("Sep 17, 2029", True),
        ("09/17/2029 or 2029/09/17", True),
        ("9/17/2029", False),
        ("September 17th, 2029", False),
    ],
)
def test_the_rows_of_table_c4(text: str, passes: bool) -> None:
    assert availability(text, TARGET) == (False, False, passes)


@pytest.mark.parametrize(
    ("text", "service"),
    [
        ("the Hereditary Cancer Screening, again", True),
        ("hereditary screening", True),
        ("hereditary\nscreening", True),
        ("hereditary screenings", False),
        ("hereditary disease screening", False),
        ("screening, hereditary", False),
        ("", False),
    ],
)
def test_any_accepted_form_as_whole_tokens(text: str, service: bool) -> None:
    assert availability(text, TARGET).service is service


def test_it_is_available_only_with_all_three() -> None:
    parts = ["hereditary screening", "at Northgate Annex", "on 17 September 2029"]
    assert availability(" ".join(parts), TARGET) == (True, True, True)
    assert availability(" ".join(parts), TARGET).available
    for left_out in range(3):
        rest = " ".join(parts[:left_out] + parts[left_out + 1 :])
        found = availability(rest, TARGET)
        assert not found.available
        assert [place for place in range(3) if not found[place]] == [left_out]


def test_values_need_not_be_connected_to_anything_nor_stand_together() -> None:
    text = "2029 was wet.\nNorthgate; Annexes. Northgate annex!\n09 rooms\nhereditary screening, 17 of them"
    assert availability(text, TARGET).available


def test_the_canonical_value_counts_though_no_form_repeats_it() -> None:
    target = Target(
        TARGET.subject, Value("gait review", ()), Value("Eastmoor House", ("Eastmoor",)), TARGET.date
    )
    assert availability("gait review at Eastmoor House", target) == (True, True, False)


words = st.sampled_from(
    ["hereditary", "screening", "Northgate", "Annex", "2029", "09", "17", "Sep", "at", "\n", "17th"]
)


@given(st.lists(words).map(" ".join), st.lists(words).map(" ".join))
def test_more_text_never_takes_availability_away(text: str, more: str) -> None:
    alone, together = availability(text, TARGET), availability(f"{text} {more}", TARGET)
    assert all(after or not before for before, after in zip(alone, together, strict=True))


@given(st.lists(words).map(" ".join))
def test_case_and_punctuation_make_no_difference(text: str) -> None:
    expected = availability(text, TARGET)
    assert availability(text.upper(), TARGET) == expected
    assert availability(f"({text.replace(' ', ', ')})", TARGET) == expected


def test_it_is_a_plain_triple() -> None:
    service, site, date = Availability(True, False, True)
    assert (service, site, date) == (True, False, True)
