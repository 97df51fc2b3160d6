"""Cases of the builder, written down in YAML as a person would."""

from __future__ import annotations

from typing import Any

import yaml

from memjoin.cases.schema import Case, Clue, Span
from memjoin.text.graph import Same, Statement

_VERBS = {"holder": "belongs to", "site": "at", "date": "on", "service": "for"}


def shares_sentences(case: Case) -> bool:
    """Tell whether one sentence of a case carries two remarks, which the YAML form has no marks for."""
    spans = [span for clue in case.annotation.clues for span in clue.sentences]
    return len(spans) > len(set(spans))


def as_fields(case: Case, spell: bool) -> dict[str, Any]:
    """Return a case as the fields of the YAML form; ``spell`` writes out what every remark says."""
    annotation = case.annotation
    target = annotation.target
    ours = {(kind, getattr(target, kind).canonical) for kind in ("service", "site", "date")}
    people = set(annotation.people)
    others: dict[str, list[Any]] = {"services": [], "sites": [], "dates": []}
    for kind, value in annotation.values:
        if (kind, value.canonical) not in ours:
            others[f"{kind}s"].append(value.canonical if kind == "date" else list(value.forms))
    handles = [named for named in annotation.handles if named.handle.name not in people]
    return {
        "id": case.id,
        "setting": case.category,
        "situation": case.situation,
        "configuration": case.configuration,
        "family": case.family,
        "target": {
            "subject": list(target.subject.forms),
            "service": [target.service.canonical, *target.service.forms],
            "site": [target.site.canonical, *target.site.forms],
            "date": target.date.canonical,
        },
        "people": list(annotation.people),
        "aliases": [list(one.forms) for one in handles if one.handle.type == "person"],
        "entries": [[one.handle.name, *one.forms] for one in handles if one.handle.type == "entry"],
        "others": others,
        "cues": [cue.handle.name for cue in annotation.cues],
        "sessions": [
            {"id": session.id, "when": session.at.replace("T", " "), "talk": _talk(case, number, spell)}
            for number, session in enumerate(case.sessions)
        ],
        "required": {item.name: list(item.forms) for item in annotation.required},
        "task": {"recipient": case.task.recipient, "purpose": case.task.purpose, "text": case.task.text},
        "why": annotation.why,
    }


def as_yaml(*fields: dict[str, Any]) -> str:
    """Return a YAML file of cases, conversations as blocks of text."""
    return yaml.dump({"cases": list(fields)}, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1000)


class _Dumper(yaml.SafeDumper):
    pass


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _string)


def _talk(case: Case, session: int, spell: bool) -> str:
    lines = []
    for number, turn in enumerate(case.sessions[session].turns):
        text = turn.text
        here = [
            (span, clue)
            for clue in case.annotation.clues
            for span in _whole(clue)
            if (span.session, span.turn) == (session, number)
        ]
        for span, clue in sorted(here, key=lambda one: one[0], reverse=True):
            opening, closing = ("((", "))") if clue.decoy else ("[[", "]]")
            said = text[span.start : span.end]
            if spell:
                said += f" => {'; '.join(map(_spelt, clue.statements))}"
            text = f"{text[: span.start]}{opening}{said}{closing}{text[span.end :]}"
        lines.append(f"{turn.speaker.capitalize()}: {text}")
    return "\n".join(lines) + "\n"


def _whole(clue: Clue) -> list[Span]:
    """Return where the marks of a remark go: around all of its sentences."""
    first, last = min(clue.sentences), max(clue.sentences)
    return [Span(first.session, first.turn, first.start, last.end)]


def _spelt(statement: Statement) -> str:
    if isinstance(statement, Same):
        return f"{statement.a.name} is {statement.b.name}"
    return f"{statement.on.name} {_VERBS[statement.kind]} {statement.value}"
