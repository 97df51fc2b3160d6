"""Ways of damaging a case so that one property breaks, each for every case that it applies to."""

from mutations import around, remarks, sessions, values
from mutations.base import ALL, Mutation

__all__ = ["ALL", "Mutation", "around", "remarks", "sessions", "values"]
