"""Mem0 as an application drives it, to compare with: run by the interpreter of Mem0's environment.

    PYTHON mem0_direct.py BASE_URL API_KEY CHAT_MODEL EMBEDDING_MODEL DIMENSIONS

Nothing of MemJoin is involved but the gateway that answers. Each line on standard input is a case,
``{"sessions": [[{"role", "content"}, ...], ...], "query": "..."}``; it is written into a fresh store and
answered with one line of milliseconds, ``{"write": [...], "retrieve": ...}``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any, TextIO

os.environ["MEM0_TELEMETRY"] = "False"


def memory(base_url: str, api_key: str, chat: str, embedding: str, dimensions: int) -> Any:
    """Make a Mem0 on in-memory stores."""
    import mem0
    import qdrant_client

    endpoint = {"api_key": api_key, "openai_base_url": base_url}
    return mem0.Memory.from_config(
        {
            "llm": {"provider": "openai", "config": {"model": chat, "max_tokens": 8192, **endpoint}},
            "embedder": {
                "provider": "openai",
                "config": {"model": embedding, "embedding_dims": dimensions, **endpoint},
            },
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "client": qdrant_client.QdrantClient(":memory:"),
                    "embedding_model_dims": dimensions,
                },
            },
            "history_db_path": ":memory:",
        }
    )


def timed(call: Any, *arguments: Any, **named: Any) -> float:
    """Return how many milliseconds a call took."""
    begin = time.perf_counter()
    call(*arguments, **named)
    return (time.perf_counter() - begin) * 1000


def main(arguments: list[str], answers: TextIO) -> None:
    """Answer a line for each case."""
    base_url, api_key, chat, embedding, dimensions = arguments
    for line in sys.stdin:
        case = json.loads(line)
        driven = memory(base_url, api_key, chat, embedding, int(dimensions))
        writes = [timed(driven.add, messages, user_id="user") for messages in case["sessions"]]
        retrieve = timed(driven.search, case["query"], filters={"user_id": "user"}, top_k=10)
        answers.write(json.dumps({"write": writes, "retrieve": retrieve}) + "\n")
        answers.flush()
        driven.vector_store.client.close()
        driven.close()


if __name__ == "__main__":
    # What the package prints must not come between the answers.
    own = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    main(sys.argv[1:], own)
