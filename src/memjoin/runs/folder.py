"""The folder of a run: made, found again, guarded against a second process and another configuration."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memjoin.errors import MemJoinError
from memjoin.runs.config import difference
from memjoin.runs.extend import only_adds
from memjoin.runs.ledger import Ledger

MANIFEST = "manifest.json"
_LOCK = "lock"
_PARTIAL = "manifest.partial"
_NAME = re.compile(r"[^\W_][\w.+-]{0,99}")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where all of a run lies."""

    path: Path

    @property
    def manifest(self) -> Path:
        """What the run is: its configuration, and the versions and digests of all that takes part."""
        return self.path / MANIFEST

    @property
    def ledger(self) -> Path:
        """All that happened."""
        return self.path / "ledger.sqlite"

    @property
    def tables(self) -> Path:
        """The folder of the tables."""
        return self.path / "tables"

    @property
    def logs(self) -> Path:
        """The folder for what memory systems print."""
        return self.path / "logs"


@contextmanager
def claim(root: Path, name: str, manifest: Mapping[str, Any], *, fresh: bool = False) -> Iterator[RunFolder]:
    """Hold the folder of a run for this process, and have its manifest in it.

    Args:
        root: The folder of all runs; made if it is not there.
        name: The run's name.
        manifest: What the run is; ``configuration`` in it must be that of the folder, if there is one, or the
            same with further interventions, which then becomes that of the folder.
        fresh: Move a folder of that name aside (``NAME.1``, ``NAME.2``, ...) and begin anew.

    Raises:
        MemJoinError: Another process has the run; the folder belongs to another configuration, or is none of
            a run; it cannot be written.
    """
    folder = RunFolder(root / checked(name))
    with ExitStack() as held:
        try:
            if fresh:
                _move_aside(folder.path)
            folder.path.mkdir(parents=True, exist_ok=True)
            held.enter_context(_held(folder.path))
            _agree(folder, manifest)
        except OSError as error:
            raise _unusable(folder.path, error) from error
        yield folder


def checked(name: str) -> str:
    """Return the name of a run if it is one that a folder can have.

    Raises:
        MemJoinError: It is not.
    """
    if not _NAME.fullmatch(name):
        raise MemJoinError(
            f"{name!r} cannot be the name of a run.",
            "Use letters, digits, dots, dashes and underscores, a hundred at most, a letter or digit first.",
        )
    return name


def was_begun(folder: RunFolder) -> bool:
    """Return whether a run was begun in a folder: without a ledger nothing of it was.

    Raises:
        MemJoinError: The folder cannot be looked into.
    """
    try:
        return folder.manifest.exists() and folder.ledger.exists()
    except OSError as error:
        raise _unusable(folder.path, error) from error


def _unusable(path: Path, error: OSError) -> MemJoinError:
    return MemJoinError(
        f"{path} cannot be used for a run: {error.strerror or error}.",
        "Choose another folder with --out, or make room.",
    )


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a run's folder.

    Raises:
        MemJoinError: There is none, or it cannot be read.
    """
    file = path / MANIFEST
    if not path.is_dir():
        raise MemJoinError(f"There is no run {path}.", "Give a folder that `memjoin run` has made.")
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise MemJoinError(
            f"{path} is no folder of a run: it has no {MANIFEST}.",
            "Give a folder that `memjoin run` has made.",
        ) from error
    except (OSError, ValueError) as error:
        raise MemJoinError(f"{file} cannot be read: {error}.", "Put a copy in its place.") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("configuration"), dict):
        raise MemJoinError(f"{file} is not the manifest of a run.", "Put a copy in its place.")
    return manifest


def _agree(folder: RunFolder, manifest: Mapping[str, Any]) -> None:
    # What was not begun must not stand in the way of another run.
    if not was_begun(folder):
        others = sorted({entry.name for entry in folder.path.iterdir()} - {_LOCK, MANIFEST, _PARTIAL})
        if folder.ledger.name in others:
            raise MemJoinError(
                f"{folder.path} has a ledger, but its {MANIFEST}, which says what was run, is gone.",
                "Put a copy in its place, or use --fresh to move the folder aside and begin anew.",
            )
        if others:
            raise MemJoinError(
                f"{folder.path} is there already and is no folder of a run; in it: {', '.join(others[:3])}.",
                "Choose another --name or --out.",
            )
        _write(folder, manifest)
        return
    found = read_manifest(folder.path)
    changes = difference(found["configuration"], manifest["configuration"])
    if changes and only_adds(found["configuration"], manifest["configuration"], _answered(folder)):
        _write(folder, manifest)
    elif changes:
        raise MemJoinError(
            "\n".join(
                [f"The run {folder.path} was begun with another configuration:"]
                + [f"  {change}" for change in changes]
            ),
            f"Give this one a --name of its own, or --fresh to move the old folder aside and begin anew; "
            f"to go on with {folder.path.name}, give the flags that it was begun with.",
        )


def _answered(folder: RunFolder) -> set[str]:
    """Return the names of the arms that a run has answers of, in whatever cell."""
    with Ledger(folder.ledger) as ledger:
        return {row.place for row in ledger.verdicts() if row.status != "missing" and row.intervention}


def _write(folder: RunFolder, manifest: Mapping[str, Any]) -> None:
    partial = folder.path / _PARTIAL
    partial.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(folder.manifest)


def _move_aside(path: Path) -> None:
    if not path.exists():
        return
    with _held(path):
        number = 1
        while (aside := path.with_name(f"{path.name}.{number}")).exists():
            number += 1
        path.rename(aside)


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Hold the folder's lock; the system frees it when this process ends, however it ends."""
    file = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise MemJoinError(
                f"Another process is at work on the run {path}.",
                "Wait until it ends, end it, or give this one another --name.",
            ) from error
        yield
    finally:
        os.close(file)
