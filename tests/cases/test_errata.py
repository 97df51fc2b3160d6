"""Whoever changes the released cases says so in ERRATA.md."""

from __future__ import annotations

import re
from datetime import date
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

import pytest

from memjoin.cases import release

DATA = resources.files("memjoin.cases").joinpath("data")


class Line(NamedTuple):
    day: str
    version: str
    cases: str
    before: str
    after: str
    why: str


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    text = DATA.joinpath("ERRATA.md").read_text(encoding="utf-8")
    rows = [row.strip("|").split("|") for row in text.splitlines() if row.startswith("|")]
    return [Line(*(cell.strip().strip("`") for cell in row)) for row in rows[2:]]


def test_the_newest_line_is_about_the_release_as_it_is(lines: list[Line]) -> None:
    published = DATA.joinpath("cases.jsonl.sha256").read_text(encoding="ascii").split()[0]
    newest = lines[-1]
    assert newest.after == published, (
        "cases.jsonl was changed without a line in src/memjoin/cases/data/ERRATA.md; add one at the end: "
        f"| {date.today()} | {release.VERSION} | {len(release.load())} | `{newest.after}` | `{published}` | "
        "why |, and write the data card anew: memjoin cases card --out docs/data-card.md"
    )
    assert (newest.version, newest.cases) == (release.VERSION, str(len(release.load())))


def test_every_line_is_whole_and_follows_the_one_before(lines: list[Line]) -> None:
    for line in lines:
        assert date.fromisoformat(line.day).isoformat() == line.day
        assert re.fullmatch(r"v\d+(-rc)?", line.version)
        assert re.fullmatch(r"[0-9a-f]{64}", line.before)
        assert re.fullmatch(r"[0-9a-f]{64}", line.after)
        assert line.before != line.after
        assert len(line.why) > 20
    for earlier, later in pairwise(lines):
        assert later.before == earlier.after
        assert later.day >= earlier.day


def test_no_public_version_is_edited(lines: list[Line]) -> None:
    public = [line.version for line in lines if not line.version.endswith("-rc")]
    assert len(public) == len(set(public))
