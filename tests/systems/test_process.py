"""Worker processes that die, hang, print garbage, or do not listen."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memjoin.errors import MemJoinError
from memjoin.systems import process as module
from memjoin.systems.errors import CallFailed, IllFormedRecords, WorkerDied, WorkerGarbage, WorkerTimeout
from memjoin.systems.process import TAIL_BYTES, Timeouts, WorkerProcess, clean_environment

Start = Callable[..., WorkerProcess]

SOON = 0.3
LATER = 20.0

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs pidfd_open")


def ended(pid: int, seconds: float = LATER) -> bool:
    """Whether a process, no child of this one, ends in time. Waits for the event, not by the clock."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def test_answers(process: Start) -> None:
    worker = process("for call in calls(): answer(call, [call['call'], call['params']])")
    assert worker.call("write", {"text": "é😀\n"}, LATER) == ["write", {"text": "é😀\n"}]
    assert worker.call("export", {}, LATER) == ["export", {}]
    assert worker.running


def test_a_long_request_and_a_long_answer(process: Start) -> None:
    worker = process("for call in calls(): answer(call, call['params'])")
    params = {"text": "x" * 3_000_000}
    assert worker.call("write", params, LATER) == params


def test_an_exit_code_is_reported_with_the_last_words(process: Start) -> None:
    worker = process(
        """
        call = next(calls())
        print("the disk is on fire", file=sys.stderr)
        sys.exit(3)
        """
    )
    with pytest.raises(WorkerDied) as raised:
        worker.call("write", {}, LATER)
    error = raised.value
    assert (error.system, error.call, error.exit_code, error.signal) == ("tried", "write", 3, None)
    assert error.stderr_tail == "the disk is on fire"
    assert "exit code 3" in error.message
    assert "the disk is on fire" in error.message
    assert "memjoin systems check tried" in error.hint
    assert not worker.running


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_a_signal_is_reported_by_name(process: Start, number: signal.Signals) -> None:
    worker = process(f"next(calls()); os.kill(os.getpid(), {int(number)})")
    with pytest.raises(WorkerDied) as raised:
        worker.call("write", {}, LATER)
    assert (raised.value.exit_code, raised.value.signal) == (None, number)
    assert number.name in raised.value.message
    assert ("memory ran out" in raised.value.hint) == (number == signal.SIGKILL)


def test_a_program_that_is_not_there(process: Start) -> None:
    worker = process("", "no-such-program-anywhere")
    with pytest.raises(WorkerDied, match="cannot start no-such-program-anywhere") as raised:
        worker.call("start", {}, LATER)
    assert raised.value.exit_code == 127


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    worker = WorkerProcess("tried", ["true"], {}, tmp_path / "gone", tmp_path / "log")
    with pytest.raises(MemJoinError, match="cannot start a process"):
        worker.start()
    with pytest.raises(WorkerDied, match="was not running any more"):
        worker.call("reset", {}, LATER)
    assert worker.kill() is None


def test_no_answer_in_time(process: Start) -> None:
    worker = process("print('thinking', file=sys.stderr, flush=True); next(calls()); time.sleep(1000)")
    with pytest.raises(WorkerTimeout, match=r"no answer within 0\.3 s in `retrieve`") as raised:
        worker.call("retrieve", {}, SOON)
    assert raised.value.seconds == SOON
    assert not worker.running


def test_a_process_that_does_not_read(process: Start) -> None:
    worker = process("time.sleep(1000)")
    with pytest.raises(WorkerTimeout):
        worker.call("write", {"text": "x" * 1_000_000}, SOON)
    assert not worker.running


def test_a_process_that_closes_its_input_but_answers(process: Start) -> None:
    worker = process("call = next(calls()); os.close(0); answer(call, 1); time.sleep(1000)")
    assert worker.call("reset", {}, LATER) == 1
    with pytest.raises(WorkerTimeout):
        worker.call("write", {"text": "x" * 1_000_000}, SOON)


def test_a_process_that_closes_its_output(process: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_END_SECONDS", 0.1)
    worker = process("next(calls()); os.close(1); time.sleep(1000)")
    with pytest.raises(WorkerDied, match="closed its standard output"):
        worker.call("write", {}, LATER)
    assert not worker.running


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        ("print('Loading model...', flush=True)", "Loading model..."),
        ("print('[]', flush=True)", r"\[\]"),
        ("answer({'id': 99}, None)", "99"),
        ("print(json.dumps({'id': call['id']}), flush=True)", "neither result nor error"),
        ("print(json.dumps({'id': call['id'], 'error': 'no'}), flush=True)", "neither result nor error"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "line"),
    ],
)
def test_garbage(process: Start, script: str, detail: str) -> None:
    worker = process(f"call = next(calls())\n{script}\ntime.sleep(1000)")
    with pytest.raises(WorkerGarbage, match=detail) as raised:
        worker.call("write", {}, LATER)
    assert "standard error" in raised.value.hint
    assert not worker.running


