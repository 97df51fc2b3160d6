"""Whether a place or a handle gives its services away: how near they are to each other for an embedder."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from memjoin.cases.schema import Case
from memjoin.models.types import Embedder, Vectors


@dataclass(frozen=True, slots=True)
class Near:
    """Cosine similarity of some names to services: mean over all pairs, the highest, and whose that is.

    ``others`` is the mean over pairs with services of other families: what nearness to one's own is to be
    compared with.
    """

    names: int
    mean: float
    others: float
    highest: float
    name: str
    service: str


@dataclass(frozen=True, slots=True)
class Nearness:
    """Sites, and entries and aliases, of each family and of all of them, near their family's services."""

    embedder: str
    sites: Mapping[str, Near]
    handles: Mapping[str, Near]
    all_sites: Near
    all_handles: Near


def nearness(cases: Sequence[Case], embedder: Embedder) -> Nearness:
    """Embed what the cases name, every accepted form of it, and compare.

    Args:
        cases: One case at least.
        embedder: What embeds the names, each as a text of its own.
    """
    services, sites, handles = (_named(cases, what) for what in ("service", "site", "handle"))
    vectors = {family: embedder.embed(list(names)) for family, names in services.items()}

    def near(named: Mapping[str, tuple[str, ...]]) -> dict[str, Near]:
        return {
            family: _near(family, names, services[family], vectors, embedder)
            for family, names in named.items()
        }

    near_sites, near_handles = near(sites), near(handles)
    return Nearness(
        embedder.name, near_sites, near_handles, _all(near_sites.values()), _all(near_handles.values())
    )


def _named(cases: Sequence[Case], what: str) -> dict[str, tuple[str, ...]]:
    """Return the forms of services, of sites, or of entries and aliases that each family's cases name."""
    found: dict[str, dict[str, None]] = {}
    for case in cases:
        here = found.setdefault(case.family, {})
        if what == "handle":
            for named in case.annotation.handles:
                kind, name = named.handle.type, named.handle.name
                if kind == "entry" or (kind == "person" and name not in case.annotation.people):
                    here.update(dict.fromkeys(named.forms))
        else:
            for of, value in case.annotation.values:
                if of == what:
                    here.update(dict.fromkeys(value.forms))
    return {family: tuple(names) for family, names in found.items()}


def _near(
    family: str,
    names: tuple[str, ...],
    services: tuple[str, ...],
    vectors: Mapping[str, Vectors],
    embedder: Embedder,
) -> Near:
    import numpy as np

    if not names or not services:
        return Near(0, 0.0, 0.0, 0.0, "", "")
    mine = embedder.embed(list(names)).astype(np.float64)
    scores = mine @ vectors[family].T.astype(np.float64)
    rest = [vectors[other] for other in vectors if other != family and len(vectors[other])]
    others = mine @ np.concatenate(rest).T.astype(np.float64) if rest else np.zeros((1, 1))
    row, column = np.unravel_index(int(scores.argmax()), scores.shape)
    return Near(
        names=len(names),
        mean=float(scores.mean()),
        others=float(others.mean()),
        highest=float(scores.max()),
        name=names[int(row)],
        service=services[int(column)],
    )


def _all(families: Collection[Near]) -> Near:
    """Return the same of all families together; each family counts once in the means."""
    measured = [near for near in families if near.names]
    if not measured:
        return Near(0, 0.0, 0.0, 0.0, "", "")
    highest = max(measured, key=lambda near: near.highest)
    return replace(
        highest,
        names=sum(near.names for near in measured),
        mean=fmean(near.mean for near in measured),
        others=fmean(near.others for near in measured),
    )
