"""Which interventions there are, by name; combinations of them; and a user's own.

A name is one of the paper's, with a variant where it has one (``M3``, ``M3:detected``, ``M4:tokens=300``), an
installed entry point of the group ``memjoin.interventions``, or a class (``package.module:Class``). Names
with a plus sign between them are applied one after the other: ``M1+M3``.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from memjoin.conditions.interventions.annotated import CueRemoval, ValueSanitization
from memjoin.conditions.interventions.base import (
    AnnotatedEdit,
    AnswerFilter,
    Edit,
    Intervention,
    is_annotated,
    is_filter,
)
from memjoin.conditions.interventions.budget import FewerThanClues, ItemBudget, TokenBudget
from memjoin.conditions.interventions.detected import DetectedCueRemoval
from memjoin.conditions.interventions.instruction import PrivacyInstruction
from memjoin.conditions.interventions.output_filter import OutputFilter
from memjoin.conditions.interventions.personal import DetectedSanitization
from memjoin.conditions.views import CONDITIONS
from memjoin.errors import MemJoinError

GROUP = "memjoin.interventions"
"""The entry point group by which an installed package brings interventions of its own."""


def _patterns() -> Intervention:
    return DetectedSanitization(model="")


OURS: Mapping[str, Callable[[], Intervention]] = MappingProxyType(
    {
        "M1": PrivacyInstruction,
        "M2": ValueSanitization,
        "M2:detected": DetectedSanitization,
        "M2:patterns": _patterns,
        "M3": CueRemoval,
        "M3:detected": DetectedCueRemoval,
        "M4": FewerThanClues,
        "M5": OutputFilter,
    }
)
"""The interventions that need no further word, in the order of the paper's Table 3."""

_BUDGETS: Mapping[str, Callable[[int], Intervention]] = MappingProxyType(
    {"items": ItemBudget, "tokens": TokenBudget}
)
_BUDGET = re.compile(r"M4:(items|tokens)=([1-9]\d{0,6})")
_MODEL = re.compile(r"M2:detected=(\w+)")
_NAME = re.compile(r"[\w.-]+(:[\w.=-]+)?")
_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


class Step(NamedTuple):
    """One intervention of a combination, under the name by which it is found."""

    name: str
    intervention: Intervention


def known() -> dict[str, Intervention]:
    """Return every intervention that goes by a name, ours first.

    Raises:
        MemJoinError: An installed one is none.
    """
    found = {name: make() for name, make in OURS.items()}
    for point in entry_points(group=GROUP):
        # An installed package may not take a name of ours: the tables could not tell which was applied.
        if point.name in found:
            continue
        if not _NAME.fullmatch(point.name) or point.name in CONDITIONS:
            raise MemJoinError(
                f"An installed package ({point.value}) calls its intervention {point.name!r}.",
                "The name of an entry point is a word that is no condition: letters, digits, dashes, and a "
                "variant after a colon.",
            )
        found[point.name] = _checked(point.name, _loaded(point))
    return found


def find(name: str) -> Step:
    """Return the intervention that a name stands for.

    ``M2:annotated`` and ``M3:annotated`` are other names of ``M2`` and ``M3``.

    Raises:
        MemJoinError: Nothing goes by this name, or what does is no intervention.
    """
    name = name.strip()
    plain, _, variant = name.partition(":")
    if variant == "annotated" and plain in OURS and is_annotated(OURS[plain]()):
        name = plain
    if budget := _BUDGET.fullmatch(name):
        return Step(name, _BUDGETS[budget[1]](int(budget[2])))
    if model := _MODEL.fullmatch(name):
        return Step(name, DetectedSanitization(model[1]))
    if name in OURS:
        return Step(name, OURS[name]())
    everything = known()
    if name in everything:
        return Step(name, everything[name])
    if plain not in OURS and _CLASS.fullmatch(name):
        return Step(name, _own(name))
    raise _unknown(name, everything)


