"""The reference systems beside verbatim: retrieval by words, and a memory that stays empty."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.systems import registry
from memjoin.systems.bm25.adapter import Bm25
from memjoin.systems.none.adapter import Nothing
from memjoin.systems.protocol import Session, Settings, Turn, WriteReport

AT = "2029-08-20T14:05"
SETTINGS = Settings("http://127.0.0.1:9/v1", "key", "chat", "embedding", 16, home="")
"""Nothing answers there: these systems ask nothing."""


def talk(*texts: str, name: str = "s1") -> Session:
    return Session(name, AT, tuple(Turn("user", text) for text in texts))


@pytest.fixture(scope="module")
def library() -> Bm25:
    return Bm25(SETTINGS)


@pytest.fixture
def system(library: Bm25) -> Bm25:
    library.reset("case", 0)
    return library


def test_every_turn_is_a_record(system: Bm25) -> None:
    assert system.write(talk("The urn is at Larkmoor.", "Zoë has the key.")) == WriteReport(added=2)
    assert [record.text for record in system.export()] == [
        "[2029-08-20 14:05] user: The urn is at Larkmoor.",
        "[2029-08-20 14:05] user: Zoë has the key.",
    ]
    assert [record.id for record in system.export()] == ["s1/1", "s1/2"]
    system.reset("next", 0)
    assert system.export() == system.retrieve("urn", 3) == []


def test_scores_are_those_of_the_formula(system: Bm25) -> None:
    """Lucene's variant of BM25 with k1 = 1.5, b = 0.75, worked out by hand on three records."""
    system.write(talk("urn urn hall", "urn key", "key box shed yard"))
    # Date, time and speaker are words of every record: 2029, 08, 20, 14, 05, user.
    lengths = [9, 8, 10]

    def weight(times: int, containing: int, length: int) -> float:
        idf = math.log(1 + (3 - containing + 0.5) / (containing + 0.5))
        return idf * times / (times + 1.5 * (1 - 0.75 + 0.75 * length / (sum(lengths) / 3)))

    found = system.retrieve("the urn, and the shed", None)
    expected = {
        "s1/1": weight(2, 2, lengths[0]),
        "s1/2": weight(1, 2, lengths[1]),
        "s1/3": weight(1, 1, lengths[2]),
    }
    assert {record.id: record.score for record in found} == pytest.approx(expected, rel=1e-5)
    assert [record.id for record in found] == sorted(expected, key=lambda name: -expected[name])


def test_a_record_that_shares_no_word_is_not_found(system: Bm25) -> None:
    system.write(talk("The urn is at Larkmoor.", "Zoë has the key."))
    assert [record.id for record in system.retrieve("Where is the LARKMOOR urn?", 10)] == ["s1/1"]
    assert system.retrieve("nowhere", 10) == []
    # Stop words are no words.
    assert system.retrieve("is the at", 10) == system.retrieve("", 10) == []


def test_of_equal_ones_the_earlier_comes_first_and_k_is_kept(system: Bm25) -> None:
    system.write(talk(*["Same words."] * 12))
    assert [record.id for record in system.retrieve("same", 3)] == ["s1/1", "s1/2", "s1/3"]
    assert len(system.retrieve("same", None)) == 10


def test_what_is_written_after_a_retrieval_is_found_too(system: Bm25) -> None:
    system.write(talk("The urn is at Larkmoor."))
    assert len(system.retrieve("urn", 5)) == 1
    system.write(talk("The urn is gone.", name="s2"))
    assert {record.id for record in system.retrieve("urn", 5)} == {"s1/1", "s2/1"}


def test_turns_without_a_word_do_no_harm(system: Bm25) -> None:
    system.write(talk("", " \n", "?!"))
    assert len(system.export()) == 3
    assert system.retrieve("urn", 5) == []


@given(st.lists(st.text(max_size=40), max_size=6), st.text(max_size=40))
def test_only_records_that_share_a_word_are_found(texts: list[str], query: str) -> None:
    system = _SHARED
    system.reset("case", 0)
    system.write(talk(*texts))
    found = system.retrieve(query, 3)
    assert len(found) <= 3
    words = set(re.findall(r"\w\w+", query.lower()))
    assert all(words & set(re.findall(r"\w\w+", record.text.lower())) for record in found)
    scores = [record.score or 0.0 for record in found]
    assert scores == sorted(scores, reverse=True)


_SHARED = Bm25(SETTINGS)


def test_none_keeps_nothing() -> None:
    system = Nothing(SETTINGS)
    system.reset("case", 0)
    assert system.write(talk("The urn is at Larkmoor.")) == WriteReport()
    assert system.export() == system.retrieve("urn", 5) == []
    system.close()


def test_references_are_measured_by_default_and_listed_after_the_systems() -> None:
    specs = registry.known()
    references = [spec.name for spec in specs if spec.reference]
    assert references == ["bm25", "none", "verbatim"]
    assert [spec.name for spec in specs][-3:] == references
    assert {"bm25", "none", "verbatim"} <= {spec.name for spec in registry.defaults()}
