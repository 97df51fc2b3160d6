"""What LangMem's model answered, what became of it, and how the rest was lost.

LangMem, and the package ``trustcall`` below it, lose memory without saying so: a tool call whose arguments
are no JSON is dropped, prose counts as nothing to remember, a patch of an unknown record or path leaves a
line in a log, a store that refuses a record is not listened to. So each write keeps what was answered and
compares it with what the store then holds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memjoin.systems.protocol import Loss

MEMORY, PATCH, REMOVE, MEND = "Memory", "PatchDoc", "RemoveDoc", "PatchFunctionErrors"
"""The tools: a new memory; a patch of a shown one; its removal; a patch of a tool call that was wrong."""

UPDATING, ENDING = "_teardown", "filter_state"
"""The functions of ``trustcall`` whose log lines mean that a call of the reply was dropped for good."""

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the chat model.

    ``calls`` are its tool calls, (name, arguments); ``unreadable`` those whose arguments are no JSON, (name,
    text); ``offered`` the tools that the request named; ``cut`` whether it ended at the token limit.
    """

    content: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    offered: frozenset[str] = frozenset((MEMORY,))
    cut: bool = False

    @property
    def mends(self) -> bool:
        """Whether it was asked for to mend a tool call, not to say what is remembered."""
        return MEND in self.offered


@dataclass(slots=True)
class Notes:
    """What is noted while one session is written.

    ``calls`` counts requests; ``failure`` is the first that had no usable answer; ``dropped`` are lines of
    LangMem's log, (function, line); ``refused`` are the records that the store did not take.
    """

    calls: int = 0
    replies: list[Reply] = field(default_factory=list)
    failure: Loss | None = None
    dropped: list[tuple[str, str]] = field(default_factory=list)
    refused: list[Loss] = field(default_factory=list)
    gave_up: bool = False

    def asks(self, mends: bool) -> None:
        """Note that a request goes out. A new request for memories makes up for the replies before it."""
        self.calls += 1
        if not mends:
            self.replies.clear()
            self.dropped.clear()


def losses(notes: Notes, added: Sequence[str], held: Collection[str]) -> list[Loss]:
    """Compare what was answered with what was stored.

    Args:
        notes: What was noted during the write.
        added: Texts of the records that it added.
        held: Texts of all records in the store after it.

    Returns:
        One loss for each thing that was answered and is not in the store, or that kept an answer from coming.
    """
    found = [notes.failure] if notes.failure is not None else []
    reply = next((reply for reply in reversed(notes.replies) if not reply.mends), None)
    if reply is not None:
        found += _of_reply(reply, added, held, {loss.detail for loss in notes.refused})
    for function, line in notes.dropped:
        if function == UPDATING:
            found.append(Loss("ignored-reply", f"a patch was dropped: {shown(line)}"))
        elif function == ENDING:
            found.append(Loss("unparseable-reply", f"a tool call was dropped: {shown(line)}"))
    if notes.gave_up and notes.failure is None:
        found.append(
            Loss("unparseable-reply", f"LangMem gave up after {notes.calls} replies it could not use")
        )
    return found + notes.refused


def refusal(text: str, error: str) -> str:
    """Say that a record with this text was not stored, and why."""
    return f"not stored: {shown(text)}: {error}"


def shown(text: str) -> str:
    """Return the beginning of a text on one line."""
    # Half a surrogate pair is text to JSON, and to nothing after it.
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."


def _of_reply(
    reply: Reply, added: Sequence[str], held: Collection[str], refused: Collection[str]
) -> Iterator[Loss]:
    ending = " and was cut off at the token limit" if reply.cut else ""
    if not reply.calls and not reply.unreadable:
        if reply.content.strip():
            yield Loss("unparseable-reply", f"the reply calls no tool{ending}: {shown(reply.content)}")
        else:
            yield Loss("empty-reply", f"the reply is empty{ending}")
    for name, arguments in reply.unreadable:
        yield Loss("unparseable-reply", f"the arguments of {name} are not JSON{ending}: {shown(arguments)}")
    stated = [text for name, call in reply.calls if name == MEMORY and (text := content(call)) is not None]
    # A call that was mended left a record that no call of the reply states.
    mended = sum((Counter(added) - Counter(stated)).values())
    for name, _ in reply.calls:
        if name in reply.offered or name in (PATCH, MEND):
            continue
        if mended:
            mended -= 1
        else:
            yield Loss("ignored-reply", f"there is no tool {shown(name)!r}")
    for memory in stated:
        if memory not in held and not any(line.startswith(refusal(memory, "")) for line in refused):
            yield Loss("ignored-reply", f"stated and not in the store: {shown(memory)}")
    yield from _of_patches([call for name, call in reply.calls if name == PATCH])


def _of_patches(calls: Sequence[Mapping[str, Any]]) -> Iterator[Loss]:
    for call in calls:
        if not _is_list(call.get("patches")):
            yield Loss("unparseable-reply", f"a patch has no list of patches: {shown(str(dict(call)))}")
    # Each is applied to the record as it was, and the last one is kept.
    for identity, count in Counter(str(call.get("json_doc_id")) for call in calls).items():
        if count > 1:
            yield Loss(
                "ignored-reply", f"of {count} patches of record {shown(identity)} only the last counts"
            )


def _is_list(patches: object) -> bool:
    """Whether patches are a list, or text with one in it, which LangMem takes as well."""
    if isinstance(patches, str) and "[" in patches:
        try:
            patches, _ = json.JSONDecoder().raw_decode(patches, patches.index("["))
        except json.JSONDecodeError:
            return False
    return isinstance(patches, list)


def content(call: Mapping[str, Any]) -> str | None:
    """Return the text that a call of ``Memory`` states, None if it states none."""
    text = call.get("content")
    return text if isinstance(text, str) else None
