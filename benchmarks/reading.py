"""Precision and recall of the reading of clues, on sets of records that people wrote.

    python benchmarks/reading.py tests/data/paraphrases/held_out.jsonl [--cases CASES.jsonl] [--misses]

A set is one JSON object a line: ``case`` (an id), ``style``, ``records``, ``clues`` (indices of the
annotation's clues that the records state in full), ``partly`` (those they state in part), ``joinable``. The
cases stand in ``cases.jsonl`` beside the file unless told otherwise.

Printed by style and in all:

* clues: how many of the clues found are stated (precision), how many of those stated are found (recall);
* joins: how many of the joinable sets are found joinable, and how many false joins there are among the rest;
* vouched: of the joinable sets that are missed, how many are called unreadable (the rest is what the reading
  wrongly calls safe); of the sets that do not join, how many are called unreadable.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from memjoin.cases.files import read_cases
from memjoin.cases.schema import Case
from memjoin.judging.joins import joins, lexicon_of
from memjoin.text.graph import says
from memjoin.text.reading import read


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over sets of records; they add."""

    sets: int = 0
    found: int = 0
    stated: int = 0
    right: int = 0
    """Clues that are both found and stated."""
    joinable: int = 0
    joined: int = 0
    missed_unreadable: int = 0
    apart: int = 0
    false_joins: int = 0
    apart_unreadable: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(Score)))


def found_clues(case: Case, records: list[str]) -> set[int]:
    """Return the indices of the clues that the reading finds stated in full."""
    said = says(read(records, lexicon_of(case)).statements())
    return {number for number, clue in enumerate(case.annotation.clues) if all(map(said, clue.statements))}


def score(
    stated: Iterable[int], found: Iterable[int], joinable: bool, joined: bool, unreadable: bool
) -> Score:
    """Score one set of records.

    Args:
        stated: The clues that a person says are stated in full.
        found: The clues that the reading finds.
        joinable: What a person says of the set.
        joined: What the reading says.
        unreadable: Whether the reading says that it cannot vouch for the set.
    """
    stated, found = set(stated), set(found)
    return Score(
        sets=1,
        found=len(found),
        stated=len(stated),
        right=len(stated & found),
        joinable=int(joinable),
        joined=int(joinable and joined),
        missed_unreadable=int(joinable and not joined and unreadable),
        apart=int(not joinable),
        false_joins=int(not joinable and joined),
        apart_unreadable=int(not joinable and not joined and unreadable),
    )


def score_row(row: dict[str, Any], case: Case) -> tuple[Score, list[str]]:
    """Score a line of the file; also say in words what was missed or invented."""
    found = found_clues(case, row["records"])
    result = joins(row["records"], case)
    stated = set(row["clues"])
    faults = [
        f"missed {number}: {case.annotation.clues[number].statements}" for number in sorted(stated - found)
    ]
    faults += [
        f"invented {number}: {case.annotation.clues[number].statements}" for number in sorted(found - stated)
    ]
    if result.joinable != row["joinable"]:
        faults.append("false join" if result.joinable else f"join missed, unreadable: {result.unreadable}")
    return score(stated, found, row["joinable"], result.joinable, result.unreadable), faults


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read the sets of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def share(part: int, whole: int) -> str:
    """Write a share with its counts."""
    return f"{part}/{whole} {part / whole:.3f}" if whole else f"0/{whole}  -   "


def table(scores: dict[str, Score]) -> str:
    """Write one line a style."""
    head = (
        "style",
        "sets",
        "clue precision",
        "clue recall",
        "joins found",
        "false joins",
        "missed, unread.",
        "apart, unread.",
    )
    rows = [head]
    for style, one in scores.items():
        rows.append(
            (
                style,
                str(one.sets),
                share(one.right, one.found),
                share(one.right, one.stated),
                share(one.joined, one.joinable),
                f"{one.false_joins}/{one.apart}",
                f"{one.missed_unreadable}/{one.joinable - one.joined}",
                f"{one.apart_unreadable}/{one.apart - one.false_joins}",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def main() -> None:
    """Score a file and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--cases", type=Path, help="the cases; by default cases.jsonl beside the file")
    parser.add_argument("--misses", action="store_true", help="print every set that is not read in full")
    arguments = parser.parse_args()
    cases = {case.id: case for case in read_cases(arguments.cases or arguments.file.with_name("cases.jsonl"))}
    scores: dict[str, Score] = {}
    for row in read_rows(arguments.file):
        one, faults = score_row(row, cases[row["case"]])
        scores[row["style"]] = scores.get(row["style"], Score()) + one
        if faults and arguments.misses:
            print("\n".join([f"{row['case']} ({row['style']})", *row["records"], *faults, ""]))
    total = Score()
    for one in scores.values():
        total += one
    print(table({**dict(sorted(scores.items())), "all": total}))


if __name__ == "__main__":
    main()
