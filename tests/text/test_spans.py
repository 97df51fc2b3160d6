"""Replacing stretches of text, reading it in parts, and knowing what of it is taken."""

from hypothesis import given
from hypothesis import strategies as st

from memjoin.text.spans import Span, parts, replaced
from memjoin.text.stretches import Stretches

PLACES = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)).map(lambda it: (it[0], it[0] + it[1])))


@given(st.text(alphabet="ab .\n", max_size=80), st.integers(2, 20))
def test_parts_are_the_text_and_none_is_too_long(text, longest):
    found = list(parts(text, longest))
    assert "".join(part for _, part in found) == text
    assert all(text[begin:].startswith(part) and len(part) <= longest for begin, part in found)
    assert len(found) <= 2 * len(text) // longest + 1


def test_a_part_ends_where_a_line_does_else_a_sentence_else_a_word():
    assert [part for _, part in parts("one two\nthree. four", 12)] == ["one two\n", "three. four"]
    assert [part for _, part in parts("one two. three four", 12)] == ["one two. ", "three four"]
    assert [part for _, part in parts("onetwo three four", 9)] == ["onetwo ", "three ", "four"]
    assert [part for _, part in parts("x" * 5, 2)] == ["xx", "xx", "x"]


@given(PLACES, PLACES)
def test_a_stretch_is_free_where_none_of_it_is_taken(taken, asked):
    found = Stretches(taken)
    for start, end in asked:
        free = all(end <= a or b <= start for a, b in taken)
        assert found.free(start, end) == free
        if free:
            found.take(start, end)
            taken = [*taken, (start, end)]


def test_of_two_that_overlap_the_first_counts():
    spans = [Span(2, 5, "<b>"), Span(0, 3, "<a>"), Span(7, 8, "<c>")]
    assert replaced("0123456789", spans) == "<a>56<c>89"
    assert replaced("0123", []) == "0123"
