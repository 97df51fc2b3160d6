"""The file under the ledger: SQLite, opened, checked, and with errors that a user can act on."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from memjoin.errors import MemJoinError

APPLICATION_ID = 0x4D4A4C47  # "MJLG": tells a ledger from any other SQLite file
VERSION = 2

_SCHEMA = """
CREATE TABLE texts (hash BLOB PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE calls (
    key BLOB PRIMARY KEY, role TEXT NOT NULL, model TEXT NOT NULL,
    system TEXT NOT NULL, case_id TEXT NOT NULL, trial INTEGER NOT NULL, stage TEXT NOT NULL,
    condition TEXT NOT NULL, occurrence INTEGER NOT NULL,
    messages BLOB NOT NULL, parameters BLOB NOT NULL, dropped TEXT NOT NULL, asked TEXT NOT NULL,
    reply TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL, seconds REAL NOT NULL
);
CREATE TABLE embeddings (
    model TEXT NOT NULL, system TEXT NOT NULL, case_id TEXT NOT NULL, trial INTEGER NOT NULL,
    stage TEXT NOT NULL, texts INTEGER NOT NULL, tokens INTEGER NOT NULL, seconds REAL NOT NULL
);
CREATE TABLE failures (
    role TEXT NOT NULL, model TEXT NOT NULL, system TEXT NOT NULL, case_id TEXT NOT NULL,
    trial INTEGER NOT NULL, stage TEXT NOT NULL, condition TEXT NOT NULL, message TEXT NOT NULL
);
CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE cases (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE stores (
    system TEXT NOT NULL, case_id TEXT NOT NULL, trial INTEGER NOT NULL, hash TEXT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (system, case_id, trial)
);
CREATE TABLE answers (
    system TEXT NOT NULL, case_id TEXT NOT NULL, trial INTEGER NOT NULL, condition TEXT NOT NULL,
    items BLOB, answer TEXT NOT NULL, PRIMARY KEY (system, case_id, trial, condition)
);
CREATE TABLE votes (
    system TEXT NOT NULL, case_id TEXT NOT NULL, trial INTEGER NOT NULL, condition TEXT NOT NULL,
    position INTEGER NOT NULL, judge TEXT NOT NULL, vote TEXT, lost TEXT,
    PRIMARY KEY (system, case_id, trial, condition, position)
);
CREATE TABLE verdicts (
    system TEXT NOT NULL, case_id TEXT NOT NULL, trial INTEGER NOT NULL, condition TEXT NOT NULL,
    verdict TEXT NOT NULL, PRIMARY KEY (system, case_id, trial, condition)
);
CREATE TABLE cells (
    system TEXT NOT NULL, case_id TEXT NOT NULL, trial INTEGER NOT NULL, status TEXT NOT NULL,
    reason TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (system, case_id, trial)
);
"""


Step: TypeAlias = tuple[str, Sequence[Sequence[Any]]]
"""A statement, and the rows of values that it is executed with, one after the other."""


class LedgerError(MemJoinError):
    """The ledger cannot be read or written."""


class LedgerClosedError(LedgerError):
    """The ledger is closed: the run has stopped, and what arrives now comes too late."""


class LedgerFullError(LedgerError):
    """There is no room for more. From then on nothing is read or written: whoever would ask a model must not,
    for its answer would be lost."""


class Database:
    """One connection, used by all threads of a run in turn. What is executed is committed when it returns.

    Commits survive the death of the process at any moment (SQLite's write-ahead log). They are not forced to
    the disk one by one, so a power failure may take the last few; the file stays sound.

    Args:
        path: The file; made if it is not there, unless ``read_only``.
        read_only: Open an existing file for reading alone.

    Raises:
        LedgerError: It is damaged, no ledger, of another version, or cannot be opened.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._closed = False
        self._full: LedgerFullError | None = None
        if read_only and not path.exists():
            raise LedgerError(f"There is no ledger {path}.", "Give the folder of a run that was begun.")
        mode = "ro" if read_only else "rwc"
        with self._translated():
            self._connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}",
                uri=True,
                timeout=30,
                isolation_level=None,
                check_same_thread=False,
            )
        try:
            with self._translated():
                self._prepare(read_only)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close; waits for a statement under way. Closing twice does nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._connection.close()

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Execute one statement and return all rows."""
        with self._lock:
            self.must_be_open()
            try:
                return self._connection.execute(statement, values).fetchall()
            except sqlite3.DatabaseError as error:
                raise self._remembered(error) from error

    def commit(self, *steps: Step) -> None:
        """Execute each step's statement for each of its rows; commit all of it, or nothing."""
        steps = tuple(step for step in steps if step[1])
        if len(steps) == 1 and len(steps[0][1]) == 1:
            # One row is a transaction of its own.
            self.execute(steps[0][0], steps[0][1][0])
            return
        with self._lock:
            self.must_be_open()
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                for statement, rows in steps:
                    self._connection.executemany(statement, rows)
                self._connection.execute("COMMIT")
            except sqlite3.DatabaseError as error:
                raise self._remembered(error) from error
            finally:
                # Also where a full disk has rolled back already, or an interrupt came in between.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def rows(self, statement: str, values: Sequence[Any] = (), size: int = 500) -> Iterator[Any]:
        """Return the rows of a query one after the other, ``size`` of them in memory at a time."""
        with self._turn():
            cursor = self._connection.execute(statement, values)
        while True:
            with self._turn():
                some = cursor.fetchmany(size)
            if not some:
                return
            yield from some

    def _prepare(self, read_only: bool) -> None:
        run = self._connection.execute
        if run("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise _damaged(self.path, "its pages do not fit together")
        found = run("PRAGMA application_id").fetchone()[0]
        tables = run("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not read_only:
            run("PRAGMA journal_mode = WAL")
            run("PRAGMA synchronous = NORMAL")
        if not tables and not read_only:
            self._connection.executescript(
                f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
                f" PRAGMA user_version = {VERSION}; COMMIT;"
            )
        elif found != APPLICATION_ID:
            raise LedgerError(f"{self.path} is no ledger of a run.", "Give the folder of a run.")
        elif (version := run("PRAGMA user_version").fetchone()[0]) != VERSION:
            raise LedgerError(
                f"{self.path} is of version {version}; this MemJoin reads version {VERSION}.",
                "Use the MemJoin that wrote it, or start afresh with --fresh.",
            )

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            self.must_be_open()
            with self._translated():
                yield

    def _remembered(self, error: sqlite3.DatabaseError) -> LedgerError:
        explained = _explained(self.path, error)
        if isinstance(explained, LedgerFullError):
            self._full = explained
        return explained

    def must_be_open(self) -> None:
        """Raise ``LedgerClosedError`` or ``LedgerFullError`` where nothing can be committed any more."""
        if self._closed:
            raise LedgerClosedError(f"The ledger {self.path} is closed.")
        if self._full is not None:
            raise LedgerFullError(self._full.message, self._full.hint)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise _explained(self.path, error) from error


_GO_ON = "What was committed is safe: the same command goes on from it."


def _explained(path: Path, error: sqlite3.DatabaseError) -> LedgerError:
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if primary in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return LedgerFullError(
            f"The ledger {path} cannot be written: {error}.", f"Make room on that disk. {_GO_ON}"
        )
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(path, str(error))
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerError(f"The ledger {path} is in use by another process.", "Wait for it, or end it.")
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LedgerError(f"The ledger {path} cannot be opened for writing: {error}.", "Check the folder.")
    return LedgerError(f"The ledger {path} failed: {error}.", _GO_ON)


def _damaged(path: Path, what: str) -> LedgerError:
    return LedgerError(
        f"The ledger {path} is damaged: {what}.",
        "Put a copy in its place, or start afresh: --fresh moves the old folder aside and begins anew.",
    )
