"""A reference system: every turn a record, found again by its words."""
