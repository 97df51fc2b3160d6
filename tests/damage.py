"""Ways of damaging a case, for tests that expect the damage to be noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from memjoin.cases.evidence import text_at
from memjoin.cases.schema import Annotation, Case, Clue, Cue, RequiredItem, Span, Turn


class Damage:
    """Ways of damaging a case. Each returns a new case and leaves the old one alone."""

    @staticmethod
    def annotated(case: Case, **changes: Any) -> Case:
        """Change fields of the annotation."""
        return replace(case, annotation=replace(case.annotation, **changes))

    @staticmethod
    def map_spans(value: Any, change: Callable[[Span], Span]) -> Any:
        """Change every span in an annotation, or in a part of one."""
        if isinstance(value, Span):
            return change(value)
        if isinstance(value, Annotation):  # the only parts with spans; to go through all of it takes long
            parts = (value.clues, value.cues, value.required)
            clues, cues, required = (Damage.map_spans(part, change) for part in parts)
            return replace(value, clues=clues, cues=cues, required=required)
        if isinstance(value, Clue):
            sentences, values = tuple(map(change, value.sentences)), tuple(map(change, value.values))
            return replace(value, sentences=sentences, values=values)
        if isinstance(value, Cue):
            return replace(value, places=tuple(map(change, value.places)))
        if isinstance(value, RequiredItem):
            return replace(value, place=change(value.place))
        return tuple(Damage.map_spans(item, change) for item in value)

    @staticmethod
    def map_text(value: Any, change: Callable[[str], str]) -> Any:
        """Change every text in an annotation."""
        if isinstance(value, str):
            return change(value)
        if isinstance(value, Span):
            return value
        if isinstance(value, tuple):
            items = tuple(Damage.map_text(item, change) for item in value)
            return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        if is_dataclass(value) and not isinstance(value, type):
            changed = {}
            for one in fields(value):
                old = getattr(value, one.name)
                if old is not (new := Damage.map_text(old, change)):
                    changed[one.name] = new
            return replace(value, **changed) if changed else value
        return value

    @staticmethod
    def with_turn(case: Case, session: int, turn: int, text: str) -> Case:
        """Give a turn other text, spans unchanged."""
        old = case.sessions[session]
        turns = list(old.turns)
        turns[turn] = Turn(turns[turn].speaker, text)
        sessions = list(case.sessions)
        sessions[session] = replace(old, turns=tuple(turns))
        return replace(case, sessions=tuple(sessions))

    @staticmethod
    def add_text(case: Case, session: int, turn: int, text: str) -> Case:
        """Append a sentence to a turn."""
        return Damage.with_turn(case, session, turn, f"{case.sessions[session].turns[turn].text} {text}")

    @staticmethod
    def replace_at(case: Case, place: Span, new: str) -> Case:
        """Put other text at a span; all spans of the turn move along and stay where they belong."""
        text = case.sessions[place.session].turns[place.turn].text
        longer = len(new) - (place.end - place.start)

        def shift(span: Span) -> Span:
            if (span.session, span.turn) != (place.session, place.turn):
                return span
            start = span.start + longer if span.start >= place.end else span.start
            end = span.end + longer if span.end >= place.end else span.end
            return span._replace(start=start, end=end)

        changed = Damage.with_turn(
            case, place.session, place.turn, text[: place.start] + new + text[place.end :]
        )
        annotation: Annotation = Damage.map_spans(case.annotation, shift)
        return replace(changed, annotation=annotation)

    @staticmethod
    def drop_session(case: Case, number: int) -> Case:
        """Leave out a session with all that the annotation has there, as if it had never been."""

        def shift(span: Span) -> Span:
            return span._replace(session=span.session - 1) if span.session > number else span

        kept = case.annotation
        annotation = replace(
            kept,
            clues=tuple(
                replace(clue, session=clue.session - (clue.session > number))
                for clue in kept.clues
                if clue.session != number
            ),
            cues=tuple(
                replace(cue, places=tuple(place for place in cue.places if place.session != number))
                for cue in kept.cues
            ),
            required=tuple(item for item in kept.required if item.place.session != number),
        )
        sessions = case.sessions[:number] + case.sessions[number + 1 :]
        return replace(case, sessions=sessions, annotation=Damage.map_spans(annotation, shift))

    @staticmethod
    def rename(case: Case, forms: tuple[str, ...], places: Iterable[Span], new: str) -> Case:
        """Call a thing something else throughout: at its places, and in the annotation."""
        for span in sorted(set(places), key=lambda one: -one.start):
            case = Damage.replace_at(case, span, new)
        return replace(
            case,
            annotation=Damage.map_text(case.annotation, lambda text: new if text in forms else text),
        )

    @staticmethod
    def rename_site(case: Case, new: str) -> Case:
        """Call the target's site something else throughout, text and annotation."""
        forms = case.annotation.target.site.forms
        values = (span for clue in case.annotation.clues for span in clue.values)
        return Damage.rename(case, forms, (span for span in values if text_at(case, span) in forms), new)
