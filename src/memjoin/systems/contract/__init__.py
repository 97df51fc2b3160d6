"""The contract of a memory system: what MemJoin relies on, each point tried on the system at hand.

A system that breaks a point gives wrong figures without an error: a memory of the case before, a store that
retrieval changed, a session that vanished with a bad reply. So these checks run on our systems and on anyone
else's alike. They need a bench that opens the system on a gateway (``memjoin.runs.check`` makes one).
"""
