"""A small process between MemJoin and a memory system, so that none outlives the run. Run as a script.

Usage: ``python -I -S guard.py LIFELINE COMMAND [ARGUMENT...]``

It starts the command in a process group of its own, with the standard streams that it was given, and ends
the whole group as soon as MemJoin is gone or wants it gone: the file descriptor LIFELINE is the reading end
of a pipe whose writing end MemJoin alone holds, and which closes when MemJoin ends, however it ends. If the
guard itself is killed, the kernel kills the command (Linux). The guard ends as the command ended: with its
exit code, or by its signal.

The kernel's signal for a parent's death could do without a guard, but it fires when the *thread* ends that
started the process, and it does not reach a process that the system under test has started. (One that has
left the process group on purpose, as daemons do, is not reached by the guard either.)
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import threading

_PR_SET_PDEATHSIG = 1
NOT_STARTED = 127
"""Exit code where the command could not be started, as shells have it."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit code to end with."""
    lifeline, command = int(arguments[0]), arguments[1:]
    own = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, own, lifeline)
    # The command has the streams; a copy here would hide from MemJoin that it closed them.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    threading.Thread(target=_watch, args=(lifeline, child), daemon=True).start()
    _, status = os.waitpid(child, 0)
    _kill_group(child)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(own, -code)
    return code


def _become(command: list[str], guard: int, lifeline: int) -> None:
    """In the child: take a group of its own, tie its life to the guard's, and turn into the command."""
    try:
        os.setpgid(0, 0)
        os.close(lifeline)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and that would be inherited
            signal.signal(number, signal.SIG_DFL)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != guard:
                os._exit(NOT_STARTED)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot start {command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_STARTED)


def _watch(lifeline: int, child: int) -> None:
    while os.read(lifeline, 64):
        pass
    _kill_group(child)


def _kill_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        # Gone, or (macOS) nothing of it left but what is not yet waited for.
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
