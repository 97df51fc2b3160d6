"""Joins: what the records of a store or an input keep of a case, and what follows from it. No model.

The reading of text (``memjoin.text.reading``) says which statements of the case the records make; the clue
graph (``memjoin.text.graph``) says what follows. Definitions are those of the design's measures: Kept,
Joinable, Collected, Materialized, Unreadable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from memjoin.cases.identity import ByIdentity
from memjoin.cases.schema import Case, Value
from memjoin.judging.availability import availability
from memjoin.judging.verdict import Joins
from memjoin.text.graph import (
    Attribute,
    AttributeKind,
    Handle,
    Relation,
    Statement,
    entails,
    held,
    says,
)
from memjoin.text.reading import (
    REDACTED,
    Lexicon,
    Placed,
    Reading,
    RecordReading,
    Remark,
    by_place,
    is_outright,
    read_record,
)
from memjoin.text.reading.surfaces import MentionKind

_VALUE_KINDS: dict[str, MentionKind] = {"service": "service", "site": "site", "date": "date"}


def joins(records: Sequence[str], case: Case) -> Joins:
    """Say what records keep of a case and what they entail together.

    * *Available*: the lexical check of Tables C.4 and C.5 on all records joined by line breaks.
    * *Kept*: clues (decoys left out) of which the records state everything that no later statement of the
      case replaces, by the same handle or by another name that the records give it.
    * *Joinable*: what the records state entails the target. Values tied outright to a person count as an
      entry of their own, which facts about the same person fill together.
    * *Collected*: they do, and one record alone does.
    * *Materialized*: such a record still does after every surface of a person or entry that is a cue
      is replaced by a redaction mark. Where a site or date is the cue, it stays (it is a component of the
      relation) but may connect nothing: the record must tie the values to the person by itself.
    * *Unreadable*: not joinable, and the case has no annotated clues, or the records hold what would join
      it without our rules being able to say so. That is: they would entail the target if every target
      value that stands there tied to nothing belonged to the target's entry, every holder or alias whose
      two names share a sentence were stated there, and what the records say of entries against the case
      were so; or all three values stand there tied to nothing and the subject is named.

    Args:
        records: The texts of the records, as the reader would see them; their order does not matter.
        case: The case.
    """
    expert = _expert(ByIdentity(case))
    readings = [expert.read(record) for record in records]
    statements = Reading(tuple(readings)).statements()
    joinable = entails(statements, expert.relation)
    collected = [
        record
        for record, reading in zip(records, readings, strict=True)
        if joinable
        and expert.names_all(reading)
        and entails(Reading((reading,)).statements(), expert.relation)
    ]
    kept = expert.kept(statements)
    stands = availability("\n".join(records), case.annotation.target)
    return Joins(
        available=stands.available,
        service=stands.service,
        site=stands.site,
        date=stands.date,
        clues=sum(total for _, _, total in kept),
        kept=sum(count for _, count, _ in kept),
        kept_by_session=kept,
        joinable=joinable,
        collected=bool(collected),
        materialized=any(map(expert.written_down, collected)),
        unreadable=not joinable and expert.cannot_vouch(statements, readings),
    )


def lexicon_of(case: Case) -> Lexicon:
    """Return the lexicon of a case; made once for a case while it is in use."""
    return _expert(ByIdentity(case)).lexicon


def bindings(text: str, case: Case) -> frozenset[AttributeKind]:
    """Return which of the target's service, site and date an answer ties to the subject.

    The answer is read as one record and without completion: what it does not plainly say is not counted.
    Where it speaks of several appointments of the subject, the one that has the service decides, and of
    these the one that has most of the rest.
    """
    expert = _expert(ByIdentity(case))
    reading = Reading((read_record(text, expert.lexicon, completing=False),))
    of_entries = held(reading.statements(), expert.relation)
    return max(of_entries, key=lambda has: ("service" in has, len(has)), default=frozenset())


@lru_cache(maxsize=512)
def _expert(key: ByIdentity) -> _Expert:
    return _Expert(key.case)


class _Expert:
    """What is worked out once for a case, and the readings of its most recent records."""

    def __init__(self, case: Case) -> None:
        target = case.annotation.target
        self.relation = Relation(
            target.subject.canonical, target.service.canonical, target.site.canonical, target.date.canonical
        )
        self.lexicon = make_lexicon(case)
        self._clues = _clues(case, self.lexicon)
        self._sessions = tuple(session.id for session in case.sessions)
        self._cues = {
            (cue.handle.type, cue.handle.name)
            for cue in case.annotation.cues
            if cue.handle.type in ("person", "entry")
        }
        self._components: dict[AttributeKind, str] = {
            "service": self.relation.service,
            "site": self.relation.site,
            "date": self.relation.date,
        }
        self._entries = self.lexicon.known.entries_with(self.relation.subject, self._components)
        self.read = lru_cache(maxsize=512)(self._read)
        self.written_down = lru_cache(maxsize=128)(self._written_down)

    def _read(self, record: str) -> RecordReading:
        return read_record(record, self.lexicon)

    def _written_down(self, record: str) -> bool:
        mentions, _ = self.lexicon.surfaces.find(record)
        for mention in reversed(mentions):
            if (mention.kind, mention.name) in self._cues:
                record = f"{record[: mention.start]}{REDACTED}{record[mention.end :]}"
        reading = Reading((read_record(record, self.lexicon),))
        return entails(reading.statements(through_values=False), self.relation)

    def names_all(self, reading: RecordReading) -> bool:
        """Tell whether a record names all three of the target's values."""
        return reading.named.issuperset(self._components.items())

    def kept(self, statements: Sequence[Statement]) -> tuple[tuple[str, int, int], ...]:
        """Return (session id, clues kept, clues) of every session that has clues, in order."""
        said = says(statements)
        counts: dict[int, tuple[int, int]] = {}
        for session, needed in self._clues:
            keeps = all(map(said, needed))
            count, total = counts.get(session, (0, 0))
            counts[session] = count + keeps, total + 1
        return tuple((self._sessions[session], *counts[session]) for session in sorted(counts))

    def cannot_vouch(self, statements: Sequence[Statement], readings: Iterable[RecordReading]) -> bool:
        """Tell whether records that do not join by our rules may join by what the rules left open."""
        if not self.lexicon.known.places:
            return True
        loose: set[tuple[str, str]] = set()
        untied: set[Statement] = set()
        foreign: set[Statement] = set()
        named: set[tuple[str, str]] = set()
        for reading in readings:
            loose |= reading.loose
            untied |= reading.untied
            foreign |= reading.foreign
            named |= reading.named
        left = [(kind, value) for kind, value in self._components.items() if (kind, value) in loose]
        if len(left) == len(self._components) and ("person", self.relation.subject) in named:
            return True
        if not left and not untied and not foreign:
            return False
        outright = {
            statement.on
            for statement in statements
            if isinstance(statement, Attribute) and is_outright(statement.on)
        }
        supposed = [
            Attribute(kind, entry, value) for entry in {*self._entries, *outright} for kind, value in left
        ]
        places = self.lexicon.known.places
        against = [item.statement for item in sorted((Placed(0, one) for one in foreign), key=by_place)]
        open_ties = [
            item.statement for item in sorted((Placed(places[one], one) for one in untied), key=by_place)
        ]
        return entails([*against, *statements, *open_ties, *supposed], self.relation)


