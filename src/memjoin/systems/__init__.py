"""What is under test: the memory systems, and the processes and environments that they run in."""
