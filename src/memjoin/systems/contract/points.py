"""The points of the contract, each a function of a bench; see ``bench.py``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from memjoin.errors import MemJoinError
from memjoin.systems import wire
from memjoin.systems.contract import material
from memjoin.systems.contract.bench import (
    Bench,
    Benches,
    Broken,
    Check,
    Finding,
    Inapplicable,
    OpenBench,
    Written,
    write_all,
)
from memjoin.systems.contract.replies import bad_replies
from memjoin.systems.launch import WorkerSystem
from memjoin.systems.protocol import Record

_K = 3
_FILE_BYTES = 50_000_000


def stores(benches: Benches) -> str:
    """Something of a conversation is stored."""
    with benches.shared() as bench:
        written = write_all(bench, "choir", material.choir())
        if bench.system.spec.empty:
            return _nothing_kept(written, bench.system.retrieve(material.QUERY, None))
    if not _new(written):
        losses = f" It reported: {written.losses[0]}" if written.losses else " It reported no loss."
        raise Broken(
            f"three sessions left no record.{losses} If it asks a model that no embedded writer stands in "
            "for, name one with --writer"
        )
    return f"three sessions left {len(_new(written))} records"


def isolation(benches: Benches) -> str:
    """Nothing of a case is left after a reset."""
    with benches.fresh() as bench:
        first = _written(bench)
        after = write_all(bench, "garden", material.garden())
        found = bench.system.retrieve(material.QUERY, None)
        home = bench.system.home
        left = _files_with(home, material.MARKERS)
    if _texts(after.before) != _texts(first.before):
        raise Broken(
            f"right after a reset there were {len(after.before)} records, at first {len(first.before)}"
        )
    for place, records in (("the export", after.after), ("a retrieval", found)):
        for record in records:
            if marker := _marker(record.text):
                raise Broken(f"after a reset {place} still held {marker!r}: {record.text!r:.120}")
    if left:
        raise Broken(f"after a reset the file {left[0].relative_to(home)} still held text of the case before")
    return f"of {len(first.after)} records none was left in the export, a retrieval or the private directory"


def retrieval_changes_nothing(benches: Benches) -> str:
    """Retrieving leaves the store as it is."""
    with benches.shared() as bench:
        before = _written(bench).after
        asked = (material.QUERY, material.OTHER_QUERY, material.QUERY)
        found = [bench.system.retrieve(query, None) for query in asked]
        after = bench.system.export()
    if _bytes(before) != _bytes(after):
        raise Broken(f"three retrievals changed the export: {_first_difference(before, after)}")
    if _bytes(found[0]) != _bytes(found[2]):
        raise Broken(f"the same query found something else: {_first_difference(found[0], found[2])}")
    return f"three retrievals left {len(after)} records as they were; the same query found the same"


def number_of_records(benches: Benches) -> str:
    """retrieve returns at most k records where the system takes k."""
    with benches.shared() as bench:
        _written(bench)
        spec = bench.system.spec
        found = {k: len(bench.system.retrieve(material.QUERY, k)) for k in (1, _K)}
    if spec.k == "own":
        raise Inapplicable(f"the system itself decides how many; it returned {found[_K]}")
    for k, count in found.items():
        if count > k:
            raise Broken(f"k = {k} returned {count} records")
    if not found[_K]:
        raise Broken(f"k = {_K} returned no record for a query about what was stored")
    return f"k = 1 returned {found[1]}, k = {_K} returned {found[_K]}"


def complete_export(benches: Benches) -> str:
    """The export holds all that is stored and retrieved, in a stable order; reports say what changed."""
    with benches.shared() as bench:
        written = _written(bench)
        again = bench.system.export()
        found = bench.system.retrieve(material.QUERY, None)
    if _bytes(written.after) != _bytes(again):
        raise Broken(f"two exports in a row differ: {_first_difference(written.after, again)}")
    stages = [written.before, *written.exports]
    for number, (old, new, report) in enumerate(
        zip(stages, written.exports, written.reports, strict=False), start=1
    ):
        _compare(number, old, new, (report.added, report.changed, report.removed))
    for number, (report, calls) in enumerate(zip(written.reports, written.calls, strict=True), start=1):
        if report.model_calls != calls:
            raise Broken(f"session {number}: {report.model_calls} model calls reported, {calls} were made")
    stored = {record.id: record.text for record in written.after}
    derived = [record for record in found if stored.get(record.id) != record.text]
    for record in derived:
        for line in filter(None, map(str.strip, record.text.splitlines())):
            if not any(line in text or text in line for text in stored.values() if text):
                raise Broken(f"a retrieval held text that no exported record has: {line!r:.120}")
    merged = f", {len(derived)} of them put together from stored text" if derived else ""
    return (
        f"{len(written.after)} records, as reported session by session and in a stable order; "
        f"{len(found)} retrieved ones are all in it{merged}"
    )


def dates(benches: Benches) -> str:
    """The dates of sessions are used, and today's is not."""
    today = _today()
    with benches.shared() as bench:
        first = _written(bench)
        second = write_all(bench, "choir", material.choir(material.OTHER_DATES))
    today |= _today()
    for record in (*first.after, *second.after):
        for date in today:
            if date in f"{record.text}\n{record.created}\n{record.updated}":
                raise Broken(f"today's date, {date}, stands in {record.text!r:.120}")
    for year, written in (("2041", first), ("2043", second)):
        dated = sum(year in f"{r.text}\n{r.created}\n{r.updated}" for r in _new(written))
        if not dated:
            raise Broken(f"sessions of {year} left no record with that year in its text or its times")
    return f"records of sessions in 2041 say 2041, of the same sessions in 2043 say 2043 ({dated} do)"


