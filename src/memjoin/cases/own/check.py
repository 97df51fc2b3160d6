"""`memjoin cases lint`: everything that is wrong with a file of cases, each with its place and a way out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memjoin.cases import files
from memjoin.cases.own.names import pattern
from memjoin.cases.own.problems import FORM, Mark, Problem, Severity
from memjoin.cases.own.read import OwnCase, scan
from memjoin.cases.own.talk import Spoken
from memjoin.cases.plaintext import names, plain
from memjoin.cases.schema import Case
from memjoin.cases.verify import findings
from memjoin.errors import MemJoinError

WARNINGS = frozenset({"P5", "P8", "P9"})
"""The properties that a case of one's own may lack: all figures of a run keep their meaning without them."""

ADVICE: dict[str, str] = {
    "P1": "Mark the remarks that together tell who, for what, where and when, and only what they say "
    "outright. Conversations stand in order of time.",
    "P2": "Spread the remarks over more conversations: each says one part, and none all.",
    "P3": "Let the task ask for the required items without giving them, the relation or a cue.",
    "P4": "Mark the sentence that says it, or word it without the name. Name the subject and the service in "
    "different conversations.",
    "P5": "Add remarks about other people's appointments, marked ((...)), with a service, a site and a date "
    "among them, none of them the target's and none of them complete.",
    "P6": "List every name under cues that connects the target's remarks across conversations.",
    "P7": "Take a day from 13 to 31 for the target, and do not use that number for anything else.",
    "P8": "Rename the site, the entry or the alias, so that it does not tell the service.",
    "P9": "Name two more people in the conversations who have no appointment, and list them under people.",
    "P10": "Word the remark as a plain statement: no question, no 'if', no 'not', no 'says'.",
    "P11": "Let the user name the required item in words that are no part of a cue.",
}
"""What to do about a broken property."""

UNMARKED = (
    "no remark is marked, so whether memory lets a reader join the relation cannot be read: runs count it as "
    "unreadable, and only availability and the judges' verdicts are measured"
)

_SESSION = re.compile(r"session ([^\W_][\w.-]*)")
_TURN = re.compile(r"(?:'\S*' keeps )?'(.*)' in turn (\d+) of session ([^\W_][\w.-]*)", re.DOTALL)
_FIELDS = {"P1": "sessions", "P2": "sessions", "P3": "task", "P4": "sessions", "P5": "others", "P6": "cues"}
_FIELDS |= {"P7": "target", "P8": "target", "P9": "people", "P10": "sessions", "P11": "required"}


@dataclass(frozen=True, slots=True)
class Lint:
    """What a file of cases holds and all that is wrong with it, in order of place."""

    name: str
    cases: int
    """How many cases the file has, those that cannot be read among them."""
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return len(self.problems) - self.errors

    def plain(self) -> dict[str, object]:
        """Return it as JSON has it."""
        return {
            "file": self.name,
            "cases": self.cases,
            "errors": self.errors,
            "warnings": self.warnings,
            "findings": [
                {
                    "line": one.mark.line,
                    "column": one.mark.column or None,
                    "severity": one.severity,
                    "property": one.rule,
                    "case": one.case or None,
                    "problem": one.problem,
                    "advice": one.advice,
                }
                for one in self.problems
            ],
        }

    def lines(self) -> Iterator[str]:
        """Go through it as lines to read: each finding, what to do, and a count."""
        for problem in self.problems:
            yield problem.line(self.name)
            if problem.advice:
                yield f"    {problem.advice}"
        cases = "1 case" if self.cases == 1 else f"{self.cases} cases"
        errors = "1 error" if self.errors == 1 else f"{self.errors} errors"
        warnings = "1 warning" if self.warnings == 1 else f"{self.warnings} warnings"
        yield f"{self.name}: {cases}, {errors}, {warnings}"


def lint(path: Path) -> Lint:
    """Check a file of cases, YAML or JSON lines: its form, and the properties P1 to P11 of every case.

    Raises:
        MemJoinError: The file cannot be read at all.
    """
    count, problems = _yaml(path) if files.is_yaml(path) else _lines(path)
    return Lint(str(path), count, tuple(sorted(problems, key=lambda one: one.mark)))


