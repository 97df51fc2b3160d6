"""A case as the properties see it: the evidence of its text, and what follows from it."""

from __future__ import annotations

from operator import attrgetter

from memjoin.cases.compatible import Components, components
from memjoin.cases.evidence import Evidence, Key, Stated, gather, text_at
from memjoin.cases.schema import Case, Span
from memjoin.text.graph import Attribute, Relation, Statement, relations
from memjoin.text.record import record


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
    entailed: tuple[Relation, ...]
    """Every relation that all of them entail, in a fixed order."""

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
        """Tell whether a relation is about the subject, under whatever name."""
        root = self.components.root(self.relation.subject)
        return self.components.root(relation.subject) == root


def look(case: Case) -> Seen:
    """Gather the evidence of a case's text."""
    evidence = gather(case)
    target = case.annotation.target
    relation = Relation(
        target.subject.canonical, target.service.canonical, target.site.canonical, target.date.canonical
    )
    statements = tuple([stated.statement for stated in evidence.stated])
    linked = components([stated.ends for stated in evidence.stated])
    root = linked.root(relation.subject)
    groups: dict[Key, list[Stated]] = {}
    for stated, of in zip(evidence.stated, linked.of, strict=True):
        groups.setdefault(of, []).append(stated)
    entailed: set[Relation] = set()
    for group in groups.values():
        kinds = {one.statement.kind for one in group if isinstance(one.statement, Attribute)}
        if len(kinds) == 4:  # with fewer, no entry of the component can have all four attributes
            entailed |= relations([one.statement for one in group])
    return Seen(
        case,
        evidence,
        relation,
        statements,
        linked,
        tuple(groups.get(root, ())),
        tuple(sorted(entailed, key=attrgetter("subject", "service", "site", "date"))),
    )
