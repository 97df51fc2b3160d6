"""The protocol's values as JSON."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.systems import wire
from memjoin.systems.protocol import Loss, LossKind, Record, Session, Settings, Turn, WriteReport

text = st.text(st.characters(exclude_categories=["Cs"]))
times = st.none() | st.datetimes().map(lambda moment: moment.isoformat())
records = st.builds(
    Record,
    id=text.filter(bool),
    text=text,
    kind=text,
    created=times,
    updated=times,
    sessions=st.lists(text, max_size=3).map(tuple),
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
counts = st.integers(0, 10**6)
reports = st.builds(
    WriteReport,
    added=counts,
    changed=counts,
    removed=counts,
    model_calls=counts,
    losses=st.lists(st.builds(Loss, kind=st.sampled_from(get_args(LossKind)), detail=text), max_size=3).map(
        tuple
    ),
)


@given(st.lists(records, max_size=4, unique_by=lambda record: record.id))
def test_records_come_back(value: list[Record]) -> None:
    sent = json.loads(json.dumps(wire.records_to_json(value), allow_nan=False))
    assert wire.records_from_json(sent, unique=True) == value
    assert wire.check_records(value, unique=True) == value


@given(reports)
def test_reports_come_back(value: WriteReport) -> None:
    assert wire.report_from_json(json.loads(json.dumps(wire.report_to_json(value)))) == value
    assert wire.check_report(value) == value


@given(
    st.builds(
        Session,
        id=text,
        at=text,
        turns=st.lists(
            st.builds(Turn, speaker=st.sampled_from(["user", "assistant"]), text=text), max_size=3
        ).map(tuple),
    )
)
def test_sessions_come_back(value: Session) -> None:
    assert wire.session_from_json(json.loads(json.dumps(wire.session_to_json(value)))) == value


def test_settings_come_back() -> None:
    value = Settings("http://127.0.0.1:1/v1", "k", "c", "e", 384, "/home", {"a": [1, "b"]})
    assert wire.settings_from_json(json.loads(json.dumps(wire.settings_to_json(value)))) == value


def test_only_id_and_text_are_needed() -> None:
    assert wire.records_from_json([{"id": "1", "text": "a"}], unique=True) == [Record("1", "a")]
    assert wire.report_from_json({}) == WriteReport()


def test_one_id_may_come_twice_in_a_retrieval_only() -> None:
    twice = [{"id": "1", "text": "a"}, {"id": "1", "text": "a"}]
    assert len(wire.records_from_json(twice, unique=False)) == 2
    with pytest.raises(wire.FormError, match="two records have the id '1'"):
        wire.records_from_json(twice, unique=True)


GOOD: dict[str, Any] = {"id": "1", "text": "a"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "expected a list of records, got nothing"),
        ([GOOD, 3], "record 1: expected an object, got int"),
        ([{"text": "a"}], "record 0: 'id' is missing"),
        ([GOOD | {"id": 7}], "record 0, id: expected text, got int"),
        ([GOOD | {"text": ["a"]}], "record 0, text: expected text, got list"),
        ([GOOD | {"kind": None}], "record 0, kind: expected text, got nothing"),
        ([GOOD | {"created": 1893456000}], "record 0, created: expected text, got int"),
        ([GOOD | {"updated": "20th of August"}], "record 0, updated: '20th of August' is no ISO 8601"),
        ([GOOD | {"sessions": "s1"}], "record 0, sessions: expected a list of session ids, got str"),
        ([GOOD | {"sessions": [1]}], "record 0, sessions: expected text, got int"),
        ([GOOD | {"score": "0.3"}], "record 0, score: expected a finite number, got '0.3'"),
        ([GOOD | {"score": True}], "record 0, score: expected a finite number, got True"),
        ([GOOD | {"date": "x"}], "record 0: unknown field 'date'; known are id, text, kind"),
    ],
)
def test_ill_formed_records(value: object, message: str) -> None:
    with pytest.raises(wire.FormError) as raised:
        wire.records_from_json(value, unique=True)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "the report of a write: expected an object, got nothing"),
        ({"added": -1}, "added: expected a count, 0 or more, got -1"),
        ({"changed": 1.0}, "changed: expected a count, 0 or more, got 1.0"),
        ({"removed": True}, "removed: expected a count, 0 or more, got True"),
        ({"calls": 1}, "the report of a write: unknown field 'calls'"),
        ({"losses": "none"}, "losses: expected a list, got str"),
        ({"losses": [{"kind": "bad", "detail": ""}]}, "losses, 0, kind: 'bad' is none of unparseable-reply"),
        ({"losses": [{"kind": "other", "detail": 1}]}, "losses, 0, detail: expected text, got int"),
    ],
)
def test_ill_formed_reports(value: object, message: str) -> None:
    with pytest.raises(wire.FormError) as raised:
        wire.report_from_json(value)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize("value", [None, {"added": 1}, wire.records_to_json([])])
def test_reports_that_are_none(value: object) -> None:
    with pytest.raises(wire.FormError, match="expected a WriteReport"):
        wire.check_report(value)
