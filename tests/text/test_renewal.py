"""When an embedded writer lets a statement take an earlier one's place, and when it must not."""

from __future__ import annotations

import pytest

from memjoin.text.renewal import renews, says_change


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Code QF-7719 has moved to Larkmoor Hall.", "Code QF-7719 is for Eastmoor House."),
        ("Locker 12 is now Wren Abara's.", "Locker 12 is Ottilie Vanterpool's."),
        (
            "The urn moved to Larkmoor Hall; the tag is still QF-7719.",
            "The urn, tag QF-7719, is at Eastmoor House.",
        ),
        ("Wren Abara has the key on 9 May 2041 now.", "Wren Abara has the key on 2 May 2041."),
    ],
)
def test_another_value_of_the_same_statement(new: str, old: str) -> None:
    assert renews(new, old)
    assert not renews(old, new)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        # Nothing says that anything changed.
        ("Code QF-7719 is for Larkmoor Hall.", "Code QF-7719 is for Eastmoor House."),
        # Another thing.
        ("Code RH-4460 has moved to Larkmoor Hall.", "Code QF-7719 is for Eastmoor House."),
        # A word of the earlier statement would be lost.
        ("Line 67 is Daichi Ogawa's now.", "Line 67 is Dohyun Kim, for the tapering review."),
        # So would a second value.
        ("Code QF-7719 has moved to Larkmoor Hall.", "Code QF-7719 is for Wren Abara at Eastmoor House."),
        # The new value is of another kind.
        ("Larkmoor Hall has 9 May 2041 now.", "For TRA-419 it is Larkmoor Hall."),
        # The same again, and less.
        ("Code QF-7719 is now for Eastmoor House.", "Code QF-7719 is for Eastmoor House."),
        ("Code QF-7719 has changed.", "Code QF-7719 is for Eastmoor House."),
        ("", ""),
    ],
)
def test_what_would_be_lost_stays(new: str, old: str) -> None:
    assert not renews(new, old)


def test_what_says_that_something_changed() -> None:
    assert says_change("Bed 67 is at Pelham Stairs now.")
    assert says_change("It has been replaced.")
    assert not says_change("I know that they move on Mondays.")
