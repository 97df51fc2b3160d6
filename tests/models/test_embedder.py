"""The embedded embedder: what it knows, and that a text's vector depends on the text alone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.models.embedder import CACHED_TEXTS, MAX_TOKENS, MiniLmEmbedder
from memjoin.models.names import resolve_embedder
from memjoin.models.types import Embedder, Vectors

# Pairs and their cosine similarities under the published float weights of all-MiniLM-L6-v2.
PUBLISHED = [
    ("A man is eating food.", "A man is eating a piece of bread.", 0.7554),
    ("That is a happy person", "That is a happy dog", 0.6945),
    ("That is a happy person", "That is a very happy person", 0.9429),
    ("That is a happy person", "Today is a sunny day", 0.2568),
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return resolve_embedder("embedded")


@pytest.fixture(scope="module")
def fresh() -> tuple[Embedder, Embedder]:
    return MiniLmEmbedder(), MiniLmEmbedder()


@pytest.mark.parametrize(("left", "right", "cosine"), PUBLISHED)
def test_similarities_are_those_of_the_published_model(
    embedder: Embedder, left: str, right: str, cosine: float
) -> None:
    one, other = embedder.embed([left, right])
    assert float(one @ other) == pytest.approx(cosine, abs=0.01)


def test_nearer_in_meaning_is_nearer_in_space(embedder: Embedder) -> None:
    vectors = embedder.embed(
        [
            "Which entrance should the drivers use?",
            "The volunteer drivers should bring the car round to the side entrance.",
            "For the drivers' desk: cars wait at the corner of Mill and Third.",
            "My balcony tomatoes are all leaf and no fruit.",
        ]
    )
    nearness = vectors[1:] @ vectors[0]
    assert list(np.argsort(-nearness)) == [0, 1, 2]


def test_vectors_have_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed(["a", "", "\x00", "\ud800", "日本語", "word " * 400])
    assert vectors.shape == (6, embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert embedder.embed([]).shape == (0, 384)


@settings(max_examples=10)
@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_a_batch_changes_nothing(fresh: tuple[Embedder, Embedder], texts: list[str]) -> None:
    together, alone = fresh
    batch = together.embed(texts)
    assert np.array_equal(batch, np.concatenate([alone.embed([text]) for text in reversed(texts)][::-1]))


def test_a_new_embedder_computes_the_same(embedder: Embedder) -> None:
    texts = ["The Harbour slot is at Northgate Annex.", "KX-4821"]
    assert np.array_equal(MiniLmEmbedder().embed(texts), embedder.embed(texts))


def test_a_text_is_cut_where_the_model_ends(embedder: Embedder) -> None:
    # 254 words of one piece each, and the two marks at the ends.
    full, over, short = embedder.embed(["word " * n for n in (MAX_TOKENS - 2, MAX_TOKENS + 50, 200)])
    assert np.array_equal(full, over)
    assert not np.array_equal(full, short)


def test_what_was_computed_is_remembered_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = MiniLmEmbedder()
    computed: list[str] = []

    def compute(text: str) -> Vectors:
        computed.append(text)
        return np.full(384, 384**-0.5, dtype=np.float32)

    monkeypatch.setattr(embedder, "_compute", compute)
    embedder.embed(["a", "b", "a"])
    assert computed == ["a", "b"]
    embedder.embed([str(number) for number in range(CACHED_TEXTS)])
    embedder.embed(["a"])
    assert computed[-1] == "a"


def test_threads_may_share_it(embedder: Embedder) -> None:
    texts = [f"sentence number {number}" for number in range(6)]
    expected = MiniLmEmbedder().embed(texts)
    fresh = MiniLmEmbedder()
    found: dict[int, Vectors] = {}

    def work(number: int) -> None:
        found[number] = fresh.embed(texts)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[number], expected) for number in range(4))


def test_nothing_is_left_in_the_home_and_nobody_is_told(tmp_path: Path) -> None:
    # In a process that does not look like a test's or a build's: there ONNX Runtime is mute.
    program = "from memjoin.models.embedder import MiniLmEmbedder; MiniLmEmbedder().embed(['x'])"
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (found.stdout, found.stderr) == ("", "")
    assert not list(tmp_path.rglob("*"))
