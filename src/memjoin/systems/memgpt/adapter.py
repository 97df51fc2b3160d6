"""MemGPT behind MemJoin's protocol: one agent a case, a session as one message, and no silent loss.

Runs in the environment of ``memgpt.lock`` alone; ``package.py`` imports the package and puts the session's
clock, lasting ids and the gateway in. What is done differently from the package's own server, and why,
stands in README.md.
"""

from __future__ import annotations

import gc
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memjoin.systems.memgpt.package import CutOffError, Package
from memjoin.systems.protocol import Loss, LossKind, Record, Session, Settings, WriteReport

_SHOWN = 100


class MemGPT:
    """One worker's MemGPT, with a new agent for each case.

    Options: ``timeout`` of a request, in seconds; ``steps``, how many steps a session may take; ``top_k``,
    how many passages and messages a search finds; ``context_window`` in tokens, for the agent's own warning.

    Raises:
        RuntimeError: The environment holds another version than the one this adapter was written for.
    """

    def __init__(self, settings: Settings) -> None:
        options = settings.options
        self._package = Package(settings, float(str(options.get("timeout", 600))))
        self._steps = int(str(options.get("steps", 50)))
        self._top_k = int(str(options.get("top_k", 5)))
        self._window = int(str(options.get("context_window", 8192)))
        self._place = Path(settings.home) / "store"
        self._agent: Any = None
        self._case, self._begun = "", False
        self._sessions: dict[str, tuple[str, str]] = {}
        self._known: dict[str, str] = {}
        constants = self._package.constants
        self._boot = (
            constants.INITIAL_BOOT_MESSAGE_SEND_MESSAGE_THOUGHT,
            constants.INITIAL_BOOT_MESSAGE_SEND_MESSAGE_FIRST_MSG,
        )

    def reset(self, case_id: str, seed: int) -> None:
        """Put a new agent in the place of the old one. MemGPT itself draws nothing, so no seed is used."""
        self._case, self._begun = case_id, False
        self._new(datetime(1970, 1, 1, tzinfo=UTC))

    def write(self, session: Session) -> WriteReport:
        """Give the agent the session as one message, and let it act until it needs no more."""
        package = self._package
        now = datetime.fromisoformat(session.at).replace(tzinfo=UTC)
        if not self._begun:
            # An agent notes when it was started; the first session is when this one was.
            self._new(now)
            self._begun = True
        package.now = now
        calls = package.calls
        lost = self._act(session) if any(turn.text.strip() for turn in session.turns) else []
        before = self._known
        records = self.export()
        after = {record.id: record.text for record in records}
        fresh = [identity for identity in after if identity not in before]
        for identity in fresh:
            self._sessions[identity] = (session.id, session.at)
        changed = [i for i in before.keys() & after.keys() if before[i] != after[i]]
        for identity in changed:
            self._sessions[identity] = (session.id, session.at)
        if not fresh and not changed and any(turn.text.strip() for turn in session.turns):
            lost.append(Loss("nothing-stored", "the session left no record"))
        self._known = after
        return WriteReport(
            added=len(fresh),
            changed=len(changed),
            removed=len(before.keys() - after.keys()),
            model_calls=package.calls - calls,
            losses=tuple(lost),
        )

    def export(self) -> list[Record]:
        """Return the core blocks, the archival passages, and the conversation as recall memory has it."""
        manager = self._agent.persistence_manager
        passages = sorted(manager.archival_memory.storage.get_all(), key=lambda passage: str(passage.id))
        messages = sorted(manager.recall_memory.storage.get_all(), key=lambda message: str(message.id))
        return [
            *self._blocks(),
            *(self._passage(passage) for passage in passages),
            *(record for message in messages if (record := self._message(message))),
        ]

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return what the agent would have before it: core blocks, archival search, recall search."""
        manager, count = self._agent.persistence_manager, k or self._top_k
        archival, recall = manager.archival_memory, manager.recall_memory
        found = []
        if len(archival):
            vector = self._package.memory.query_embedding(self._package, query)
            found = archival.storage.query(query, vector, top_k=count)
        said = recall.storage.query_text(query, count, 0) if query else []
        return [
            *self._blocks(),
            *(self._passage(passage) for passage in found),
            *(record for message in said if (record := self._message(message))),
        ]

    def close(self) -> None:
        """Close the store and the connection."""
        self._end()
        self._package.close()

    def _new(self, now: datetime) -> None:
        self._end()
        self._place.mkdir(parents=True)
        self._package.begin_case(self._case, self._place)
        self._package.now = now
        self._agent = self._package.make(self._window)
        self._sessions = {}
        self._known = {record.id: record.text for record in self.export()}

    def _act(self, session: Session) -> list[Loss]:
        """Step as the package's server does: on after an error, a warning, or if the agent asks for it."""
        package, agent = self._package, self._agent
        said = "\n".join(f"{turn.speaker}: {turn.text}" for turn in session.turns)
        text = f"This is a conversation of {session.at.replace('T', ' ')}.\n{said}"
        message = package.system.package_user_message(text)
        lost: list[Loss] = []
        for _ in range(self._steps):
            before = {name: block.value for name, block in agent.memory.memory.items()}
            try:
                made, heartbeat, failed, warning, _ = agent.step(
                    message, skip_verify=True, return_dicts=False
                )
            except package.refusals as error:
                return [*lost, _given_up(error)]
            lost += _losses(made, failed, before)
            if warning:
                message = package.system.get_token_limit_warning()
            elif failed:
                message = package.system.get_heartbeat(package.constants.FUNC_FAILED_HEARTBEAT_MESSAGE)
            elif heartbeat:
                message = package.system.get_heartbeat(package.constants.REQ_HEARTBEAT_MESSAGE)
            else:
                return lost
        return [*lost, Loss("other", f"stopped after {self._steps} steps, though the agent wanted more")]

    def _blocks(self) -> list[Record]:
        return [
            Record(
                id=name,
                text=f"{name}:\n{block.value}",
                kind="core",
                updated=self._sessions[name][1] if name in self._sessions else None,
            )
            for name, block in self._agent.memory.memory.items()
        ]

    def _passage(self, passage: Any) -> Record:
        identity = str(passage.id)
        session, at = self._sessions.get(identity, ("", self._at()))
        stamp = at.replace("T", " ")
        return Record(
            id=identity,
            text=f"timestamp: {stamp}, memory: {passage.text}",
            kind="archival",
            created=at,
            sessions=(session,) if session else (),
        )

    def _message(self, message: Any) -> Record | None:
        """Return a message of the conversation; None for boot, login, heartbeat, system and tool rows."""
        said = _said(message, self._boot)
        if said is None:
            return None
        identity = str(message.id)
        session, at = self._sessions.get(identity, ("", self._at()))
        return Record(
            id=identity,
            text=f"timestamp: {at.replace('T', ' ')}, {message.role} - {said}",
            kind="recall",
            created=at,
            sessions=(session,) if session else (),
        )

    def _at(self) -> str:
        return self._package.now.strftime("%Y-%m-%dT%H:%M")

    def _end(self) -> None:
        if self._agent is not None:
            self._agent.persistence_manager.recall_memory.storage.engine.dispose()
            self._agent = None
            # An agent, its table's class and its engine refer to each other; left to pile up, they leave a
            # heap that never shrinks again.
            gc.collect()
        shutil.rmtree(self._place, ignore_errors=True)


