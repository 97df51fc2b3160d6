"""Which cases a run takes: by id, by family, by configuration, from a file, and how many of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from memjoin.cases import files, release
from memjoin.cases.schema import TOPOLOGIES, Case
from memjoin.errors import MemJoinError

PRESETS = ("quick", "full")
_FILES = (".jsonl", ".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen cases, in the order of their source, and the source's name."""

    dataset: str
    cases: tuple[Case, ...]


def select(wanted: Sequence[str], preset: str | None) -> Selection:
    """Return the cases that a user asks for.

    Ids add up. Families add up, and so do configurations; a case must be of one of the families and of one
    of the configurations, where either are named. Files replace the release as the source.

    Args:
        wanted: Ids, families, configurations and files; all of the release if empty.
        preset: ``quick``: at most 24 of these, balanced. ``full``: all. None: quick where nothing is
            wanted in particular.

    Raises:
        MemJoinError: There is no such case, family, configuration, file or preset, or nothing is left.
    """
    if preset not in (None, *PRESETS):
        raise MemJoinError(f"There is no preset {preset!r}.", f"Presets: {', '.join(PRESETS)}.")
    named = [word for word in wanted if word.lower().endswith(_FILES) or "/" in word]
    words = [word for word in wanted if word not in named]
    dataset, source = _source(named)
    chosen = _narrow(source, words)
    if not chosen:
        raise MemJoinError(
            f"No case is {' and '.join(words)} at once.", "`memjoin cases list` shows the cases there are."
        )
    if (preset or ("full" if wanted else "quick")) == "quick":
        chosen = release.quick(chosen)
    return Selection(dataset, tuple(chosen))


def _source(named: Sequence[str]) -> tuple[str, list[Case]]:
    if not named:
        return release.VERSION, release.load()
    found: dict[str, Case] = {}
    for name in dict.fromkeys(named):
        for case in files.read_cases(Path(name)):
            if case.id in found:
                raise MemJoinError(
                    f"{name}: the case {case.id} stands in another of the files, too.", "Give it another id."
                )
            found[case.id] = case
    return ", ".join(Path(name).name for name in dict.fromkeys(named)), list(found.values())


def _narrow(source: list[Case], words: Sequence[str]) -> list[Case]:
    ids = {case.id for case in source}
    families = {case.family.upper() for case in source}
    by_id, by_family, by_configuration = set(), set(), set()
    for word in words:
        if word in ids:
            by_id.add(word)
        elif word.upper() in families:
            by_family.add(word.upper())
        elif word.upper() in TOPOLOGIES:
            by_configuration.add(word.upper())
        else:
            raise _unknown(word, ids | families | set(TOPOLOGIES))
    if not words:
        return source
    grouped = bool(by_family or by_configuration)
    return [
        case
        for case in source
        if case.id in by_id
        or (
            grouped
            and (not by_family or case.family.upper() in by_family)
            and (not by_configuration or case.configuration in by_configuration)
        )
    ]


def _unknown(word: str, known: set[str]) -> MemJoinError:
    folded = {name.upper(): name for name in sorted(known)}
    close = [folded[name] for name in get_close_matches(word.upper(), list(folded), n=3, cutoff=0.6)]
    guess = f"Did you mean {', '.join(close)}? " if close else ""
    return MemJoinError(
        f"There is no case, family or configuration {word!r}.",
        f"{guess}`memjoin cases list` shows them; a file of own cases ends in .yaml or .jsonl.",
    )
