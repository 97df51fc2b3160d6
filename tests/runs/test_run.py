"""A whole run, and what can be read of it afterwards."""

import json
import sqlite3
from dataclasses import replace

import pytest

from memjoin.errors import MemJoinError
from memjoin.models.errors import ContextLengthError, UnknownModelError
from memjoin.report import story as telling
from memjoin.runs.config import from_plain
from memjoin.runs.ledger import Ledger
from memjoin.runs.prepare import Prepared
from memjoin.runs.reader import NOT_RUN, Run
from memjoin.runs.run import default_concurrency
from memjoin.runs.scratch import PREFIX, scratch
from memjoin.systems.errors import CallFailed

CASE = "T01-RJ-chain-01"


def test_a_run_leaves_a_row_for_every_answer_that_it_planned(fake_run, fake_config, quiet):
    finished = fake_run()
    assert finished.failed == ()
    assert quiet.told[-1].ended == quiet.told[-1].total == 8
    with Run(finished.folder.path) as opened:
        rows = list(opened.rows())
        assert [(row.system, row.condition) for row in rows[:4]] == [
            ("", "history"),
            ("", "task-only"),
            ("", "history"),
            ("", "task-only"),
        ]
        assert len({(row.system, row.condition, row.case, row.trial) for row in rows}) == len(rows) == 16
        assert {row.status for row in rows} == {"ok"}
        assert opened.config == fake_config
        assert [outcome.status for outcome in opened.outcomes()] == ["done"] * 8


def test_the_manifest_says_what_took_part(finished_run, fake_config):
    manifest = json.loads((finished_run / "manifest.json").read_text())
    assert from_plain(manifest["configuration"]) == fake_config
    assert manifest["configuration_hash"] == fake_config.hash
    assert manifest["seeds"] == {"1": 0, "2": 1}
    assert manifest["systems"]["fake"]["title"] == "Fake"
    assert {"memjoin", "python", "sqlite", "onnxruntime"} <= manifest["versions"].keys()
    assert {"reader", "judge.txt"} <= manifest["prompts"].keys()


def test_the_same_command_again_does_nothing_and_another_is_refused(fake_run, quiet):
    fake_run()
    fake_run()
    assert [progress.ended for progress in quiet.told[-1:]] == [8]
    with pytest.raises(MemJoinError, match="k: was 3, is 4"):
        fake_run(changed={"k": 4})
    assert fake_run("other", changed={"k": 4}).failed == ()
    assert fake_run(changed={"k": 4}, fresh=True).failed == ()


def test_a_run_whose_models_could_not_be_had_does_not_block_its_name(fake_run, monkeypatch, fake_config):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UnknownModelError, match="OPENAI_API_KEY"):
        fake_run(changed={"reader": "openai/gpt"}, own_models=False)
    assert fake_run(changed={"k": 4}).failed == ()


def test_a_case_is_read_once_for_all_its_arms_that_were_not_run(fake_run, monkeypatch):
    asked = []
    read = Ledger.case
    monkeypatch.setattr(Ledger, "case", lambda ledger, name: asked.append(name) or read(ledger, name))
    monkeypatch.setattr(Ledger, "verdicts", lambda ledger, cell=None: iter(()))
    with Run(fake_run().folder.path) as opened:
        rows = list(opened.rows())
        times = len(opened.config.systems) + 1  # each system's cells stand together, and the references'
        assert len(rows) > len(asked)
        assert all(asked.count(case) <= times for case in opened.config.cases)


def test_rows_of_cells_that_were_not_run_are_missing_and_say_so(fake_run):
    path = fake_run().folder.path
    rows = sqlite3.connect(path / "ledger.sqlite")
    rows.execute("DELETE FROM verdicts WHERE case_id = ? AND trial = 0", (CASE,))
    rows.commit()
    rows.close()
    with Run(path) as opened:
        gone = [row for row in opened.rows() if row.case == CASE and row.trial == 0]
    assert {(row.status, row.reason, row.level) for row in gone} == {("missing", NOT_RUN, None)}
    assert len(gone) == 4


def test_failed_cells_are_reported_and_succeed_the_next_time(fake_run):
    fake_run.faults.append(("write", CallFailed("fake", "write", "ValueError", "once")))
    finished = fake_run()
    assert [outcome.reason.splitlines()[0] for outcome in finished.failed] == [
        "fake: `write` raised ValueError: once"
    ]
    assert fake_run().failed == ()


def test_rows_come_one_after_the_other_and_cases_have_digests(fake_run):
    with Run(fake_run().folder.path) as opened:
        rows = opened.rows()
        first = next(rows)
        assert (first.system, first.condition, first.trial) == ("", "history", 0)
        assert len(list(rows)) == 15
        assert next(rows, None) is None
        assert opened.digests().keys() == opened.cases.keys()
        assert len(set(opened.digests().values())) == 2
        assert opened.digests() == opened.digests()


