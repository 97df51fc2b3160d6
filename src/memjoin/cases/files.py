"""Files of cases: JSON lines, one case a line, read strictly.

A line is an object with the fields of ``schema.Case``. Spans are written as ``[session, turn, start, end]``;
everything else as objects with the fields of its type. Unknown fields are refused, so that a misspelt one
is not taken for one left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from memjoin.cases.schema import Case, Span
from memjoin.errors import MemJoinError

_Decoder: TypeAlias = Callable[[Any, str], Any]


def read_cases(path: Path) -> list[Case]:
    """Read a file of cases.

    Raises:
        MemJoinError: The file cannot be read, holds no case, or has a line that is no case; the message
            names file, line and field.
    """
    cases = list(iter_cases(path))
    if not cases:
        raise MemJoinError(f"{path}: holds no case", "A file of cases has one JSON object a line.")
    return cases


def iter_cases(path: Path) -> Iterator[Case]:
    """Go through a file of cases, keeping none of them.

    Raises:
        MemJoinError: As ``read_cases``, but for a file without a case.
    """
    seen: dict[str, int] = {}
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                case = read_line(line, f"{path}:{number}")
                if case.id in seen:
                    raise MemJoinError(
                        f"{path}:{number}: the id {case.id} was given in line {seen[case.id]} already"
                    )
                seen[case.id] = number
                yield case
    except OSError as problem:
        raise MemJoinError(f"{path}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise MemJoinError(f"{path}: not UTF-8 text (byte {problem.start})") from None


def read_line(line: str, where: str) -> Case:
    """Read one case from a line of JSON; ``where`` is what complaints call the line.

    Raises:
        MemJoinError: It is no case.
    """
    try:
        value = json.loads(line)
    except json.JSONDecodeError as problem:
        raise MemJoinError(f"{where}: no JSON: {problem.msg} at character {problem.pos + 1}") from None
    try:
        case: Case = _decoder(Case)(value, "")
    except _Unfit as problem:
        raise MemJoinError(f"{where}: {problem}") from None
    return case


def write_cases(cases: Iterable[Case], path: Path) -> int:
    """Write a file of cases, one after the other as they come, and return how many.

    The file takes its place when it is complete; what was there before stays if anything fails.

    Raises:
        MemJoinError: The file cannot be written.
    """
    written = 0
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as out:
            for case in cases:
                out.write(to_line(case))
                written += 1
        part.replace(path)
    except OSError as problem:
        raise MemJoinError(f"{path}: cannot be written: {problem.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
    return written


def to_line(case: Case) -> str:
    """Return a case as its line of a file, line end included; equal cases give equal bytes."""
    return json.dumps(to_plain(case), ensure_ascii=False, separators=(",", ":")) + "\n"


def to_plain(value: Any) -> Any:
    """Return a case, or any part of one, as JSON has it."""
    if isinstance(value, Span):
        return [value.session, value.turn, value.start, value.end]
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    return value


class _Unfit(Exception):
    """A value that does not fit its field."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path.lstrip('.')}: {problem}" if path else problem)


@cache
def _decoder(hint: Any) -> _Decoder:
    """Return the function that reads values of a type."""
    if hint in (str, int, bool):
        return _plain(hint)
    if hint is Span:
        return _span
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _literal(args)
    if origin is tuple:
        return _sequence(args[0]) if args[-1] is Ellipsis else _row(args)
    if origin in (Union, UnionType):
        return _either(args)
    return _record(hint)


def _plain(kind: type) -> _Decoder:
    def decode(value: Any, path: str) -> Any:
        if type(value) is not kind:
            raise _Unfit(path, f"expected {_KINDS[kind]}, found {_shown(value)}")
        return value

    return decode


def _literal(options: tuple[Any, ...]) -> _Decoder:
    def decode(value: Any, path: str) -> Any:
        if value not in options:
            raise _Unfit(path, f"expected one of {', '.join(options)}, found {_shown(value)}")
        return value

    return decode


def _span(value: Any, path: str) -> Span:
    if not isinstance(value, list) or len(value) != 4 or any(type(part) is not int for part in value):
        raise _Unfit(path, f"expected [session, turn, start, end], found {_shown(value)}")
    return Span(*value)


def _sequence(item: Any) -> _Decoder:
    decode_item = _decoder(item)

    def decode(value: Any, path: str) -> Any:
        if not isinstance(value, list):
            raise _Unfit(path, f"expected a list, found {_shown(value)}")
        return tuple([decode_item(one, f"{path}[{place}]") for place, one in enumerate(value)])

    return decode


def _row(items: tuple[Any, ...]) -> _Decoder:
    decoders = [_decoder(item) for item in items]

    def decode(value: Any, path: str) -> Any:
        if not isinstance(value, list) or len(value) != len(decoders):
            raise _Unfit(path, f"expected a list of {len(decoders)}, found {_shown(value)}")
        return tuple(
            [
                one(part, f"{path}[{place}]")
                for place, (one, part) in enumerate(zip(decoders, value, strict=True))
            ]
        )

    return decode


def _record(kind: Any) -> _Decoder:
    hints = get_type_hints(kind)
    decoders = {field.name: _decoder(hints[field.name]) for field in fields(kind)}
    needed = {field.name for field in fields(kind) if field.default is MISSING}

    def decode(value: Any, path: str) -> Any:
        if not isinstance(value, dict):
            raise _Unfit(path, f"expected an object, found {_shown(value)}")
        for name in value:
            if name not in decoders:
                raise _Unfit(path, f"unknown field '{name}'")
        for name in decoders:
            if name in needed and name not in value:
                raise _Unfit(path, f"the field '{name}' is missing")
        return kind(
            **{name: decoders[name](value[name], f"{path}.{name}") for name in decoders if name in value}
        )

    return decode


def _either(kinds: tuple[Any, ...]) -> _Decoder:
    """Read one of several types of object, told apart by the fields they must have."""
    options = [
        ({field.name for field in fields(kind) if field.default is MISSING}, _decoder(kind)) for kind in kinds
    ]

    def decode(value: Any, path: str) -> Any:
        for needed, decode_it in options:
            if isinstance(value, dict) and needed <= value.keys():
                return decode_it(value, path)
        ways = " or ".join(", ".join(sorted(needed)) for needed, _ in options)
        raise _Unfit(path, f"expected an object with the fields {ways}, found {_shown(value)}")

    return decode


_KINDS = {str: "text", int: "a whole number", bool: "true or false"}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