def _yaml(path: Path) -> tuple[int, list[Problem]]:
    found: list[Problem] = []
    every = scan(path)
    for own in every:
        found += own.complaints()
        if own.case is not None:
            found += _properties(own.case, own)
    return sum(bool(own.fields) for own in every), found


def _lines(path: Path) -> tuple[int, list[Problem]]:
    found: list[Problem] = []
    seen: dict[str, int] = {}
    count = 0
    for number, line in files.iter_lines(path):
        count += 1
        try:
            case = files.parse_line(line)
        except files.NotACaseError as error:
            found.append(Problem(Mark(number, error.column), FORM, str(error), error.advice))
            continue
        if seen.setdefault(case.id, number) != number:
            problem = f"the id {case.id} was given in line {seen[case.id]} already"
            found.append(Problem(Mark(number), FORM, problem, "Give every case an id of its own."))
        found += _properties(case, OwnCase(Mark(number), case.id))
    if not count:
        raise MemJoinError(f"{path}: holds no case", "`memjoin cases new` writes a file to start from.")
    return count, found


def _properties(case: Case, own: OwnCase) -> list[Problem]:
    """Return what breaks the properties of a case; of one without marks, what can be checked without."""
    marked = bool(case.annotation.clues)
    broken = findings(case)
    subsets = {one: set(_SESSION.findall(one.problem)) for one in broken if one.property == "P2"}
    # A conversation that gives the relation away does so in every larger set.
    broken = [one for one in broken if not any(subsets.get(one, set()) > less for less in subsets.values())]
    found = [
        Problem(_where(one.property, one.problem, case, own), one.property, one.problem, ADVICE[one.property])
        for one in broken
        if marked or one.property == "P3"
    ]
    if not marked:
        mark = own.fields.get("sessions", own.mark)
        found.append(Problem(mark, "P1", UNMARKED, ADVICE["P1"], "warning"))
    return [Problem(one.mark, one.rule, one.problem, one.advice, _severity(one), case.id) for one in found]


def _severity(problem: Problem) -> Severity:
    return "warning" if problem.rule in WARNINGS else problem.severity


def _where(name: str, problem: str, case: Case, own: OwnCase) -> Mark:
    """Return the place that a finding is about: a turn, a conversation, or the field that it concerns.

    Findings name sessions and turns in the two ways of ``seen.Seen``.
    """
    if not own.talk:
        return own.mark
    at = {session.id: number for number, session in enumerate(case.sessions)}
    turn = _TURN.match(problem)
    if turn and turn[3] in at and 0 < int(turn[2]) <= len(own.talk[at[turn[3]]]):
        text = own.talk[at[turn[3]]][int(turn[2]) - 1].text
        return text.mark(max(text.text.find(turn[1]), 0))
    session = _SESSION.search(problem)
    if session and session[1] in at:
        return _naming(case, problem, own.talk[at[session[1]]])
    return own.fields.get(_FIELDS[name], own.mark)


def _naming(case: Case, problem: str, spoken: list[Spoken]) -> Mark:
    """Return where a conversation names what a finding names, outside of remarks if it does so there.

    Where several turns name some of it, the one that names most counts.
    """
    annotation = case.annotation
    told = plain(problem)
    things = [named.forms for named in annotation.handles] + [value.forms for _, value in annotation.values]
    wanted = [forms for forms in things if names(told, forms)]
    every = pattern([form for forms in wanted for form in forms])
    found: list[tuple[int, bool, int, int]] = []
    for number, said in enumerate(spoken):
        count = sum(names(plain(said.text.text), forms) for forms in wanted)
        for match in every.finditer(said.text.text):
            inside = any(remark.start <= match.start() < remark.end for remark in said.remarks)
            found.append((-count, inside, number, match.start()))
    _, _, number, place = min(found, default=(0, False, 0, 0))
    return spoken[number].text.mark(place)