def _said(message: Any, boot: tuple[str, ...]) -> str | None:
    """Return what was said with a message: by the user, by the agent, or in a summary of earlier messages."""
    if message.role == "assistant":
        parts = [message.text or "", *(_sent(call.function) for call in message.tool_calls or [])]
        text = "\n".join(part for part in parts if part and part not in boot)
        return text or None
    if message.role != "user":
        return None
    content = json.loads(message.text, strict=False)
    said = str(content.get("message", ""))
    return (
        said if content.get("type") == "user_message" or said.startswith("Note: prior messages (") else None
    )


def _sent(function: dict[str, str]) -> str:
    """Return the answer that a tool call sends to the user, empty if it sends none."""
    if function["name"] != "send_message":
        return ""
    try:
        arguments = json.loads(function["arguments"], strict=False)
    except ValueError:
        return ""
    return str(arguments.get("message", "")) if isinstance(arguments, dict) else ""


def _losses(made: list[Any], failed: bool, before: dict[str, str]) -> list[Loss]:
    """Tell what one step lost: a reply that calls no tool, a call that failed, a replacement of nothing."""
    reply = next((message for message in made if message.role == "assistant"), None)
    if reply is None or not reply.tool_calls:
        text = (reply.text or "").strip() if reply else ""
        if not text:
            return [Loss("empty-reply", "the reply is empty and calls no tool")]
        return [Loss("unparseable-reply", f"the reply calls no tool: {_shown(text)}")]
    call = reply.tool_calls[0].function
    if failed:
        result = next((message.text for message in made if message.role == "tool"), "")
        problem = json.loads(result)["message"] if result else "no result"
        kind: LossKind = "unparseable-reply"
        if problem.startswith("No function named"):
            kind = "ignored-reply"
        elif "EndpointError" in problem or "HTTP" in problem:
            kind = "model-error"
        elif "character limit" in problem:
            kind = "storage-error"
        return [Loss(kind, f"{call['name']}: {_shown(str(problem))}")]
    if call["name"] == "core_memory_replace":
        arguments = json.loads(call["arguments"], strict=False)
        if arguments.get("old_content", "") not in before.get(arguments.get("name", ""), ""):
            return [Loss("ignored-reply", f"nothing to replace: {_shown(str(arguments))}")]
    return []


def _given_up(error: Exception) -> Loss:
    text = f"{type(error).__name__}: {' '.join(str(error).encode('utf-8', 'replace').decode().split())}"
    kind: LossKind = "unparseable-reply" if isinstance(error, CutOffError | ValueError) else "model-error"
    return Loss(kind, _shown(text))


def _shown(text: str) -> str:
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
