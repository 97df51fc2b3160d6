"""Ways to keep a memory from giving a relation away: on what the reader is given, or on what it answers.

``base`` says what an intervention is, ``registry`` finds them by name, and each of the paper's (Table 3) has
a module of its own. ``memjoin.interventions`` is the same for programs that use them without a run.
"""
