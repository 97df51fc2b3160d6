"""Availability: which of the target's values stand in a text, by the lexical rules of Tables C.4 and C.5.

Availability looks at surfaces alone. Whether the values can be connected to each other and to the person
is another question, answered by ``memjoin.judging.joins``.
"""

from __future__ import annotations

from typing import NamedTuple

from memjoin.cases.schema import Target, Value
from memjoin.text.dates import date_stated
from memjoin.text.tokens import has_tokens, phrase_tokens, tokens


class Availability(NamedTuple):
    """Which components of the target pass the lexical check; a plain triple of booleans otherwise."""

    service: bool
    site: bool
    date: bool

    @property
    def available(self) -> bool:
        """A of the paper: service, site **and** date pass."""
        return self.service and self.site and self.date


def availability(text: str, target: Target) -> Availability:
    """Check a text for the target's service, site and date.

    Service and site pass when any accepted form stands in the text as a phrase of whole tokens, whatever
    its case. The date passes by the rule of Table C.4, whose tokens may come from different places.

    Args:
        text: The whole of a store or of a reader's input, its records joined by line breaks, stamps and
            dates included; never the task's own text.
        target: The case's target.
    """
    found = tokens(text)
    present = frozenset(found)
    return Availability(
        _stated(target.service, found, present),
        _stated(target.site, found, present),
        date_stated(text, present, target.date.canonical),
    )


def _stated(value: Value, found: tuple[str, ...], present: frozenset[str]) -> bool:
    for form in (value.canonical, *value.forms):
        phrase = phrase_tokens(form)
        if present.issuperset(phrase) and has_tokens(found, phrase):
            return True
    return False
