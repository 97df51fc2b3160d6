"""What the pages on systems show is true: examples run and keep the contract, tables are complete."""

from __future__ import annotations

import json
import re
import stat
import sys
from pathlib import Path
from typing import get_args

import pytest

from memjoin.models.direct import DirectExchange
from memjoin.models.gateway import Gateway
from memjoin.models.types import Embedder
from memjoin.models.writer import EmbeddedWriter
from memjoin.runs.check import open_bench
from memjoin.systems import registry, wire
from memjoin.systems.contract.points import CHECKS, check
from memjoin.systems.protocol import LossKind
from memjoin.systems.spec import read_folder

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "systems.md").read_text(encoding="utf-8")
ADD = (DOCS / "add-a-system.md").read_text(encoding="utf-8")


def blocks(language: str, page: str = PAGE) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, flags=re.M | re.S)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize(
    ("example", "file", "name"),
    [
        (0, "my_memory.py", "my_memory:MyMemory"),
        (1, "my_facts.py", "my_facts:MyFacts"),
        (2, "program.py", "exec: ./program.py"),
    ],
)
def test_the_examples_keep_the_contract(
    here: Path, embedder: Embedder, example: int, file: str, name: str
) -> None:
    path = here / file
    path.write_text(blocks("python", ADD)[example])
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    spec = registry.find(name)
    with Gateway(DirectExchange({})) as gateway:
        findings = list(check(lambda: open_bench(spec, gateway, EmbeddedWriter(None), embedder)))
    assert [finding for finding in findings if finding.outcome == "failed"] == []
    tried = {finding.name for finding in findings if finding.outcome == "passed"}
    assert ("bad replies" in tried) == (name == "my_facts:MyFacts")
    sys.modules.pop(path.stem, None)


def test_the_program_needs_nothing_of_memjoin() -> None:
    assert "memjoin" not in blocks("python", ADD)[2]


def test_every_point_of_the_contract_that_fails_easily_is_explained() -> None:
    explained = set(re.findall(r"^\| `([^`]+)`", ADD, flags=re.M))
    assert explained - {"my_memory:MyMemory"} <= {point.name for point in CHECKS}
    assert {point.name for point in CHECKS} - explained == {"stores", "k"}


def test_every_system_is_on_the_page() -> None:
    for spec in registry.known():
        assert f"`{spec.system}`" in PAGE
        if not spec.reference:
            assert f"(../src/memjoin/systems/{spec.system}/README.md)" in PAGE


@pytest.mark.parametrize("page", ["systems.md", "add-a-system.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("http"):
            continue
        file, _, place = link.partition("#")
        target = DOCS / (file or page)
        assert target.exists(), link
        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), flags=re.M)
        slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert not place or place in slugs, link


def test_the_shown_values_are_well_formed() -> None:
    answers, *shown = blocks("json")
    assert [json.loads(line)["id"] for line in answers.splitlines()] == [7, 7]
    settings, write, report, records = map(json.loads, shown)
    assert wire.settings_from_json(settings).dimensions == 384
    assert wire.session_from_json(write["session"]).turns[1].text == "Noted."
    assert wire.report_from_json(report).added == 2
    assert wire.records_from_json(records, unique=True)[0].score == 0.83


def test_the_shown_descriptions_are_read(tmp_path: Path) -> None:
    plain, configurations = blocks("toml")[:2]
    (tmp_path / "mem0.lock").write_text("")
    (tmp_path / "system.toml").write_text(plain)
    (spec,) = read_folder(tmp_path, "example")
    assert (spec.title, spec.adapter, spec.options) == ("Mem0", "example.adapter:Mem0", {"top_k": 20})
    head = 'title = "T"\nadapter = "a:B"\ndescription = "D"\n'
    (tmp_path / "system.toml").write_text(head + configurations)
    first, second = read_folder(tmp_path, "example", "memorybank")
    assert (first.name, first.bare, second.name, second.bare) == (
        "memorybank:repository",
        True,
        "memorybank:paper",
        False,
    )


def test_the_tables_are_complete() -> None:
    rows = set(re.findall(r"^\| `([^`]+)`", PAGE, flags=re.M))
    assert {point.name for point in CHECKS} <= rows
    assert set(get_args(LossKind)) <= rows
    assert {"start", "reset", "write", "export", "retrieve", "close"} <= rows
