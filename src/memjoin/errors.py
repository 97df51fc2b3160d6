"""The errors that a user can do something about."""

from __future__ import annotations


class MemJoinError(Exception):
    """A mistake or a condition outside MemJoin that its user can mend.

    Args:
        message: What went wrong, naming the file, line, case, system or endpoint.
        hint: What to do about it, in one or two sentences; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message
