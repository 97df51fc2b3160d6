"""The ledger: every model call, store, answer, vote and verdict of a run, committed as it happens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from memjoin.cases.schema import Case
from memjoin.judging.panel import Lost
from memjoin.judging.verdict import VerdictRow, Vote
from memjoin.models.tokens import estimate_text
from memjoin.models.types import ChatReply, ChatRequest, Role, Scope, Usage, Vectors
from memjoin.runs import keys
from memjoin.runs.cell import Cell, CellOutcome, StoredMemory
from memjoin.runs.codec import decode, encode
from memjoin.runs.database import Database, Step

_MANY = 500
"""SQLite takes at least 999 values in a statement."""
_KEPT = 20_000
"""How many texts are remembered as being there; a few MB."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A reader's answer and the input it was given (None: no memory at all)."""

    items: tuple[str, ...] | None
    answer: str


@dataclass(frozen=True, slots=True)
class Used:
    """The calls of one role to one model for one system (empty: references) that got a reply, each counted
    once, however often it had to be tried. ``estimated``: the endpoint did not count all of the tokens."""

    role: str
    model: str
    system: str
    calls: int
    input_tokens: int
    output_tokens: int
    estimated: bool


class Ledger:
    """The typed face of a run's database; may be used from any thread.

    Args:
        path: The file; made if it is not there, unless ``read_only``.
        read_only: For reading alone, also while a run writes.

    Raises:
        LedgerError: The file is damaged, no ledger, or cannot be opened.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._db = Database(path, read_only=read_only)
        self._kept: set[bytes] = set()  # texts known to be there; merely saves looking
        self._begun: set[tuple[str, str, int]] = set()
        if not read_only:
            self._begun.update(
                self._db.execute(
                    "SELECT system, case_id, trial FROM calls UNION SELECT system, case_id, trial FROM stores"
                )
            )

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close. Whoever still writes gets a ``LedgerClosedError``."""
        self._db.close()

    def must_be_open(self) -> None:
        """Raise a ``LedgerError`` where nothing can be committed any more: then no model must be asked."""
        self._db.must_be_open()

    # Model calls

    def reply(self, key: bytes) -> ChatReply | None:
        """Return the committed reply to a call, if there is one."""
        found = self._db.execute(
            "SELECT reply, input_tokens, output_tokens, estimated, dropped FROM calls WHERE key = ?", (key,)
        )
        if not found:
            return None
        text, read, written, estimated, dropped = found[0]
        body = json.loads(text)
        usage = Usage(read, written, bool(estimated))
        return ChatReply(body["message"], body["finish_reason"], usage, body["model"], tuple(dropped.split()))

    def commit_call(
        self,
        key: bytes,
        occurrence: int,
        role: Role,
        model: str,
        scope: Scope,
        request: ChatRequest,
        pieces: keys.RequestParts,
        reply: ChatReply,
        seconds: float,
    ) -> None:
        """Commit a call with its request and reply. A key that is committed already stays as it is."""
        body = {"message": reply.message, "finish_reason": reply.finish_reason, "model": reply.model}
        row = (
            *(key, role, model, scope.system, scope.case, scope.trial, scope.stage, scope.condition),
            *(occurrence, pieces.hashes, pieces.parameters[0], " ".join(reply.dropped)),
            *(keys.canonical(request.asked) if request.asked else "", keys.canonical(body)),
            *(reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.estimated, seconds),
        )
        self._commit((*pieces.messages, pieces.parameters), (_CALL, [row]))

    def commit_embedding(
        self,
        model: str,
        scope: Scope,
        vectors: Iterable[tuple[bytes, Vectors]],
        texts: list[str],
        seconds: float,
    ) -> None:
        """Commit the vectors that a call to an embedder gave, by their keys, and the call with its texts'
        number and estimated tokens."""
        rows = [(key, vector.astype(np.float32).tobytes()) for key, vector in vectors]
        place = (scope.system, scope.case, scope.trial, scope.stage)
        tokens = sum(map(estimate_text, texts))
        self._db.commit(
            ("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows),
            (f"INSERT INTO embeddings VALUES ({_marks(8)})", [(model, *place, len(texts), tokens, seconds)]),
        )

    def commit_failure(self, role: Role, model: str, scope: Scope, message: str) -> None:
        """Note a call that got no reply. It is no result: a resumed run asks again."""
        place = (scope.system, scope.case, scope.trial, scope.stage, scope.condition)
        self._db.execute(f"INSERT INTO failures VALUES ({_marks(8)})", (role, model, *place, message))

    def vectors(self, wanted: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Return the committed vectors among those wanted, by key; each of shape (dimensions,)."""
        found: dict[bytes, Vectors] = {}
        for start in range(0, len(wanted), _MANY):
            some = wanted[start : start + _MANY]
            rows = self._db.execute(
                f"SELECT key, vector FROM vectors WHERE key IN ({_marks(len(some))})", some
            )
            found.update((key, np.frombuffer(vector, dtype=np.float32)) for key, vector in rows)
        return found

    # Cases and cells

    def commit_cases(self, cases: Iterable[Case]) -> None:
        """Keep the cases of the run, so that its folder can be read without anything else."""
        rows = [(case.id, encode(Case, case)) for case in cases]
        self._db.commit(("INSERT OR REPLACE INTO cases VALUES (?, ?)", rows))

    def cases(self) -> Iterator[Case]:
        """Return the cases of the run, one after the other, in order."""
        for (body,) in self._db.rows("SELECT body FROM cases ORDER BY rowid", size=20):
            yield decode(Case, body)

    def case(self, name: str) -> Case | None:
        """Return a case of the run by its id, if it was committed."""
        found = self._db.execute("SELECT body FROM cases WHERE id = ?", (name,))
        return decode(Case, found[0][0]) if found else None

    def outcomes(self) -> list[CellOutcome]:
        """Return how the cells ended that did; whose failure it was is not kept."""
        rows = self._db.execute("SELECT system, case_id, trial, status, reason, seconds FROM cells")
        return [CellOutcome(Cell(*row[:3]), *row[3:]) for row in rows]

    def commit_outcome(self, outcome: CellOutcome) -> None:
        """Commit how a cell ended."""
        self._db.execute(
            f"INSERT OR REPLACE INTO cells VALUES ({_marks(6)})",
            (*outcome.cell.place, outcome.status, outcome.reason, outcome.seconds),
        )

    def begin(self, cell: Cell) -> bool:
        """Note that a cell is begun; returns whether it was before, by this process or an earlier one.

        Of a cell that was not there is nothing to be looked up.
        """
        before = cell.place in self._begun
        self._begun.add(cell.place)
        return before

    def memory(self, cell: Cell) -> StoredMemory | None:
        """Return the memory of a cell, if it was committed."""
        found = self._db.execute(f"SELECT body FROM stores WHERE {_CELL}", cell.place)
        return decode(StoredMemory, found[0][0]) if found else None

    def memories(self) -> Iterator[tuple[Cell, StoredMemory]]:
        """Return every committed memory, one after the other."""
        for *place, body in self._db.rows(
            "SELECT system, case_id, trial, body FROM stores ORDER BY system, case_id, trial", size=20
        ):
            yield Cell(*place), decode(StoredMemory, body)

    def commit_memory(self, cell: Cell, memory: StoredMemory) -> None:
        """Commit a cell's memory, once it is written, exported and retrieved from."""
        self._db.execute(
            f"INSERT OR REPLACE INTO stores VALUES ({_marks(5)})",
            (*cell.place, memory.hash, encode(StoredMemory, memory)),
        )

    # Answers, votes and verdicts

    def answer(self, cell: Cell, condition: str) -> Answered | None:
        """Return an answer with its input, if it was committed."""
        found = self._db.execute(
            f"SELECT items, answer FROM answers WHERE {_CELL} AND condition = ?", (*cell.place, condition)
        )
        if not found:
            return None
        hashes, text = found[0]
        return Answered(None if hashes is None else self._texts(hashes), text)

    def commit_gap(self, cell: Cell, verdict: VerdictRow) -> None:
        """Commit the verdict on an answer that was never had. An earlier one, and its votes, are gone."""
        place = (*cell.place, verdict.place)
        self._db.commit(
            (f"DELETE FROM answers WHERE {_CELL} AND condition = ?", [place]),
            (f"DELETE FROM votes WHERE {_CELL} AND condition = ?", [place]),
            (_VERDICT, [(*place, encode(VerdictRow, verdict))]),
        )

    def commit_verdict(
        self, cell: Cell, answered: Answered, ballots: Sequence[Vote | Lost], verdict: VerdictRow
    ) -> None:
        """Commit an answer with its input, the votes on it, and the verdict that they give.

        The same panel's votes on an earlier answer are replaced.
        """
        place = (*cell.place, verdict.place)
        items = [(keys.text_key(item), item) for item in answered.items or ()]
        hashes = None if answered.items is None else b"".join(key for key, _ in items)
        votes = [
            (*place, position, ballot.judge, None, ballot.reason)
            if isinstance(ballot, Lost)
            else (*place, position, ballot.judge, encode(Vote, ballot), None)
            for position, ballot in enumerate(ballots)
        ]
        self._commit(
            items,
            (f"INSERT OR REPLACE INTO answers VALUES ({_marks(6)})", [(*place, hashes, answered.answer)]),
            (f"INSERT OR REPLACE INTO votes VALUES ({_marks(8)})", votes),
            (_VERDICT, [(*place, encode(VerdictRow, verdict))]),
        )

    def votes(self, cell: Cell, condition: str) -> list[Vote | Lost]:
        """Return the votes on an answer, in the panel's order."""
        rows = self._db.execute(
            f"SELECT judge, vote, lost FROM votes WHERE {_CELL} AND condition = ? ORDER BY position",
            (*cell.place, condition),
        )
        return [Lost(judge, lost) if vote is None else decode(Vote, vote) for judge, vote, lost in rows]

    def verdict(self, cell: Cell, condition: str) -> VerdictRow | None:
        """Return the verdict on an answer, if it was committed."""
        found = self._db.execute(
            f"SELECT verdict FROM verdicts WHERE {_CELL} AND condition = ?", (*cell.place, condition)
        )
        return decode(VerdictRow, found[0][0]) if found else None

    def places(self) -> dict[tuple[str, str, int], set[str]]:
        """Return which answers of each cell have a verdict, missing ones included: by the cell's place."""
        found: dict[tuple[str, str, int], set[str]] = {}
        for *cell, condition in self._db.rows("SELECT system, case_id, trial, condition FROM verdicts"):
            found.setdefault((cell[0], cell[1], cell[2]), set()).add(condition)
        return found

    def verdicts(self, cell: Cell | None = None) -> Iterator[VerdictRow]:
        """Return every verdict, or those on a cell's answers, one after the other, in no particular order."""
        where, values = ("", ()) if cell is None else (f" WHERE {_CELL}", cell.place)
        for (text,) in self._db.rows(f"SELECT verdict FROM verdicts{where}", values):
            yield decode(VerdictRow, text)

    def call_counts(self) -> list[tuple[str, str, int, int, int]]:
        """Return chat calls by role and system: (role, system, calls, input tokens, output tokens)."""
        return self._db.execute(
            "SELECT role, system, count(*), sum(input_tokens), sum(output_tokens) FROM calls"
            " GROUP BY role, system ORDER BY role, system"
        )

    def used(self) -> list[Used]:
        """Return all calls that got a reply, by role, model and system, those of embedders among them."""
        rows = self._db.execute(
            "SELECT role, model, system, count(*), sum(input_tokens), sum(output_tokens), max(estimated)"
            " FROM calls GROUP BY role, model, system UNION ALL"
            " SELECT 'embedder', model, system, count(*), sum(tokens), 0, 1"
            " FROM embeddings GROUP BY model, system ORDER BY 1, 2, 3"
        )
        return [
            Used(role, model, system, calls, read, written, bool(estimated))
            for role, model, system, calls, read, written, estimated in rows
        ]

    def dropped(self) -> list[tuple[str, str, str]]:
        """Return which parameters were not sent because a model refuses them: (role, model, parameter)."""
        rows = self._db.execute("SELECT DISTINCT role, model, dropped FROM calls WHERE dropped != ''")
        return sorted({(role, model, name) for role, model, names in rows for name in names.split()})

    def failure_counts(self) -> list[tuple[str, int]]:
        """Return what calls without a reply said, and how often."""
        return self._db.execute(
            "SELECT message, count(*) FROM failures GROUP BY message ORDER BY count(*) DESC, message"
        )

    def _commit(self, texts: Iterable[tuple[bytes, str]], *steps: Step) -> None:
        """Commit steps with the texts that they refer to; a text that is there already stays."""
        new = [text for text in texts if text[0] not in self._kept]
        self._db.commit((_TEXT, new), *steps)
        if len(self._kept) > _KEPT:
            self._kept.clear()
        self._kept.update(key for key, _ in new)

    def _texts(self, hashes: bytes) -> tuple[str, ...]:
        found = []
        for start in range(0, len(hashes), keys.SIZE):
            rows = self._db.execute(
                "SELECT text FROM texts WHERE hash = ?", (hashes[start : start + keys.SIZE],)
            )
            found.append(str(rows[0][0]))
        return tuple(found)


_TEXT = "INSERT OR IGNORE INTO texts VALUES (?, ?)"
_CALL = f"INSERT OR IGNORE INTO calls VALUES ({', '.join('?' * 18)})"
_VERDICT = f"INSERT OR REPLACE INTO verdicts VALUES ({', '.join('?' * 5)})"
_CELL = "system = ? AND case_id = ? AND trial = ?"


def _marks(count: int) -> str:
    return ", ".join("?" * count)
