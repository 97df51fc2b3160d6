"""Files of cases: JSON lines, one case a line, read strictly; and YAML, see ``own``.

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

from memjoin.cases.encoding import decode, without_mark
from memjoin.cases.own.read import read_file
from memjoin.cases.schema import Case, Session, Span
from memjoin.cases.wellformed import CLUE_SESSIONS, FEWER, ID, ID_FORM, TOO_MANY
from memjoin.errors import MemJoinError
from memjoin.text.visible import control, visible

LONGEST = 16 * 2**20
"""The most bytes that a line may have; a case of the release has some 15,000."""

_Decoder: TypeAlias = Callable[[Any, str], Any]


def is_yaml(path: Path) -> bool:
    """Tell whether a file's name says that it holds own cases in YAML."""
    return path.suffix.lower() in (".yaml", ".yml")


def read_cases(path: Path) -> list[Case]:
    """Read a file of cases; one whose name ends in .yaml or .yml in the form for own cases.

    Raises:
        MemJoinError: The file cannot be read, holds no case, or has a line that is no case; the message
            names file, line and field.
    """
    cases = list(iter_cases(path))
    if not cases:
        raise MemJoinError(f"{path}: holds no case", "A file of cases has one JSON object a line.")
    return cases


def iter_cases(path: Path) -> Iterator[Case]:
    """Go through a file of cases, keeping none of them (those of a YAML file are read at once).

    Raises:
        MemJoinError: As ``read_cases``, but for a file without a case.
    """
    if is_yaml(path):
        yield from read_file(path)
        return
    seen: dict[str, int] = {}
    for number, line in iter_lines(path):
        case = read_line(line, f"{path}:{number}")
        if case.id in seen:
            raise MemJoinError(
                f"{path}:{number}: the id {case.id} was given in line {seen[case.id]} already",
                "Give every case an id of its own.",
            )
        seen[case.id] = number
        yield case


def iter_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Go through the lines of a file that are not blank, with their numbers from 1.

    Raises:
        MemJoinError: The file cannot be read, is not UTF-8, or has a line longer than ``LONGEST``.
    """
    try:
        with path.open("rb") as lines:
            number = 0
            while raw := lines.readline(LONGEST + 1):
                number += 1
                if len(raw) > LONGEST:
                    raise MemJoinError(
                        f"{path}:{number}: longer than {LONGEST // 2**20} MB, the most that a case may have",
                        "A file of cases has one JSON object a line.",
                    )
                line = decode(raw, str(path), number)
                line = without_mark(line) if number == 1 else line
                if line.strip():
                    yield number, line
    except OSError as problem:
        raise MemJoinError(f"{path}: cannot be read: {problem.strerror}") from None


class NotACaseError(Exception):
    """A line that is no case: what is wrong, what to do, and the character, from 1, where that is known."""

    def __init__(self, problem: str, advice: str = "", column: int = 0) -> None:
        super().__init__(problem)
        self.advice = advice
        self.column = column


def read_line(line: str, where: str) -> Case:
    """Read one case from a line of JSON; ``where`` is what complaints call the line.

    Raises:
        MemJoinError: It is no case.
    """
    try:
        return parse_line(line)
    except NotACaseError as problem:
        raise MemJoinError(f"{where}: {problem}", problem.advice) from None


def parse_line(line: str) -> Case:
    """Read one case from a line of JSON.

    Raises:
        NotACaseError: It is no case.
    """
    try:
        value = json.loads(line, object_pairs_hook=_once)
        case: Case = _decoder(Case)(value, "")
    except json.JSONDecodeError as problem:
        raise NotACaseError(
            f"no JSON: {problem.msg} at character {problem.pos + 1}",
            "A file of cases has one JSON object a line; a file in YAML has a name that ends in .yaml.",
            problem.pos + 1,
        ) from None
    except RecursionError:
        raise NotACaseError("nested too deep", "A case needs no more than eight levels.") from None
    except _Unfit as problem:
        raise NotACaseError(str(problem), problem.advice) from None
    except ValueError:  # an integer of thousands of digits
        raise NotACaseError("a number has too many digits", "Spans are small whole numbers.") from None
    if len({clue.session for clue in case.annotation.clues}) > CLUE_SESSIONS:
        raise NotACaseError(TOO_MANY, FEWER)
    return case


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Unfit("", f"the field '{twice}' is given twice", "Keep one of them.")
    return found


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

    def __init__(self, path: str, problem: str, advice: str = "") -> None:
        super().__init__(f"{path.lstrip('.')}: {problem}" if path else problem)
        self.advice = advice


@cache
def _decoder(hint: Any) -> _Decoder:
    """Return the function that reads values of a type."""
    if hint is str:
        return _text
    if hint in (int, bool):
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


def _text(value: Any, path: str) -> str:
    if type(value) is not str:
        raise _Unfit(path, f"expected text, found {_shown(value)}")
    if not value.isprintable():
        found = control(value)
        if found is not None:
            raise _Unfit(path, f"holds {found[1]}", "Delete it, or write what it stands for.")
    return value


def _identifier(value: Any, path: str) -> str:
    text = _text(value, path)
    if not ID.fullmatch(text):
        raise _Unfit(path, f"{_shown(text)} is no id of the usual form", ID_FORM)
    return text


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
    if kind in (Case, Session):
        decoders["id"] = _identifier
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


_KINDS = {int: "a whole number", bool: "true or false"}


def _shown(value: Any) -> str:
    text = visible(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else f"{text[:57]}..."
