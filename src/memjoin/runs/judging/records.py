"""What judges were found to be worth, kept for the user, so that every later run can say so.

One JSON file a judge, in the user's data directory. A result is good for one model, asked in one wording
of the prompt, on one version of the set; where any of these is another, the judge is not qualified.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from memjoin.errors import MemJoinError
from memjoin.judging.lexical import NAME as LEXICAL
from memjoin.judging.prompt import Wording, digests
from memjoin.judging.qualification.answers import set_digest
from memjoin.models.names import EMBEDDED
from memjoin.runs.config import digest


@dataclass(frozen=True, slots=True)
class Qualified:
    """What a judge was found to be worth.

    Attributes:
        judge: Its name.
        answers: How many labelled answers it was asked about.
        found: Full disclosures that it found, of ``full``.
        full: Full disclosures that it judged.
        false: Other answers that it took for one, of ``less``.
        less: Other answers that it judged.
        level: Answers whose level it got right, of those that it judged.
        below: In what it is below the bar; empty where it is not.
        key: The digest of model, prompt and set.
    """

    judge: str
    answers: int
    found: int
    full: int
    false: int
    less: int
    level: int
    below: tuple[str, ...]
    key: str

    def plain(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


def data_directory() -> Path:
    """Return the user's data directory for MemJoin; ``MEMJOIN_DATA_DIR`` overrides it. May not exist."""
    if chosen := os.environ.get("MEMJOIN_DATA_DIR"):
        return Path(chosen).expanduser().resolve()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "memjoin"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share") / "memjoin"


def key_of(judge: str, wording: Wording = "first") -> str:
    """Return the digest under which a judge's result is kept."""
    return digest({"judge": judge, "prompts": digests(wording), "set": set_digest()})


def folder_of(judge: str, wording: Wording = "first") -> Path:
    """Return the folder where a judge's result and its calls are kept."""
    return data_directory() / "judges" / key_of(judge, wording)[:16]


def keep(qualified: Qualified, wording: Wording = "first") -> Path:
    """Write a result where runs find it, and return the file.

    Raises:
        MemJoinError: It cannot be written.
    """
    path = folder_of(qualified.judge, wording) / "result.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(qualified.plain(), indent=2) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise MemJoinError(
            f"{path}: cannot be written: {error.strerror}",
            "Set MEMJOIN_DATA_DIR to a directory that can be written.",
        ) from error
    return path


def find(judge: str, wording: Wording = "first") -> Qualified | None:
    """Return what a judge was found to be worth, or None where nobody has asked with this prompt and set.

    The lexical judge's result comes with MemJoin. A file that is no result counts as none.
    """
    if judge in (LEXICAL, EMBEDDED):
        return _packaged()
    try:
        text = (folder_of(judge, wording) / "result.json").read_text(encoding="utf-8")
        found = from_plain(json.loads(text))
    except (OSError, ValueError):
        return None
    return found if found is not None and found.key == key_of(judge, wording) else None


def from_plain(values: object) -> Qualified | None:
    """Return the result that ``plain`` gave, or None where it is none."""
    if not isinstance(values, Mapping):
        return None
    try:
        return TypeAdapter(Qualified).validate_python(dict(values))
    except ValidationError:
        return None


@cache
def _packaged() -> Qualified | None:
    file = files("memjoin.judging").joinpath("data", "qualification", "lexical.json")
    return from_plain(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def of_panel(judges: Sequence[str], wording: Wording = "first") -> dict[str, dict[str, Any] | None]:
    """Return what is known of each judge of a panel, as a manifest has it; None: not qualified."""
    found = {judge: find(judge, wording) for judge in judges}
    return {judge: None if result is None else result.plain() for judge, result in found.items()}


def known(judges: Sequence[str], manifest: object, wording: Wording = "first") -> dict[str, object]:
    """Return what is known of judges today; where that is nothing, what a manifest knew of them."""
    then = manifest if isinstance(manifest, Mapping) else {}
    return {judge: now or then.get(judge) for judge, now in of_panel(judges, wording).items()}


def warnings(known: Mapping[str, object]) -> tuple[str, ...]:
    """Say which judges of a manifest have not been qualified, and which are below the bar, and in what."""
    said = []
    for judge, values in known.items():
        result = from_plain(values)
        name = LEXICAL if judge == EMBEDDED else judge
        if result is None:
            said.append(f"The judge {name} is not qualified: `memjoin judges qualify --judge {name}`.")
        elif result.below:
            said.append(
                f"The judge {name} is below the bar: {'; '.join(result.below)}. On {result.answers} labelled "
                f"answers it found {result.found} of {result.full} full disclosures, and {result.false} "
                f"false ones in {result.less} others."
            )
    return tuple(said)
