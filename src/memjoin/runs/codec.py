"""Typed values as JSON text for the ledger, and back."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from memjoin.runs.database import LedgerError

_T = TypeVar("_T")


def encode(kind: type[_T], value: _T) -> str:
    """Return a value of a dataclass (or of anything pydantic knows) as JSON."""
    return _adapter(kind).dump_json(value).decode()


def decode(kind: type[_T], text: str) -> _T:
    """Return the value that ``encode`` wrote.

    Raises:
        LedgerError: The text is not of that kind.
    """
    try:
        value: _T = _adapter(kind).validate_json(text)
    except ValidationError as error:
        raise LedgerError(
            f"A row of the ledger cannot be read as {kind.__name__}: {error.errors()[0]['msg']}.",
            "It was written by another version, or damaged; --fresh begins anew beside it.",
        ) from error
    return value


def clean(text: str) -> str:
    """Return text without lone surrogates (halves of characters, which models sometimes write), each
    replaced by a question mark: no file and no database takes them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]
