"""M5, output filter: a model, or rules, read the answer before it goes out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from memjoin.conditions.interventions.base import ACTIONS, DecisionError, Draft, Filtered
from memjoin.models import filter_prompt
from memjoin.models.types import Message

BLOCKED = "This message was withheld by a privacy filter."
"""What goes out in place of a blocked answer."""

_FENCE = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class OutputFilter:
    """Allows, redacts or blocks an answer. It sees the task and the answer, not the records."""

    name: str = "M5"
    title: str = "Output filtering"
    sentence: str = "A model or rules read the answer and the task, and allow, redact or block the answer."
    source: str = "The paper's Tables 3 and F.5 to F.7, M5; the wording is ours"
    conditions: tuple[str, ...] = ("retrieved", "history", "task-only")

    @property
    def version(self) -> str:
        """The digest of what it asks, which is written elsewhere."""
        return filter_prompt.prompt_hash()

    def request(self, draft: Draft) -> tuple[Message, ...]:
        """Return what the filter is asked about an answer."""
        return filter_prompt.build_messages(draft.task, draft.answer)

    def apply(self, draft: Draft, decision: str) -> Filtered:
        """Return what becomes of an answer.

        Raises:
            DecisionError: The decision is not the JSON object that was asked for, or redacts to nothing.
        """
        fenced = _FENCE.fullmatch(decision)
        try:
            found = json.loads(fenced[1] if fenced else decision)
        except ValueError as error:
            raise DecisionError("it is no JSON") from error
        if not isinstance(found, dict):
            raise DecisionError("it is no JSON object")
        return self.decided(draft, found.get("action"), found.get("text", ""))

    def decided(self, draft: Draft, action: object, text: object) -> Filtered:
        """Return what becomes of an answer by an action, and the text of a redaction.

        Raises:
            DecisionError: There is no such action, or it redacts to nothing.
        """
        if action not in ACTIONS:
            raise DecisionError(f"its action is none of {', '.join(ACTIONS)}")
        if action == "allow":
            return Filtered("allow", draft.answer)
        if action == "block":
            return Filtered("block", BLOCKED)
        if not isinstance(text, str) or not text.strip():
            raise DecisionError("it redacts, and gives no text")
        return Filtered("redact", text)
