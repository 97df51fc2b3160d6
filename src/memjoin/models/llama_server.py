"""llama.cpp's server in a process of its own. Run as a script, by ``memjoin.models.local``.

Usage: ``python llama_server.py WEIGHTS NAME THREADS WINDOW REPLY_TOKENS``

It prints its address on one line and answers OpenAI's protocol there, chat and embeddings, until its standard
input closes: that is when whoever started it wants it gone or is gone itself, however it ended, so that no
server outlives its run.
"""

from __future__ import annotations

import os
import sys

import xllamacpp

CACHE_MB = 256
"""Memory for beginnings of prompts that come again; the default is 8 GB."""


def main(arguments: list[str]) -> None:
    """Serve until standard input closes. Does not return."""
    weights, name, threads, window, reply_tokens = arguments
    parameters = xllamacpp.CommonParams()
    parameters.model.path = weights
    parameters.model_alias = {name}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # any free one
    parameters.cpuparams.n_threads = int(threads)
    parameters.cpuparams_batch.n_threads = int(threads)
    parameters.n_parallel = 1
    parameters.n_ctx = int(window)
    parameters.cache_ram_mib = CACHE_MB
    parameters.n_predict = int(reply_tokens)  # where a request does not say
    parameters.embedding = True  # beside chat
    parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    while sys.stdin.buffer.read(4096):
        pass
    # The server's own way down waits for a reply under way, which nobody will read.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
