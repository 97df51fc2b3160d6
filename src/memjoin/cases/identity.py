"""Cases as keys of what is worked out once for each."""

from __future__ import annotations

from memjoin.cases.schema import Case


class ByIdentity:
    """A case as a key by identity: hashing all of its text at every look-up would cost more than it saves."""

    __slots__ = ("case",)

    def __init__(self, case: Case) -> None:
        self.case = case

    def __hash__(self) -> int:
        return id(self.case)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and other.case is self.case
