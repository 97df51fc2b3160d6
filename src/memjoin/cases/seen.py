"""A case as the properties see it: the evidence of its text, and what follows from it."""

from __future__ import annotations

from operator import attrgetter

from memjoin.cases.compatible import Components, components
from memjoin.cases.entailed import Facts, facts, shape_of
from memjoin.cases.evidence import Evidence, Key, Stated, gather, text_at
from memjoin.cases.schema import Case, Span
from memjoin.text.graph import Relation, Statement, relations
from memjoin.text.record import record

_KINDS = 4
"""How many kinds of attribute an entry must have for a whole relation."""


@record
class Seen:
    """A case with the evidence of its text, and what several properties ask of it."""

    case: Case
    evidence: Evidence
    relation: Relation
    statements: tuple[Statement, ...]
    """All supported statements, in session order."""
    components: Components
    linked: tuple[Stated, ...]
    """Those that are linked to the subject, however indirectly; no others can bear on it."""
    facts: Facts
    """What these entail, by numbers."""
    things: tuple[Key, ...]
    """The handles and values that the numbers stand for."""
    sessions: tuple[int, ...]
    """The sessions that the numbers stand for."""
    clues: frozenset[int]
    """The sessions with clues to the target."""
    entailed: tuple[Relation, ...]
    """Every relation that all supported statements entail, in a fixed order."""

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
        return self.components.number(relation.subject) == self.components.number(self.relation.subject)


def look(case: Case) -> Seen:
    """Gather the evidence of a case's text."""
    evidence = gather(case)
    target = case.annotation.target
    relation = Relation(
        target.subject.canonical, target.service.canonical, target.site.canonical, target.date.canonical
    )
    stated = evidence.stated
    grouped = components([one.ends for one in stated])
    ours = grouped.number(relation.subject)
    linked = tuple([one for one, number in zip(stated, grouped.of, strict=True) if number == ours])
    clues = frozenset([clue.session for clue in case.annotation.clues if not clue.decoy])
    shape, things, sessions = shape_of(linked, relation, clues)
    found = facts(shape)
    entailed = {Relation(*[things[number][1] for number in one]) for one in found.complete}
    entailed |= _others(stated, grouped, ours)
    return Seen(
        case,
        evidence,
        relation,
        tuple([one.statement for one in stated]),
        grouped,
        linked,
        found,
        things,
        sessions,
        clues,
        tuple(sorted(entailed, key=attrgetter("subject", "service", "site", "date"))),
    )


def _others(stated: tuple[Stated, ...], grouped: Components, ours: int) -> set[Relation]:
    """Return every relation that the statements of the other components entail."""
    found: set[Relation] = set()
    for number in {*grouped.of}:
        # With fewer statements, no entry of the component can have all four attributes.
        if number != ours and grouped.of.count(number) >= _KINDS:
            found |= relations(
                [one.statement for one, of in zip(stated, grouped.of, strict=True) if of == number]
            )
    return found
