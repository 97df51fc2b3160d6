"""When the reading says that it cannot vouch for a text, and when it may say that nothing joins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memjoin.cases.schema import Case
from memjoin.judging.joins import joins

LINKS = ["Priya Raman is down as Juniper.", "Juniper's envelope is stamped KX-4821."]
VALUES = "KX-4821 is the hereditary screening at Northgate Annex on 2029-09-17."


@pytest.mark.parametrize(
    "records",
    [
        # a value that is tied to nothing, beside all the rest
        [
            *LINKS,
            "KX-4821 is the hereditary screening on 2029-09-17.",
            "Northgate Annex was mentioned as well.",
        ],
        # lists that nobody can pair, and a reader might
        ["Priya Raman, Tomas Weber; hereditary screening, gait review; Northgate Annex; 2029-09-17."],
        # all values float, and the subject is named
        ["Priya Raman has something coming up.", "A hereditary screening at Northgate Annex on 2029-09-17."],
        # the two ends of a link share a sentence that does not state it
        ["Priya Raman, Tomas Weber and Juniper, Juniper's envelope being KX-4821, met.", VALUES],
        # a record that takes up what another record names
        ["Priya Raman came.", "She is Juniper.", "Her envelope is KX-4821.", VALUES],
        # the store says of another entry what the case says of this one
        ["Priya Raman has KX-3307.", "KX-3307 is the hereditary screening at Northgate Annex on 2029-09-17."],
    ],
)
def test_what_may_join_without_our_being_able_to_say_so(chain: Case, records: list[str]) -> None:
    found = joins(records, chain)
    assert not found.joinable
    assert found.unreadable


@pytest.mark.parametrize(
    "records",
    [
        [],
        ["Nothing of note was said."],
        LINKS,
        [VALUES],
        [LINKS[0], VALUES],
        [LINKS[1], VALUES],
        # no subject
        ["A hereditary screening at Northgate Annex on 2029-09-17."],
        # a mark has the values
        [LINKS[0], "[redacted] is the hereditary screening at Northgate Annex on 2029-09-17."],
        # another person has them, and the text says so
        ["Priya Raman says hello.", "Tomas Weber: hereditary screening, Northgate Annex, 2029-09-17."],
        # denied, asked
        [*LINKS, "KX-4821 is the hereditary screening on 2029-09-17.", "It is not at Northgate Annex."],
        [*LINKS, "KX-4821 is the hereditary screening on 2029-09-17.", "Is Northgate Annex nice?"],
    ],
)
def test_what_can_be_read_and_does_not_join(chain: Case, records: list[str]) -> None:
    found = joins(records, chain)
    assert not found.joinable
    assert not found.unreadable


def test_what_joins_is_never_unreadable(chain: Case) -> None:
    found = joins([*LINKS, VALUES, "Northgate Annex was mentioned as well."], chain)
    assert found.joinable
    assert not found.unreadable


def test_a_case_without_clues_cannot_be_read(chain: Case) -> None:
    bare = replace(chain, annotation=replace(chain.annotation, clues=()))
    for records in ([], [*LINKS, VALUES]):
        found = joins(records, bare)
        assert found.unreadable
        assert not found.joinable
        assert (found.kept, found.clues, found.kept_by_session) == (0, 0, ())
    assert joins([VALUES], bare).available  # surfaces need no clues
