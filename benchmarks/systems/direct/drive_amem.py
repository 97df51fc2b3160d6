"""A-Mem driven directly: ``add_note`` a turn, ``find_related_memories_raw``."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

from memjoin.systems.amem.standins import Models, install
from memjoin.systems.endpoint import Endpoint
from memjoin.systems.protocol import Settings


class Driver:
    """One A-Mem on a store in memory a case."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.models = Models(Endpoint(settings, 600))
        install(self.models)
        self.package: Any = importlib.import_module("agentic_memory.memory_system")
        retrievers: Any = importlib.import_module("agentic_memory.retrievers")
        chroma: Any = importlib.import_module("chromadb")
        retrievers.chromadb = SimpleNamespace(PersistentClient=lambda path: chroma.EphemeralClient())
        self.system: Any = None

    def new(self, case: str) -> None:
        """Make an empty memory."""
        self.system = self.package.AgenticMemorySystem(
            model_name=self.settings.embedding_model,
            llm_backend="openai",
            llm_model=self.settings.chat_model,
            api_key=self.settings.api_key,
        )

    def write(self, at: str, turns: list[tuple[str, str]]) -> None:
        """Write a session, a note a turn."""
        for role, text in turns:
            self.system.add_note(f"Speaker {role} says: {text}", time=at)

    def retrieve(self, query: str, k: int) -> None:
        """Search."""
        self.system.find_related_memories_raw(query, k)

    def end(self) -> None:
        """Close the store."""
        self.models.begin()
        self.system.retriever.client.close()
