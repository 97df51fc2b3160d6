"""MemJoin measures which sensitive relations an agent's long-term memory lets it state."""
