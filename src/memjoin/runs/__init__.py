"""A run: its plan, its ledger, execution and resumption."""
