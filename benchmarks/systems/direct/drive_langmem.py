"""LangMem driven directly: a store manager run over a session's messages, its search."""

from __future__ import annotations

import importlib
from typing import Any

from memjoin.systems.endpoint import Endpoint
from memjoin.systems.protocol import Settings


class Driver:
    """One store manager on a store in memory a case."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.endpoint = Endpoint(settings, 600)
        self.extraction: Any = importlib.import_module("langmem.knowledge.extraction")
        self.store: Any = importlib.import_module("langgraph.store.memory").InMemoryStore
        self.model = importlib.import_module("langchain_openai").ChatOpenAI(
            model=settings.chat_model,
            base_url=settings.base_url,
            api_key=settings.api_key,
            max_retries=0,
            use_responses_api=False,
        )
        self.messages = importlib.import_module("langchain_core.messages").convert_to_messages
        self.config = {"configurable": {"langgraph_user_id": "user"}, "max_concurrency": 1}
        self.manager: Any = None

    def new(self, case: str) -> None:
        """Make an empty memory."""
        index = {
            "dims": self.settings.dimensions,
            "embed": lambda texts: self.endpoint.embed(list(texts)),
            "fields": ["content.content"],
        }
        self.manager = self.extraction.create_memory_store_manager(
            self.model, store=self.store(index=index), query_limit=5
        )

    def write(self, at: str, turns: list[tuple[str, str]]) -> None:
        """Write a session."""
        messages = [{"role": "system", "content": f"This conversation took place on {at}."}]
        messages += [{"role": role, "content": text} for role, text in turns]
        self.manager.invoke({"messages": self.messages(messages)}, config=self.config)

    def retrieve(self, query: str, k: int) -> None:
        """Search."""
        self.manager.search(query=query, limit=k, config=self.config)

    def end(self) -> None:
        """Leave the rest to the collector."""
        self.manager = None
