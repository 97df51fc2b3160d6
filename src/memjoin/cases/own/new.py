"""`memjoin cases new`: a file to start from."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from memjoin.cases.files import is_yaml
from memjoin.errors import MemJoinError

NAME = "cases.yaml"
"""What the file is called where no name is given."""


def template() -> str:
    """Return the text of the file: one worked case, which breaks no property, with comments."""
    return resources.files("memjoin.cases").joinpath("data", "own.yaml").read_text(encoding="utf-8")


def write(path: Path) -> None:
    """Write the file.

    Raises:
        MemJoinError: A file of that name exists, the name does not end in .yaml, or it cannot be written.
    """
    if not is_yaml(path):
        raise MemJoinError(f"{path}: own cases stand in a file whose name ends in .yaml", f"Try {path}.yaml.")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as out:
            out.write(template().replace("THIS_FILE", str(path)))
    except FileExistsError:
        raise MemJoinError(f"{path}: exists already", "Give another name; nothing was changed.") from None
    except OSError as problem:
        raise MemJoinError(f"{path}: cannot be written: {problem.strerror}") from None