def chain(text: str) -> tuple[Step, ...]:
    """Return the interventions of a combination, in the order in which they are applied: by name, a filter of
    the answer last. Each counts once.

    Raises:
        MemJoinError: One of them does not exist, two are filters, or two are variants of one.
    """
    steps = {step.name: step for step in map(find, text.split("+"))}
    ordered = sorted(steps.values(), key=lambda step: (is_filter(step.intervention), step.name))
    filters = [step.name for step in ordered if is_filter(step.intervention)]
    if len(filters) > 1:
        raise MemJoinError(
            f"{text!r} has {len(filters)} filters of the answer: {', '.join(filters)}.",
            "An answer is filtered once; name one of them.",
        )
    kinds = [name.partition(":")[0] for name in steps if name.partition(":")[0] in OURS]
    twice = sorted({kind for kind in kinds if kinds.count(kind) > 1})
    if twice:
        raise MemJoinError(
            f"{text!r} has {twice[0]} in two variants.", "Name one variant of each, or run them apart."
        )
    return tuple(ordered)


def joined(steps: tuple[Step, ...]) -> str:
    """Return the name of a combination."""
    return "+".join(step.name for step in steps)


def is_ours(step: Step) -> bool:
    """Return whether an intervention is one of MemJoin's, not a user's own."""
    return type(step.intervention).__module__.startswith("memjoin.")


def fingerprint(step: Step) -> str:
    """Return the SHA-256 of the file that an intervention's program is in (without one, of its name), and of
    its ``version`` if it has one.

    Raises:
        MemJoinError: What it needs is not installed.
    """
    file = inspect.getsourcefile(type(step.intervention))
    program = Path(file).read_bytes() if file else step.name.encode()
    return hashlib.sha256(program + str(getattr(step.intervention, "version", "")).encode()).hexdigest()


def _loaded(point: EntryPoint) -> object:
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise MemJoinError(
            f"The intervention {point.name} of an installed package cannot be loaded: {error}.",
            f"Its entry point says {point.value}: mend or remove that package.",
        ) from error


def _own(name: str) -> Intervention:
    """Import an own class, from the current directory too."""
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        made = getattr(import_module(module), attribute)
    except ImportError as error:
        raise MemJoinError(
            f"{name}: cannot import {module}: {error}.",
            "It must be installed beside memjoin, or lie in the folder that memjoin is called in.",
        ) from error
    except AttributeError as error:
        raise MemJoinError(f"{name}: {error}.", "Check the spelling of the class.") from error
    except Exception as error:  # whatever a user's module raises
        raise MemJoinError(
            f"{name}: {module} cannot be imported: {type(error).__name__}: {error}.", "Mend that module."
        ) from error
    return _checked(name, made)


def _checked(name: str, made: object) -> Intervention:
    if isinstance(made, type):
        try:
            made = made()
        except Exception as error:  # whatever a user's class raises
            raise MemJoinError(
                f"The intervention {name} cannot be made: {type(error).__name__}: {error}.",
                "Its class must take no arguments.",
            ) from error
    lacking = [word for word in _WORDS if not hasattr(made, word)]
    if lacking:
        raise MemJoinError(
            f"The intervention {name} lacks {', '.join(lacking)}.", f"It has {', '.join(_WORDS)}."
        )
    for kind in (Edit, AnnotatedEdit, AnswerFilter):
        if isinstance(made, kind):
            break
    else:
        raise MemJoinError(
            f"The intervention {name} does nothing.",
            "Give it edit(given), edit_annotated(given, case), or request(draft) and apply(draft, decision).",
        )
    strange = [word for word in made.conditions if word not in CONDITIONS]
    if strange:
        raise MemJoinError(
            f"The intervention {name} is for conditions that do not exist: {', '.join(strange)}.",
            f"Conditions: {', '.join(CONDITIONS)}.",
        )
    return made


_WORDS = ("name", "title", "sentence", "source", "conditions")


def _unknown(name: str, everything: Mapping[str, Intervention]) -> MemJoinError:
    names = [*everything, "M4:items=N", "M4:tokens=N"]
    close = get_close_matches(name.upper(), names, n=1)
    guess = f"Did you mean {close[0]}? " if close else ""
    return MemJoinError(
        f"There is no intervention {name!r}.",
        f"{guess}There are {', '.join(names)}, and package.module:Class; a plus sign combines them.",
    )
