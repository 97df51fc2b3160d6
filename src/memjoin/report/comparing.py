"""Two runs read from their folders and compared."""

from __future__ import annotations

from pathlib import Path

from memjoin.analysis.builders.crossrun import runs_compared
from memjoin.analysis.crossrun import compare_runs
from memjoin.analysis.table import Table
from memjoin.report.source import design_of
from memjoin.runs.config import difference
from memjoin.runs.reader import Run

SHOWN = 5
"""How many names of a longer list are printed."""


def compare_folders(first: Path, second: Path) -> Table:
    """Return the comparison of two runs: the second minus the first, over the cases that they share.

    A case of the same name with another text is another case; it is left out, and the notes say so.

    Raises:
        MemJoinError: A folder is no run's, or the two have no case or no input in common.
    """
    with Run(first) as one, Run(second) as other:
        mine, others = one.digests(), other.digests()
        same = [name for name in mine if others.get(name) == mine[name]]
        changed = [name for name in mine if name in others and others[name] != mine[name]]
        found = compare_runs(
            (one.rows, design_of(one.config, one.manifest)),
            (other.rows, design_of(other.config, other.manifest)),
            same,
        )
        notes = [f"Cases: {len(one.config.cases)} in A, {len(other.config.cases)} in B."]
        if changed:
            notes.append(f"Left out, for their texts or annotations differ: {_listed(changed)}.")
        for run, keys in (("A", found.only_first), ("B", found.only_second)):
            if keys:
                notes.append(f"Only in {run}: {_listed([str(key) for key in keys])}.")
        fewer = {run: each.config.trials for run, each in (("A", one), ("B", other))}
        if len(set(fewer.values())) == 2:
            said = ", ".join(f"{trials} in {run}" for run, trials in fewer.items())
            notes.append(f"Trials: {said}; the first {found.trials} of each are compared.")
        changes = difference(one.config.plain(), other.config.plain())
        told = [change for change in changes if not change.startswith(("cases:", "dataset_sha256:"))]
        notes.append(
            f"Set up otherwise in B: {'; '.join(told)}."
            if told
            else "Both runs are set up alike: what differs is chance."
        )
        return runs_compared(found, (_name(first, second), _name(second, first)), notes)


def _name(path: Path, other: Path) -> str:
    """Return a run's name; its path where the other one has the same."""
    return path.name if path.name != other.name else str(path)


def _listed(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
