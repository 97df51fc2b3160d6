"""What is known of a system, as plain values for people and for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memjoin.systems import environments
from memjoin.systems.spec import SystemSpec


def describe(spec: SystemSpec) -> dict[str, Any]:
    """Return everything about a system that JSON can say, its environment's state included.

    ``environment`` is ``none needed``, ``ready`` or ``not made yet``; ``path`` is its directory, or None.
    """
    status = environments.status(spec)
    state = "none needed" if not status.needed else "ready" if status.ready else "not made yet"
    return {
        "name": spec.name,
        "title": spec.title,
        "version": spec.version,
        "licence": spec.licence,
        "homepage": spec.homepage,
        "description": spec.description,
        "default": spec.default,
        "reference": spec.reference,
        "model_calls": spec.model_calls,
        "exports": spec.exports,
        "retrieves": spec.retrieves,
        "k": spec.k,
        "k_own": spec.k_own,
        "clock": spec.clock,
        "deviations": list(spec.deviations),
        "options": dict(spec.options),
        "environment": state,
        "packages": status.packages,
        "path": str(status.path) if status.path else None,
    }


def listing(specs: Sequence[SystemSpec]) -> str:
    """Return the descriptions of systems as plain text: the systems, then the references under a heading."""
    systems = ["\n".join(lines(spec)) for spec in specs if not spec.reference]
    references = ["\n".join(lines(spec)) for spec in specs if spec.reference]
    if references:
        references.insert(0, "References, to compare the others with:")
    return "\n\n".join([*systems, *references])


def lines(spec: SystemSpec) -> list[str]:
    """Return the description of a system as lines of plain text, the first its name and state."""
    about = describe(spec)
    head = [about["name"], about["version"], about["licence"]]
    state = {
        "none needed": "runs in MemJoin's own interpreter",
        "ready": "installed",
        "not made yet": f"not installed ({about['packages']} packages)",
    }[about["environment"]]
    k = "as the run says" if spec.k == "honoured" else f"its own ({spec.k_own or 'not fixed'})"
    text = [
        "  ".join([*filter(None, head), state, *(["measured by default"] if spec.default else [])]),
        f"  {spec.description}",
    ]
    for label, value in (
        ("exports", spec.exports),
        ("retrieves", spec.retrieves),
        ("how many", k),
        ("dates", spec.clock),
    ):
        if value:
            text.append(f"  {label + ':':<11}{value}")
    text += [f"  {'deviates:' if n == 0 else '':<11}{item}" for n, item in enumerate(spec.deviations)]
    return text
