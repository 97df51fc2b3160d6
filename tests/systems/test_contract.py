"""The contract: what keeps it passes, and each way of breaking it is found by the check that is meant to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memjoin.models.direct import DirectExchange
from memjoin.models.gateway import Gateway
from memjoin.models.types import ChatReply, ChatRequest, Embedder, Usage
from memjoin.runs.check import open_bench
from memjoin.systems import registry
from memjoin.systems.contract import material
from memjoin.systems.contract.bench import Finding
from memjoin.systems.contract.points import CHECKS, check
from memjoin.systems.errors import CallFailed
from memjoin.systems.spec import SystemSpec

Run = Callable[..., dict[str, Finding]]


class Titles:
    """A chat model that gives a title."""

    name = "titles"
    deterministic = True
    embedded = True

    def complete(self, request: ChatRequest) -> ChatReply:
        words = request.messages[-1]["content"].split()[:3]
        message = {"role": "assistant", "content": f"Title: {' '.join(words)}"}
        return ChatReply(message, "stop", Usage(1, 1), request.model)


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway(DirectExchange({})) as gateway:
        yield gateway


@pytest.fixture
def run(gateway: Gateway, embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the contract on a system, all of it or some points, and return its findings by name."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "data"))

    def findings(spec: SystemSpec, *names: str) -> dict[str, Finding]:
        points = [point for point in CHECKS if point.name in names] if names else CHECKS
        return {f.name: f for f in check(lambda: open_bench(spec, gateway, Titles(), embedder), points)}

    return findings


def test_a_system_that_keeps_it(run: Run) -> None:
    found = run(registry.find("odd_systems:Good"))
    assert list(found) == [point.name for point in CHECKS]
    assert {name: finding.outcome for name, finding in found.items() if finding.outcome != "passed"} == {
        "crash": "not applicable"
    }
    assert "reported: empty, wrong-tool, http-500, time-out" in found["bad replies"].evidence
    assert "stored as it is: prose" in found["bad replies"].evidence
    assert all(finding.evidence and finding.rule for finding in found.values())


@pytest.mark.parametrize(
    ("name", "point", "evidence"),
    [
        ("Forgetful", "stores", "three sessions left no record. It reported: nothing-stored: out of paper"),
        ("Leaky", "isolation", "right after a reset there were 1 records, at first 0"),
        ("Recalling", "isolation", "after a reset a retrieval still held"),
        ("Littering", "isolation", "after a reset the file choir-1 still held text of the case before"),
        ("Strengthening", "retrieval", "three retrievals changed the export: updated of record"),
        ("Wandering", "retrieval", "the same query found something else: 14 records, then 12"),
        ("Generous", "k", "k = 1 returned 15 records"),
        ("Paged", "export", "session 3: the report says 5 added and 0 removed, the exports say 2 and 0"),
        ("Shuffled", "export", "two exports in a row differ"),
        ("Prepending", "export", "session 2: records that were there before stand in another order after it"),
        ("Boasting", "export", "session 1: 2 model calls reported, 1 were made"),
        ("Rewriting", "export", "session 2: 5 records changed, the report says 0"),
        (
            "Inventing",
            "export",
            "a retrieval held text that no exported record has: 'A line that nobody said.'",
        ),
        ("Undated", "dates", "sessions of 2041 left no record with that year in its text or its times"),
        ("Stamping", "dates", "today's date, "),
        ("Random", "repeatable", "a fresh start and one in use differ: id of record"),
        ("Swallowing", "bad replies", "empty in answer to every call: 4 records instead of 5, and no loss"),
        ("Ignoring", "bad replies", "prose in answer to every call is neither in the store nor reported"),
        ("Stuck", "bad replies", "after empty nothing of the next session was stored"),
        ("Fragile", "unusual text", "odd_systems:Fragile: `write` raised UnicodeEncodeError"),
        (
            "Wrong",
            "stores",
            "odd_systems:Wrong: `export` returned something that is not as the protocol says",
        ),
    ],
)
def test_each_way_of_breaking_it_is_found(run: Run, name: str, point: str, evidence: str) -> None:
    finding = run(registry.find(f"odd_systems:{name}"), point)[point]
    assert finding.outcome == "failed"
    assert finding.evidence.startswith(evidence)


def test_checks_of_an_empty_store_prove_nothing(run: Run) -> None:
    found = run(registry.find("odd_systems:Forgetful"))
    for name in ("isolation", "retrieval", "k", "export", "dates", "repeatable"):
        assert found[name].outcome == "not applicable", name


def test_an_exception_over_a_bad_reply_is_not_swallowed(run: Run) -> None:
    finding = run(registry.find("odd_systems:Raising"), "bad replies")["bad replies"]
    assert finding.outcome == "passed"
    assert "an exception (RuntimeError): empty, wrong-tool, http-500, time-out" in finding.evidence


def test_a_system_that_does_not_open(run: Run) -> None:
    with pytest.raises(CallFailed, match="no such store"):
        run(registry.find("odd_systems:Unopened"))


def test_where_the_system_decides_how_many(run: Run) -> None:
    spec = replace(registry.find("odd_systems:Generous"), k="own")
    assert run(spec, "k")["k"].outcome == "not applicable"


def test_what_a_crash_leaves_behind_is_found(run: Run, folder: Callable[..., SystemSpec]) -> None:
    spec = folder(
        "def reset(self, case_id, seed):\n"
        "    place = pathlib.Path(self.settings.home).parent / 'shared'\n"
        "    self.records = [Record('left', place.read_text())] if place.exists() else []\n"
        "def write(self, session):\n"
        "    (pathlib.Path(self.settings.home).parent / 'shared').write_text('left behind')\n"
        "    self.records = [*self.records, Record(session.id, session.turns[0].text)]\n"
        "    return WriteReport(added=1)",
        head="import pathlib",
    )
    assert run(spec, "crash")["crash"].outcome == "failed"


def test_the_material_is_told_apart() -> None:
    choir = " ".join(turn.text for session in material.choir() for turn in session.turns)
    others = [*material.garden(), material.unusual()]
    other = " ".join(turn.text for session in others for turn in session.turns) + material.OTHER_QUERY
    for marker in material.MARKERS:
        assert marker in choir
        assert marker not in other
    dates = {session.at[:10] for session in material.choir()}
    assert not dates & {session.at[:10] for session in material.choir(material.OTHER_DATES)}
    assert max(len(turn.text) for turn in material.unusual().turns) > 25_000
