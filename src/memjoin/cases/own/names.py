"""The names of a case: which surfaces of its text mean which person, entry, site, date or service."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from memjoin.text.graph import Handle, HandleType

Kind: TypeAlias = Literal["person", "entry", "site", "date", "service"]
Key: TypeAlias = tuple[Kind, str]
"""The kind of a thing and its canonical name."""

CALLED: dict[Kind, str] = {
    "person": "a person",
    "entry": "an entry",
    "site": "a site",
    "date": "a date",
    "service": "a service",
}
"""How each kind is called in complaints."""


class Mention(NamedTuple):
    """Characters ``start`` to ``end`` of a text name a thing."""

    start: int
    end: int
    key: Key


class Names:
    """All names of a case. A surface that means two things is refused when it is added."""

    def __init__(self) -> None:
        self.forms: dict[Key, tuple[str, ...]] = {}
        self._keys: dict[str, Key] = {}
        self._pattern: re.Pattern[str] | None = None

    def add(self, key: Key, forms: Sequence[str]) -> str | None:
        """Add a thing with its forms. Returns a form that means something else already, None without one."""
        for form in forms:
            if self._keys.setdefault(form.casefold(), key) != key:
                return form
        self.forms[key] = tuple(dict.fromkeys((*self.forms.get(key, ()), *forms)))
        self._pattern = None
        return None

    def key(self, text: str) -> Key | None:
        """Return what a text as a whole means."""
        return self._keys.get(text.strip().casefold())

    def find(self, text: str) -> list[Mention]:
        """Return the places of text that name something: whole words, whatever their case, none overlapping.

        Where two begin at one place the longer counts.
        """
        if self._pattern is None:
            self._pattern = pattern(self._keys)
        found = []
        for match in self._pattern.finditer(text):
            key = self._keys.get(match[0].casefold())
            if key is not None:
                found.append(Mention(match.start(), match.end(), key))
        return found


def pattern(forms: Sequence[str] | dict[str, Key]) -> re.Pattern[str]:
    """Return what finds forms in text as whole words, longer ones first; without forms it finds nothing."""
    longest = sorted(forms, key=len, reverse=True)
    either = "|".join(map(re.escape, longest)) if longest else r"(?!)"
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])", re.IGNORECASE)


def handle(key: Key) -> Handle:
    """Return a thing as a handle of the clue graph. Raises ``ValueError`` for a service, which is none."""
    kind, name = key
    types: dict[Kind, HandleType] = {"person": "person", "entry": "entry", "site": "site", "date": "date"}
    if kind not in types:
        raise ValueError(f"a service is no handle: {name}")
    return Handle(types[kind], name)
