"""Drawing at random.

The same seed must give the same case, on every machine and in every version: what is drawn, and in which
order, is part of the release. So is how: the place of what is drawn is ``floor(random() * length)``, which
costs less than ``int`` of the same, and a third of what ``Random.choice`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Uniform: TypeAlias = Callable[[], float]
"""Draws a number from 0 on and below 1: the ``random`` of a ``random.Random``."""


def pick(random: Uniform, options: Sequence[T]) -> T:
    """Return one of the options."""
    return options[floor(random() * len(options))]


def sample(random: Uniform, options: Sequence[T], number: int) -> list[T]:
    """Return different options in random order, all of them where fewer than ``number`` are there."""
    left = list(options)
    taken: list[T] = []
    while left and len(taken) < number:
        at = floor(random() * len(left))
        left[at], left[-1] = left[-1], left[at]
        taken.append(left.pop())
    return taken
