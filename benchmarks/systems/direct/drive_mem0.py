"""Mem0 driven directly: ``Memory.add`` with a session's messages, ``Memory.search``."""

from __future__ import annotations

import os
from typing import Any

from memjoin.systems.protocol import Settings

os.environ["MEM0_TELEMETRY"] = "False"


class Driver:
    """One Mem0 on in-memory stores a case."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.memory: Any = None

    def new(self, case: str) -> None:
        """Make an empty memory."""
        import mem0
        import qdrant_client

        settings = self.settings
        endpoint = {"api_key": settings.api_key, "openai_base_url": settings.base_url}
        embeddings = {"model": settings.embedding_model, "embedding_dims": settings.dimensions}
        store = {
            "client": qdrant_client.QdrantClient(":memory:"),
            "embedding_model_dims": settings.dimensions,
        }
        chat = {"model": settings.chat_model, "max_tokens": 8192}
        self.memory = mem0.Memory.from_config(
            {
                "llm": {"provider": "openai", "config": chat | endpoint},
                "embedder": {"provider": "openai", "config": embeddings | endpoint},
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": ":memory:",
            }
        )

    def write(self, at: str, turns: list[tuple[str, str]]) -> None:
        """Write a session."""
        self.memory.add([{"role": role, "content": text} for role, text in turns], user_id="user")

    def retrieve(self, query: str, k: int) -> None:
        """Search."""
        self.memory.search(query, filters={"user_id": "user"}, top_k=k)

    def end(self) -> None:
        """Close the stores."""
        self.memory.vector_store.client.close()
        self.memory.close()
