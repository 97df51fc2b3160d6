"""Every released case, damaged in every way that we could think of: the verifier notices each, every time.

A mutation yields damaged copies of a case. Where text moves, the annotation moves with it, so that what is
found is the damage and not a span out of place, unless the damage is that the annotation is silent.
"""

from __future__ import annotations

import pytest

from memjoin.cases import release
from memjoin.cases.properties import PROPERTIES
from memjoin.cases.schema import TOPOLOGIES
from memjoin.cases.seen import look
from mutations import ALL, Mutation

ONE_CUE = ("star", "amend", "holder", "slot")
SOME = {
    "leave a cue out of the annotation": [
        name for names in TOPOLOGIES.values() for name in names if name not in ONE_CUE
    ],
    "exchange the sessions of what was and what is": ("amend", "renumber", "holder", "redate"),
    "say two names of one thing in one more sentence": ("chain", "relay", "renumber", "backref", "late"),
}
"""Mutations that only cases of some topologies allow."""


@pytest.mark.parametrize(("breaking", "mutation"), ALL.values(), ids=ALL)
def test_the_verifier_catches_it_in_every_case(breaking: str, mutation: Mutation) -> None:
    missed = []
    reached = set()
    for case in release.load():
        for number, mutant in enumerate(mutation(case)):
            reached.add(case.id)
            if not any(PROPERTIES[breaking](look(mutant))):
                missed.append((case.id, number))
    assert missed == []
    topologies = SOME.get(mutation.__name__.replace("_", " "))
    assert reached == {
        case.id for case in release.load() if topologies is None or case.topology in topologies
    }


def test_every_property_is_broken_by_some_mutation() -> None:
    assert {breaking for breaking, _ in ALL.values()} == set(PROPERTIES)
