"""Reading YAML that people write: every complaint names the file, the line and the place."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import yaml

from memjoin.cases.templates import Template, TemplateError, compile_template
from memjoin.errors import MemJoinError

Step: TypeAlias = "str | int"


@dataclass(frozen=True, slots=True)
class Source:
    """A YAML text and the name to call it by."""

    name: str
    text: str

    def line(self, path: tuple[Step, ...]) -> int:
        """Return the line, from 1, at which a place of the document starts."""
        node = yaml.compose(self.text, Loader=yaml.SafeLoader)
        for step in path:
            found = _child(node, step)
            if found is None:
                break
            node = found
        return node.start_mark.line + 1 if node is not None else 1


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a YAML document, and where it stands."""

    source: Source
    path: tuple[Step, ...]
    value: object

    def error(self, problem: str, hint: str = "") -> MemJoinError:
        """Return the error to raise about this place."""
        where = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in self.path)
        name = f" {where.lstrip('.')}:" if where else ""
        return MemJoinError(f"{self.source.name}:{self.source.line(self.path)}:{name} {problem}", hint)

    def at(self, key: str) -> Place:
        """Return a field of a mapping.

        Raises:
            MemJoinError: There is no such field, or this is no mapping.
        """
        fields = self.mapping()
        if key not in fields:
            raise self.error(f"'{key}' is missing")
        return Place(self.source, (*self.path, key), fields[key])

    def get(self, key: str) -> Place | None:
        """Return a field of a mapping, None where it is left out."""
        return self.at(key) if key in self.mapping() else None

    def mapping(self, keys: Collection[str] | None = None) -> Mapping[str, object]:
        """Return a mapping with text keys; with ``keys``, no others are allowed."""
        value = self.value
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise self.error("expected fields with names")
        for key in value:
            if keys is not None and key not in keys:
                raise self.error(f"unknown field '{key}'", suggest(key, keys))
        return value

    def entries(self, least: int = 0) -> list[Place]:
        """Return the places of a list of at least ``least``."""
        if not isinstance(self.value, list):
            raise self.error("expected a list")
        if len(self.value) < least:
            raise self.error(f"expected at least {least}, found {len(self.value)}")
        return [Place(self.source, (*self.path, i), value) for i, value in enumerate(self.value)]

    def items(self) -> Iterator[tuple[str, Place]]:
        """Go through the fields of a mapping."""
        for key, value in self.mapping().items():
            yield key, Place(self.source, (*self.path, key), value)

    def text(self) -> str:
        """Return text, its white space made single.

        Raises:
            MemJoinError: It is no text, or empty. A bare number is no text: it must be quoted.
        """
        if not isinstance(self.value, str):
            kind = type(self.value).__name__
            raise self.error(f"expected text, found {kind} {self.value!r}", "Put it in quotes.")
        text = " ".join(self.value.split())
        if not text:
            raise self.error("the text is empty")
        return text

    def one_of(self, choices: Collection[str]) -> str:
        """Return text that is one of ``choices``."""
        text = self.text()
        if text not in choices:
            raise self.error(f"'{text}' is none of {', '.join(sorted(choices))}", suggest(text, choices))
        return text

    def texts(self, least: int = 0) -> tuple[str, ...]:
        """Return a list of different texts."""
        places = self.entries(least)
        seen: dict[str, Place] = {}
        for place in places:
            text = place.text()
            if text in seen:
                raise place.error(f"'{text}' is listed twice")
            seen[text] = place
        return tuple(seen)

    def template(self, needs: Collection[str] = (), may: Collection[str] = ()) -> Template:
        """Return compiled wording; see ``compile_template``."""
        try:
            return compile_template(self.text(), needs, may)
        except TemplateError as problem:
            raise self.error(str(problem)) from None

    def templates(self, least: int, needs: Collection[str] = (), may: Collection[str] = ()) -> list[Template]:
        """Return a list of different compiled wordings."""
        self.texts(least)
        return [place.template(needs, may) for place in self.entries()]


def load(name: str, text: str) -> Place:
    """Parse a YAML document.

    Raises:
        MemJoinError: It is no YAML, or uses a key twice in one mapping.
    """
    source = Source(name, text)
    try:
        value = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        what = getattr(problem, "problem", None) or str(problem)
        raise MemJoinError(
            f"{name}:{line}: not readable as YAML: {what}",
            "Text with ': ', '#', a leading '[' or '{' must stand in double quotes.",
        ) from None
    return Place(source, (), value)


def load_file(path: Path, name: str | None = None) -> Place:
    """Read and parse a YAML file; ``name`` is what complaints call it.

    Raises:
        MemJoinError: The file cannot be read, is not UTF-8, or is no YAML.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise MemJoinError(f"{path}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise MemJoinError(f"{path}: not UTF-8 text (byte {problem.start})") from None
    return load(name or path.name, text)


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the known words nearest to one that is not known."""
    known = sorted(known)
    close = difflib.get_close_matches(word, known, n=3, cutoff=0.6)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return f"Known: {', '.join(known[:24])}{', ...' if len(known) > 24 else ''}." if known else ""


# A safe loader, the one in C where it exists, that refuses a field given twice.
_Loader: type[yaml.SafeLoader] = type("_Loader", (getattr(yaml, "CSafeLoader", yaml.SafeLoader),), {})


def _mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[object, object]:
    found: dict[object, object] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in found:
            raise yaml.constructor.ConstructorError(
                None, None, f"the field '{key}' is given twice", key_node.start_mark
            )
        found[key] = loader.construct_object(value_node, deep=True)
    return found


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def _child(node: yaml.Node | None, step: Step) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                found: yaml.Node = value
                return found
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        item: yaml.Node = node.value[step]
        return item
    return None
