"""``python -m memjoin``: the command line."""

from memjoin.cli import main

main()