def same_input_same_store(benches: Benches) -> str:
    """The same sessions, models and seed give the same store, byte for byte, in another process too."""
    exports, found = [], []
    for opened in (benches.fresh, benches.shared):
        with opened() as bench:
            exports.append(_written(bench).after)
            found.append(bench.system.retrieve(material.QUERY, None))
    for first, second in (exports, found):
        if _bytes(first) != _bytes(second):
            raise Broken(f"a fresh start and one in use differ: {_first_difference(first, second)}")
    return f"a fresh start and one in use gave the same {len(exports[0])} records and the same retrieval"


def unusual_text(benches: Benches) -> str:
    """Unusual text (empty, very long, any script, any quote) does no harm."""
    with benches.shared() as bench:
        written = write_all(bench, "unusual", [material.unusual(), *material.garden()])
        found = bench.system.retrieve("茶室 KD-0042 👩‍👩‍👧 O'Brien {x}", None)
        nothing = bench.system.retrieve("", None)
    losses = f"; reported losses: {'; '.join(written.losses)}" if written.losses else ""
    kept = [len(export) for export in written.exports]
    empty = bench.system.spec.empty
    if not empty and not {r.text for r in written.after} - {r.text for r in written.exports[0]}:
        raise Broken(f"nothing of an ordinary session was stored after it{losses}")
    return (
        f"{kept[0]} records after it, {kept[1]} after an ordinary session; an unusual query found "
        f"{len(found)}, an empty one {len(nothing)}{losses}"
    )


def after_a_crash(benches: Benches) -> str:
    """A system whose process was killed starts again with nothing left of before."""
    with benches.fresh() as bench:
        system = bench.system
        if not isinstance(system, WorkerSystem):
            raise Inapplicable("the system runs in this process, which cannot be killed to try it")
        whole = _written(bench)
        system.reset("crash", 7)
        system.write(material.choir()[0])
        if system.process is not None:
            system.process.kill()
        system.restart()
        again = write_all(bench, "choir", material.choir())
    if _texts(whole.before) != _texts(again.before):
        raise Broken(f"after a restart and a reset there were {len(again.before)} records")
    if _bytes(whole.after) != _bytes(again.after):
        raise Broken(f"another store after the restart: {_first_difference(whole.after, again.after)}")
    return f"killed between two sessions and started again, it wrote the same {len(again.after)} records"


CHECKS = (
    Check("stores", "Something of a conversation is stored.", stores),
    Check("isolation", "Nothing of a case is left after a reset.", isolation),
    Check("retrieval", "Retrieving leaves the store as it is.", retrieval_changes_nothing),
    Check("k", "At most k records are retrieved where the system takes k.", number_of_records),
    Check("export", "The export is complete and stable, and the reports agree with it.", complete_export),
    Check("dates", "The dates of sessions are used, and today's is not.", dates),
    Check("repeatable", "The same input gives the same store, byte for byte.", same_input_same_store),
    Check("bad replies", "Malformed model replies are reported as losses, never swallowed.", bad_replies),
    Check("unusual text", "Empty, very long and unusual text does no harm.", unusual_text),
    Check("crash", "A killed system starts again with nothing left of before.", after_a_crash),
)
"""Every point of the contract, in the order in which they are tried."""


