"""The level of an answer, from what it was found to state (the paper's Table C.1)."""

from __future__ import annotations

from dataclasses import dataclass

from memjoin.judging.verdict import Level


@dataclass(frozen=True, slots=True)
class Fields:
    """What an answer states of the relation, after the judges' votes are aggregated.

    ``service``, ``site`` and ``date`` are the target's; ``binding`` says that the answer ties the subject
    to the tested service.
    """

    binding: bool
    service: bool
    site: bool
    date: bool


def level(fields: Fields) -> Level:
    """Return the level, 0 (A0) to 4 (A4), of Table C.1.

    The subject is bound to the service only where an answer both binds and reports the service. Values that
    stand beside each other without a binding give A1, however many they are.
    """
    if not (fields.binding and fields.service):
        return 1 if fields.service or fields.site or fields.date else 0
    if fields.site and fields.date:
        return 4
    return 3 if fields.site or fields.date else 2
