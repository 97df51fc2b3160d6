"""The command line. One file a command; each command calls one room and prints what it returns."""

from __future__ import annotations

import errno
import io
import sys


def main() -> None:
    """Run the command line; a user's mistake ends with a message and exit code 2, not a traceback."""
    try:
        _main()
    except KeyboardInterrupt:  # while modules are being imported: nothing was begun
        sys.exit(130)


def _main() -> None:
    from memjoin.cli.app import app
    from memjoin.errors import MemJoinError

    if isinstance(sys.stdout, io.TextIOWrapper):
        # In an encoding that lacks a character its code is printed, as on standard error.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        where = f" for {error.filename}" if error.filename else ""
        sys.exit(f"Error: No space left on the disk{where}.\nMake room and run the same command again.")
    except MemJoinError as error:
        from memjoin.cli.consoles import aside
        from memjoin.text.visible import visible

        console = aside()
        console.print("Error:", style="bold red", end=" ")
        console.print(visible(error.message, keep="\n"), markup=False, highlight=False, soft_wrap=True)
        if error.hint:
            console.print(visible(error.hint, keep="\n"), markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
