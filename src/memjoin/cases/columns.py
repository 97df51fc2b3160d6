"""Cases as columns: the Arrow schema of a case, and Parquet files, by `pyarrow` (the extra ``export``).

Nested parts stay nested. What JSON lines write as ``[session, turn, start, end]`` has these four names here,
what they write as ``[kind, value]`` has these two, and a statement has the fields of both of its forms, of
which those of one are null.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from memjoin.cases.schema import Case, Span
from memjoin.errors import MemJoinError

BATCH = 500
"""How many cases are held at once while a file is written."""


def write_parquet(cases: Iterable[Case], path: Path) -> int:
    """Write cases as a Parquet file, one row a case, and return how many.

    Raises:
        MemJoinError: `pyarrow` is not installed, or the file cannot be written.
    """
    arrow, parquet = _pyarrow()
    written = 0
    part = path.with_name(path.name + ".part")
    rest = iter(cases)
    try:
        with parquet.ParquetWriter(part, arrow_schema(), compression="zstd") as writer:
            while batch := list(islice(rest, BATCH)):
                writer.write_table(
                    arrow.Table.from_pylist([row(case) for case in batch], schema=arrow_schema())
                )
                written += len(batch)
        part.replace(path)
    except OSError as problem:
        raise MemJoinError(f"{path}: cannot be written: {problem.strerror or problem}") from None
    finally:
        part.unlink(missing_ok=True)
    return written


def require() -> None:
    """Say so early where Parquet cannot be written.

    Raises:
        MemJoinError: `pyarrow` is not installed.
    """
    _pyarrow()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MemJoinError(
            "Parquet needs the package pyarrow, which is not installed.",
            "Install it with the extra: pip install 'memjoin[export]' (or uv sync --extra export). "
            "`--format jsonl` needs nothing.",
        ) from None
    return pyarrow, pyarrow.parquet


@cache
def arrow_schema() -> Any:
    """Return the Arrow schema of a case."""
    arrow, _ = _pyarrow()
    return arrow.schema(list(_type(Case)))


def row(value: Any) -> Any:
    """Return a case, or any part of one, as a row has it."""
    if isinstance(value, Span):
        return value._asdict()
    if is_dataclass(value):
        return {field.name: row(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str) and is_dataclass(value[1]):
            return {"kind": value[0], "value": row(value[1])}
        return [row(item) for item in value]
    return value


def _type(hint: Any) -> Any:
    """Return the Arrow type of a type."""
    arrow, _ = _pyarrow()
    plain = {str: arrow.string(), int: arrow.int32(), bool: arrow.bool_()}
    if hint in plain:
        return plain[hint]
    if hint is Span:
        return arrow.struct([(name, arrow.int32()) for name in Span._fields])
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return arrow.string()
    if origin is tuple and args[-1] is Ellipsis:
        return arrow.list_(_type(args[0]))
    if origin is tuple:
        return arrow.struct([("kind", _type(args[0])), ("value", _type(args[1]))])
    kinds = args if origin in (Union, UnionType) else (hint,)
    return arrow.struct(list(dict(_fields(kinds)).items()))


def _fields(kinds: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    for kind in kinds:
        hints = get_type_hints(kind)
        for field in fields(kind):
            yield field.name, _type(hints[field.name])
