"""What interventions without the annotation reach, beside those with it; needs no model that answers.

    python benchmarks/interventions.py [--k 10] [--no-detect] [--every 1] [--only held-out]

On three kinds of text: the released cases' histories in records; what verbatim retrieves of them for the
task; and the held-out paraphrases (tests/data/paraphrases), records in the manner of memory systems, whose
writer knew no rule of MemJoin. The rules of M3:detected were written with the released cases in view: on the
first two kinds the figures show how well they fit, on the third what to expect elsewhere. For every
intervention: inputs that are joinable; inputs in which service, site and date are all stated; and what is
gone of the case's values (decoys' included) and of what the tasks need, as shares of what stood there before.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from memjoin.cases import release
from memjoin.cases.files import read_cases
from memjoin.cases.schema import Case
from memjoin.conditions.interventions.apply import edited
from memjoin.conditions.interventions.base import Given
from memjoin.conditions.interventions.registry import Step, chain
from memjoin.conditions.views import view
from memjoin.judging.joins import joins
from memjoin.models.names import EMBEDDED, resolve_embedder
from memjoin.text.tokens import has_any_phrase, tokens

NAMES = ("", "M2", "M2:detected", "M2:patterns", "M3", "M3:detected")
HELD_OUT = Path(__file__).parents[1] / "tests" / "data" / "paraphrases"


@dataclass
class Count:
    """Over some inputs: how many there are, and what of them is so."""

    inputs: int = 0
    joinable: int = 0
    available: int = 0
    values: int = 0
    required: int = 0

    def add(self, items: tuple[str, ...], case: Case) -> None:
        """Count an input."""
        found = joins(items, case)
        words = tokens("\n".join(items))
        self.inputs += 1
        self.joinable += found.joinable
        self.available += found.available
        self.values += sum(has_any_phrase(words, value.forms) for _, value in case.annotation.values)
        self.required += sum(has_any_phrase(words, item.forms) for item in case.annotation.required)


def histories(cases: Iterable[Case]) -> Iterator[tuple[tuple[str, ...], Case]]:
    """Yield each case's history in records."""
    for case in cases:
        yield view("itemized", sessions=case.sessions).items or (), case


def retrieved(cases: Iterable[Case], k: int) -> Iterator[tuple[tuple[str, ...], Case]]:
    """Yield the k records of each history that are nearest to the case's task, as verbatim retrieves them."""
    embedder = resolve_embedder(EMBEDDED)
    for items, case in histories(cases):
        vectors = embedder.embed([case.task.text, *items])
        nearest = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:k]
        yield tuple(items[at] for at in nearest), case


def held_out() -> Iterator[tuple[tuple[str, ...], Case]]:
    """Yield the paraphrases with the cases that they are of."""
    cases = {case.id: case for case in read_cases(HELD_OUT / "cases.jsonl")}
    for line in (HELD_OUT / "held_out.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        yield tuple(one["records"]), cases[one["case"]]


def main() -> None:
    """Measure, and print a line for every intervention and kind of text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--k", type=int, default=10, help="records that are retrieved")
    parser.add_argument("--no-detect", action="store_true", help="leave out what needs the extra 'detect'")
    parser.add_argument("--only", metavar="TEXT", default="", help="kinds of text that begin so")
    parser.add_argument("--every", type=int, default=1, help="take every so many-th input")
    chosen = parser.parse_args()
    names = [name for name in NAMES if not (chosen.no_detect and name.startswith("M2:"))]
    steps: dict[str, tuple[Step, ...]] = {name: chain(name) if name else () for name in names}
    cases = release.load()
    kinds = {
        "history in records": histories(cases),
        "held-out paraphrases": held_out(),
        f"retrieved, k={chosen.k}": retrieved(cases, chosen.k),
    }
    print(
        f"{'text':22}{'intervention':14}{'inputs':>8}{'joinable':>10}{'available':>11}"
        f"{'values gone':>13}{'needed gone':>13}"
    )
    for kind, inputs in kinds.items():
        if not kind.startswith(chosen.only):
            continue
        counts = {name: Count() for name in names}
        for items, case in islice(inputs, 0, None, chosen.every):
            for name, count in counts.items():
                count.add(edited(Given(items), steps[name], case).items or (), case)
        before = counts[""]
        for name, count in counts.items():
            print(
                f"{kind:22}{name or 'none':14}{count.inputs:8}{count.joinable:10}{count.available:11}"
                f"{1 - count.values / before.values:13.1%}{1 - count.required / before.required:13.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
