"""A panel by the names of its judges: what it is, and the judges that it asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memjoin.errors import MemJoinError
from memjoin.judging.lexical import NAME as LEXICAL
from memjoin.judging.lexical import LexicalJudge
from memjoin.judging.model_judge import ModelJudge
from memjoin.judging.panel import Judge
from memjoin.judging.prompt import Wording, digests
from memjoin.models import names
from memjoin.models.types import ChatModel, Exchange
from memjoin.runs.config import JUDGE_TEMPERATURE, digest


@dataclass(frozen=True, slots=True)
class Panel:
    """Judges by name (``lexical``, or models), and the wording in which models are asked."""

    judges: tuple[str, ...]
    wording: Wording = "first"

    @property
    def models(self) -> tuple[str, ...]:
        """The judges that are language models, each once."""
        return tuple(dict.fromkeys(name for name in self.judges if name != LEXICAL))

    @property
    def name(self) -> str:
        """A name for a folder, from the judges'."""
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", "+".join(self.judges).replace("+", "_")).strip("-.")
        return f"{name}-second" if self.wording == "second" and self.models else name

    def plain(self) -> dict[str, Any]:
        """Return what decides its votes, as JSON has it."""
        asked = {"wording": self.wording, "prompts": digest(digests(self.wording))} if self.models else {}
        return {"judges": list(self.judges), **asked}


def panel_of(judges: Sequence[str], wording: Wording = "first") -> Panel:
    """Return the panel of some judges; ``embedded`` is another name of ``lexical``.

    Raises:
        MemJoinError: There is no model of such a name.
    """
    known = tuple(LEXICAL if name in (LEXICAL, names.EMBEDDED) else name for name in judges)
    if not known:
        raise MemJoinError("A panel needs a judge.", "Name one with --judge.")
    for name in known:
        if name != LEXICAL:
            names.parse_name(name)
    return Panel(known, wording)


def find_models(panel: Panel, in_flight: int, seconds: float) -> dict[str, ChatModel]:
    """Return the models of a panel by ``judge:NAME``, as exchanges take them. Nothing is asked of them.

    Raises:
        UnknownModelError: A key is not set, or the local model is not installed.
    """
    return {
        f"judge:{name}": names.resolve_chat(name, "judge", timeout=seconds, concurrency=in_flight)
        for name in panel.models
    }


def members(panel: Panel, exchange: Exchange) -> list[Judge]:
    """Return the judges of a panel. Two of one model differ by their seed."""
    return [
        LexicalJudge()
        if name == LEXICAL
        else ModelJudge(
            name, name, exchange, {"temperature": JUDGE_TEMPERATURE, "seed": position}, panel.wording
        )
        for position, name in enumerate(panel.judges)
    ]
