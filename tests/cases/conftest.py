"""What the tests of cases share: the packaged families and pool, cases of every kind, ways to damage one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from memjoin.cases.build import build_cases
from memjoin.cases.family import Family, families
from memjoin.cases.pool import Pool, load_pool
from memjoin.cases.schema import Annotation, Case, Span, Turn


class Damage:
    """Ways of damaging a case. Each returns a new case and leaves the old one alone."""

    @staticmethod
    def annotated(case: Case, **changes: Any) -> Case:
        """Change fields of the annotation."""
        return replace(case, annotation=replace(case.annotation, **changes))

    @staticmethod
    def map_spans(value: Any, change: Callable[[Span], Span]) -> Any:
        """Change every span in an annotation."""
        if isinstance(value, Span):
            return change(value)
        if isinstance(value, tuple):
            return tuple(Damage.map_spans(item, change) for item in value)
        if is_dataclass(value) and not isinstance(value, type):
            return replace(
                value,
                **{one.name: Damage.map_spans(getattr(value, one.name), change) for one in fields(value)},
            )
        return value

    @staticmethod
    def map_text(value: Any, change: Callable[[str], str]) -> Any:
        """Change every text in an annotation."""
        if isinstance(value, str):
            return change(value)
        if isinstance(value, Span):
            return value
        if isinstance(value, tuple):
            return tuple(Damage.map_text(item, change) for item in value)
        if is_dataclass(value) and not isinstance(value, type):
            return replace(
                value,
                **{one.name: Damage.map_text(getattr(value, one.name), change) for one in fields(value)},
            )
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
    def rename_site(case: Case, new: str) -> Case:
        """Call the target's site something else throughout, text and annotation."""
        site = case.annotation.target.site
        spans = {
            span
            for clue in case.annotation.clues
            for span in clue.values
            if case.sessions[span.session].turns[span.turn].text[span.start : span.end] in site.forms
        }
        for span in sorted(spans, key=lambda one: -one.start):
            case = Damage.replace_at(case, span, new)
        return replace(
            case,
            annotation=Damage.map_text(case.annotation, lambda text: new if text in site.forms else text),
        )


@pytest.fixture
def damage() -> type[Damage]:
    return Damage


@pytest.fixture(scope="session")
def all_families() -> Mapping[str, Family]:
    return families()


@pytest.fixture(scope="session")
def pool() -> Pool:
    return load_pool()


@pytest.fixture(scope="session")
def built(all_families: Mapping[str, Family], pool: Pool) -> list[Case]:
    """One case of every family and topology."""
    return list(build_cases(list(all_families.values()), pool, per_family=12, seed=3))


@pytest.fixture(scope="session")
def by_topology(built: list[Case]) -> Mapping[str, Case]:
    """One case of every topology, of family F19."""
    return {case.topology: case for case in built if case.family == "F19"}
