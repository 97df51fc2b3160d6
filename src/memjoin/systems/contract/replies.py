"""The point of the contract about malformed replies: each is provoked, none may go without a word."""

from __future__ import annotations

from collections import defaultdict

from memjoin.systems.contract import material
from memjoin.systems.contract.bench import Bench, Benches, Broken, Inapplicable, write_all
from memjoin.systems.errors import CallFailed
from memjoin.systems.protocol import Record, Session

_ALWAYS_LOST = ("empty", "wrong-tool", "http-500", "time-out")
"""Replies that hold nothing that could be stored."""


def bad_replies(benches: Benches) -> str:
    """Malformed model replies are reported as losses, never swallowed, and do not stop the system.

    Each fault spoils all calls of a session, then the first only, then the last only. A fault passes if the
    write reports a loss, if the store is that of a good reply after all (the system asked again), if `write`
    fails with an exception, or if a system that takes replies as plain text has stored the reply as it is.
    """
    session, next_session = material.choir()[0], material.garden()[0]
    seen: dict[str, set[str]] = defaultdict(set)
    with benches.shared() as bench:
        healthy = write_all(bench, "healthy", [session])
        calls = healthy.calls[0]
        if not calls:
            raise Inapplicable("it makes no model call while writing")
        numbers = [None] if calls == 1 else [None, 1, calls]
        for fault in bench.faults:
            for number in numbers:
                how = _provoke(bench, fault, number, session, healthy.after)
                seen[how].add(fault)
                _goes_on(bench, fault, next_session)
    return f"of {calls} calls a session, spoilt all or one: " + "; ".join(
        f"{how}: {', '.join(fault for fault in bench.faults if fault in faults)}"
        for how, faults in seen.items()
    )


def _provoke(bench: Bench, fault: str, number: int | None, session: Session, healthy: list[Record]) -> str:
    """Write one session with spoilt replies; return how it came out.

    Raises:
        Broken: The fault went without a word.
    """
    system = bench.system
    system.reset("spoilt", 7)
    bench.spoil(fault, number)
    try:
        report = system.write(session)
    except CallFailed as failure:
        bench.heal()
        system.reset("spoilt", 7)
        return f"an exception ({failure.kind})"
    finally:
        bench.heal()
    stored = system.export()
    which = "every call" if number is None else f"call {number}"
    if report.losses:
        return "reported"
    if [record.text for record in stored] == [record.text for record in healthy]:
        return "made up for"
    if fault in _ALWAYS_LOST or len(stored) < len(healthy):
        raise Broken(
            f"{fault} in answer to {which}: {len(stored)} records instead of {len(healthy)}, and no loss "
            "reported"
        )
    if fault == "prose" and not any(bench.prose in record.text for record in stored):
        raise Broken(f"prose in answer to {which} is neither in the store nor reported as a loss")
    return "stored as it is"


def _goes_on(bench: Bench, fault: str, session: Session) -> None:
    before = {record.text for record in bench.system.export()}
    bench.system.write(session)
    if not {record.text for record in bench.system.export()} - before:
        raise Broken(f"after {fault} nothing of the next session was stored, though its replies were good")
