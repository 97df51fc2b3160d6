"""SimpleMem driven directly: a session's turns as one window, ``HybridRetriever.retrieve``."""

from __future__ import annotations

from typing import Any

from memjoin.systems.protocol import Settings
from memjoin.systems.simplemem.package import Models, Package


class Driver:
    """One SimpleMem on a store in memory a case."""

    def __init__(self, settings: Settings) -> None:
        self.models = Models(settings, 600)
        self.package = Package(self.models)
        self.directory = f"{settings.home}/simplemem"
        self.system: Any = None

    def new(self, case: str) -> None:
        """Make an empty memory."""
        self.models.begin()
        self.system = self.package.make(case, self.directory, 40, 25)

    def write(self, at: str, turns: list[tuple[str, str]]) -> None:
        """Write a session."""
        for role, text in turns:
            self.system.add_dialogue(role, text, f"{at}:00")
        self.system.finalize()

    def retrieve(self, query: str, k: int) -> None:
        """Search; the number is SimpleMem's own."""
        self.system.hybrid_retriever.retrieve(query)

    def end(self) -> None:
        """Leave the rest to the collector."""
        self.system = None
