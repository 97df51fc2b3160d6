"""Families: what one YAML file says about a kind of situation, checked and compiled."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal, cast

from memjoin.cases.kinds import KINDS, WORDS
from memjoin.cases.lint import check_apart, check_assertion, check_family, check_plain
from memjoin.cases.patterns import Pattern, compile_pattern
from memjoin.cases.schema import Situation, Value
from memjoin.cases.templates import Template
from memjoin.cases.yamlfile import Place, load_file, suggest
from memjoin.errors import MemJoinError

LEAST = {
    "topics": 6,
    "services": 8,
    "sites": 8,
    "codes": 3,
    "entries": 2,
    "slots": 2,
    "asides": 6,
    "tasks": 4,
    "openers": 5,
    "replies": 4,
    "words": 3,
}
"""How many of each a family must have at least, so that no value decides a case alone."""

OF = ("person", "errand")
ITEMS = 4
"""Required items of a task: one for every clue session."""


@dataclass(frozen=True, slots=True)
class HandleStyle:
    """How entries are named: what carries the name, and the pattern of the name."""

    noun: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Exchange:
    """A pair of turns: what the user says and what the assistant answers."""

    user: Template
    assistant: Template


@dataclass(frozen=True, slots=True)
class ItemForm:
    """A required item: whose it is, its values, the wordings that bring it up, and replies to them."""

    name: str
    of: Literal["person", "errand"]
    values: tuple[tuple[str, ...], ...]
    """Each value with all its surfaces; empty where ``pattern`` makes them."""
    pattern: Pattern | None
    openers: tuple[Template, ...]
    replies: tuple[Template, ...]


@dataclass(frozen=True, slots=True)
class TaskForm:
    """An ordinary task: who gets it, what for, its wordings, and what it needs."""

    recipient: Template
    purpose: Template
    text: tuple[Template, ...]
    why: Template
    person: ItemForm
    errands: tuple[ItemForm, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of situation from which cases are built."""

    id: str
    title: str
    category: str
    situation: Situation
    topics: tuple[str, ...]
    services: tuple[Value, ...]
    sites: tuple[Value, ...]
    codes: tuple[HandleStyle, ...]
    entries: tuple[HandleStyle, ...]
    slots: tuple[HandleStyle, ...]
    words: Mapping[str, tuple[str, ...]]
    """Lists of phrases by slot name; ``roster`` and ``board`` are always there."""
    remarks: Mapping[str, tuple[Template, ...]]
    asides: tuple[Exchange, ...]
    tasks: tuple[TaskForm, ...]


