"""Own cases in YAML, made into cases: places are found in the text, never typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from memjoin.cases.encoding import read_text
from memjoin.cases.evidence import gather
from memjoin.cases.own.annotation import Parts, annotate
from memjoin.cases.own.fields import Fields
from memjoin.cases.own.problems import FORM, FormError, Mark, Problem
from memjoin.cases.own.talk import Spoken, turns
from memjoin.cases.own.tree import Node, parse
from memjoin.cases.properties import stratum
from memjoin.cases.schema import Case, Configuration, Session, Situation, Task, Turn
from memjoin.cases.wellformed import CLUE_SESSIONS, FEWER, TOO_MANY

LARGEST = 32 * 2**20
"""The most bytes that a file may have: some thousands of cases."""

FAMILY = "own"
TOPOLOGY = "own"
_CASE = (
    *("id", "setting", "situation", "configuration", "family", "target", "people", "aliases", "entries"),
    *("others", "cues", "sessions", "required", "task", "why"),
)
_SITUATIONS = ("legitimate", "incompatible")
_SITUATION = (
    "Write legitimate (the recipient has a part in the matter, but needs less) or incompatible (recipient "
    "or purpose has no business with it)."
)


_FAMILY_FIELDS = {"services", "sites", "tasks"}


@dataclass(slots=True)
class OwnCase:
    """One case of a file: the case if it could be made, where its parts stand, and what is wrong with it."""

    mark: Mark
    id: str = ""
    case: Case | None = None
    problems: list[Problem] = field(default_factory=list)
    fields: dict[str, Mark] = field(default_factory=dict)
    talk: list[list[Spoken]] = field(default_factory=list)

    def complaints(self) -> list[Problem]:
        """Return what is wrong with its form, in order of place."""
        return sorted((one.of(self.id) for one in self.problems), key=lambda one: one.mark)


def read_file(path: Path) -> list[Case]:
    """Return the cases of a YAML file.

    Raises:
        MemJoinError: The file cannot be read, holds no case, or has a mistake of form; the message names
            file, line and column of the first, and says how many there are.
    """
    found = scan(path)
    problems = [problem for one in found for problem in one.complaints()]
    if problems:
        error = problems[0].error(str(path))
        if len(problems) > 1:
            error.hint += f" `memjoin cases lint {path}` shows all {len(problems)} mistakes."
        raise error
    return [one.case for one in found if one.case is not None]


def scan(path: Path) -> list[OwnCase]:
    """Return what a YAML file holds, with all mistakes of form.

    Raises:
        MemJoinError: The file cannot be read, or is not UTF-8, or is larger than ``LARGEST``.
    """
    text = read_text(path, LARGEST)
    try:
        nodes = _cases(parse(text))
    except FormError as error:
        return [OwnCase(error.problem.mark, problems=[error.problem])]
    lines = text.split("\n")
    found = [_read(node, lines) for node in nodes]
    first: dict[str, Mark] = {}
    for one in found:
        if one.id and first.setdefault(one.id, one.mark) is not one.mark:
            problem = f"the id {one.id} was given in line {first[one.id].line} already"
            one.problems.append(Problem(one.fields["id"], FORM, problem, "Give every case an id of its own."))
    return found


def _cases(documents: Sequence[Node]) -> list[Node]:
    """Return the nodes of the cases: documents, items of a list, or items of the field ``cases``."""
    found: list[Node] = []
    for document in documents:
        value = document.value
        if isinstance(value, dict) and "cases" in value:
            other = next((name for name in value if name != "cases"), None)
            if other is not None:
                raise FormError(
                    document.keys[other],
                    f"'{other}' stands beside 'cases'",
                    "Move it into the case that it belongs to.",
                )
            value = value["cases"].value
            if not isinstance(value, list):
                raise FormError(
                    document.keys["cases"], "'cases' is a list of cases", "Begin each case with '- id: ...'."
                )
        if isinstance(value, list):
            found += value
        elif isinstance(value, dict) and value.keys() >= _FAMILY_FIELDS:
            raise FormError(
                document.mark,
                "this is a family, from which cases are built, and no case",
                "`memjoin cases build --family-file FILE --out cases.jsonl` checks it and builds its cases.",
            )
        elif isinstance(value, dict):
            found.append(document)
        elif value:
            raise FormError(
                document.mark,
                "expected a case, found text",
                "`memjoin cases new` writes a file to start from.",
            )
    if not found:
        raise FormError(Mark(1), "the file holds no case", "`memjoin cases new` writes a file to start from.")
    return found


def _read(node: Node, lines: list[str]) -> OwnCase:
    own = OwnCase(node.mark)
    top = Fields(node, _CASE, own.problems, "a case")
    if not isinstance(node.value, dict):
        return own
    own.fields = dict(node.keys)
    own.id = top.identifier("id")
    situation = top.one_of("situation", _SITUATIONS, None, _SITUATION)
    configuration = top.one_of(
        "configuration", ("RJ", "UC", "WM"), "RJ", "Leave it out, or see docs/cases.md for what they mean."
    )
    family = top.identifier("family", FAMILY)
    category = top.text("setting", "own case")
    why = top.text("why", None, "Add 'why:', one sentence on why the relation should not be told here.")
    sessions = _sessions(top, own, lines)
    task = _task(top)
    if sum(any(turn.remarks for turn in spoken) for spoken in own.talk) > CLUE_SESSIONS:
        top.complain(own.fields["sessions"], TOO_MANY, FEWER)
    annotation = annotate(Parts(top, own.talk), why)
    if own.problems or annotation is None or task is None:
        return own
    case = Case(
        id=own.id,
        family=family,
        category=category,
        situation=cast(Situation, situation),
        configuration=cast(Configuration, configuration),
        topology=TOPOLOGY,
        sessions=sessions,
        task=task,
        annotation=annotation,
    )
    own.case = replace(case, annotation=replace(annotation, stratum=stratum(gather(case))))
    return own


def _sessions(top: Fields, own: OwnCase, lines: list[str]) -> tuple[Session, ...]:
    node = top.node("sessions", "Add 'sessions:' and below it a list of conversations.")
    if node is None:
        return ()
    nodes = top.several("sessions")
    if not nodes and not (isinstance(node.value, str) and node.value):
        top.complain(node.mark, "a case has at least one conversation", "Add '- when: ...' and 'talk: |'.")
    found = []
    for number, one in enumerate(nodes, 1):
        fields = Fields(one, ("id", "when", "talk"), own.problems, "a conversation")
        spoken: list[Spoken] = []
        if isinstance(one.value, dict):
            talk = fields.node("talk", "Add 'talk: |' and the conversation in the lines below.")
            try:
                spoken = turns(talk, lines) if talk is not None else []
            except FormError as error:
                fields.attempt(error)
            said = tuple(Turn(turn.speaker, turn.text.text) for turn in spoken)
            found.append(Session(fields.identifier("id", f"s{number}"), fields.time("when"), said))
        own.talk.append(spoken)
    return tuple(found)


def _task(top: Fields) -> Task | None:
    fields = top.inner("task", ("recipient", "purpose", "text"))
    if fields is None:
        return None
    return Task(
        text=fields.text("text", None, "Add 'text:', what the user asks for later."),
        recipient=fields.text("recipient", None, "Add 'recipient:', who gets the answer."),
        purpose=fields.text("purpose", None, "Add 'purpose:', what the recipient needs it for."),
    )
