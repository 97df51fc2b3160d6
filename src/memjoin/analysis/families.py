"""Families of comparisons, as data: named ones of the paper (``families.yaml``), and a user's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from memjoin.analysis.design import ArmKey, Design
from memjoin.errors import MemJoinError

Pair: TypeAlias = tuple[ArmKey, ArmKey]
"""(treated, control)"""

OWN = "own"
"""The family of comparisons that are given one by one."""

_FORM = "A comparison is 'TREATED vs CONTROL', such as 'mem0/retrieved vs history' or '*/all vs */retrieved'."


@dataclass(frozen=True, slots=True)
class Family:
    """A family of comparisons as it is written down: see ``families.yaml`` for the form.

    ``source`` is the table of the paper that has it, ``rest`` whether it takes up every intervention that no
    family before it compares, ``place`` the file or flag that it is from, empty for ours.
    """

    name: str
    title: str
    comparisons: tuple[str, ...]
    source: str = ""
    rest: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class PlannedFamily:
    """A family as one run plans it. Holm's correction counts all its pairs, made or not."""

    name: str
    title: str
    pairs: tuple[Pair, ...]


@cache
def named() -> tuple[Family, ...]:
    """Return the named families, in the order of ``families.yaml``."""
    resource = files("memjoin.analysis").joinpath("families.yaml")
    return tuple(_families(yaml.safe_load(resource.read_text(encoding="utf-8")), "families.yaml", ours=True))


def from_file(path: Path) -> tuple[Family, ...]:
    """Return the families of a YAML file, which has the form of ``families.yaml``.

    Raises:
        MemJoinError: It cannot be read or has another form.
    """
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MemJoinError(f"{path} cannot be read: {error.strerror}.", "Name a YAML file.") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise MemJoinError(f"{path} is not YAML: {error}", "Mend the file.") from error
    return tuple(_families(found, str(path)))


def from_flags(comparisons: Sequence[str]) -> tuple[Family, ...]:
    """Return the family of comparisons that were given one by one; none if there are none."""
    if not comparisons:
        return ()
    return (Family(OWN, "Own comparisons", tuple(comparisons), place="--comparison"),)


def plan(design: Design, families: Iterable[Family]) -> tuple[PlannedFamily, ...]:
    """Return the pairs of each family whose arms the run plans; families without any are left out.

    Raises:
        MemJoinError: A comparison has not the form of one, or a user's own names an arm that the run lacks.
    """
    made: list[PlannedFamily] = []
    for family in families:
        pairs = [pair for text in family.comparisons for pair in _pairs(text, family, design)]
        if family.rest:
            taken = {treated for earlier in made for treated, _ in earlier.pairs}
            pairs += [
                (key, key.untreated)
                for key in design.treated
                if key not in taken and key.untreated in design.arms
            ]
        if pairs:
            made.append(PlannedFamily(family.name, family.title, tuple(dict.fromkeys(pairs))))
    return tuple(made)


def _pairs(text: str, family: Family, design: Design) -> Iterator[Pair]:
    treated, versus, control = (part.strip() for part in text.partition(" vs "))
    if not (treated and versus and control):
        raise MemJoinError(f"{family.place or family.name}: {text!r} is no comparison.", _FORM)
    first, second = _arm(treated), _arm(control)
    planned = set(design.arms)
    found = [
        (one, other)
        for one in _matches(first, design)
        for other in (
            [second._replace(system=one.system)]
            if first.system and second.system in ("*", first.system)
            else _matches(second, design)
        )
        if one in planned and other in planned and one != other
    ]
    if family.place and not found:
        raise MemJoinError(
            f"{family.place}: the run does not have what {text!r} compares.",
            f"It has {', '.join(str(key) for key in design.arms)}. {_FORM}",
        )
    yield from found


def _arm(text: str) -> ArmKey:
    """Read ``SYSTEM/CONDITION+INTERVENTION``. A system's own name may hold slashes."""
    system, _, rest = text.rpartition("/")
    condition, _, intervention = rest.partition("+")
    return ArmKey(system.strip(), condition.strip(), intervention.strip())


def _matches(pattern: ArmKey, design: Design) -> list[ArmKey]:
    if not pattern.system:
        return [pattern]
    return [
        pattern._replace(system=system)
        for system in design.systems
        if pattern.system in ("*", system, system.partition(":")[0])
    ]


def _families(found: Any, place: str, ours: bool = False) -> Iterator[Family]:
    if not isinstance(found, dict) or not found:
        raise MemJoinError(f"{place} has no families.", "Write 'NAME: {title: ..., comparisons: [...]}'.")
    known = {family.name for family in named()} if not ours else set()
    for name, said in found.items():
        if not isinstance(said, dict) or not set(said) <= {"title", "source", "comparisons", "rest"}:
            raise MemJoinError(f"{place}: the family {name} is not understood.", _FIELDS)
        comparisons = said.get("comparisons", [])
        if not isinstance(comparisons, list) or not all(isinstance(text, str) for text in comparisons):
            raise MemJoinError(f"{place}: the comparisons of {name} are no list of texts.", _FORM)
        if not comparisons and not said.get("rest"):
            raise MemJoinError(f"{place}: the family {name} has no comparisons.", _FORM)
        if name in known:
            raise MemJoinError(f"{place}: {name} is the name of a family of ours.", "Give it another name.")
        if not _NAME.fullmatch(str(name)):
            raise MemJoinError(
                f"{place}: {name!r} cannot be the name of a family; its table is a file of that name.",
                "Use letters, digits, dashes and underscores.",
            )
        # A name of its own kind, so that its table replaces no other.
        own = str(name) if ours else f"{OWN}-{name}"
        family = Family(own, str(said.get("title", name)), tuple(comparisons))
        yield replace(
            family,
            source=str(said.get("source", "")),
            rest=bool(said.get("rest")),
            place="" if ours else f"{place}, {name}",
        )


_NAME = re.compile(r"[\w-]+")
_FIELDS = "A family has a title and comparisons."