def check(open_bench: OpenBench, points: Sequence[Check] = CHECKS) -> Iterator[Finding]:
    """Try the points of the contract, one after the other, and yield each finding as it is there.

    Args:
        open_bench: Opens the system afresh; what it opens is closed again.
        points: The points to try.

    Raises:
        MemJoinError: The system does not even open. Later faults of the system are findings.
    """
    benches = Benches(open_bench)
    try:
        with benches.shared() as bench:
            bench.system.reset("opening", 0)
        for point in points:
            yield _try(point, benches)
    finally:
        benches.close()


def _try(point: Check, benches: Benches) -> Finding:
    try:
        return Finding(point.name, point.rule, "passed", point.run(benches))
    except Broken as broken:
        return Finding(point.name, point.rule, "failed", str(broken))
    except Inapplicable as reason:
        return Finding(point.name, point.rule, "not applicable", str(reason))
    except MemJoinError as fault:
        return Finding(point.name, point.rule, "failed", fault.message)


def _written(bench: Bench) -> Written:
    """Write the choir; a check on a store that holds nothing of it would prove nothing."""
    written = write_all(bench, "choir", material.choir())
    if not _new(written):
        raise Inapplicable("nothing was stored that could be tried")
    return written


def _nothing_kept(written: Written, found: list[Record]) -> str:
    """Hold a system that is to keep nothing to it."""
    held = [*written.before, *written.after, *found]
    if held:
        raise Broken(f"it is described as one that keeps nothing, and holds {held[0].text!r:.120}")
    return "three sessions left nothing, as its description says"


def _new(written: Written) -> list[Record]:
    before = {record.text for record in written.before}
    return [record for record in written.after if record.text not in before]


def _compare(session: int, old: list[Record], new: list[Record], reported: tuple[int, int, int]) -> None:
    """Hold a write's report against the exports around it."""
    earlier, later = {record.id: record for record in old}, {record.id: record for record in new}
    both = [identity for identity in earlier if identity in later]
    added, removed = len(later) - len(both), len(earlier) - len(both)
    changed = sum(earlier[identity].text != later[identity].text for identity in both)
    if (added, removed) != (reported[0], reported[2]):
        raise Broken(
            f"session {session}: the report says {reported[0]} added and {reported[2]} removed, the exports "
            f"say {added} and {removed}"
        )
    if reported[1] < changed:
        raise Broken(f"session {session}: {changed} records changed, the report says {reported[1]}")
    if [identity for identity in later if identity in earlier] != both:
        raise Broken(f"session {session}: records that were there before stand in another order after it")


def _today() -> set[str]:
    forms = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%m/%d/%Y", "%d.%m.%Y")
    moments = (datetime.now(UTC), datetime.now(UTC).astimezone())
    return {moment.strftime(form) for moment in moments for form in forms}


def _marker(text: str) -> str:
    return next((marker for marker in material.MARKERS if marker in text), "")


def _files_with(home: Path, markers: Iterable[str]) -> list[Path]:
    wanted = [marker.encode() for marker in markers]
    return [
        path
        for path in sorted(home.rglob("*"))
        if path.is_file() and any(marker in _read(path) for marker in wanted)
    ]


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_FILE_BYTES)


def _texts(records: list[Record]) -> list[tuple[str, str]]:
    return [(record.kind, record.text) for record in records]


def _bytes(records: list[Record]) -> bytes:
    return json.dumps(wire.records_to_json(records)).encode()


def _first_difference(a: list[Record], b: list[Record]) -> str:
    if len(a) != len(b):
        return f"{len(a)} records, then {len(b)}"
    for one, other in zip(wire.records_to_json(a), wire.records_to_json(b), strict=True):
        for key, value in one.items():
            if value != other[key]:
                return f"{key} of record {one['id']!r} was {value!r:.80}, then {other[key]!r:.80}"
    return "no difference"
