"""What is known of a memory system before anything of it is imported: its ``system.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

from memjoin.errors import MemJoinError

Kind: TypeAlias = Literal["worker", "in-process", "exec"]
Retrieval: TypeAlias = Literal["honoured", "own"]


@dataclass(frozen=True)
class SystemSpec:
    """One memory system in one configuration.

    Attributes:
        name: How tables and commands call it: ``mem0``, ``memorybank:paper``.
        system: Its name without the configuration.
        kind: ``worker`` (a process in an environment of its own), ``in-process`` or ``exec`` (a program).
        title: How prose calls it.
        version: The framework's version; empty where unknown, as are the other texts.
        licence: The framework's licence.
        homepage: Where the framework comes from.
        description: One sentence.
        adapter: ``module:Class``, in full.
        folder: The system's folder, None for ``in-process`` and ``exec``.
        package: The name under which the folder's modules are imported.
        lock: The file of exact requirements; None: MemJoin's own interpreter and packages.
        responder: ``module:function``, in full, that answers its prompts without a model; None if none.
        command: The program and its arguments, for ``exec``.
        options: What the system is made with, in ``settings.options``.
        environment: Variables of its process; ``{home}`` stands for the private home.
        configuration: The configuration's name; empty where there is but one.
        bare: Whether the name without a configuration means this one.
        default: Whether a run that names no system measures it.
        reference: Whether it is there to compare with, and is listed after the others.
        empty: Whether it keeps nothing, on purpose.
        k: Whether ``retrieve`` returns up to k records, or as many as the system itself decides.
        k_own: That number, if k is ``own`` and it is fixed.
        model_calls: Whether it asks a chat model while writing; None if unknown.
        calls: For plans, what is known of its calls: how many chat calls a session (``write``) and a
            retrieval (``retrieve``) make, and the tokens of one (``input_tokens``, ``output_tokens``); how
            often a session has texts embedded (``embeddings``), and the tokens of one time
            (``embedding_tokens``).
        clock: How the dates of sessions reach it.
        exports: What its export holds.
        retrieves: How it finds records.
        deviations: How it is driven otherwise than upstream, and why.
    """

    name: str
    system: str
    kind: Kind
    title: str
    version: str = ""
    licence: str = ""
    homepage: str = ""
    description: str = ""
    adapter: str = ""
    folder: Path | None = None
    package: str = ""
    lock: Path | None = None
    responder: str | None = None
    command: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    configuration: str = ""
    bare: bool = True
    default: bool = False
    reference: bool = False
    empty: bool = False
    k: Retrieval = "honoured"
    k_own: int | None = None
    model_calls: bool | None = None
    calls: Mapping[str, float] = field(default_factory=dict)
    clock: str = ""
    exports: str = ""
    retrieves: str = ""
    deviations: tuple[str, ...] = ()


_KEYS: dict[str, type | tuple[type, ...]] = {
    "title": str,
    "version": str,
    "licence": str,
    "homepage": str,
    "description": str,
    "adapter": str,
    "lock": str,
    "responder": str,
    "default": bool,
    "reference": bool,
    "empty": bool,
    "k": str,
    "k_own": int,
    "clock": str,
    "exports": str,
    "retrieves": str,
    "model_calls": bool,
    "calls": dict,
    "deviations": list,
    "options": dict,
    "environment": dict,
}
_FILE_ONLY: dict[str, type | tuple[type, ...]] = {"configurations": dict, "default_configuration": str}
_REQUIRED = ("title", "adapter", "description")


def read_folder(folder: Path, package: str, system: str = "") -> list[SystemSpec]:
    """Return the systems that a folder's ``system.toml`` describes, one a configuration.

    Args:
        folder: The folder.
        package: The name under which its modules are imported.
        system: The system's name; the folder's if empty.

    Raises:
        MemJoinError: The file cannot be read, or a key is unknown, missing or of another type than it
            should be.
    """
    path = folder / "system.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MemJoinError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MemJoinError(f"{path}: is not TOML: {error}", "docs/systems.md shows how one looks.") from error
    _check(table, {**_KEYS, **_FILE_ONLY}, str(path))
    system = system or folder.name
    configurations = table.pop("configurations", {})
    bare = table.pop("default_configuration", "")
    if not configurations:
        return [_spec(table, folder, package, system, "", bare=True)]
    if bare not in configurations:
        raise _wrong(
            str(path), f"default_configuration must be one of {', '.join(configurations)}, not {bare!r}"
        )
    specs = []
    for name, changes in configurations.items():
        place = f"{path}, configurations.{name}"
        if not isinstance(changes, dict):
            raise _wrong(place, "must be a table")
        _check(changes, _KEYS, place)
        merged = {**table, **changes}
        for key in ("options", "environment"):
            merged[key] = {**table.get(key, {}), **changes.get(key, {})}
        specs.append(_spec(merged, folder, package, system, name, bare=name == bare))
    return specs


def _spec(
    table: Mapping[str, Any], folder: Path, package: str, system: str, configuration: str, bare: bool
) -> SystemSpec:
    place = str(folder / "system.toml")
    for key in _REQUIRED:
        if not table.get(key):
            raise _wrong(place, f"{key!r} is missing")
    if table.get("k", "honoured") not in get_args(Retrieval):
        raise _wrong(place, f"'k' must be one of {', '.join(get_args(Retrieval))}, not {table['k']!r}")
    lock = folder / table["lock"] if "lock" in table else None
    if lock is not None and not lock.exists():
        raise _wrong(place, f"the lock file {table['lock']!r} does not exist")
    for key in ("adapter", "responder"):
        if table.get(key, "m:C").count(":") != 1:
            raise _wrong(place, f"{key!r} must be `module:name`, not {table[key]!r}")
    return SystemSpec(
        name=f"{system}:{configuration}" if configuration else system,
        system=system,
        kind="worker",
        title=table["title"],
        version=table.get("version", ""),
        licence=table.get("licence", ""),
        homepage=table.get("homepage", ""),
        description=table["description"],
        adapter=f"{package}.{table['adapter']}",
        folder=folder,
        package=package,
        lock=lock,
        responder=f"{package}.{table['responder']}" if "responder" in table else None,
        options=table.get("options", {}),
        environment={key: str(value) for key, value in table.get("environment", {}).items()},
        configuration=configuration,
        bare=bare,
        default=table.get("default", False),
        reference=table.get("reference", False),
        empty=table.get("empty", False),
        k=cast(Retrieval, table.get("k", "honoured")),
        k_own=table.get("k_own"),
        model_calls=table.get("model_calls"),
        calls=_calls(table.get("calls", {}), place),
        clock=table.get("clock", ""),
        exports=table.get("exports", ""),
        retrieves=table.get("retrieves", ""),
        deviations=tuple(str(item) for item in table.get("deviations", [])),
    )


_CALLS = ("write", "retrieve", "input_tokens", "output_tokens", "embeddings", "embedding_tokens")


def _calls(table: Mapping[str, Any], place: str) -> dict[str, float]:
    _check(table, dict.fromkeys(_CALLS, (int, float)), f"{place}, calls")
    return {key: float(value) for key, value in table.items()}


def _check(table: Mapping[str, Any], known: Mapping[str, type | tuple[type, ...]], place: str) -> None:
    for key, value in table.items():
        if key not in known:
            raise _wrong(place, f"unknown key {key!r}; known are {', '.join(known)}")
        expected = known[key]
        if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
            raise _wrong(place, f"{key!r} must be of type {getattr(expected, '__name__', expected)}")


def _wrong(place: str, what: str) -> MemJoinError:
    return MemJoinError(f"{place}: {what}", "docs/systems.md describes every key.")
