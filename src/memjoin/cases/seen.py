"""A case as the properties see it: the evidence of its text, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from memjoin.cases.entailed import Facts, entailed
from memjoin.cases.evidence import Evidence, gather, text_at
from memjoin.cases.schema import Case, Span
from memjoin.cases.stated import Key
from memjoin.text.graph import Relation
from memjoin.text.record import record


@record
class Seen:
    """A case with the evidence of its text, and what several properties ask of it."""

    case: Case
    evidence: Evidence
    relation: Relation
    facts: Facts
    """What the statements entail, by numbers."""
    numbers: Mapping[Key, int]
    """The numbers of the handles and values."""
    things: tuple[Key, ...]
    """What these numbers stand for."""
    sessions: tuple[int, ...]
    """The sessions that the numbers stand for."""
    clues: frozenset[int]
    """The sessions with clues to the target."""
    entailed: tuple[Relation, ...]
    """Every relation that all supported statements entail, in a fixed order."""

    def group(self, person: str) -> int:
        """Return the group of what is linked to a person; -1 for somebody of whom nothing is stated."""
        number = self.numbers.get(("person", person))
        return -1 if number is None else self.facts.groups[number]

    def session(self, number: int) -> str:
        """Say which session that is."""
        sessions = self.case.sessions
        if 0 <= number < len(sessions):
            return f"session {sessions[number].id}"
        return f"a missing session ({number + 1})"

    def place(self, span: Span) -> str:
        """Say what stands at a span, and where that is."""
        text = text_at(self.case, span)
        shown = f"'{text}'" if text is not None else "nothing"
        return f"{shown} in turn {span.turn + 1} of {self.session(span.session)}"

    def is_target(self, relation: Relation) -> bool:
        """Tell whether a relation has the target's service, site and date, whoever its subject."""
        target = self.relation
        return (relation.service, relation.site, relation.date) == (target.service, target.site, target.date)

    def about_subject(self, relation: Relation) -> bool:
        """Tell whether an entailed relation is about the subject, under whatever name."""
        return self.group(relation.subject) == self.facts.groups[0]


def look(case: Case) -> Seen:
    """Gather the evidence of a case's text."""
    evidence = gather(case)
    target = case.annotation.target
    relation = Relation(
        target.subject.canonical, target.service.canonical, target.site.canonical, target.date.canonical
    )
    clues = frozenset([clue.session for clue in case.annotation.clues if not clue.decoy])
    found, known = entailed(evidence.stated, relation, clues)
    things = tuple(found.numbers)
    complete = [Relation(*[things[number][1] for number in one]) for one in known.complete]
    complete.sort(key=attrgetter("subject", "service", "site", "date"))
    return Seen(
        case, evidence, relation, known, found.numbers, things, found.sessions, clues, tuple(complete)
    )