def make_lexicon(case: Case) -> Lexicon:
    """Make the lexicon of a case from its annotation."""
    annotation = case.annotation
    target = annotation.target
    handles = [(named.handle, named.forms) for named in annotation.handles]
    handles += [(cue.handle, cue.forms) for cue in annotation.cues]
    handles.append((Handle("person", target.subject.canonical), target.subject.forms))
    values: list[tuple[str, Value]] = [
        ("service", target.service),
        ("site", target.site),
        ("date", target.date),
        *annotation.values,
    ]
    return Lexicon(
        handles=handles,
        values=[
            (_VALUE_KINDS[kind], value.canonical, value.forms)
            for kind, value in values
            if kind in _VALUE_KINDS
        ],
        people=annotation.people,
        remarks=[
            Remark(
                clue.session,
                clue.statements,
                tuple(
                    case.sessions[span.session].turns[span.turn].text[span.start : span.end]
                    for span in clue.sentences
                ),
            )
            for clue in annotation.clues
        ],
    )


def _clues(case: Case, lexicon: Lexicon) -> list[tuple[int, list[Statement]]]:
    """Return (session, statements it takes to keep it) of each clue that is still good at the end."""
    replaced = lexicon.known.superseded
    found = []
    for clue, placed in zip(case.annotation.clues, lexicon.placed, strict=True):
        needed = [item.statement for item in placed if item.place not in replaced]
        if needed and not clue.decoy:
            found.append((clue.session, needed))
    return found