def _fields(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FIELDS = _fields(
    "id title category situation setting topics services sites handles words remarks asides tasks"
)
_TASK_FIELDS = _fields("recipient purpose text why items")
_ITEM_FIELDS = _fields("name of values pattern openers replies")


def read_family(path: Path) -> Family:
    """Read one family file; its form is described in ``docs/families.md``.

    Raises:
        MemJoinError: The file cannot be read or breaks the form; the message names file, line and place.
    """
    return _family(load_file(path))


def families() -> dict[str, Family]:
    """Return the families that come with MemJoin, by id, in order of id."""
    folder = resources.files("memjoin.cases").joinpath("data", "families")
    with resources.as_file(folder) as path:
        found = [read_family(file) for file in sorted(path.glob("*.yaml"))]
    return {family.id: family for family in found}


def choose_families(wanted: Collection[str], known: Mapping[str, Family]) -> list[Family]:
    """Return families by id, all of them where none is named.

    Raises:
        MemJoinError: An id is not known.
    """
    for name in wanted:
        if name not in known:
            raise MemJoinError(f"unknown family '{name}'", suggest(name, known))
    return [family for name, family in known.items() if not wanted or name in wanted]


def _family(top: Place) -> Family:
    top.mapping(_FIELDS)
    words = _words(top.at("words"))
    own = frozenset(words)
    handles = top.at("handles")
    handles.mapping({"codes", "entries", "slots"})
    family = Family(
        id=_id(top.at("id")),
        title=top.at("title").text(),
        category=top.at("category").text(),
        situation=cast(Situation, top.at("situation").one_of(("legitimate", "incompatible"))),
        topics=top.at("topics").texts(LEAST["topics"]),
        services=_values(top.at("services"), LEAST["services"]),
        sites=_values(top.at("sites"), LEAST["sites"]),
        codes=_styles(handles.at("codes"), LEAST["codes"], words),
        entries=_styles(handles.at("entries"), LEAST["entries"], words),
        slots=_styles(handles.at("slots"), LEAST["slots"], words),
        words=words,
        remarks=read_remarks(top.get("remarks"), own),
        asides=read_asides(top.at("asides"), LEAST["asides"], own),
        tasks=tuple(_task(place, own) for place in top.at("tasks").entries(LEAST["tasks"])),
    )
    check_family(top, family)
    return family


def _id(place: Place) -> str:
    text = place.text()
    if not text.isascii() or not text.isalnum() or not text[0].isalpha():
        raise place.error(f"'{text}' is no id: use ASCII letters and digits, like F19")
    return text


def _words(place: Place) -> dict[str, tuple[str, ...]]:
    words = {name: field.texts(LEAST["words"]) for name, field in place.items()}
    for name in ("roster", "board"):
        if name not in words:
            raise place.error(f"the list '{name}' is missing")
    taken = frozenset().union(*(kind.needs | kind.may for kind in KINDS.values())) - WORDS
    for name in words:
        if name in taken | {"noun", "item", "other"}:
            raise place.error(f"'{name}' is the name of a slot already; call the list something else")
    return words


def _values(place: Place, least: int) -> tuple[Value, ...]:
    found: dict[str, Place] = {}
    values = []
    for item in place.entries(least):
        if isinstance(item.value, dict):
            item.mapping({"name", "also"})
            name = item.at("name").text()
            also = item.get("also")
            forms = (name, *(also.texts() if also is not None else ()))
        else:
            name = item.text()
            forms = (name,)
        for form in forms:
            if form.casefold() in found:
                raise item.error(f"'{form}' is listed twice")
            if form.split()[0].casefold() in ("the", "a", "an"):
                raise item.error(
                    f"'{form}' starts with an article", "The wordings put 'the' where it belongs."
                )
            found[form.casefold()] = item
        values.append(Value(name, forms))
    return tuple(values)


def _styles(place: Place, least: int, words: Mapping[str, tuple[str, ...]]) -> tuple[HandleStyle, ...]:
    styles = []
    for item in place.entries(least):
        item.mapping({"noun", "pattern"})
        pattern = item.at("pattern")
        try:
            compiled = compile_pattern(pattern.text(), words)
        except ValueError as problem:
            raise pattern.error(str(problem)) from None
        styles.append(HandleStyle(item.at("noun").text(), compiled))
    return tuple(styles)


def read_remarks(place: Place | None, words: Collection[str]) -> dict[str, tuple[Template, ...]]:
    """Read wordings of remarks by kind (see ``kinds.KINDS``).

    Raises:
        MemJoinError: An unknown kind, or a wording that its kind cannot use.
    """
    if place is None:
        return {}
    place.mapping(frozenset(KINDS))
    remarks: dict[str, tuple[Template, ...]] = {}
    for name, field in place.items():
        kind = KINDS[name]
        remarks[name] = tuple(field.templates(1, kind.needs, kind.may | frozenset(words)))
        for item in field.entries():
            check_assertion(item)
            if kind.apart:
                check_apart(item, kind.apart)
    return remarks


def read_asides(place: Place, least: int, words: Collection[str]) -> tuple[Exchange, ...]:
    """Read exchanges that name another person, ``{other}``, in some everyday matter."""
    asides = []
    for item in place.entries(least):
        item.mapping({"user", "assistant"})
        user = item.at("user")
        check_plain(user)
        check_plain(item.at("assistant"))
        asides.append(
            Exchange(user.template({"other"}, words), item.at("assistant").template((), {"other", *words}))
        )
    return tuple(asides)


def _task(place: Place, words: Collection[str]) -> TaskForm:
    place.mapping(_TASK_FIELDS)
    texts = place.at("text")
    items = place.at("items").entries()
    if len(items) != ITEMS:
        raise place.error(f"expected {ITEMS} items, one for every clue session, found {len(items)}")
    if [item.at("of").one_of(OF) for item in items].count("person") != 1:
        raise place.error("exactly one item must be the person's ('of: person'), the others the errand's")
    forms = [_item(item, words) for item in items]
    task = TaskForm(
        recipient=place.at("recipient").template((), {"who", *words}),
        purpose=place.at("purpose").template((), {"who", *words}),
        text=tuple(texts.templates(2, {"who"}, words)),
        why=place.at("why").template((), {"who", "service", "site", "date", *words}),
        person=next(form for form in forms if form.of == "person"),
        errands=tuple(form for form in forms if form.of == "errand"),
    )
    for item in texts.entries():
        check_plain(item)
    return task


def _item(place: Place, words: Collection[str]) -> ItemForm:
    place.mapping(_ITEM_FIELDS)
    of = place.at("of").one_of(OF)
    listed, pattern = place.get("values"), place.get("pattern")
    if (listed is None) == (pattern is None):
        raise place.error("expected either 'values' or 'pattern'")
    needs = {"item", "who"} if of == "person" else {"item"}
    openers, replies = place.at("openers"), place.at("replies")
    for wording in (*openers.entries(), *replies.entries()):
        check_plain(wording)
    return ItemForm(
        name=place.at("name").text(),
        of=cast(Literal["person", "errand"], of),
        values=tuple(_surfaces(value) for value in listed.entries(4)) if listed is not None else (),
        pattern=_item_pattern(pattern) if pattern is not None else None,
        openers=tuple(openers.templates(LEAST["openers"], needs, words)),
        replies=tuple(replies.templates(LEAST["replies"], (), {"item", *words})),
    )


def _surfaces(place: Place) -> tuple[str, ...]:
    return place.texts(1) if isinstance(place.value, list) else (place.text(),)


def _item_pattern(place: Place) -> Pattern:
    try:
        return compile_pattern(place.text(), {})
    except ValueError as problem:
        raise place.error(str(problem)) from None
