"""Reading the fields of an own case, with all complaints kept: one mistake does not hide the next."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from datetime import date, datetime

from memjoin.cases.own.problems import FORM, FormError, Mark, Problem
from memjoin.cases.own.tree import Node
from memjoin.cases.wellformed import ID, ID_FORM
from memjoin.cases.yamlfile import suggest

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ]+(\d\d:\d\d)(?::00)?")


class Fields:
    """The fields of one mapping, and where what is wrong with them is kept.

    Methods return None (or what stands for nothing) after a complaint, so that reading goes on.

    Args:
        node: The mapping.
        known: The fields that it may have.
        problems: Where complaints go.
        what: What the mapping is called in complaints.
    """

    def __init__(self, node: Node, known: Collection[str], problems: list[Problem], what: str) -> None:
        self.mark = node.mark
        self.problems = problems
        self.nodes: dict[str, Node] = {}
        self.what = what
        self._keys = node.keys
        self._readable = isinstance(node.value, dict)
        if not isinstance(node.value, dict):
            self.complain(node.mark, f"{what} has fields with names, 'name: value'", _fields(known))
            return
        for name, value in node.value.items():
            if name in known:
                self.nodes[name] = value
            else:
                self.complain(node.keys[name], f"unknown field '{name}'", suggest(name, known))

    def complain(self, mark: Mark, problem: str, advice: str) -> None:
        """Keep a complaint."""
        self.problems.append(Problem(mark, FORM, problem, advice))

    def at(self, name: str) -> Mark:
        """Return where a field stands; where it is missing, where its mapping starts."""
        return self._keys.get(name, self.mark)

    def node(self, name: str, advice: str = "") -> Node | None:
        """Return a field that must be there."""
        if name not in self.nodes:
            if not self._readable:  # said already
                return None
            self.complain(self.mark, f"{self.what} lacks the field '{name}'", advice or f"Add '{name}:'.")
            return None
        return self.nodes[name]

    def text(self, name: str, default: str | None = None, advice: str = "") -> str:
        """Return a text, its white space made single; one that must be there if it has no default."""
        if name not in self.nodes and default is not None:
            return default
        node = self.node(name, advice)
        return self.plain(node, f"'{name}'") if node is not None else ""

    def plain(self, node: Node, what: str) -> str:
        """Return the text of a node."""
        if not isinstance(node.value, str):
            kind = "a list" if isinstance(node.value, list) else "fields"
            self.complain(node.mark, f"{what} is one text, and {kind} stand here", "Write text only.")
            return ""
        text = " ".join(node.value.split())
        if not text:
            self.complain(node.mark, f"{what} is empty", "Write text here.")
        return text

    def one_of(self, name: str, choices: Collection[str], default: str | None, advice: str) -> str:
        """Return a text that is one of some choices."""
        text = self.text(name, default, advice)
        if text and text not in choices:
            self.complain(self.nodes[name].mark, f"'{text}' is none of {', '.join(choices)}", advice)
            return ""
        return text

    def identifier(self, name: str, default: str | None = None) -> str:
        """Return an id."""
        text = self.text(name, default)
        if text and not ID.fullmatch(text):
            self.complain(self.nodes[name].mark, f"'{_short(text)}' is no {name} of the usual form", ID_FORM)
            return ""
        return text

    def forms(self, name: str) -> tuple[str, ...]:
        """Return a text, or a list of texts that mean the same."""
        node = self.node(name)
        return self.forms_of(node, f"'{name}'") if node is not None else ()

    def forms_of(self, node: Node, what: str) -> tuple[str, ...]:
        """Return the text, or the texts that mean the same, of a node."""
        nodes = node.value if isinstance(node.value, list) else [node]
        if not nodes:
            self.complain(node.mark, f"{what} is empty", "Write text here.")
        found = []
        for one in nodes:
            text = self.plain(one, what)
            if text and not any(map(str.isalnum, text)):
                self.complain(one.mark, f"{what} has no letter and no digit", "Write words here.")
            elif text:
                found.append(text)
        return tuple(dict.fromkeys(found))

    def several(self, name: str) -> list[Node]:
        """Return the items of a list; none where it is left out."""
        node = self.nodes.get(name)
        if node is None or node.value == "":
            return []
        if not isinstance(node.value, list):
            self.complain(
                node.mark, f"'{name}' is a list", "Write each item on a line of its own, behind '- '."
            )
            return []
        return node.value

    def day(self, node: Node, what: str) -> str:
        """Return a date in ISO form."""
        text = self.plain(node, what)
        with suppress(ValueError):
            if text and date.fromisoformat(text).isoformat() == text:
                return text
        if text:
            self.complain(node.mark, f"'{_short(text)}' is no date", "Write it like 2029-10-23.")
        return ""

    def time(self, name: str) -> str:
        """Return a local time, as ``schema.Session.at`` has it."""
        node = self.node(name, "Add 'when: 2029-08-20 14:05', the time at which the conversation began.")
        text = self.plain(node, f"'{name}'") if node is not None else ""
        match = _TIME.fullmatch(text)
        if match:
            at = f"{match[1]}T{match[2]}"
            with suppress(ValueError):
                datetime.fromisoformat(at)
                return at
        if text and node is not None:
            self.complain(
                node.mark, f"'{_short(text)}' is no date and time", "Write it like 2029-08-20 14:05."
            )
        return ""

    def inner(self, name: str, known: Collection[str]) -> Fields | None:
        """Return the fields of a field that must be there and have fields itself."""
        node = self.node(name, _fields(known))
        return Fields(node, known, self.problems, f"'{name}'") if node is not None else None

    def attempt(self, error: FormError) -> None:
        """Keep the complaint of a part that could not be read."""
        self.problems.append(error.problem)


def _fields(known: Collection[str]) -> str:
    return f"Its fields: {', '.join(known)}."


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
