"""What is committed stays, comes back as it was, and survives damage to nothing but itself."""

import resource
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from memjoin.judging.panel import Lost
from memjoin.judging.rows import missing
from memjoin.judging.verdict import Vote
from memjoin.models.connection import Counts
from memjoin.models.types import ChatReply, ChatRequest, Scope, Usage
from memjoin.runs import keys
from memjoin.runs.cell import Cell, CellOutcome, SessionReport, StoredMemory
from memjoin.runs.database import Database, LedgerClosedError, LedgerError
from memjoin.runs.ledger import Answered, Ledger, Used
from memjoin.systems.protocol import Loss, Record, WriteReport

CELL = Cell("verbatim", "T01-RJ-chain-01", 0)
REFERENCES = Cell("", "T01-RJ-chain-01", 0)
SCOPE = Scope("verbatim", "T01-RJ-chain-01", 0, "answer", "retrieved")
REQUEST = ChatRequest("m", ({"role": "user", "content": "hi"},), {"seed": 1}, {"temperature": 1})
REPLY = ChatReply({"role": "assistant", "content": "ho \ud83d"}, "stop", Usage(3, 1, True), "m-2029")
MEMORY = StoredMemory(
    hash="0" * 64,
    exported=(Record("r1", "a fact", "fact", "2029-08-20T14:05", None, ("s1",)), Record("r2", "another")),
    retrieved=(Record("r2", "another", score=0.5),),
    reports=(SessionReport("s1", WriteReport(2, model_calls=1, losses=(Loss("empty-reply", "nothing"),))),),
    counts=Counts(chat=1, embeddings=3, texts=3, input_tokens=40, output_tokens=9),
)
VOTE = Vote("judge", True, True, False, None, None, True, False, 2)


def commit(ledger: Ledger, key: bytes, reply: ChatReply = REPLY) -> None:
    ledger.commit_call(key, 0, "reader", "m", SCOPE, REQUEST, keys.parts(REQUEST), reply, 0.25)


def fill(ledger: Ledger) -> None:
    for number in range(10_000):
        commit(ledger, number.to_bytes(16, "big"))


def test_all_that_is_committed_comes_back_after_reopening(tmp_path, case):
    path = tmp_path / "ledger.sqlite"
    verdict = missing(case, system="verbatim", condition="retrieved", trial=0, reason="no answer")
    vector = np.array([0.6, 0.8], dtype=np.float32)
    with Ledger(path) as ledger:
        ledger.commit_cases([case])
        commit(ledger, b"k" * 16)
        ledger.commit_embedding("m", SCOPE, [(b"v" * 16, vector)], ["a text of 24 characters"], 0.1)
        ledger.commit_memory(CELL, MEMORY)
        ballots = [VOTE, Lost("other", "unusable reply, twice")]
        ledger.commit_verdict(CELL, Answered(("another", "a\nfact", "another"), "Dear"), ballots, verdict)
        ledger.commit_verdict(CELL, Answered((), ""), [], replace(verdict, condition="all"))
        alone = replace(verdict, system="", condition="task-only")
        ledger.commit_verdict(REFERENCES, Answered(None, "Hello"), [VOTE], alone)
        ledger.commit_outcome(CellOutcome(CELL, "failed", "no answer", 1.5))
    with Ledger(path, read_only=True) as ledger:
        assert list(ledger.cases()) == [case]
        assert ledger.reply(b"k" * 16) == REPLY
        assert ledger.reply(b"x" * 16) is None
        assert ledger.vectors([b"v" * 16, b"w" * 16])[b"v" * 16].tolist() == vector.tolist()
        assert ledger.memory(CELL) == MEMORY
        assert list(ledger.memories()) == [(CELL, MEMORY)]
        assert ledger.answer(CELL, "retrieved") == Answered(("another", "a\nfact", "another"), "Dear")
        assert ledger.answer(CELL, "all") == Answered((), "")
        assert ledger.answer(REFERENCES, "task-only") == Answered(None, "Hello")
        assert ledger.verdict(CELL, "retrieved") == verdict
        assert [row.condition for row in ledger.verdicts()] == ["retrieved", "all", "task-only"]
        assert ledger.votes(CELL, "retrieved") == [VOTE, Lost("other", "unusable reply, twice")]
        assert ledger.outcomes() == [CellOutcome(CELL, "failed", "no answer", 1.5)]
        assert ledger.call_counts() == [("reader", "verbatim", 1, 3, 1)]
        embedder = Used("embedder", "m", "verbatim", 1, 6, 0, estimated=True)
        assert ledger.used() == [embedder, Used("reader", "m", "verbatim", 1, 3, 1, estimated=True)]


