"""The protocol's values as JSON, and the checks that they are what they claim. Standard library only.

Both sides use it: the worker to send, the host to receive. What a system returns is checked to the letter,
since an ill-formed record that slips through here would be counted as a well-formed one later.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from memjoin.systems.protocol import Loss, LossKind, Record, Session, Settings, Turn, WriteReport

PROTOCOL = 1
"""The version of the protocol, sent with ``start`` and answered."""

_LOSS_KINDS: tuple[str, ...] = get_args(LossKind)
_RECORD_KEYS = ("id", "text", "kind", "created", "updated", "sessions", "score")
_REPORT_KEYS = ("added", "changed", "removed", "model_calls", "losses")


class FormError(ValueError):
    """A value is not as the protocol says; the message names the place in it."""


def session_to_json(session: Session) -> dict[str, Any]:
    """Return a session as the ``write`` call sends it."""
    turns = [{"speaker": turn.speaker, "text": turn.text} for turn in session.turns]
    return {"id": session.id, "at": session.at, "turns": turns}


def session_from_json(data: Mapping[str, Any]) -> Session:
    """Return the session that :func:`session_to_json` made."""
    turns = tuple(Turn(turn["speaker"], turn["text"]) for turn in data["turns"])
    return Session(data["id"], data["at"], turns)


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """Return settings as the ``start`` call sends them."""
    return {
        "base_url": settings.base_url,
        "api_key": settings.api_key,
        "chat_model": settings.chat_model,
        "embedding_model": settings.embedding_model,
        "dimensions": settings.dimensions,
        "home": settings.home,
        "options": dict(settings.options),
    }


def settings_from_json(data: Mapping[str, Any]) -> Settings:
    """Return the settings that :func:`settings_to_json` made."""
    return Settings(**data)


def records_to_json(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return records as ``export`` and ``retrieve`` answer them."""
    return [
        {
            "id": record.id,
            "text": record.text,
            "kind": record.kind,
            "created": record.created,
            "updated": record.updated,
            "sessions": list(record.sessions),
            "score": record.score,
        }
        for record in records
    ]


def report_to_json(report: WriteReport) -> dict[str, Any]:
    """Return a write report as ``write`` answers it."""
    return {
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "model_calls": report.model_calls,
        "losses": [{"kind": loss.kind, "detail": loss.detail} for loss in report.losses],
    }


def check_records(value: object, *, unique: bool) -> list[Record]:
    """Return what a Python system returned as a list of records.

    Args:
        value: What ``export`` or ``retrieve`` returned.
        unique: Whether two records of one id are wrong, as in an export.

    Raises:
        FormError: It is no list or tuple of well-formed :class:`Record` objects.
    """
    if not isinstance(value, list | tuple):
        raise FormError(f"expected a list of records, got {_name(value)}")
    for place, item in enumerate(value):
        if not isinstance(item, Record):
            raise FormError(f"record {place}: expected a Record, got {_name(item)}")
    return records_from_json(records_to_json(value), unique=unique)


def check_report(value: object) -> WriteReport:
    """Return what a Python system's ``write`` returned.

    Raises:
        FormError: It is no well-formed :class:`WriteReport`.
    """
    if not isinstance(value, WriteReport):
        raise FormError(f"expected a WriteReport, got {_name(value)}")
    for place, loss in enumerate(value.losses):
        if not isinstance(loss, Loss):
            raise FormError(f"losses, {place}: expected a Loss, got {_name(loss)}")
    return report_from_json(report_to_json(value))


def records_from_json(value: object, *, unique: bool) -> list[Record]:
    """Return the records of an answer. ``unique`` as in :func:`check_records`.

    Raises:
        FormError: The answer is no list of well-formed records; names the record and the field.
    """
    if not isinstance(value, list):
        raise FormError(f"expected a list of records, got {_name(value)}")
    records = [_record(item, f"record {place}") for place, item in enumerate(value)]
    if unique:
        seen: set[str] = set()
        for record in records:
            if record.id in seen:
                raise FormError(f"two records have the id {record.id!r}")
            seen.add(record.id)
    return records


def report_from_json(value: object) -> WriteReport:
    """Return the write report of an answer.

    Raises:
        FormError: It is not well-formed; names the field.
    """
    fields = _object(value, _REPORT_KEYS, "the report of a write")
    losses = fields.get("losses", [])
    if not isinstance(losses, list):
        raise FormError(f"losses: expected a list, got {_name(losses)}")
    return WriteReport(
        added=_count(fields, "added"),
        changed=_count(fields, "changed"),
        removed=_count(fields, "removed"),
        model_calls=_count(fields, "model_calls"),
        losses=tuple(_loss(item, f"losses, {place}") for place, item in enumerate(losses)),
    )


def _record(value: object, place: str) -> Record:
    fields = _object(value, _RECORD_KEYS, place)
    for name in ("id", "text"):
        if name not in fields:
            raise FormError(f"{place}: {name!r} is missing")
    if not _text(fields["id"], f"{place}, id"):
        raise FormError(f"{place}, id: must not be empty")
    sessions = fields.get("sessions", [])
    if not isinstance(sessions, list):
        raise FormError(f"{place}, sessions: expected a list of session ids, got {_name(sessions)}")
    return Record(
        id=fields["id"],
        text=_text(fields["text"], f"{place}, text"),
        kind=_text(fields.get("kind", "memory"), f"{place}, kind"),
        created=_time(fields.get("created"), f"{place}, created"),
        updated=_time(fields.get("updated"), f"{place}, updated"),
        sessions=tuple(_text(item, f"{place}, sessions") for item in sessions),
        score=_score(fields.get("score"), f"{place}, score"),
    )


def _loss(value: object, place: str) -> Loss:
    fields = _object(value, ("kind", "detail"), place)
    kind = fields.get("kind")
    if kind not in _LOSS_KINDS:
        raise FormError(f"{place}, kind: {kind!r} is none of {', '.join(_LOSS_KINDS)}")
    return Loss(kind, _text(fields.get("detail", ""), f"{place}, detail"))


def _object(value: object, known: Sequence[str], place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormError(f"{place}: expected an object, got {_name(value)}")
    for key in value:
        if key not in known:
            raise FormError(f"{place}: unknown field {key!r}; known are {', '.join(known)}")
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise FormError(f"{place}: expected text, got {_name(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise FormError(f"{place}: holds half a surrogate pair at character {error.start}") from error
    return value


def _time(value: object, place: str) -> str | None:
    if value is None:
        return None
    text = _text(value, place)
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise FormError(f"{place}: {text!r} is no ISO 8601 date or time") from error
    return text


def _score(value: object, place: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise FormError(f"{place}: expected a finite number, got {value!r}")
    return float(value)


def _count(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FormError(f"{name}: expected a count, 0 or more, got {value!r}")
    return value


def _name(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