def test_losses_are_read_by_cell_and_session(fake_run):
    fake_run.writer_failing.append(ContextLengthError("The messages are too long."))
    with Run(fake_run(concurrency=1).folder.path) as opened:
        [lost] = opened.losses()
        assert (lost.cell.system, lost.session, lost.loss.kind) == ("fake", "s1", "model-error")
        assert opened.failure_counts() == [("The messages are too long.", 1)]


def test_a_story_has_all_there_is_about_one_answer(finished_run):
    with Run(finished_run) as opened:
        story = opened.story(CASE, "retrieved", "fake", 1)
    assert story.memory is not None
    assert story.items == tuple(record.text for record in story.memory.retrieved)
    assert story.items[0] in story.answer
    assert [ballot.judge for ballot in story.ballots] == ["lexical"]
    assert story.verdict.status == "ok"


def test_a_story_without_flags_is_of_the_first_system_and_its_first_condition(finished_run):
    with Run(finished_run) as opened:
        story = opened.story(CASE)
        assert (story.cell.system, story.condition, story.cell.trial) == ("fake", "retrieved", 0)
        history = opened.story(CASE, "history")
        assert (history.cell.system, history.memory) == ("", None)
        assert opened.story(CASE, "task-only").items is None


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("T99",), "no case 'T99'"),
        ((CASE, "itemized"), "no condition 'itemized'"),
        ((CASE, "all", "mem0"), "no system 'mem0'"),
        ((CASE, "history", "fake"), "history has no memory system"),
        ((CASE, "all", "fake", 2), "no trial 3"),
    ],
)
def test_a_story_that_the_run_does_not_have_is_refused_with_what_it_has(finished_run, arguments, what):
    with Run(finished_run) as opened, pytest.raises(MemJoinError, match=what) as error:
        opened.story(*arguments)
    assert error.value.hint


def test_a_story_is_told_from_the_task_to_the_level(finished_run):
    with Run(finished_run) as opened:
        story = opened.story(CASE, "all", "fake")
    text = "\n".join(line.text for line in telling.tell(story))
    assert story.case.task.text in text
    assert "clue:  KX-4821 is at Northgate Annex" in text
    assert "clue:  Juniper is Priya Raman" in text or "clue:  Priya Raman is Juniper" in text
    assert "4 of 4 clues kept (s1 1/1, s2 1/1, s3 1/1, s4 1/1)" in text
    assert f"A{story.verdict.level}: it" in text
    assert max(len(line.text) for line in telling.tell(story)) <= telling.WIDTH
    told = telling.plain(story)
    assert told["input"][2]["clues"] == ("KX-4821 is at Northgate Annex",)
    assert told["verdict"]["level"] == story.verdict.level


def test_a_missing_answer_has_a_story_too(fake_run):
    fake_run.faults.extend([("write", CallFailed("fake", "write", "ValueError", "no table"))] * 9)
    with Run(fake_run().folder.path) as opened:
        story = opened.story(CASE, "all", "fake")
    text = "\n".join(line.text for line in telling.tell(story))
    assert "(none)" in text
    assert "The answer is missing: fake: `write` raised ValueError: no table." in text


def test_a_run_is_read_while_it_is_under_way(fake_run, tmp_path, quiet):
    seen = []

    def look(progress):
        with Run(tmp_path / "runs" / "test") as opened:
            seen.append(sum(row.status == "ok" for row in opened.rows()))

    quiet.progress = look
    fake_run(concurrency=1)
    assert seen[0] == 0
    assert seen[-1] == 16
    assert seen == sorted(seen)


def test_a_manifest_of_another_version_is_refused(fake_run):
    folder = fake_run().folder
    manifest = json.loads(folder.manifest.read_text())
    manifest["configuration"]["invented"] = 1
    folder.manifest.write_text(json.dumps(manifest))
    with pytest.raises(MemJoinError, match=r"written by another version.*invented"):
        Run(folder.path)


def test_cells_at_once_are_the_cores_unless_models_are_elsewhere(fake_config, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert default_concurrency(Prepared(fake_config, (), ())) == 2
    assert default_concurrency(Prepared(replace(fake_config, reader="openai/gpt"), (), ())) == 8


def test_scratch_is_removed_and_what_a_killed_run_left_is_too(tmp_path):
    with scratch(tmp_path) as place:
        (place / "home").mkdir()
    assert not place.exists()
    with scratch(tmp_path) as killed:
        (tmp_path / "copy").write_text((tmp_path / "scratch").read_text())
    killed.mkdir()
    (tmp_path / "copy").rename(tmp_path / "scratch")
    with scratch(tmp_path) as place:
        assert place.is_dir()
        assert not killed.exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("inside", ["mine", f"{PREFIX}mine"])
def test_a_note_that_points_elsewhere_has_nothing_removed(tmp_path, inside):
    (tmp_path / inside).mkdir()
    (tmp_path / "scratch").write_text(str(tmp_path / inside))
    with scratch(tmp_path):
        assert (tmp_path / inside).is_dir()
