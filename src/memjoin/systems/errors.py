"""What can go wrong with a memory system, its process or its environment, in words its user can act on."""

from __future__ import annotations

import shlex
import signal as signals

from memjoin.errors import MemJoinError


class SystemFault(MemJoinError):
    """Something that a memory system, or what carries it, did wrong. ``system`` is the system's name."""

    def __init__(self, system: str, message: str, hint: str = "") -> None:
        super().__init__(f"{system}: {message}", hint)
        self.system = system


class UnknownSystem(MemJoinError):
    """No memory system goes by this name."""


class EnvironmentFault(SystemFault):
    """A system's environment could not be made."""


class CallFailed(SystemFault):
    """The system raised an exception in a call. Its process lives on, its memory is of unknown content.

    Attributes:
        kind: The exception's class name.
        traceback: Its traceback as text; may be empty.
    """

    def __init__(self, system: str, call: str, kind: str, detail: str, traceback: str = "") -> None:
        lines = traceback.rstrip().splitlines()
        place = next((line.strip() for line in reversed(lines) if line.lstrip().startswith("File ")), "")
        super().__init__(
            system,
            f"`{call}` raised {kind}: {detail}",
            f"Raised at: {place}" if place else "Look at what the system printed on standard error.",
        )
        self.call = call
        self.kind = kind
        self.detail = detail
        self.traceback = traceback


class IllFormedRecords(SystemFault):
    """A system returned something that is not what the protocol asks for."""

    def __init__(self, system: str, call: str, detail: str) -> None:
        super().__init__(
            system,
            f"`{call}` returned something that is not as the protocol says: {detail}",
            "docs/systems.md shows every field of every answer.",
        )
        self.call = call


class _WorkerFault(SystemFault):
    """A fault of the process: it is gone after this, and ``restart`` makes a new one.

    Attributes:
        call: The call it was in.
        stderr_tail: The last lines of its standard error; may be empty.
    """

    def __init__(self, system: str, call: str, what: str, stderr_tail: str, hint: str) -> None:
        tail = f"\nLast lines of its standard error:\n{_indent(stderr_tail)}" if stderr_tail else ""
        super().__init__(system, f"{what} in `{call}`.{tail}", hint)
        self.call = call
        self.stderr_tail = stderr_tail


class WorkerDied(_WorkerFault):
    """The process ended, or closed its output, where an answer was due; or it had ended before the call.

    Attributes:
        exit_code: Its exit code; None if a signal ended it or it was not known to have ended.
        signal: The signal's number; None if none.
    """

    def __init__(
        self,
        system: str,
        call: str,
        returncode: int | None,
        stderr_tail: str = "",
        log: str = "",
        *,
        gone: bool = False,
    ) -> None:
        self.exit_code = returncode if returncode is not None and returncode >= 0 else None
        self.signal = -returncode if returncode is not None and returncode < 0 else None
        if self.signal is not None:
            what = f"the process was ended by signal {_signal_name(self.signal)}"
        elif self.exit_code is not None:
            what = f"the process ended with exit code {self.exit_code}"
        elif gone:
            what = "the system was not running any more, and was not started again,"
        else:
            what = "the process closed its standard output"
        hints = ["Signal 9 often means that memory ran out."] if self.signal == signals.SIGKILL else []
        super().__init__(system, call, what, stderr_tail, " ".join([*hints, _look(system, log)]))


class WorkerTimeout(_WorkerFault):
    """No answer in time: the process was ended or, in this process, the call left behind. ``seconds`` is the
    time it had."""

    def __init__(self, system: str, call: str, seconds: float, stderr_tail: str = "", log: str = "") -> None:
        super().__init__(system, call, f"no answer within {seconds:g} s", stderr_tail, _look(system, log))
        self.seconds = seconds


class WorkerGarbage(_WorkerFault):
    """The process printed something on standard output that is no answer, and was ended."""

    def __init__(self, system: str, call: str, detail: str, stderr_tail: str = "", log: str = "") -> None:
        super().__init__(
            system,
            call,
            f"the process answered with something else than one JSON object a line ({detail})",
            stderr_tail,
            "Standard output is for answers alone; print everything else on standard error. "
            + _look(system, log),
        )
        self.detail = detail


def _look(system: str, log: str) -> str:
    where = f"All that it printed on standard error is in {log}. " if log else ""
    return f"{where}`memjoin systems check {shlex.quote(system)}` tries the system by itself."


def _indent(text: str) -> str:
    return "\n".join(f"  | {line}" for line in text.splitlines())


def _signal_name(number: int) -> str:
    try:
        return f"{signals.Signals(number).name} ({number})"
    except ValueError:
        return str(number)