def test_a_line_without_end(process: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_BYTES", 1 << 20)
    worker = process("next(calls())\nwhile True: sys.stdout.write('x' * 65536)")
    with pytest.raises(WorkerGarbage, match="more than 1 MiB"):
        worker.call("export", {}, LATER)


def test_output_that_never_ends_does_not_outlast_the_time(process: Start) -> None:
    worker = process("next(calls())\nwhile True: os.write(1, b'x')")
    with pytest.raises(WorkerTimeout):
        worker.call("export", {}, SOON)


def test_an_answer_nobody_asked_for_spoils_the_next_call(process: Start) -> None:
    worker = process("for call in calls(): answer(call, 1); answer(call, 2)")
    assert worker.call("reset", {}, LATER) == 1
    with pytest.raises(WorkerGarbage):
        worker.call("write", {}, LATER)


def test_a_flood_on_standard_error(process: Start, tmp_path: Path) -> None:
    worker = process(
        """
        for call in calls():
            for number in range(50_000):
                print("warning", number, "x" * 40, file=sys.stderr)
            answer(call, "done")
        """,
        show_log=True,
    )
    assert worker.call("write", {}, LATER) == "done"
    tail = worker.stderr_tail()
    assert len(tail) <= TAIL_BYTES
    assert tail.splitlines()[0].startswith("warning 49")
    assert tail.endswith("warning 49999 " + "x" * 40)
    assert (tmp_path / "stderr.log").read_text().startswith("warning 0 ")


def test_the_log_is_named_only_if_it_stays(process: Start, tmp_path: Path) -> None:
    for show_log in (True, False):
        worker = process("sys.exit(1)", show_log=show_log)
        with pytest.raises(WorkerDied) as raised:
            worker.call("reset", {}, LATER)
        assert (str(tmp_path / "stderr.log") in raised.value.hint) == show_log


def test_an_exception_is_answered_and_the_process_lives(process: Start) -> None:
    worker = process(
        """
        for call in calls():
            if call["call"] == "export":
                answer(call, [])
            else:
                kind = "FormError" if call["call"] == "retrieve" else "ValueError"
                trace = 'Traceback:\\n  File "adapter.py", line 7, in write\\nValueError: no'
                error = {"type": kind, "message": "no", "traceback": trace}
                print(json.dumps({"id": call["id"], "error": error}), flush=True)
        """
    )
    with pytest.raises(CallFailed, match="`write` raised ValueError: no") as raised:
        worker.call("write", {}, LATER)
    assert raised.value.kind == "ValueError"
    assert raised.value.traceback.startswith("Traceback")
    assert "adapter.py" in raised.value.hint
    with pytest.raises(IllFormedRecords, match="`retrieve` returned"):
        worker.call("retrieve", {}, LATER)
    assert worker.call("export", {}, LATER) == []


def test_it_can_be_started_again(process: Start) -> None:
    worker = process("for call in calls():\n    if call['call'] == 'write': sys.exit(5)\n    answer(call, 1)")
    for _ in range(3):
        with pytest.raises(WorkerDied, match="exit code 5"):
            worker.call("write", {}, LATER)
        with pytest.raises(WorkerDied):
            worker.call("reset", {}, LATER)
        worker.start()
        assert worker.call("reset", {}, LATER) == 1


def test_the_tail_is_of_the_latest_start(process: Start) -> None:
    worker = process(
        "print('words of', os.getpid(), file=sys.stderr, flush=True); answer(next(calls()), os.getpid())"
    )
    first = worker.call("reset", {}, LATER)
    worker.kill()
    worker.start()
    second = worker.call("reset", {}, LATER)
    assert first != second
    assert worker.stderr_tail() == f"words of {second}"


def test_another_thread_can_interrupt(process: Start) -> None:
    worker = process(
        "print('in it', file=sys.stderr); answer(next(calls()), 1); next(calls()); time.sleep(1000)"
    )
    assert worker.call("reset", {}, LATER) == 1
    timer = threading.Timer(0.1, worker.interrupt)
    timer.start()
    with pytest.raises(WorkerDied):
        worker.call("write", {}, LATER)
    timer.join()


@linux
def test_ending_it_ends_what_it_started(process: Start) -> None:
    worker = process(
        """
        import subprocess
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        answer(next(calls()), [os.getpid(), other.pid, os.getsid(0)])
        time.sleep(1000)
        """
    )
    own, other, session = worker.call("reset", {}, LATER)
    assert session == worker.pid != os.getsid(0)
    worker.kill()
    assert ended(own)
    assert ended(other)


@linux
def test_what_it_started_ends_when_it_ends(process: Start) -> None:
    worker = process(
        """
        import subprocess
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        answer(next(calls()), other.pid)
        """
    )
    assert ended(worker.call("reset", {}, LATER))


@linux
def test_it_ends_when_its_guard_is_killed(process: Start) -> None:
    worker = process("answer(next(calls()), os.getpid()); time.sleep(1000)")
    own = worker.call("reset", {}, LATER)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    assert ended(own)


def test_it_outlives_the_thread_that_started_it(process: Start) -> None:
    made: list[WorkerProcess] = []
    thread = threading.Thread(target=lambda: made.append(process("for call in calls(): answer(call, 1)")))
    thread.start()
    thread.join()
    assert made[0].call("reset", {}, LATER) == 1
    assert made[0].call("reset", {}, LATER) == 1


def test_the_environment_is_clean(process: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("OWN_SETTING", "shown")
    monkeypatch.setenv("MEMJOIN_PASS_ENV", "OWN_SETTING, NOT_SET")
    home = tmp_path / "home"
    variables = clean_environment(home, "http://127.0.0.1:1/v1", "gateway-key")
    worker = process("answer(next(calls()), dict(os.environ))", environment=variables)
    seen = worker.call("reset", {}, LATER)
    assert "sk-secret" not in seen.values()
    assert "PYTHONPATH" not in seen
    assert "NOT_SET" not in seen
    assert seen["OWN_SETTING"] == "shown"
    assert seen["OPENAI_API_KEY"] == "gateway-key"
    assert seen["OPENAI_BASE_URL"] == "http://127.0.0.1:1/v1"
    assert seen["HOME"] == str(home)
    for name in ("TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        assert Path(seen[name]).is_relative_to(home)
        assert Path(seen[name]).is_dir()


def test_every_call_has_a_time() -> None:
    timeouts = Timeouts(write=1.5)
    assert timeouts.of("write") == 1.5
    assert timeouts.of("close") == 10.0