def test_what_was_not_sent_is_known_of_each_call_and_of_the_run(ledger):
    commit(ledger, b"k" * 16)
    assert ledger.dropped() == []
    for number in (b"a", b"b"):
        commit(ledger, number * 16, replace(REPLY, dropped=("seed", "temperature")))
    assert ledger.reply(b"k" * 16).dropped == ()
    assert ledger.reply(b"a" * 16).dropped == ("seed", "temperature")
    assert ledger.dropped() == [("reader", "m", "seed"), ("reader", "m", "temperature")]


def test_the_first_reply_to_a_call_stays(ledger):
    commit(ledger, b"k" * 16)
    commit(ledger, b"k" * 16, ChatReply({"role": "assistant", "content": "late"}, "stop", Usage(1, 1), "m"))
    assert ledger.reply(b"k" * 16) == REPLY


def test_a_new_verdict_replaces_the_old_one_and_its_votes(ledger, case):
    verdict = missing(case, system="verbatim", condition="retrieved", trial=0, reason="first")
    ledger.commit_verdict(CELL, Answered(("a",), "one"), [VOTE, Lost("other", "why")], verdict)
    ledger.commit_verdict(CELL, Answered(("b",), "two"), [VOTE, VOTE], replace(verdict, reason="second"))
    assert ledger.answer(CELL, "retrieved") == Answered(("b",), "two")
    assert ledger.votes(CELL, "retrieved") == [VOTE, VOTE]
    assert [row.reason for row in ledger.verdicts()] == ["second"]


def test_an_answer_that_was_never_had_leaves_nothing_of_an_earlier_one(ledger, case):
    verdict = missing(case, system="verbatim", condition="retrieved", trial=0, reason="first")
    ledger.commit_verdict(CELL, Answered(("a",), "one"), [VOTE], verdict)
    ledger.commit_gap(CELL, replace(verdict, reason="second"))
    assert ledger.answer(CELL, "retrieved") is None
    assert ledger.votes(CELL, "retrieved") == []
    assert [row.reason for row in ledger.verdicts()] == ["second"]


def test_whether_a_cell_was_begun_outlives_the_process(tmp_path):
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        assert not ledger.begin(CELL)
        assert ledger.begin(CELL)
        commit(ledger, b"k" * 16)
        ledger.commit_memory(Cell("mem0", CELL.case, 1), MEMORY)
        assert not ledger.begin(REFERENCES)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        assert ledger.begin(CELL)
        assert ledger.begin(Cell("mem0", CELL.case, 1))
        assert not ledger.begin(REFERENCES)


def test_equal_messages_are_kept_once(ledger, tmp_path):
    for number in range(50):
        commit(ledger, bytes([number]) * 16)
    rows = sqlite3.connect(tmp_path / "ledger.sqlite")
    assert rows.execute("SELECT count(*) FROM texts").fetchone() == (2,)  # the message, the parameters
    rows.close()


def test_what_was_asked_for_and_not_granted_is_on_record(ledger, tmp_path):
    commit(ledger, b"k" * 16)
    rows = sqlite3.connect(tmp_path / "ledger.sqlite")
    assert rows.execute("SELECT asked, seconds FROM calls").fetchone() == ('{"temperature":1}', 0.25)
    rows.close()


def test_threads_may_commit_at_once(ledger):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: commit(ledger, number.to_bytes(16, "big")), range(400)))
    assert ledger.call_counts() == [("reader", "verbatim", 400, 1200, 400)]


def test_a_reader_sees_a_run_while_it_writes(ledger, tmp_path):
    commit(ledger, b"k" * 16)
    with Ledger(tmp_path / "ledger.sqlite", read_only=True) as other:
        assert other.reply(b"k" * 16) == REPLY
        commit(ledger, b"l" * 16)
        assert other.reply(b"l" * 16) == REPLY


