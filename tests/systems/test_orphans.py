"""A worker does not outlive a MemJoin that was killed."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

PARENT = """
import json, sys
from pathlib import Path
from memjoin.systems.process import WorkerProcess

place = Path(sys.argv[1])
worker = WorkerProcess("tried", [sys.executable, "-S", str(place / "script.py")], {}, place, place / "log")
worker.start()
print(json.dumps([worker.pid, *worker.call("reset", {}, 20)]), flush=True)
sys.stdin.read()
"""

SCRIPT = """
import json, os, subprocess, sys, time
call = json.loads(sys.stdin.readline())
other = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(1000)"])
print(json.dumps({"id": call["id"], "result": [os.getpid(), other.pid]}), flush=True)
time.sleep(1000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs pidfd_open")
def test_a_killed_parent_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "parent.py").write_text(PARENT)
    command = [sys.executable, str(tmp_path / "parent.py"), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        line = parent.stdout.readline()
        pids = [int(part) for part in line.strip("[]\n ").split(",")]
        descriptors = [os.pidfd_open(pid) for pid in pids]
        parent.kill()
        try:
            # The guard, the worker, and the process that the worker started.
            assert len(descriptors) == 3
            for descriptor in descriptors:
                assert select.select([descriptor], [], [], 20.0)[0], "a process is still there"
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
