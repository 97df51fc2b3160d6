"""MemGPT driven directly: ``Agent.step`` until it needs no more, a search of archival and recall memory."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memjoin.systems.memgpt.package import Package
from memjoin.systems.protocol import Settings


class Driver:
    """One agent a case."""

    def __init__(self, settings: Settings) -> None:
        self.package = Package(settings, 600)
        self.folder = Path(settings.home) / "store"
        self.agent: Any = None

    def new(self, case: str) -> None:
        """Make an agent with an empty memory."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.package.begin_case(case, self.folder)
        self.package.now = datetime(2041, 1, 1, tzinfo=UTC)
        self.agent = self.package.make(8192)

    def write(self, at: str, turns: list[tuple[str, str]]) -> None:
        """Give the agent a session as one message, and let it act."""
        package = self.package
        package.now = datetime.fromisoformat(at).replace(tzinfo=UTC)
        said = "\n".join(f"{role}: {text}" for role, text in turns)
        message = package.system.package_user_message(
            f"This is a conversation of {at.replace('T', ' ')}.\n{said}"
        )
        heartbeat: Any = True
        while heartbeat:
            _, heartbeat, failed, warning, _ = self.agent.step(message, skip_verify=True, return_dicts=False)
            heartbeat = heartbeat or failed or warning
            message = package.system.get_heartbeat(package.constants.REQ_HEARTBEAT_MESSAGE)

    def retrieve(self, query: str, k: int) -> None:
        """Search what lies outside the agent's context."""
        manager = self.agent.persistence_manager
        if len(manager.archival_memory):
            vector = self.package.memory.query_embedding(self.package, query)
            manager.archival_memory.storage.query(query, vector, top_k=k)
        manager.recall_memory.storage.query_text(query, k, 0)

    def end(self) -> None:
        """Let go of the database."""
        for memory in (
            self.agent.persistence_manager.archival_memory,
            self.agent.persistence_manager.recall_memory,
        ):
            engine = getattr(memory.storage, "engine", None)
            if engine is not None:
                engine.dispose()
