"""Going on with a run that gets further interventions: what it has stays, and only what is new is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from memjoin.runs.arms import RECORDS, read_arm

PREFIX = "the intervention "
"""How the fingerprints of interventions begin in a configuration."""
FILTER_MODEL = f"{PREFIX}filter's local model"
"""The fingerprint of the local model where nothing but a filter is one."""


def extended(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is wanted together with the interventions that a run has already.

    Interventions add up: neither leaving out one that a run has nor naming a new one makes it another run.
    Whatever else differs stays as it is wanted, and differs.

    Args:
        found: A run's configuration, as ``RunConfig.plain`` gave it.
        wanted: The configuration that is asked for now.
    """
    had, asked = found.get("interventions", []), wanted.get("interventions", [])
    merged = dict(wanted)
    if not had and not asked:
        return merged
    merged["interventions"] = list(dict.fromkeys([*had, *asked]))
    if "filter" in found:
        merged.setdefault("filter", found["filter"])
    merged["fingerprints"] = {
        name: value for name, value in found.get("fingerprints", {}).items() if name.startswith(PREFIX)
    } | dict(wanted["fingerprints"])
    # M3 brings the history in records along, to be compared with.
    if any(read_arm(place).condition == RECORDS for place in had) and RECORDS in found.get("conditions", []):
        merged["conditions"] = list(dict.fromkeys([*wanted["conditions"], RECORDS]))
    return merged


def only_adds(found: Mapping[str, Any], wanted: Mapping[str, Any], answered: Collection[str]) -> bool:
    """Tell whether a configuration is that of a run, with more interventions or the same.

    Args:
        found: The run's, as ``RunConfig.plain`` gave it.
        wanted: The configuration that is asked for now.
        answered: The arms that the run has answers of, by name. An intervention in none of them may have
            changed since, and a filter that none has been through may be another: who mends an own one, or
            a wrong name, goes on with the run.
    """
    had, asks = found.get("interventions", []), wanted.get("interventions", [])
    if not asks or not set(had) <= set(asks):
        return False
    new = [place for place in asks if place not in had]
    brought = [RECORDS] if any(read_arm(place).condition == RECORDS for place in new) else []
    conditions = found.get("conditions", [])
    if wanted["conditions"] not in (conditions, [*conditions, *brought]):
        return False
    marks = wanted["fingerprints"]
    before = found.get("fingerprints", {})
    used = {FILTER_MODEL} | {
        f"{PREFIX}{step}" for place in answered for step in read_arm(place).intervention.split("+")
    }
    loose = {name for name in marks if name.startswith(PREFIX) and not (name in before and name in used)}
    as_before = dict(wanted) | {
        "interventions": had,
        "conditions": conditions,
        "fingerprints": {name: mark for name, mark in marks.items() if name not in loose}
        | {name: before[name] for name in loose & before.keys()},
    }
    if not had:
        del as_before["interventions"]
    if "filter" not in found:
        as_before.pop("filter", None)
    elif not any(read_arm(place).filtered for place in answered):
        as_before["filter"] = found["filter"]
    return as_before == dict(found)
