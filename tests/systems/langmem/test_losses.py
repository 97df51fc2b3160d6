"""Every way in which LangMem loses memory without a word, provoked in the package itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from driving import calling
from memjoin.models.errors import ServerError
from memjoin.models.faults import Fault
from memjoin.models.types import ChatReply, ChatRequest, Exchange, Role, Scope, Vectors
from memjoin.systems.protocol import Session, Turn, WriteReport

FACT = "The choir sings on Fridays"


def kinds(report: WriteReport) -> list[str]:
    return [loss.kind for loss in report.losses]


@pytest.fixture
def updating(langmem: Any, sessions: list[Session]) -> Any:
    """LangMem with one memory, so that the next write is an update."""
    langmem.remembers(FACT)
    assert langmem.system.write(sessions[0]).added == 1
    langmem.faults({})
    return langmem


def first_shown(request: ChatRequest) -> str:
    return str(request.messages[0]["content"]).partition("<instance id=")[2].split()[0]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault("prose"), "unparseable-reply"),
        (Fault("truncated"), "unparseable-reply"),
        (Fault("empty"), "empty-reply"),
        (Fault("http-500"), "model-error"),
        (Fault("time-out"), "model-error"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else value,
)
@pytest.mark.parametrize("step", ["first write", "update"])
def test_a_bad_reply_loses_the_session_and_says_so(
    langmem: Any, sessions: list[Session], fault: Fault, kind: str, step: str
) -> None:
    if step == "update":
        langmem.remembers(FACT)
        langmem.system.write(sessions[0])
    before = langmem.system.export()
    exchange = langmem.faults({1: fault})
    report = langmem.system.write(sessions[1])
    assert len(exchange.injected) == 1
    assert set(kinds(report)) == {kind, "nothing-stored"}
    assert (report.added, report.changed, report.model_calls) == (0, 0, 1)
    assert langmem.system.export() == before
    after = langmem.system.write(sessions[1])
    assert (after.added, after.losses) == (1, ())


def test_an_endpoint_that_hangs_is_given_up_on(langmem: Any, sessions: list[Session]) -> None:
    exchange = langmem.faults({1: Fault("time-out", hold=60)})
    report = langmem.system.write(sessions[0])
    exchange.release()
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert "timed out" in report.losses[0].detail.lower()


def test_after_a_failed_request_an_update_does_not_go_on_asking(
    updating: Any, sessions: list[Session]
) -> None:
    exchange = updating.faults({number: Fault("http-500") for number in range(1, 40)})
    report = updating.system.write(sessions[1])
    assert (report.model_calls, len(exchange.injected)) == (1, 1)
    assert kinds(report) == ["model-error", "nothing-stored"]


def test_a_call_with_another_key_is_sent_back_and_mended(langmem: Any, sessions: list[Session]) -> None:
    healthy = [record.text for record in _write(langmem, sessions[1])]
    langmem.system.reset("case", 0)
    langmem.faults({1: Fault("wrong-key")})
    report = langmem.system.write(sessions[1])
    assert (report.added, report.model_calls, report.losses) == (1, 2, ())
    assert [record.text for record in langmem.system.export()] == healthy


def _write(langmem: Any, session: Session) -> list[Any]:
    langmem.system.write(session)
    return list(langmem.system.export())


def test_a_call_with_another_key_that_is_not_mended(langmem: Any, sessions: list[Session]) -> None:
    langmem.faults({number: Fault("wrong-key") for number in range(1, 40)})
    report = langmem.system.write(sessions[1])
    assert set(kinds(report)) == {"unparseable-reply", "nothing-stored"}
    assert report.model_calls > 1


@pytest.mark.parametrize("step", ["first write", "update"])
def test_a_tool_that_was_never_offered(langmem: Any, sessions: list[Session], step: str) -> None:
    if step == "update":
        langmem.remembers(FACT)
        langmem.system.write(sessions[0])
    langmem.faults({1: Fault("wrong-tool")})
    report = langmem.system.write(sessions[1])
    assert "nothing-stored" in kinds(report)
    assert set(kinds(report)) & {"ignored-reply", "unparseable-reply"}


def test_a_mended_tool_name_is_no_loss(langmem: Any, sessions: list[Session]) -> None:
    langmem.faults({})
    answers = iter(
        [
            calling(("Remember", {"content": FACT})),
            calling(
                ("PatchFunctionName", {"json_doc_id": "call_0", "reasoning": ["a"], "fixed_name": "Memory"})
            ),
        ]
    )
    langmem.asks(lambda request: next(answers))
    report = langmem.system.write(sessions[0])
    assert (report.added, report.model_calls, report.losses) == (1, 2, ())


def test_a_call_that_no_reply_mends_ends_the_session(updating: Any, sessions: list[Session]) -> None:
    updating.calls(("Memory", {"content": "kept for good"}), ("RemoveDoc", {"json_doc_id": "x"}))
    report = updating.system.write(sessions[1])
    assert "ignored-reply" in kinds(report)
    assert any("RemoveDoc" in loss.detail for loss in report.losses)
    assert report.added or any("kept for good" in loss.detail for loss in report.losses)


def test_one_call_whose_arguments_are_no_json_among_good_ones(langmem: Any, sessions: list[Session]) -> None:
    langmem.calls(("Memory", {"content": FACT}), ("Memory", '{"content": "dropped for g'))
    report = langmem.system.write(sessions[0])
    assert (report.added, kinds(report)) == (1, ["unparseable-reply"])
    assert "dropped for g" in report.losses[0].detail


def test_arguments_that_are_a_list(langmem: Any, sessions: list[Session]) -> None:
    langmem.calls(("Memory", ["a", "list"]))
    report = langmem.system.write(sessions[0])
    assert kinds(report) == ["unparseable-reply", "nothing-stored"]


def test_a_reply_that_ends_at_the_token_limit(langmem: Any, sessions: list[Session]) -> None:
    langmem.calls(("Memory", '{"content": "The ch'), finish_reason="length")
    assert "cut off at the token limit" in langmem.system.write(sessions[0]).losses[0].detail


PATCH = '{{"json_doc_id": "{}", "planned_edits": "", "patches": {}}}'
REPLACED = '[{"op": "replace", "path": "/content", "value": "The choir sings on Mondays"}]'


def test_a_patch_of_an_unknown_record(updating: Any, sessions: list[Session]) -> None:
    updating.asks(lambda request: calling(("PatchDoc", PATCH.format("nobody", REPLACED))))
    report = updating.system.write(sessions[1])
    assert kinds(report) == ["ignored-reply", "nothing-stored"]
    assert "nobody" in report.losses[0].detail


def test_a_patch_of_an_unknown_path(updating: Any, sessions: list[Session]) -> None:
    edits = REPLACED.replace("/content", "/text/0")
    updating.asks(lambda request: calling(("PatchDoc", PATCH.format(first_shown(request), edits))))
    assert kinds(updating.system.write(sessions[1])) == ["ignored-reply", "nothing-stored"]


@pytest.mark.parametrize("patches", ['"none"', "3", "{}", '"[cut"'])
def test_patches_that_are_no_list(updating: Any, sessions: list[Session], patches: str) -> None:
    updating.asks(lambda request: calling(("PatchDoc", PATCH.format(first_shown(request), patches))))
    assert kinds(updating.system.write(sessions[1])) == ["unparseable-reply", "nothing-stored"]


def test_of_two_patches_of_one_record_the_last_counts(updating: Any, sessions: list[Session]) -> None:
    def answer(request: ChatRequest) -> dict[str, Any]:
        identity = first_shown(request)
        days = ("Mondays", "Sundays")
        return calling(
            *(("PatchDoc", PATCH.format(identity, REPLACED.replace("Mondays", day))) for day in days)
        )

    updating.asks(answer)
    report = updating.system.write(sessions[1])
    assert (report.changed, kinds(report)) == (1, ["ignored-reply"])
    assert [record.text.partition("] ")[2] for record in updating.system.export()] == [
        "The choir sings on Sundays"
    ]


def test_a_patch_of_nothing_is_no_bad_reply(updating: Any, sessions: list[Session]) -> None:
    updating.asks(lambda request: calling(("PatchDoc", PATCH.format(first_shown(request), "[]"))))
    assert kinds(updating.system.write(sessions[1])) == ["nothing-stored"]


def test_a_record_that_the_store_refuses_is_named(langmem: Any, sessions: list[Session]) -> None:
    langmem.remembers("stored one", "refused two", "stored three")
    # Nothing is searched for in an empty store; each record is embedded by itself.
    good = langmem.connection.exchange
    langmem.connection.exchange = Embedding(good, "refused two", lambda vectors: vectors * np.nan)
    report = langmem.system.write(sessions[0])
    assert (report.added, kinds(report)) == (2, ["storage-error"])
    assert "refused two" in report.losses[0].detail
    assert not any("refused" in record.text for record in langmem.system.export())


def test_an_update_that_the_store_refuses_leaves_the_record_as_it_was(
    updating: Any, sessions: list[Session]
) -> None:
    before = updating.system.export()
    updating.asks(lambda request: calling(("PatchDoc", PATCH.format(first_shown(request), REPLACED))))
    good = updating.connection.exchange
    updating.connection.exchange = Embedding(good, "Mondays", lambda vectors: vectors * np.nan)
    assert kinds(updating.system.write(sessions[1])) == ["storage-error", "nothing-stored"]
    assert updating.system.export() == before


class Embedding:
    """An exchange that spoils the vectors of texts that hold some words."""

    def __init__(self, exchange: Exchange, words: str, spoil: Callable[[Vectors], Vectors]) -> None:
        self._exchange = exchange
        self._words = words
        self._spoil = spoil

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        return self._exchange.chat(scope, role, request)

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        vectors = self._exchange.embed(scope, texts)
        return self._spoil(vectors) if any(self._words in text for text in texts) else vectors


def test_the_embedding_of_a_memory_fails(langmem: Any, sessions: list[Session]) -> None:
    langmem.connection.exchange = Failing(langmem.connection.exchange, "Ottilie Vanterpool keeps")
    report = langmem.system.write(sessions[0])
    assert (report.added, kinds(report)) == (1, ["model-error"])
    assert "Ottilie Vanterpool" in report.losses[0].detail


class Failing(Embedding):
    """An exchange whose embedder fails at texts that begin a record with some words."""

    def __init__(self, exchange: Exchange, words: str) -> None:
        super().__init__(exchange, words, self._fail)

    def _fail(self, vectors: Vectors) -> Vectors:
        raise ServerError("HTTP 500 from the embedder model, on purpose.")


def test_the_embedder_fails_before_anything_is_asked(updating: Any, sessions: list[Session]) -> None:
    updating.faults({}, embeddings=frozenset({1}))
    report = updating.system.write(sessions[1])
    assert (kinds(report), report.model_calls) == (["model-error", "nothing-stored"], 0)


def test_the_context_window_is_too_small(langmem: Any, sessions: list[Session]) -> None:
    langmem.connection.context_window = 10
    report = langmem.system.write(sessions[0])
    langmem.connection.context_window = None
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert "context" in report.losses[0].detail


def test_a_session_that_says_nothing_new_changes_nothing(langmem: Any) -> None:
    session = Session("s1", "2041-05-01T10:00", (Turn("user", "The urn is at Larkmoor Hall."),))
    assert langmem.system.write(session).losses == ()
    again = langmem.system.write(session)
    assert (again.added, again.changed, kinds(again)) == (0, 0, ["nothing-stored"])


def test_a_session_without_words_is_no_loss(langmem: Any) -> None:
    report = langmem.system.write(Session("s1", "2041-05-01T10:00", (Turn("user", " "),)))
    assert report.losses == ()
