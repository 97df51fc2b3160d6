"""The annotation of an own case: names are looked up, places found and remarks read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memjoin.cases.own.fields import Fields
from memjoin.cases.own.names import Key, Kind, Mention, Names, handle, pattern
from memjoin.cases.own.problems import FormError, Problem
from memjoin.cases.own.says import deduced, spelt
from memjoin.cases.own.talk import Marked, Spoken
from memjoin.cases.own.tree import Node
from memjoin.cases.schema import (
    Annotation,
    Clue,
    Cue,
    NamedHandle,
    RequiredItem,
    Span,
    Target,
    Value,
)
from memjoin.text.dates import date_forms
from memjoin.text.graph import AttributeKind
from memjoin.text.sentences import split_sentences

_TARGET = ("subject", "service", "site", "date")
_OTHERS: dict[str, Kind] = {"services": "service", "sites": "site", "dates": "date"}
_VALUES: dict[Kind, AttributeKind] = {"site": "site", "date": "date", "service": "service"}


@dataclass(frozen=True, slots=True)
class Parts:
    """What an annotation is made from: the case's fields, and its turns with their marks, by session."""

    top: Fields
    talk: list[list[Spoken]]


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn, where it stands, and what it names."""

    session: int
    turn: int
    spoken: Spoken
    mentions: list[Mention]

    def span(self, start: int, end: int) -> Span:
        return Span(self.session, self.turn, start, end)


def annotate(parts: Parts, why: str) -> Annotation | None:
    """Return the annotation of a case, its stratum still open, or None where complaints were kept."""
    top, names = parts.top, Names()
    target = _target(top, names)
    people = _named(top, names, "people", "person")
    aliases = _named(top, names, "aliases", "person")
    entries = _named(top, names, "entries", "entry")
    _others(top, names)
    cues = _cues(top, names)
    said = [
        _Said(session, turn, spoken, names.find(spoken.text.text))
        for session, all_spoken in enumerate(parts.talk)
        for turn, spoken in enumerate(all_spoken)
    ]
    clues = list(_clues(top, said, names, {key for key in cues if key[0] in ("site", "date")}))
    required = list(_required(top, said, cues, complete=all(parts.talk)))
    if target is None or top.problems:
        return None
    subject: Key = ("person", target.subject.canonical)
    everybody = dict.fromkeys((subject, *people))
    handles = dict.fromkeys((*everybody, *aliases, *entries, *(key for key in cues if key[0] != "service")))
    return Annotation(
        target=target,
        handles=tuple(NamedHandle(handle(key), names.forms[key]) for key in handles),
        values=tuple(
            (_VALUES[kind], Value(name, forms))
            for (kind, name), forms in names.forms.items()
            if kind in _VALUES
        ),
        clues=tuple(clues),
        cues=tuple(Cue(handle(key), names.forms[key], tuple(_places(said, key))) for key in cues),
        required=tuple(required),
        people=tuple(name for _, name in everybody),
        stratum="values-visible",
        why=why,
    )


def _add(top: Fields, names: Names, key: Key, forms: tuple[str, ...], node: Node) -> None:
    taken = names.add(key, forms)
    if taken is not None:
        kind, name = names.key(taken) or key
        top.complain(
            node.mark,
            f"'{taken}' is listed twice, also as {kind} '{name}'",
            "One wording can mean one thing only; take it out in one of the places.",
        )


def _target(top: Fields, names: Names) -> Target | None:
    fields = top.inner("target", _TARGET)
    if fields is None:
        return None
    found: dict[str, Value] = {}
    kinds: dict[str, Kind] = {"subject": "person", "service": "service", "site": "site", "date": "date"}
    for name in _TARGET:
        node = fields.node(name)
        if node is None:
            continue
        forms = _date(fields, node) if name == "date" else fields.forms_of(node, f"'{name}'")
        if forms:
            _add(top, names, (kinds[name], forms[0]), forms, node)
            found[name] = Value(forms[0], forms)
    return Target(**found) if len(found) == len(_TARGET) else None


def _date(fields: Fields, node: Node) -> tuple[str, ...]:
    day = fields.day(node, "a date")
    return date_forms(day) if day else ()


def _named(top: Fields, names: Names, field: str, kind: Kind) -> list[Key]:
    """Read a list of people, aliases or entries, and return their keys."""
    found = []
    for node in top.several(field):
        forms = top.forms_of(node, f"an item of '{field}'")
        if forms:
            key: Key = (kind, forms[0])
            _add(top, names, key, forms, node)
            found.append(key)
    return found


def _others(top: Fields, names: Names) -> None:
    if "others" not in top.nodes:
        return
    fields = top.inner("others", tuple(_OTHERS))
    if fields is None:
        return
    for field, kind in _OTHERS.items():
        for node in fields.several(field):
            forms = _date(top, node) if kind == "date" else top.forms_of(node, f"an item of '{field}'")
            if forms:
                _add(top, names, (kind, forms[0]), forms, node)


def _cues(top: Fields, names: Names) -> list[Key]:
    found = []
    for node in top.several("cues"):
        text = top.plain(node, "a cue")
        key = names.key(text)
        if text and (key is None or key[0] == "service"):
            what = "a service, which connects nothing" if key else "not a name that the case lists"
            top.complain(
                node.mark,
                f"the cue '{text}' is {what}",
                "Cues are aliases or entries of the lists above, or the target's site or date.",
            )
        elif key is not None:
            found.append(key)
    return list(dict.fromkeys(found))


def _places(said: list[_Said], key: Key) -> Iterator[Span]:
    for one in said:
        for start, end, found in one.mentions:
            if found == key:
                yield one.span(start, end)


def _clues(top: Fields, said: list[_Said], names: Names, connecting: set[Key]) -> Iterator[Clue]:
    for one in said:
        text = one.spoken.text.text
        for remark in one.spoken.remarks:
            mentions = [m for m in one.mentions if remark.start <= m.start and m.end <= remark.end]
            try:
                spans = _sentences(text, remark)
                statements = (
                    spelt(remark.spelt, names)
                    if remark.spelt is not None
                    else deduced(mentions, connecting, remark.mark)
                )
            except FormError as error:
                top.attempt(error)
                continue
            yield Clue(
                session=one.session,
                statements=statements,
                sentences=tuple(one.span(start, end) for start, end in spans),
                values=tuple(one.span(m.start, m.end) for m in mentions if m.key[0] in _VALUES),
                decoy=remark.decoy,
            )


def _sentences(text: str, remark: Marked) -> list[tuple[int, int]]:
    before = text[: remark.start].rstrip()
    if (before and before[-1] not in ".!?") or text[remark.end - 1] not in ".!?":
        raise FormError(
            remark.mark,
            "the marks do not enclose whole sentences",
            "Begin where a sentence begins, and close behind its full stop.",
        )
    found = split_sentences(text[remark.start : remark.end])
    return [(remark.start + start, remark.start + end) for start, end in found]


def _required(top: Fields, said: list[_Said], cues: list[Key], complete: bool) -> Iterator[RequiredItem]:
    """Find the required items. Where a conversation could not be read, none is said to be missing."""
    node = top.node("required", "Add 'required:' and two to four things that the task needs.")
    if node is None:
        return
    if not isinstance(node.value, dict):
        top.complain(node.mark, "'required' has fields with names", "Write 'door: the side entrance'.")
        return
    for name, item in node.value.items():
        forms = top.forms_of(item, f"the required item '{name}'")
        place = _first(said, cues, forms) if forms else None
        if place is not None:
            yield RequiredItem(name, forms[0], forms, place)
        elif forms and complete:
            problem = f"the required item '{forms[0]}' stands in no conversation"
            advice = "Let the user say it, or write it here as they do."
            top.problems.append(Problem(item.mark, "P3", problem, advice))


def _first(said: list[_Said], cues: list[Key], forms: tuple[str, ...]) -> Span | None:
    """Return the place of an item: if there is one, a place that no cue touches, in a turn with a remark.

    The item of a task stands beside the remark; elsewhere its words may mean something else.
    """
    wanted = pattern(forms)
    found: list[tuple[bool, bool, Span]] = []
    for one in said:
        for match in wanted.finditer(one.spoken.text.text):
            touched = any(
                mention.key in cues and mention.start < match.end() and match.start() < mention.end
                for mention in one.mentions
            )
            found.append((touched, not one.spoken.remarks, one.span(match.start(), match.end())))
    return min(found)[2] if found else None
