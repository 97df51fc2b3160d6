"""Bytes of files that people bring, read as text or refused with the way out."""

from __future__ import annotations

import codecs
from pathlib import Path

from memjoin.errors import MemJoinError

_SAVE = "Save it as UTF-8: in most editors, 'Save as' or 'Save with encoding'."
_OTHERS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def read_text(path: Path, most: int) -> str:
    """Return the text of a file, its line ends as ``\\n``; a byte order mark of UTF-8 is let pass.

    Args:
        path: The file.
        most: The most bytes it may have; no more than these are read.

    Raises:
        MemJoinError: It cannot be read, is larger, or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as problem:
        raise MemJoinError(f"{path}: cannot be read: {problem.strerror}") from None
    if len(data) > most:
        raise MemJoinError(
            f"{path}: larger than {most // 2**20} MB, the most that one file may have",
            "Split it into several files; `--cases` takes more than one.",
        )
    return without_mark(decode(data, str(path))).replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes, where: str, line: int = 1) -> str:
    """Return bytes of UTF-8 as text.

    Args:
        data: The bytes.
        where: What complaints call the file.
        line: The number of the first line in them.

    Raises:
        MemJoinError: They are of another encoding; the message names the line.
    """
    if line == 1:
        for mark, encoding in _OTHERS:
            if data.startswith(mark):
                raise MemJoinError(f"{where}: {encoding}, not UTF-8 text", _SAVE)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        at = line + data.count(b"\n", 0, problem.start)
        raise MemJoinError(
            f"{where}:{at}: not UTF-8 text (byte 0x{data[problem.start]:02X})", _SAVE
        ) from None


def without_mark(text: str) -> str:
    """Return text without the byte order mark that some editors put at the start of a file."""
    return text.removeprefix("\ufeff")
