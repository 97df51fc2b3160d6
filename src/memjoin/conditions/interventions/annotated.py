"""M2 and M3 as bounds: what is taken out is known from the evaluator's annotation.

Whatever the annotation names is found in text as the reading of clues finds it: by whole tokens, dates in any
usual form, entries by the shorter names that only they have. What a memory system has put in words of its own
is missed, and the tables count how often that shows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from memjoin.cases.identity import ByIdentity
from memjoin.cases.schema import Annotation, Case
from memjoin.conditions.interventions.base import Given
from memjoin.text.graph import Attribute, Handle, Statement
from memjoin.text.reading.surfaces import Mention, MentionKind, Surfaces
from memjoin.text.spans import Span, replaced
from memjoin.text.tokens import tokens

PLACEHOLDERS: Mapping[str, str] = MappingProxyType(
    {"service": "[SERVICE]", "site": "[SITE]", "date": "[DATE]", "unknown": "[VALUE]"}
)
"""What stands for a value, by its kind; ``unknown`` for a form that two values share. All values of a kind
have one and the same, so that the placeholders connect nothing."""

REMOVED = "[removed]"
"""What stands for a cue: the same for all."""

_KINDS: Mapping[str, MentionKind] = MappingProxyType({"service": "service", "site": "site", "date": "date"})
# Text may hold marks of its own, real or forged; what stands inside them is text like any other.
_OPENERS = str.maketrans(dict.fromkeys("[<*\u2588\u2592", " "))


@dataclass(frozen=True, slots=True)
class ValueSanitization:
    """Typed placeholders for every value of the target's kinds, those of decoys included.

    To mask the target's alone would mark them.
    """

    name: str = "M2"
    title: str = "Value sanitization"
    sentence: str = (
        "Every service, site and date of the case's matters, decoys' included, is replaced by a placeholder "
        "of its kind, as the evaluator's annotation has them."
    )
    source: str = "The paper's Table 3, M2"
    conditions: tuple[str, ...] = ("retrieved", "all", "history", "itemized")

    def edit_annotated(self, given: Given, case: Case) -> Given:
        """Return the records without the values."""
        found = _values(ByIdentity(case))
        return _each(given, lambda item: _marked(item, found, lambda it: PLACEHOLDERS[it.kind]))


@dataclass(frozen=True, slots=True)
class CueRemoval:
    """The cues that connect records are taken out, and all else stays.

    These are the target's cues, and what connects the remarks on others in the same way: to take out the
    target's alone would mark them. A value stays unless it is a cue itself.
    """

    name: str = "M3"
    title: str = "Cross-record cue removal"
    sentence: str = (
        "Every alias, code or label that connects remarks across sessions, and every site or date that does, "
        "is replaced by one and the same mark, as the evaluator's annotation has them; all else stays."
    )
    source: str = "The paper's Tables 3 and F.4, M3"
    # Records are what it edits: on the history its input and its control are the history in records.
    conditions: tuple[str, ...] = ("retrieved", "all", "itemized")

    def edit_annotated(self, given: Given, case: Case) -> Given:
        """Return the records without the cues."""
        found, cues = _everything(ByIdentity(case))

        def mark(mention: Mention) -> str | None:
            return REMOVED if (mention.kind, mention.name) in cues else None

        return _each(given, lambda item: _marked(item, found, mark))


def cues_of(annotation: Annotation) -> frozenset[tuple[str, str]]:
    """Return what connects the remarks of a case across sessions, by (type, name).

    The annotated cues of the target, and every handle that the remarks on others name in two sessions or
    more: entries, aliases, and sites and dates that something hangs on. Full names are none; nor are values
    of the target that are no cues.
    """
    target = annotation.target
    kept = {("service", target.service.canonical), ("site", target.site.canonical)}
    kept |= {("date", target.date.canonical), *(("person", name) for name in annotation.people)}
    sessions: dict[tuple[str, str], set[int]] = {}
    for clue in annotation.clues:
        if clue.decoy:
            for handle in (handle for said in clue.statements for handle in _handles(said)):
                sessions.setdefault((handle.type, handle.name), set()).add(clue.session)
    shared = {key for key, within in sessions.items() if len(within) > 1}
    return frozenset({*(shared - kept), *((cue.handle.type, cue.handle.name) for cue in annotation.cues)})


def _handles(statement: Statement) -> tuple[Handle, ...]:
    if not isinstance(statement, Attribute):
        return statement.a, statement.b
    if statement.kind == "holder":
        return statement.on, Handle("person", statement.value)
    if statement.kind == "service":
        return (statement.on,)
    return statement.on, Handle(statement.kind, statement.value)


@lru_cache(maxsize=64)
def _values(key: ByIdentity) -> Surfaces:
    return Surfaces((), _value_forms(key.case.annotation), ())


@lru_cache(maxsize=64)
def _everything(key: ByIdentity) -> tuple[Surfaces, frozenset[tuple[str, str]]]:
    """Return all surfaces of a case, and what of them is to go."""
    annotation = key.case.annotation
    handles = [(named.handle, named.forms) for named in annotation.handles]
    handles += [(cue.handle, cue.forms) for cue in annotation.cues]
    handles.append((Handle("person", annotation.target.subject.canonical), annotation.target.subject.forms))
    cues = cues_of(annotation)
    # A surface that could be a cue or something else is found as its words.
    shared = {
        ("unknown", " ".join(tokens(form)))
        for handle, forms in handles
        if (handle.type, handle.name) in cues
        for form in (handle.name, *forms)
    }
    return Surfaces(handles, _value_forms(annotation), annotation.people), cues | shared


def _value_forms(annotation: Annotation) -> list[tuple[MentionKind, str, tuple[str, ...]]]:
    target = annotation.target
    values = [("service", target.service), ("site", target.site), ("date", target.date), *annotation.values]
    return [(_KINDS[kind], value.canonical, value.forms) for kind, value in values if kind in _KINDS]


def _each(given: Given, edit: Callable[[str], str]) -> Given:
    if given.items is None:
        return given
    return replace(given, items=tuple(edit(item) for item in given.items))


def _marked(text: str, surfaces: Surfaces, mark: Callable[[Mention], str | None]) -> str:
    # Composed and decomposed accents are the same text; names are known composed.
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    mentions, _ = surfaces.find(composed.translate(_OPENERS))
    spans = [
        Span(mention.start, mention.end, by) for mention in mentions if (by := mark(mention)) is not None
    ]
    return replaced(composed, spans) if spans else text
