"""A place for the private directories of a run's memory systems, cleared even after a run that was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "memjoin-run-"
_NOTE = "scratch"
_MEMORY = Path("/dev/shm")
_ROOM = 2**30


@contextmanager
def scratch(run: Path) -> Iterator[Path]:
    """Make an empty directory, in memory where there is room, and remove it at the end.

    Its path is noted in the run's folder, so that what a killed process left behind goes when the run is
    resumed. Call it while the run is held.

    Args:
        run: The run's folder.
    """
    note = run / _NOTE
    _clear(note)
    base = _MEMORY if _roomy(_MEMORY) else None
    place = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    note.write_text(str(place), encoding="utf-8")
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        note.unlink(missing_ok=True)


def _clear(note: Path) -> None:
    if not note.is_file():
        return
    left = Path(note.read_text(encoding="utf-8"))
    # A note that was tampered with must not have anything else removed.
    ours = left.name.startswith(PREFIX) and left.parent in (_MEMORY, Path(tempfile.gettempdir()))
    if ours and left.is_dir() and not left.is_symlink() and left.stat().st_uid == os.getuid():
        shutil.rmtree(left, ignore_errors=True)


def _roomy(place: Path) -> bool:
    return place.is_dir() and os.access(place, os.W_OK) and shutil.disk_usage(place).free > _ROOM
