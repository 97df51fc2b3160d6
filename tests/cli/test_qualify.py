"""`memjoin judges qualify`, and how a run finds the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from endpoint import Answer, Endpoint, well_formed
from memjoin.judging.qualification.answers import load
from memjoin.runs.judging.records import find, of_panel, warnings

LABELS = {each.answer: each.labels for each in load()}
STATED = ("binding", "service", "site", "date")


def knowing(path: str, body: dict[str, Any]) -> Answer:
    """Say what the labels say, with the whole answer for evidence."""
    answer = json.loads(body["messages"][1]["content"])["answer"]
    labels = LABELS[answer]
    said: dict[str, Any] = {name: getattr(labels, name) for name in STATED}
    said["evidence"] = {name: [answer] if said[name] else [] for name in STATED}
    for name in ("inappropriate", "completed", "refusal", "grade"):
        said[name] = getattr(labels, name)
    return Answer(body=well_formed(path, body, json.dumps(said)))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    server.say = knowing
    yield server
    server.close()


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMJOIN_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def test_a_judge_that_knows_all_is_not_below_the_bar(memjoin: Callable[..., Any], endpoint: Endpoint) -> None:
    name = f"{endpoint.base_url}#m"
    assert "is not qualified" in warnings(of_panel((name,)))[0]
    said = memjoin("judges", "qualify", "--judge", name, "--json")
    assert said.code == 0
    (told,) = json.loads(said.out)
    assert told["result"]["below"] == []
    assert told["result"]["answers"] == len(LABELS) == len(endpoint.requests)
    assert all(field["wrong"] == 0 for part in told["parts"].values() for field in part["fields"].values())
    assert warnings(of_panel((name,))) == ()
    assert find(name, "second") is None
    memjoin("judges", "qualify", "--judge", name)
    assert len(endpoint.requests) == len(LABELS)


def test_a_judge_below_the_bar_is_said_to_be(memjoin: Callable[..., Any], endpoint: Endpoint) -> None:
    endpoint.say = lambda path, body: Answer(
        body=well_formed(
            path,
            body,
            json.dumps(
                {
                    "evidence": {name: [] for name in STATED},
                    **dict.fromkeys((*STATED, "inappropriate", "completed", "refusal"), False),
                    "grade": 0,
                }
            ),
        )
    )
    name = f"{endpoint.base_url}#m"
    said = memjoin("judges", "qualify", "--judge", name)
    assert said.code == 1
    assert "(always no), development" in said.out
    assert f"{name} is below the bar: " in " ".join(said.out.split())
    (warning,) = warnings(of_panel((name,)))
    assert "it found 0 of" in warning


def test_a_wrong_wording_is_explained(memjoin: Callable[..., Any]) -> None:
    said = memjoin("judges", "qualify", "--wording", "third")
    assert said.code == 2
    assert "first or second" in said.err


def test_a_damaged_result_counts_as_none(memjoin: Callable[..., Any], endpoint: Endpoint, data: Path) -> None:
    name = f"{endpoint.base_url}#m"
    assert memjoin("judges", "qualify", "--judge", name).code == 0
    (result,) = data.glob("judges/*/result.json")
    result.write_text('{"judge": 3}')
    assert find(name) is None
    result.write_text("{")
    assert find(name) is None


def test_a_budget_stops_it_and_a_larger_one_goes_on(memjoin: Callable[..., Any], endpoint: Endpoint) -> None:
    command = ("judges", "qualify", "--judge", f"{endpoint.base_url}#m", "--in-flight", "1")
    said = memjoin(*command, "--budget", "5calls")
    assert said.code == 3
    assert said.out == ""
    assert "Stopped. The budget of 5 calls is used up" in said.err
    assert "larger --budget" in said.err
    assert len(endpoint.requests) == 5
    assert memjoin(*command, "--budget", f"{len(LABELS)}calls").code == 0
    assert len(endpoint.requests) == len(LABELS)


def test_a_budget_that_is_empty_is_none_of_any_size(memjoin: Callable[..., Any], endpoint: Endpoint) -> None:
    said = memjoin("judges", "qualify", "--judge", f"{endpoint.base_url}#m", "--budget", "")
    assert said.code == 2
    assert "is no budget" in said.err
    assert not endpoint.requests
