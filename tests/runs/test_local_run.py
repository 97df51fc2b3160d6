"""Two cases through MemoryBank with the language model on this machine in every role: the real path, end to
end. What such a model says is nobody's business here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memjoin.cases.schema import Case, Span
from memjoin.models import local
from memjoin.models.local import LlamaServer
from memjoin.runs.prepare import Prepared
from memjoin.runs.reader import Run
from memjoin.runs.run import run
from memjoin.systems import registry

LOCAL = "local/smollm2"
REPLY_TOKENS = 64
"""Fewer than by default, so that the test ends soon."""


@pytest.fixture
def server(monkeypatch):
    """The server that a run takes, with short replies."""
    made = LlamaServer(reply_tokens=REPLY_TOKENS)
    monkeypatch.setattr(local, "_SERVER", made)
    yield made
    made.stop()


def in_two_sessions(case: Case) -> Case:
    """Return a case of four sessions as one of two: MemoryBank asks four times a session."""

    def moved(span: Span) -> Span:
        return span._replace(session=span.session // 2, turn=span.turn + 2 * (span.session % 2))

    one, two, three, four = case.sessions
    sessions = (
        replace(one, turns=one.turns + two.turns),
        replace(three, id="s2", turns=three.turns + four.turns),
    )
    clues = tuple(
        replace(clue, session=clue.session // 2, sentences=tuple(map(moved, clue.sentences)))
        for clue in case.annotation.clues
    )
    required = tuple(replace(item, place=moved(item.place)) for item in case.annotation.required)
    return replace(
        case, sessions=sessions, annotation=replace(case.annotation, clues=clues, required=required)
    )


def test_two_cases_of_memorybank_end_to_end(server, new_case, fake_config, quiet, tmp_path):
    cases = tuple(in_two_sessions(new_case(f"T01-RJ-chain-0{number}")) for number in (1, 2))
    spec = registry.find("memorybank")
    config = replace(
        fake_config,
        systems=(spec.name,),
        conditions=("retrieved",),
        trials=1,
        writer=LOCAL,
        reader=LOCAL,
        judges=(LOCAL,),
        embedder=LOCAL,
    )
    prepared = Prepared(config, cases, (spec,))
    finished = run(prepared, root=tmp_path, name="local", reporter=quiet, concurrency=1)
    assert finished.failed == ()
    assert server.pid is None, "the run has ended, and its server with it"
    with Run(finished.folder.path) as opened:
        used = opened.usage()
        calls = {each.role: each.calls for each in used.spent if each.system}
        stories = [opened.story(case.id) for case in cases]
        memories = [memory for _, memory in opened.memories()]
    assert calls.keys() == {"writer", "reader", "judge", "embedder"}
    assert (calls["writer"], calls["reader"]) == (2 * 2 * 4, 2)
    assert {each.model for each in used.spent} == {LOCAL}
    assert all(each.output_tokens for each in used.spent if each.role != "embedder")
    assert used.cost == 0
    assert used.dropped == ()
    for memory in memories:
        assert memory.counts.chat == 8
        assert {record.kind for record in memory.exported} >= {"turns", "summary"}
        assert len(memory.retrieved) >= 1
    for story in stories:
        assert story.answer
        assert len(story.ballots) == 1
        # A vote that its model cannot write in so few words is lost, and then the answer is invalid.
        assert story.verdict.status in ("ok", "invalid")
    # A second time, all of it comes from the ledger: no server is started.
    assert run(prepared, root=tmp_path, name="local", reporter=quiet).failed == ()
    assert server.pid is None
