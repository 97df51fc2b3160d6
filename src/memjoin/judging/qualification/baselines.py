"""Judges that know nothing, or next to nothing: what a real one has to be better than."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from memjoin.cases.schema import Case
from memjoin.judging.availability import availability
from memjoin.judging.verdict import Vote

Baseline: TypeAlias = Callable[[Case, str], Vote]


def _always(name: str, said: bool) -> Baseline:
    vote = Vote(name, said, said, said, said, said, said, said, 3 if said else 0)
    return lambda case, answer: vote


def _values_only(case: Case, answer: str) -> Vote:
    """Take every value that stands in an answer for the subject's: availability (Table C.4), no reading."""
    found = availability(answer, case.annotation.target)
    return Vote(
        "values only", found.service, found.service, found.site, found.date, found.service, True, False, 3
    )


BASELINES: Mapping[str, Baseline] = MappingProxyType(
    {
        "always no": _always("always no", False),
        "always yes": _always("always yes", True),
        "values only": _values_only,
    }
)
"""``always no`` and ``always yes`` say so of every field, with grade 0 and 3. ``values only`` takes a service
that stands anywhere for bound and inappropriate, and every task for done."""