def test_a_closed_ledger_refuses_and_says_so(tmp_path):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerClosedError, match=r"ledger\.sqlite is closed"):
        commit(ledger, b"k" * 16)


def test_closing_waits_for_a_commit_under_way(tmp_path):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    results: list[str] = []

    def work() -> None:
        try:
            fill(ledger)
        except LedgerClosedError:
            results.append("closed")

    thread = threading.Thread(target=work)
    thread.start()
    while not ledger.call_counts():
        pass
    ledger.close()
    thread.join()
    assert results == ["closed"]
    with Ledger(tmp_path / "ledger.sqlite") as again:
        assert again.call_counts()[0][2] > 0


def test_there_is_nothing_to_read_where_there_is_no_file(tmp_path):
    with pytest.raises(LedgerError, match="There is no ledger"):
        Ledger(tmp_path / "ledger.sqlite", read_only=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("read_only", [True, False])
def test_a_file_that_is_no_database_is_damaged(tmp_path, read_only):
    (tmp_path / "ledger.sqlite").write_bytes(b"not a database at all, not even close" * 100)
    with pytest.raises(LedgerError, match=r"ledger\.sqlite is damaged") as error:
        Ledger(tmp_path / "ledger.sqlite", read_only=read_only)
    assert "--fresh" in error.value.hint


def test_pages_overwritten_in_the_middle_are_found_on_opening(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        for number in range(300):
            commit(ledger, number.to_bytes(16, "big"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 8192] = b"\xff" * 8192
    path.write_bytes(data)
    with pytest.raises(LedgerError, match="is damaged"):
        Ledger(path)


def test_another_program_s_database_is_no_ledger(tmp_path):
    other = sqlite3.connect(tmp_path / "ledger.sqlite")
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(LedgerError, match="is no ledger of a run"):
        Ledger(tmp_path / "ledger.sqlite")


def test_another_version_s_ledger_is_refused(tmp_path):
    Ledger(tmp_path / "ledger.sqlite").close()
    other = sqlite3.connect(tmp_path / "ledger.sqlite")
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(LedgerError, match="is of version 99"):
        Ledger(tmp_path / "ledger.sqlite")


def test_a_full_disk_is_said_and_leaves_the_ledger_usable(tmp_path):
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger(path)
    commit(ledger, b"k" * 16)
    largest = max(file.stat().st_size for file in tmp_path.iterdir())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 40_000, before[1]))
    try:
        with pytest.raises(LedgerError, match="cannot be written") as error:
            fill(ledger)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "the same command goes on" in error.value.hint
    # There is room again, but who had the ledger open then must not go on as if nothing were missing.
    with pytest.raises(LedgerError, match="cannot be written"):
        ledger.reply(b"k" * 16)
    ledger.close()
    with Ledger(path) as again:
        [(_, _, written, _, _)] = again.call_counts()
        assert written > 1
        commit(again, b"z" * 16)
        assert again.reply(b"k" * 16) == again.reply(b"z" * 16) == REPLY
        assert again.call_counts()[0][2] == written + 1


def test_what_cannot_be_committed_whole_leaves_nothing_behind(tmp_path):
    database = Database(tmp_path / "ledger.sqlite")
    text = "INSERT INTO texts VALUES (?, ?)"
    with pytest.raises(LedgerError, match="UNIQUE"):
        database.commit((text, [(b"a", "one")]), (text, [(b"b", "two"), (b"a", "again")]))
    assert database.execute("SELECT * FROM texts") == []
    database.commit((text, [(b"a", "one")]))
    assert database.execute("SELECT * FROM texts") == [(b"a", "one")]
    database.close()


def test_many_texts_are_kept_once_all_the_same(ledger, case, tmp_path, monkeypatch):
    verdict = missing(case, system="verbatim", condition="retrieved", trial=0, reason="")
    monkeypatch.setattr("memjoin.runs.ledger._KEPT", 5)
    for _ in range(2):
        for number in range(20):
            answered = Answered((f"item {number}", "shared"), "")
            ledger.commit_verdict(CELL, answered, [], replace(verdict, condition=f"c{number}"))
    rows = sqlite3.connect(tmp_path / "ledger.sqlite")
    assert rows.execute("SELECT count(*) FROM texts").fetchone() == (21,)
    rows.close()
    assert ledger.answer(CELL, "c7") == Answered(("item 7", "shared"), "")
