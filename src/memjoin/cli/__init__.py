"""The command line. One file a command; each command calls one room and prints what it returns."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; a user's mistake ends with a message and exit code 2, not a traceback."""
    from memjoin.cli.app import app
    from memjoin.errors import MemJoinError

    try:
        app()
    except MemJoinError as error:
        from rich.console import Console

        from memjoin.text.visible import visible

        console = Console(stderr=True)
        console.print("Error:", style="bold red", end=" ")
        console.print(visible(error.message, keep="\n"), markup=False, highlight=False, soft_wrap=True)
        if error.hint:
            console.print(visible(error.hint, keep="\n"), markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
