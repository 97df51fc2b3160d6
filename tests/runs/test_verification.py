"""What a language model can tell of a case, from the history and from single sessions."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from memjoin.cases import release
from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.models.errors import AuthenticationError, ContextLengthError, ModelError, RateLimitedError
from memjoin.models.types import ChatReply, ChatRequest, Usage
from memjoin.runs.verification.ask import NotTold, Question, Told, ask, compare, digests, questions, request
from memjoin.runs.verification.summary import OUTCOMES, CaseAnswers
from memjoin.runs.verification.verify import PATIENCE, Progress, find_model, verify

CASES = release.load()[:2]
NOTHING: dict[str, Any] = {"because": "", "bound": False, "service": None, "site": None, "date": None}


def relation_of(case: Case) -> dict[str, Any]:
    target = case.annotation.target
    return {
        "because": "it follows",
        "bound": True,
        "service": f"a {target.service.canonical}",
        "site": target.site.canonical,
        "date": target.date.canonical,
    }


@dataclass
class Scripted:
    """Says what ``say`` makes of a document: text, an object, or an error to raise."""

    say: Callable[[dict[str, Any]], Any]
    asked: list[ChatRequest] = field(default_factory=list)
    name: str = "some/model"
    deterministic: bool = False
    embedded: bool = False
    finish: str = "stop"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: ChatRequest) -> ChatReply:
        with self._lock:
            self.asked.append(request)
            said = self.say(json.loads(request.messages[1]["content"]))
        if isinstance(said, Exception):
            raise said
        content = said if isinstance(said, str) else json.dumps(said)
        return ChatReply({"role": "assistant", "content": content}, self.finish, Usage(1, 1), self.name)


def whole(document: dict[str, Any]) -> dict[str, Any]:
    """Tell the relation from a full history and nothing from a single session."""
    case = next(c for c in CASES if c.annotation.target.subject.canonical == document["person"])
    return relation_of(case) if len(document["conversations"]) > 1 else NOTHING


def test_a_model_that_joins_only_the_history_confirms_the_cases() -> None:
    model = Scripted(whole)
    seen: list[Progress] = []
    found = verify(CASES, model, report=seen.append)
    assert found.confirmed
    assert found.counts() == {"as it should be": 2} | {name: 0 for name, _ in OUTCOMES[1:]}
    total = sum(1 + len(case.sessions) for case in CASES)
    assert len(model.asked) == total
    assert (seen[0], seen[-1]) == (Progress(0, total, 0), Progress(total, total, 0))
    told = found.plain()
    assert told["history"] == {
        "answered": 2,
        "lost": 0,
        "relation": 2,
        "bound": 2,
        "service": 2,
        "site": 2,
        "date": 2,
    }
    assert told["single sessions"]["relation"] == 0
    assert told["prompts"] == digests()
    assert [one["session"] for one in told["answers"][0]["sessions"]] == [s.id for s in CASES[0].sessions]


def test_the_model_sees_sessions_and_the_name_and_nothing_else_of_the_annotation() -> None:
    case = CASES[0]
    for question in questions(case):
        asked = request(question, "m")
        document = json.loads(asked.messages[1]["content"])
        assert set(document) == {"person", "conversations"}
        assert [one["turns"] for one in document["conversations"]] == [
            [{"speaker": turn.speaker, "text": turn.text} for turn in session.turns]
            for session in question.sessions
        ]
        text = str(asked.messages)
        assert case.task.text not in text
        assert case.annotation.why not in text
    assert [len(one.sessions) for one in questions(case)] == [len(case.sessions)] + [1] * len(case.sessions)
    assert set(digests()) == {"verify.txt", "again.txt"}


@pytest.mark.parametrize(
    ("said", "right"),
    [
        (("the {service}", "{site}, second floor", "{date}"), (True, True, True)),
        (("{service}", "{site}", "on {long}"), (True, True, True)),
        (("something else", "{site}", None), (False, True, False)),
        ((None, "Elsewhere", "2029-01-01"), (False, False, False)),
        (("un{service}", "x{site}", "not given"), (False, False, False)),
    ],
)
def test_what_is_said_is_compared_with_the_target(
    said: tuple[str | None, ...], right: tuple[bool, bool, bool]
) -> None:
    target = CASES[0].annotation.target
    words = {
        "service": target.service.canonical,
        "site": target.site.canonical,
        "date": target.date.canonical,
        "long": target.date.forms[1],
    }
    filled = [text.format(**words) if text is not None else None for text in said]
    told = compare(filled, True, "", target)
    assert (told.service, told.site, told.date) == right
    assert told.relation == all(right)
    assert not replace(told, bound=False).relation


BAD = [
    ("Sure! It is the dentist.", "it is not one JSON object"),
    ('{"bound": true}', "because: Field required"),
    ({**NOTHING, "more": 1}, "more: Extra inputs"),
    ({**NOTHING, "bound": "no"}, "bound: Input should be a valid boolean"),
    ({**NOTHING, "site": "Alder Court"}, '"bound" is false, but'),
    ("[" * 100_000, "it is not one JSON object"),
    ('{"bound": false, "bound": true}', "a field stands in it twice"),
    ("", "it is not one JSON object"),
]


@pytest.mark.parametrize(("bad", "problem"), BAD)
def test_a_reply_that_cannot_be_used_is_asked_for_once_more_and_then_lost(bad: Any, problem: str) -> None:
    question = Question(CASES[0], None)
    replies = [bad, relation_of(CASES[0])]
    model = Scripted(lambda document: replies.pop(0))
    told = ask(question, model)
    assert isinstance(told, Told)
    assert told.relation
    first, second = model.asked
    assert second.messages[:2] == first.messages
    assert problem in second.messages[3]["content"]
    lost = ask(question, Scripted(lambda document: bad))
    assert isinstance(lost, NotTold)
    assert lost.reason.startswith(f"unusable reply, twice: {problem}")


def test_a_reply_that_is_cut_off_is_no_answer() -> None:
    lost = ask(Question(CASES[0], 1), Scripted(lambda document: NOTHING, finish="length"))
    assert lost == NotTold("unusable reply, twice: it was cut off.")


def test_a_fence_around_the_reply_is_let_pass() -> None:
    told = ask(Question(CASES[0], 1), Scripted(lambda document: f"```json\n{json.dumps(NOTHING)}\n```"))
    assert told == Told(False, False, False, False, (None, None, None), "")


ALL = Told(True, True, True, True, ("a", "b", "c"), "")
SOME = Told(True, False, True, False, ("x", "b", None), "")
NONE = Told(False, False, False, False, (None, None, None), "")
LOST = NotTold("gone")


@pytest.mark.parametrize(
    ("history", "alone", "outcome"),
    [
        (ALL, [NONE, SOME], "as it should be"),
        (SOME, [NONE, NONE], "not told from the history"),
        (NONE, [NONE, LOST], "not told from the history"),
        (ALL, [NONE, ALL], "told from one session"),
        (LOST, [LOST, ALL], "told from one session"),
        (LOST, [NONE, NONE], "lost"),
        (ALL, [NONE, LOST], "lost"),
    ],
)
def test_what_comes_of_a_case(history: Any, alone: list[Any], outcome: str) -> None:
    sessions = tuple((f"s{number}", answer) for number, answer in enumerate(alone, 1))
    assert CaseAnswers("c", history, sessions).outcome == outcome


def test_lost_answers_never_count_as_told_nothing() -> None:
    def say(document: dict[str, Any]) -> Any:
        return "nonsense" if len(document["conversations"]) == 1 else whole(document)

    found = verify(CASES, Scripted(say))
    assert not found.confirmed
    assert found.counts()["lost"] == 2
    told = found.plain()["single sessions"]
    assert (told["answered"], told["lost"]) == (0, sum(len(case.sessions) for case in CASES))
    lines = list(found.lines())
    assert sum("lost: unusable reply, twice" in line for line in lines) == told["lost"]
    assert found.plain()["answers"][0]["sessions"][0]["bound"] is None


def test_lines_tell_who_could_tell_what() -> None:
    def say(document: dict[str, Any]) -> Any:
        told = whole(document)
        if told is NOTHING and "s2" in sessions[str(document["conversations"][0]["time"])]:
            return {**NOTHING, "bound": True, "site": "Wrong\u202e House"}
        return told

    sessions = {session.at: session.id for case in CASES for session in case.sessions}
    lines = list(verify(CASES[:1], Scripted(say)).lines())
    assert lines[1].split() == [CASES[0].id, "history", "THE", "RELATION:", "service,", "site,", "date"]
    assert lines[2].split("  ")[-1].strip() == "no service, site wrong (Wrong<U+202E> House), no date"
    assert lines[4].startswith("Of 1 full histories: the relation 1 (bound 1, service 1")
    assert "    1  as it should be" in lines[-4]


def test_a_stopped_verification_goes_on_from_its_file(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    asked = []

    def stopping(document: dict[str, Any]) -> Any:
        asked.append(document)
        return AuthenticationError("no key") if len(asked) > 4 else whole(document)

    with pytest.raises(AuthenticationError):
        verify(CASES, Scripted(stopping), out=out, in_flight=1)
    with out.open("a", encoding="utf-8") as file:
        file.write('{"case": "F0')  # killed in the middle of a line
    model = Scripted(whole)
    found = verify(CASES, model, out=out)
    total = sum(1 + len(case.sessions) for case in CASES)
    assert len(model.asked) == total - 4
    assert found == verify(CASES, Scripted(whole))
    again = Scripted(whole)
    assert verify(CASES, again, out=out) == found
    assert again.asked == []
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {(line["case"], line["session"]) for line in lines} == {
        (one.case.id, one.shown) for case in CASES for one in questions(case)
    }
    assert sum(line["lost"] is not None for line in lines) == 1


def test_another_model_or_another_text_is_asked_anew(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    verify(CASES[:1], Scripted(whole), out=out)
    other = Scripted(whole, name="other/model")
    verify(CASES[:1], other, out=out)
    assert len(other.asked) == 1 + len(CASES[0].sessions)
    session = CASES[0].sessions[0]
    changed = replace(CASES[0], sessions=(replace(session, at="2020-01-01T10:00"), *CASES[0].sessions[1:]))
    model = Scripted(whole)
    verify([changed], model, out=out)
    assert len(model.asked) == 2


def test_a_corrected_target_is_compared_anew_without_asking(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    verify(CASES[:1], Scripted(whole), out=out)
    annotation = CASES[0].annotation
    site = replace(annotation.target.site, canonical="Elsewhere", forms=("Elsewhere",))
    changed = replace(CASES[0], annotation=replace(annotation, target=replace(annotation.target, site=site)))
    model = Scripted(whole)
    assert verify([changed], model, out=out).counts()["not told from the history"] == 1
    assert model.asked == []


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "cases.jsonl"
    for content in ('{"id": "x"}\n', "[]\n", "text\n", "\xff\n", "7\n"):
        out.write_text(content, encoding="latin-1")
        with pytest.raises(MemJoinError, match=r"cases\.jsonl:1: no answer of a verification"):
            verify(CASES[:1], Scripted(whole), out=out)
        assert out.read_text(encoding="latin-1") == content
    with pytest.raises(MemJoinError, match="cannot be written"):
        verify(CASES[:1], Scripted(whole), out=tmp_path / "none" / "x.jsonl")


def test_one_failure_loses_one_question_and_several_in_a_row_stop_all() -> None:
    failed = []

    def now_and_then(document: dict[str, Any]) -> Any:
        if len(document["conversations"]) > 1:
            failed.append(document)
            return ContextLengthError("too long\nfor this model")
        return whole(document)

    found = verify(CASES, Scripted(now_and_then))
    assert [case.history for case in found.cases] == [NotTold("too long")] * 2
    assert found.counts()["lost"] == 2
    model = Scripted(lambda document: RateLimitedError("slow down"))
    with pytest.raises(RateLimitedError, match="slow down"):
        verify(CASES, model, in_flight=1)
    assert len(model.asked) == PATIENCE


def test_what_goes_wrong_in_a_thread_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        verify(CASES, Scripted(lambda document: ZeroDivisionError("a bug")))


def test_questions_are_asked_at_once_up_to_the_limit() -> None:
    barrier = threading.Barrier(3, timeout=20)

    @dataclass
    class Waiting(Scripted):
        def complete(self, request: ChatRequest) -> ChatReply:
            barrier.wait()
            return super().complete(request)

    case = replace(CASES[0], sessions=CASES[0].sessions[:2])
    found = verify([case], Waiting(whole), in_flight=3)
    assert found.cases[0].history != NotTold("gone")
    assert verify([], Scripted(whole)).cases == ()


def test_embedded_roles_cannot_be_asked() -> None:
    with pytest.raises(MemJoinError, match="no language models") as caught:
        find_model("embedded", 2)
    assert "--model" in caught.value.hint
    with pytest.raises(ModelError, match="is not a model's name"):
        find_model("gpt", 2)
