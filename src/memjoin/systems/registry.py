"""Which memory systems there are, and what is known of each without importing it.

A system is one folder with a ``system.toml``; those in this package are found by listing it. A name may also
be an installed entry point of the group ``memjoin.systems``, a folder (``./my_system``), a class in this
process (``package.module:Class``) or a program (``exec: command``). Nothing is imported or started here.
"""

from __future__ import annotations

import difflib
import importlib.util
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from memjoin.errors import MemJoinError
from memjoin.systems.errors import UnknownSystem
from memjoin.systems.spec import SystemSpec, read_folder

GROUP = "memjoin.systems"
"""The entry point group by which an installed package brings systems of its own."""

_HERE = Path(__file__).parent
_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def known() -> list[SystemSpec]:
    """Return every system that goes by a name, one entry a configuration, in the order of names.

    References, which are there to compare with, come after the others.

    Raises:
        MemJoinError: A ``system.toml`` is wrong; names the file and the key.
    """
    found: dict[str, SystemSpec] = {}
    for spec in [*_own(), *_installed()]:
        # An installed package may not take a name of ours: the tables could not tell which was measured.
        found.setdefault(spec.name, spec)
    return sorted(found.values(), key=lambda spec: (spec.reference, spec.name))


def find(name: str) -> SystemSpec:
    """Return the system that a name or a form stands for.

    Args:
        name: ``mem0``, ``memorybank:paper``, ``./folder``, ``package.module:Class`` or ``exec: command``.

    Raises:
        UnknownSystem: Nothing goes by this name; names what comes close, and all there is.
        MemJoinError: A folder's ``system.toml`` is wrong, or a program does not exist.
    """
    name = name.strip()
    if name.startswith("exec:"):
        return _program(name)
    if os.sep in name or name in (".", ".."):
        return _folder(name)
    specs = known()
    for spec in specs:
        if name == spec.name or (name == spec.system and spec.bare):
            return spec
    configurations = [spec.name for spec in specs if spec.system == name.partition(":")[0]]
    if configurations:
        raise UnknownSystem(f"there is no system {name!r}", f"There is {_listing(configurations)}.")
    if _CLASS.fullmatch(name) and _importable(name.partition(":")[0]):
        return SystemSpec(
            name=name, system=name, kind="in-process", title=name, adapter=name, description=_IN_PROCESS
        )
    raise UnknownSystem(_unknown(name, specs), _ways(specs))


def defaults() -> list[SystemSpec]:
    """Return the systems that a run measures which names none."""
    return [spec for spec in known() if spec.default]


def load_responder(spec: SystemSpec) -> Callable[[dict[str, Any]], dict[str, Any] | None] | None:
    """Import and return the function that answers a system's prompts without a model; None if it has none.

    It takes the body of a chat request and returns an assistant message, or None for a prompt that it does
    not know.
    """
    if spec.responder is None:
        return None
    module, _, attribute = spec.responder.partition(":")
    respond: Callable[[dict[str, Any]], dict[str, Any] | None] = getattr(import_module(module), attribute)
    return respond


_IN_PROCESS = "A class of yours, in this process."
_PROGRAM = "A program of yours."


def _own() -> Iterable[SystemSpec]:
    for folder in sorted(_HERE.iterdir()):
        if (folder / "system.toml").exists():
            yield from read_folder(folder, f"{__package__}.{folder.name}")


def _installed() -> Iterable[SystemSpec]:
    for point in entry_points(group=GROUP):
        yield from _entry_point(point)


def _entry_point(point: EntryPoint) -> Iterable[SystemSpec]:
    origin = f"{point.dist.name} {point.dist.version}" if point.dist else "an installed package"
    if point.attr:
        yield SystemSpec(
            name=point.name,
            system=point.name,
            kind="in-process",
            title=point.name,
            adapter=point.value,
            version=point.dist.version if point.dist else "",
            description=f"From {origin}, in this process.",
        )
        return
    # A package with a system.toml: its parents are imported to find it, the package itself is not.
    try:
        found = importlib.util.find_spec(point.module)
    except ImportError as error:
        raise MemJoinError(
            f"{origin} registers the memory system {point.name!r}, which cannot be found: {error}",
            "Uninstall that package or ask its authors.",
        ) from error
    for place in (found.submodule_search_locations or []) if found else []:
        if (Path(place) / "system.toml").exists():
            yield from read_folder(Path(place), point.module, system=point.name)
            return
    raise MemJoinError(
        f"{origin} registers the memory system {point.name!r}, but {point.module} has no system.toml",
        "Uninstall that package or ask its authors.",
    )


def _folder(name: str) -> SystemSpec:
    folder, _, configuration = name.partition(":")
    path = Path(folder).resolve()
    if not (path / "system.toml").exists():
        raise UnknownSystem(
            f"{folder} is no folder of a memory system: it has no system.toml",
            "docs/systems.md shows how one looks. A program is `exec: command`.",
        )
    specs = read_folder(path, path.name)
    for spec in specs:
        if configuration in ("", spec.configuration) and (configuration or spec.bare):
            return spec
    raise UnknownSystem(
        f"{folder} has no configuration {configuration!r}", f"There is {_listing(s.name for s in specs)}."
    )


def _program(name: str) -> SystemSpec:
    text = name.removeprefix("exec:").strip()
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise UnknownSystem(f"cannot read the command {text!r}: {error}", "Check its quotes.") from error
    if not command:
        raise UnknownSystem("`exec:` names no command", 'Write it as `--system "exec: ./my_system --flag"`.')
    if shutil.which(command[0]) is None:
        raise UnknownSystem(
            f"there is no program {command[0]!r}",
            "Give its path, relative to the folder that memjoin is called in, and make it executable.",
        )
    name = f"exec: {text}"
    return SystemSpec(
        name=name,
        system=name,
        kind="exec",
        title=name,
        command=tuple(command),
        description=_PROGRAM,
    )


def _importable(module: str) -> bool:
    """Whether the package at the top of a module's name can be found, here or in the current directory."""
    top = module.partition(".")[0]
    here = Path.cwd()
    if (here / f"{top}.py").exists() or (here / top).is_dir():
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except ValueError:  # a module without a specification, such as __main__
        return False


def _unknown(name: str, specs: list[SystemSpec]) -> str:
    names = {spec.name for spec in specs} | {spec.system for spec in specs}
    close = difflib.get_close_matches(name.casefold(), sorted(names), n=3, cutoff=0.5)
    question = f" Did you mean {_listing(close, 'or')}?" if close else ""
    return f"there is no memory system {name!r}.{question}"


def _ways(specs: list[SystemSpec]) -> str:
    return (
        f"Known are {_listing(spec.name for spec in specs)}. An own system is `package.module:Class`, "
        "`./folder` with a system.toml, or `exec: command`; see docs/systems.md."
    )


def _listing(names: Iterable[str], last: str = "and") -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"
