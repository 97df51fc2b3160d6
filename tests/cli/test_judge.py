"""`memjoin judge`: a run judged again, against a local endpoint that speaks the protocol."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from endpoint import Answer, Endpoint, well_formed

CASES = "F19-RJ-chain-01,F19-UC-holder-01"
FIELDS = ("binding", "service", "site", "date")


def verdict(body: dict[str, Any], **changes: Any) -> str:
    """Find everything in an answer that is longer than a refusal, and quote its first word."""
    answer = json.loads(body["messages"][1]["content"])["answer"]
    found = len(answer) > 300
    quotes = [answer.split()[0]] if found else []
    said: dict[str, Any] = {"evidence": dict.fromkeys(FIELDS, quotes), **dict.fromkeys(FIELDS, found)}
    said |= {"inappropriate": found, "completed": found, "refusal": False, "grade": 3 if found else 1}
    return json.dumps(said | changes)


def saying(**changes: Any) -> Callable[[str, dict[str, Any]], Answer]:
    return lambda path, body: Answer(body=well_formed(path, body, verdict(body, **changes)))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    server.say = saying()
    yield server
    server.close()


@pytest.fixture
def run(memjoin: Callable[..., Any]) -> str:
    assert memjoin("run", "--system", "verbatim", "--cases", CASES, "--name", "r").code == 0
    return "runs/r"


@pytest.fixture
def judge(memjoin: Callable[..., Any], run: str, endpoint: Endpoint) -> Callable[..., Any]:
    name = f"{endpoint.base_url}#m"
    return lambda *arguments: memjoin("judge", run, "--judge", name, "--name", "model", *arguments)


def ledger(run: str) -> str:
    return hashlib.sha256(Path(run, "ledger.sqlite").read_bytes()).hexdigest()


def test_a_run_is_judged_again_without_its_reader(
    judge: Callable[..., Any], run: str, endpoint: Endpoint
) -> None:
    before = ledger(run)
    said = judge()
    assert said.code == 0
    assert ledger(run) == before
    assert len(endpoint.requests) == 8  # two cases, four inputs
    assert all(
        body["response_format"]["json_schema"]["name"] == "verdict" for _, _, body in endpoint.requests
    )
    assert "Disclosure, panel model" in said.out
    assert f"Judges: {endpoint.base_url}#m." in said.out
    assert "is not qualified" in said.out
    assert "Agreement of run (A) and model (B)" in said.out
    assert "Answers on which run (A) and model (B) differ" in said.out
    assert "B - A [95% CI]" in said.out
    assert Path(run, "panels", "model", "tables", "disclosure.json").is_file()


def test_a_second_time_nobody_is_asked(judge: Callable[..., Any], endpoint: Endpoint) -> None:
    first = judge("--json")
    endpoint.requests.clear()
    again = judge("--json")
    assert endpoint.requests == []
    assert again.out == first.out
    told = json.loads(again.out)
    assert set(told) == {"panels", "compared", "differing"}
    assert {name for one in told["differing"] for name in one["fields"]} <= {
        *FIELDS,
        "completed",
        "grade",
        "level",
    }


def test_a_budget_stops_it_and_it_goes_on(judge: Callable[..., Any], endpoint: Endpoint) -> None:
    stopped = judge("--budget", "3calls", "--in-flight", "1")
    assert (stopped.code, len(endpoint.requests)) == (3, 3)
    assert "The budget of 3 calls is used up" in stopped.err
    assert judge().code == 0
    assert len(endpoint.requests) == 8


def test_lost_votes_leave_answers_invalid_and_are_asked_for_again(
    judge: Callable[..., Any], memjoin: Callable[..., Any], run: str, endpoint: Endpoint
) -> None:
    endpoint.say = saying(grade=7)
    said = judge()
    assert said.code == 0
    assert len(endpoint.requests) == 16
    assert "8 with a lost vote" in said.err
    assert "2 invalid and 0 missing answers" in said.out
    assert "model: " in memjoin("judge", run).out


def test_both_wordings_are_two_panels_compared(
    judge: Callable[..., Any], run: str, memjoin: Callable[..., Any], endpoint: Endpoint
) -> None:
    first_words = "You check one answer"

    def say(path: str, body: dict[str, Any]) -> Answer:
        first = body["messages"][0]["content"].startswith(first_words)
        return Answer(body=well_formed(path, body, verdict(body, completed=first, grade=3 if first else 2)))

    endpoint.say = say
    said = judge("--both-wordings")
    assert said.code == 0
    assert "Agreement of model (A) and model-second (B)" in said.out
    assert len(endpoint.requests) == 16
    listed = memjoin("judge", run).out
    assert "model: " in listed
    assert "model-second: " in listed
    compared = memjoin("judge", run, "--compare", "model", "--compare", "model-second", "--json")
    assert {tuple(one["fields"]["completed"]) for one in json.loads(compared.out)["differing"]} <= {
        (True, False)
    }


def test_a_verdict_that_contradicts_itself_is_reported(judge: Callable[..., Any], endpoint: Endpoint) -> None:
    endpoint.say = saying(completed=True, refusal=True, grade=0)
    said = judge()
    assert (
        "Contradict themselves: 8 verdicts and 8 single votes (completed and refused in full: 8)." in said.out
    )


def test_another_panel_of_the_same_name_is_refused(
    judge: Callable[..., Any], memjoin: Callable[..., Any], run: str
) -> None:
    assert judge().code == 0
    said = memjoin("judge", run, "--judge", "lexical", "--name", "model")
    assert said.code == 2
    assert "The panel runs/r/panels/model is another one:" in said.err
    assert "judges: " in said.err
    assert "Give this one a --name of its own" in said.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--compare", "run"), "takes two panels"),
        (("--compare", "run", "--compare", "none"), "has no panel 'none'"),
        (("--judge", "lexical", "--both-wordings"), "has no prompt to word"),
        (("--judge", "lexical", "--name", "run"), "is the panel that the run was made with"),
        (("--judge", "nobody/"), ""),
        (("--judge", "lexical", "--compare", "run"), "a judge is named"),
    ],
)
def test_mistakes_are_explained(
    memjoin: Callable[..., Any], run: str, arguments: tuple[str, ...], message: str
) -> None:
    said = memjoin("judge", run, *arguments)
    assert said.code == 2
    assert message in said.err
    assert "Traceback" not in said.err


def test_there_has_to_be_a_run(memjoin: Callable[..., Any]) -> None:
    said = memjoin("judge", "runs/none", "--judge", "lexical")
    assert said.code == 2
    assert "There is no run" in said.err
