"""`memjoin cases verify --model`, against a local endpoint that speaks the protocol."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from endpoint import Answer, Endpoint, well_formed
from memjoin.cases import release

CASE = release.load()[0]
TOTAL = 1 + len(CASE.sessions)


def reading(path: str, body: dict[str, Any]) -> Answer:
    """Tell the relation from a full history, and nothing from less."""
    document = json.loads(body["messages"][1]["content"])
    target = CASE.annotation.target
    said: dict[str, Any] = {"because": "", "bound": False, "service": None, "site": None, "date": None}
    if len(document["conversations"]) > 1:
        values = (target.service.canonical, target.site.canonical, target.date.canonical)
        said |= {"bound": True, **dict(zip(("service", "site", "date"), values, strict=True))}
    return Answer(body=well_formed(path, body, json.dumps(said)))


def saying(content: str) -> Callable[[str, dict[str, Any]], Answer]:
    return lambda path, body: Answer(body=well_formed(path, body, content))


def failing(status: int) -> Callable[[str, dict[str, Any]], Answer]:
    error = {"error": {"message": f"told to say {status}"}}
    return lambda path, body: Answer(status, error, {"x-should-retry": "false"})


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    server.say = reading
    yield server
    server.close()


@pytest.fixture
def verify(memjoin: Callable[..., Any], endpoint: Endpoint) -> Callable[..., Any]:
    model = f"{endpoint.base_url}#m"
    return lambda *arguments: memjoin("cases", "verify", "--model", model, "--id", CASE.id, *arguments)


def test_a_case_is_confirmed(verify: Callable[..., Any], endpoint: Endpoint) -> None:
    said = verify()
    assert said.code == 0
    assert f"{CASE.id}  history    THE RELATION: service, site, date" in said.out
    assert "    1  as it should be" in said.out
    assert f"questions: {TOTAL} of {TOTAL}" in said.err
    assert len(endpoint.requests) == TOTAL
    _, _, body = endpoint.requests[0]
    assert (body["model"], body["temperature"], body["seed"]) == ("m", 0.0, 0)
    assert body["response_format"]["json_schema"]["strict"] is True
    assert set(body["response_format"]["json_schema"]["schema"]["required"]) == {
        *("because", "bound", "service", "site", "date")
    }


def test_json_tells_every_answer(verify: Callable[..., Any]) -> None:
    said = verify("--json")
    told = json.loads(said.out)
    assert (said.code, told["cases"], told["outcomes"]["as it should be"]) == (0, 1, 1)
    (answer,) = told["answers"]
    assert answer["history"]["bound"] is True
    assert [one["session"] for one in answer["sessions"]] == [session.id for session in CASE.sessions]


def test_bad_replies_are_lost_and_the_exit_code_says_so(
    verify: Callable[..., Any], endpoint: Endpoint
) -> None:
    endpoint.say = saying("I would rather not.")
    said = verify()
    assert said.code == 1
    assert f"lost {len(CASE.sessions)}" in said.out
    assert "    1  lost" in said.out
    assert len(endpoint.requests) == 2 * TOTAL


def test_a_model_that_cannot_join_is_told_from_one_that_was_lost(
    verify: Callable[..., Any], endpoint: Endpoint
) -> None:
    nothing = {"because": "", "bound": False, "service": None, "site": None, "date": None}
    endpoint.say = saying(json.dumps(nothing))
    said = verify()
    assert said.code == 1
    assert "    1  not told from the history" in said.out
    assert f"{CASE.id}  history    nothing" in said.out


@pytest.mark.parametrize(
    ("status", "asked", "problem"),
    [(401, 1, "does not accept the key (HTTP 401)"), (429, 3, "429"), (500, 3, "500")],
)
def test_failures_of_the_endpoint_stop_it_with_a_message(
    verify: Callable[..., Any], endpoint: Endpoint, status: int, asked: int, problem: str
) -> None:
    endpoint.say = failing(status)
    said = verify("--in-flight", "1")
    assert said.code == 2
    assert "Error: The reader model m at " in said.err
    assert problem in said.err
    assert "Traceback" not in said.err
    assert len(endpoint.requests) == asked


def test_what_was_answered_before_a_failure_is_not_asked_again(
    verify: Callable[..., Any], endpoint: Endpoint
) -> None:
    def dying(path: str, body: dict[str, Any]) -> Answer:
        return reading(path, body) if len(endpoint.requests) < 4 else failing(401)(path, body)

    endpoint.say = dying
    assert verify("--in-flight", "1", "--out", "answers.jsonl").code == 2
    endpoint.requests.clear()
    endpoint.say = reading
    assert verify("--out", "answers.jsonl").code == 0
    assert len(endpoint.requests) == TOTAL - 3


def test_mistakes_are_named(verify: Callable[..., Any], memjoin: Callable[..., Any]) -> None:
    said = memjoin("cases", "verify", "--out", "x.jsonl")
    assert (said.code, "none is named" in said.err) == (2, True)
    said = memjoin("cases", "verify", "--model", "openai/gpt-5", "--limit", "1")
    assert (said.code, "OPENAI_API_KEY is not set" in said.err) == (2, True)
    said = memjoin("cases", "verify", "--model", "embedded")
    assert (said.code, "no language models" in said.err) == (2, True)
    said = memjoin("cases", "verify", "--id", "F99", "--model", "embedded")
    assert (said.code, "unknown case 'F99'" in said.err) == (2, True)
    said = verify("--out", "no/x.jsonl")
    assert (said.code, "no/x.jsonl: cannot be written" in said.err) == (2, True)


def test_a_flag_for_models_without_a_model_is_refused(memjoin: Callable[..., Any]) -> None:
    said = memjoin("cases", "verify", "--in-flight", "2")
    assert said.code == 2
    assert "--in-flight is for asking a model" in said.err
    assert "--model" in said.err


def test_without_a_model_the_properties_are_checked_on_the_chosen_cases(memjoin: Callable[..., Any]) -> None:
    said = memjoin("cases", "verify", "--id", CASE.id)
    assert (said.code, said.out.splitlines()[-1]) == (0, "1 case checked, 0 of them break a property")
    said = memjoin("cases", "verify", "--limit", "3", "--family", CASE.family)
    assert said.out.splitlines()[-1].startswith("3 cases checked")


def test_ctrl_c_stops_at_once_and_says_how_to_go_on(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.say = lambda path, body: Answer(hang=True)
    out = tmp_path / "answers.jsonl"
    command = [sys.executable, "-m", "memjoin", "cases", "verify", "--model", f"{endpoint.base_url}#m"]
    process = subprocess.Popen(
        [*command, "--limit", "2", "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MEMJOIN_API_KEY": ""},
    )
    assert process.stderr is not None
    assert "questions: 0 of" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    printed, complaints = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"Stopped. What was answered is kept in {out}; the same command goes on." in complaints
    assert "Traceback" not in complaints
    assert printed == ""
