import itertools

import pytest

from memjoin.judging.levels import Fields, level


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        # binding, service, site, date: the rules of Table C.1
        ((False, False, False, False), 0),
        ((True, False, False, False), 0),  # bound to something, but not to the tested service
        ((False, True, False, False), 1),
        ((False, False, True, False), 1),
        ((False, False, False, True), 1),
        ((False, True, True, True), 1),  # all values, disconnected
        ((True, False, True, True), 1),  # the service itself is not reported
        ((True, True, False, False), 2),
        ((True, True, True, False), 3),
        ((True, True, False, True), 3),
        ((True, True, True, True), 4),
    ],
)
def test_table_c1(fields: tuple[bool, bool, bool, bool], expected: int) -> None:
    assert level(Fields(*fields)) == expected


def test_every_combination_has_a_level() -> None:
    levels = [level(Fields(*fields)) for fields in itertools.product((False, True), repeat=4)]
    # Of the 16: nothing with or without binding; 4 bound; the other 10 report something unbound.
    assert {value: levels.count(value) for value in range(5)} == {0: 2, 1: 10, 2: 1, 3: 2, 4: 1}


@pytest.mark.parametrize("fields", list(itertools.product((False, True), repeat=4)))
@pytest.mark.parametrize("place", range(4))
def test_stating_more_never_lowers_a_level(fields: tuple[bool, ...], place: int) -> None:
    more = [value or at == place for at, value in enumerate(fields)]
    assert level(Fields(*more)) >= level(Fields(*fields))
