"""YAML as a tree of places. Every scalar is the text that stands there; nothing is built from it.

Numbers, dates and truth values are so never made up (``id: no`` is the text ``no``), and what makes YAML
dangerous to read (tags, and aliases that multiply) is refused where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import yaml

from memjoin.cases.own.problems import FormError, Mark
from memjoin.text.visible import control

DEEPEST = 12
"""How deep lists and fields may stand in each other; a case needs six levels."""

Value: TypeAlias = "str | list[Node] | dict[str, Node]"


class _At(Protocol):
    """A place as the parser gives it, counted from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Node:
    """A value of a document, and where it starts."""

    mark: Mark
    value: Value
    style: str = ""
    """How text is written: ``|`` as a block, whose lines are lines of the file; ``>`` as one whose lines are
    joined; a quotation mark; or nothing."""
    keys: dict[str, Mark] = field(default_factory=dict)
    """Where the names of its fields stand."""


def parse(text: str) -> list[Node]:
    """Return the documents of a YAML text.

    Raises:
        FormError: It is no YAML, or holds what has no place in a file of cases: control characters, tags,
            anchors and aliases, a field given twice, parts nested more than ``DEEPEST`` levels.
    """
    found = control(text)
    if found is not None:
        raise FormError(
            mark_at(text, found[0]), f"the file holds {found[1]}", "Delete it, or write what it stands for."
        )
    try:
        return list(_documents(yaml.parse(text, Loader=_Loader)))
    except yaml.MarkedYAMLError as problem:
        mark = _mark(problem.problem_mark or problem.context_mark)
        if "\t" in _indentation(text, mark):
            raise FormError(
                mark, "this line is indented with a tab", "YAML wants blanks: replace the tab by blanks."
            ) from None
        raise FormError(
            mark,
            f"not readable as YAML: {problem.problem or problem.context}",
            "Check the indentation: fields of one thing stand under each other, and the text of a "
            "conversation two blanks to the right of `talk: |`. Elsewhere, text that has ': ' or '#' in it "
            "or starts with a bracket or an asterisk must stand in double quotes.",
        ) from None
    except yaml.YAMLError as problem:
        first = str(problem).splitlines()[0]
        raise FormError(Mark(1), f"not readable as YAML: {first}", "Save the file as plain text.") from None


def _indentation(text: str, mark: Mark) -> str:
    """Return the white space that a line begins with."""
    line = "".join(text.split("\n")[mark.line - 1 : mark.line])  # an error may stand behind the last line
    return line[: len(line) - len(line.lstrip())]


def mark_at(text: str, place: int) -> Mark:
    """Return the line and column of a place in text."""
    return Mark(text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place))


def _mark(at: _At | None) -> Mark:
    return Mark(at.line + 1, at.column + 1) if at is not None else Mark(1)


def _documents(events: Iterator[yaml.Event]) -> Iterator[Node]:
    """Put documents together from a parser's events, without recursion: depth costs nothing but a refusal."""
    open_nodes: list[Node] = []
    awaited: list[tuple[str, Mark] | None] = []  # the field whose value comes next, for each open node
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            awaited.pop()
            closed = open_nodes.pop()
            if not open_nodes:
                yield closed
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        mark = _mark(event.start_mark)
        _refuse(event, mark)
        parent = open_nodes[-1] if open_nodes else None
        if parent is not None and isinstance(parent.value, dict) and awaited[-1] is None:
            awaited[-1] = _key(event, mark, parent), mark
            continue
        node = _node(event, mark)
        if parent is not None:
            if isinstance(parent.value, dict):
                name, at = awaited[-1] or ("", mark)
                parent.value[name] = node
                parent.keys[name] = at
                awaited[-1] = None
            elif isinstance(parent.value, list):
                parent.value.append(node)
        if isinstance(event, yaml.CollectionStartEvent):
            if len(open_nodes) >= DEEPEST:
                raise FormError(
                    mark, f"nested more than {DEEPEST} levels deep", "A case needs no more than six levels."
                )
            open_nodes.append(node)
            awaited.append(None)
        elif parent is None:
            yield node


def _refuse(event: yaml.NodeEvent, mark: Mark) -> None:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
        raise FormError(
            mark,
            f"'{sign}{event.anchor}' is an {'alias' if sign == '*' else 'anchor'} of YAML",
            "Cases use none: write the text out, in double quotes if it starts with & or *.",
        )
    # Escapes in double quotes can write what the text of the file itself may not hold.
    found = control(getattr(event, "value", ""))
    if found is not None:
        raise FormError(
            mark, f"this text holds {found[1]}", "Delete the escape, or write what it stands for."
        )
    tag = getattr(event, "tag", None)
    if tag not in (None, "!"):
        raise FormError(
            mark, f"'{tag}' is a tag of YAML", "Cases use none: put text that starts with ! in double quotes."
        )


def _key(event: yaml.NodeEvent, mark: Mark, parent: Node) -> str:
    if not isinstance(event, yaml.ScalarEvent):
        raise FormError(
            mark,
            "the name of a field is expected here",
            "Put text that starts with a bracket in double quotes.",
        )
    name: str = event.value
    if name in parent.keys:
        raise FormError(
            mark,
            f"the field '{name}' is given twice, first in line {parent.keys[name].line}",
            "Keep one of them.",
        )
    return name


def _node(event: yaml.NodeEvent, mark: Mark) -> Node:
    if isinstance(event, yaml.ScalarEvent):
        return Node(mark, event.value, event.style or "")
    return Node(mark, {} if isinstance(event, yaml.MappingStartEvent) else [])
