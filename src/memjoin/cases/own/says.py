"""What a marked remark says: read off the names in it where that is plain, otherwise spelt out by its writer.

Spelt out, behind ``=>``: ``KV-4821 belongs to Juniper``, ``KV-4821 at Alder Court``, ``KV-4821 on
2029-10-23``, ``KV-4821 for gait analysis``, ``Juniper is Amara Okonkwo``; several with semicolons between.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memjoin.cases.own.names import CALLED, Key, Kind, Mention, Names, handle
from memjoin.cases.own.problems import FormError, Mark
from memjoin.cases.own.talk import Text
from memjoin.text.graph import Attribute, AttributeKind, Same, Statement

WAYS = (
    "'E belongs to P', 'E at S', 'E on D', 'E for V' (E an entry, or a site or date that connects; P a "
    "person or an alias), 'A is B'"
)
"""How statements are spelt out."""

_WAYS: dict[str, AttributeKind] = {"belongs to": "holder", "at": "site", "on": "date", "for": "service"}
_VERB = re.compile(r"\s+(belongs to|at|on|for|is)\s+", re.IGNORECASE)
_KINDS: dict[AttributeKind, Kind] = {
    "holder": "person",
    "site": "site",
    "date": "date",
    "service": "service",
}
_SPELL = f"Spell it out behind '=>' before the marks close: {WAYS}."


def deduced(mentions: Sequence[Mention], connecting: Collection[Key], mark: Mark) -> tuple[Statement, ...]:
    """Return what a remark says by the names in it.

    An entry takes the person, the site, the date and the service beside it. Without an entry, two people are
    one person by two names, and a site or date that connects takes what stands beside it. Two entries and
    nothing else are one entry by two names.

    Args:
        mentions: What the remark names.
        connecting: The sites and dates that are cues.
        mark: Where the remark stands.

    Raises:
        FormError: The names leave open what it says.
    """
    named: dict[Kind, list[Key]] = {}
    for key in dict.fromkeys(mention.key for mention in mentions):
        named.setdefault(key[0], []).append(key)
    people, entries = named.get("person", []), named.get("entry", [])
    values = [key for kind in ("site", "date", "service") for key in named.get(kind, [])]
    if not values and len(people) + len(entries) == 2 and not (people and entries):
        a, b = people or entries
        return (Same(handle(a), handle(b)),)
    double = next((keys for kind, keys in named.items() if len(keys) > 1), None)
    if double:
        names = " and ".join(f"'{name}'" for _, name in double)
        raise FormError(
            mark,
            f"what this remark says is open: it names two of a kind, {names}",
            f"Make it two remarks, or spell it out. {_SPELL}",
        )
    if len(values) + len(people) + len(entries) < 2:
        seen = [key[1] for keys in named.values() for key in keys]
        what = f"only '{seen[0]}'" if seen else "nothing that the case lists"
        raise FormError(
            mark,
            f"a remark ties two things to each other, and this one names {what}",
            "List the other name under people, aliases, entries or others, in the words of the remark.",
        )
    if entries:
        return tuple(_attribute(entries[0], key, mark) for key in (*people, *values))
    hooks = [key for key in values if key in connecting]
    if len(hooks) != 1:
        raise FormError(
            mark,
            "this remark ties values to no entry"
            if not hooks
            else "this remark names a site and a date that both connect",
            "Name the appointment in it by an entry (a code, a number, a nickname) and list that under "
            f"entries; or list a site or date that connects under cues. {_SPELL}",
        )
    return tuple(_attribute(hooks[0], key, mark) for key in (*people, *values) if key != hooks[0])


def spelt(text: Text, names: Names) -> tuple[Statement, ...]:
    """Return the statements that are spelt out.

    Raises:
        FormError: One of them cannot be understood, or uses a name that the case does not list.
    """
    found: list[Statement] = []
    start = 0
    for piece in text.text.split(";"):
        mark = text.mark(start + len(piece) - len(piece.lstrip()))
        start += len(piece) + 1
        if piece.strip():
            found.append(_statement(piece.strip(), names, mark))
    if not found:
        raise FormError(text.mark(0), "nothing is spelt out behind '=>'", _SPELL)
    return tuple(found)


def _statement(text: str, names: Names, mark: Mark) -> Statement:
    for verb in _VERB.finditer(text):
        left, right = names.key(text[: verb.start()]), names.key(text[verb.end() :])
        if left is None or right is None:
            continue
        if verb[1].lower() != "is":
            return _attribute(left, right, mark, _WAYS[verb[1].lower()])
        if left[0] != right[0] or left[0] == "service":
            raise FormError(
                mark,
                f"'{left[1]}' is {CALLED[left[0]]} and '{right[1]}' {CALLED[right[0]]}",
                "Only two people, two entries, two sites or two dates can be one thing.",
            )
        return Same(handle(left), handle(right))
    unknown = next((part.strip() for part in _VERB.split(text)[::2] if names.key(part) is None), "")
    problem = f"'{text}' says nothing that can be understood"
    if unknown and _VERB.search(text):
        problem = f"'{unknown}' is not a name that the case lists"
    raise FormError(mark, problem, f"Statements are {WAYS}, with the names that the case lists.")


def _attribute(on: Key, value: Key, mark: Mark, kind: AttributeKind | None = None) -> Attribute:
    wanted = kind or ("holder" if value[0] == "person" else _of(value[0]))
    if on[0] in ("person", "service") or on[0] == wanted:
        raise FormError(
            mark,
            f"nothing can be said of '{on[1]}' in this way: it is {CALLED[on[0]]}",
            f"Values hang on an entry, or on a site or date that connects. Statements are {WAYS}.",
        )
    if value[0] != _KINDS[wanted]:
        raise FormError(
            mark,
            f"'{value[1]}' is {CALLED[value[0]]}, and {CALLED[_KINDS[wanted]]} is expected here",
            f"Statements are {WAYS}.",
        )
    return Attribute(wanted, handle(on), value[1])


def _of(kind: Kind) -> AttributeKind:
    return next((attribute for attribute, of in _KINDS.items() if of == kind), "holder")
