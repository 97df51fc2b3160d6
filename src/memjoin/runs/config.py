"""What a run is: everything that decides its results, as one value with a hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

JUDGE_TEMPERATURE = 0.0
_OPTIONAL = {"interventions", "filter"}
SHOWN = 6
"""How many names of a longer list a difference prints."""


@dataclass(frozen=True, slots=True)
class RunConfig:
    """The configuration of a run. Two runs with equal configurations ask the same of the same things.

    What merely changes how fast or where a run goes (concurrency, folder) is no part of it.

    Attributes:
        dataset: The release's version, or a file's name for cases of one's own.
        dataset_sha256: Digest of the selected cases, texts and annotations.
        cases: Ids of the selected cases, in order.
        systems: Canonical names of the memory systems, in order.
        conditions: Names of the input conditions, in order.
        trials: How often each case is run from an empty memory.
        writer, reader, judges, embedder: Names of the models.
        k: How many records are retrieved where the system lets its caller say.
        seed: The first trial's seed; each further trial adds one.
        temperature: Of writer and reader; None where it is not sent. Judges are asked at 0.
        fingerprints: Versions and digests of what else decides the results, by name: this program, each
            system's lock and options, the prompts.
        interventions: The arms with an intervention, by name (``retrieved+M1``), in order.
        filter: Name of the model that filters answers; empty where none is filtered.
    """

    dataset: str
    dataset_sha256: str
    cases: tuple[str, ...]
    systems: tuple[str, ...]
    conditions: tuple[str, ...]
    trials: int
    writer: str
    reader: str
    judges: tuple[str, ...]
    embedder: str
    k: int
    seed: int
    temperature: float | None
    fingerprints: tuple[tuple[str, str], ...] = ()
    interventions: tuple[str, ...] = ()
    filter: str = ""

    def plain(self) -> dict[str, Any]:
        """Return it as JSON has it, with the fingerprints as an object.

        A run without interventions, or without a filter, does not mention them.
        """
        values = {name: value for name, value in asdict(self).items() if value or name not in _OPTIONAL}
        values["fingerprints"] = dict(self.fingerprints)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def sampling(self) -> dict[str, Any]:
        """Return what is sent to models that are asked, by role: temperature, and the seed of each trial
        (from 1 on) or, of judges, of each member of the panel, so that two of one model differ."""
        seeds = {str(trial + 1): self.seed + trial for trial in range(self.trials)}
        role = {"temperature": self.temperature, "seeds": seeds}
        judges = [
            {"model": name, "temperature": JUDGE_TEMPERATURE, "seed": position}
            for position, name in enumerate(self.judges)
        ]
        return {"writer": role, "reader": role, "judge": judges}

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical JSON."""
        return digest(self.plain())


def from_plain(values: Mapping[str, Any]) -> RunConfig:
    """Return the configuration that ``plain`` wrote.

    Raises:
        ValueError: A field is missing, or there is one that this version does not know.
    """
    known = {field.name for field in fields(RunConfig)}
    strange = (set(values) ^ known) - (_OPTIONAL - set(values))
    if strange:
        raise ValueError(f"its fields are not those of this version: {sorted(strange)}")
    read: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    read["fingerprints"] = tuple(sorted(values["fingerprints"].items()))
    return RunConfig(**read)


def digest(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON (keys sorted, no spaces, UTF-8)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Say how two configurations differ, one line a field; empty if they do not.

    Args:
        old: What ``plain`` gave when the run was begun, by this or an earlier version.
        new: What it gives now.
    """
    before, after = _flat(old), _flat(new)
    lines = []
    for name in sorted(before.keys() | after.keys(), key=lambda name: (name.count(" "), name)):
        was, now = before.get(name, _NONE), after.get(name, _NONE)
        if was == now:
            continue
        if isinstance(was, list) and isinstance(now, list):
            lines.append(f"{name}: {_listed(was, now)}")
        else:
            lines.append(f"{name}: was {_short(was)}, is {_short(now)}")
    return lines


_NONE = "(none)"


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    flat = {name: value for name, value in values.items() if name != "fingerprints"}
    return flat | {f"fingerprint of {name}": value for name, value in values.get("fingerprints", {}).items()}


def _listed(was: list[str], now: list[str]) -> str:
    added = [str(name) for name in now if name not in was]
    gone = [str(name) for name in was if name not in now]
    parts = [f"{word} {_names(names)}" for word, names in (("without", gone), ("with", added)) if names]
    return f"now {' and '.join(parts)}" if parts else "now in another order"


def _names(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _short(value: object) -> str:
    text = str(value)
    return f"{text[:12]}…" if len(text) == 64 and text.isalnum() else text
