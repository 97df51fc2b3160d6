"""The file of a verification: one JSON object a line, each an answer, so that a stopped one can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from memjoin.errors import MemJoinError
from memjoin.runs.verification.ask import NotTold, Question, Told

_FIELDS = ("bound", "service", "site", "date", "said", "because")


@dataclass(frozen=True, slots=True)
class Kept:
    """What a model said, without how it compares with the target: that is worked out anew each time."""

    said: tuple[str | None, str | None, str | None]
    bound: bool
    because: str


class Record:
    """Keeps answers in a file, and knows those that it has. Without a path it keeps nothing.

    An answer is found again by the digest of its request: another model, prompt or case is asked anew, and so
    is a question whose answer was lost.

    Raises:
        MemJoinError: The file cannot be read or written, or holds something else than answers.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._out: TextIO | None = None
        self.known: dict[str, Kept] = {}
        if path is None:
            return
        try:
            if path.exists():
                self._read(path)
            self._out = path.open("a", encoding="utf-8", newline="\n")
        except OSError as problem:
            raise MemJoinError(f"{path}: cannot be written: {problem.strerror}") from None

    def _read(self, path: Path) -> None:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.decode("utf-8", "replace").splitlines(), 1):
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise MemJoinError(
                    f"{path}:{number}: no answer of a verification", "Name another file with --out."
                ) from None
        if len(whole) < len(data):
            # The last line was cut short when a verification was killed: what it held is asked again.
            with path.open("r+b") as file:
                file.truncate(len(whole))

    def _take(self, line: Mapping[str, Any]) -> None:
        if line["lost"] is not None:
            self.known.pop(line["asked"], None)
            return
        service, site, date = line["said"]
        self.known[line["asked"]] = Kept((service, site, date), line["bound"], line["because"])

    def add(self, question: Question, model: str, asked: str, answer: Told | NotTold) -> None:
        """Keep an answer, at once. Raises ``MemJoinError`` where it cannot be written."""
        if self._out is None:
            return
        line = {"case": question.case.id, "session": question.shown, "model": model, "asked": asked}
        line |= fields(answer)
        try:
            self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._out.flush()
        except OSError as problem:
            raise MemJoinError(f"{self._path}: cannot be written: {problem.strerror}") from None

    def __enter__(self) -> Record:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._out is not None:
            self._out.close()


def fields(answer: Told | NotTold) -> dict[str, Any]:
    """Return an answer as JSON has it; of a lost one all that was to be told is null."""
    if isinstance(answer, NotTold):
        return {"lost": answer.reason} | dict.fromkeys(_FIELDS)
    return {
        "lost": None,
        "bound": answer.bound,
        "service": answer.service,
        "site": answer.site,
        "date": answer.date,
        "said": list(answer.said),
        "because": answer.because,
    }
