"""What files of cases keep to in either form: ids that can stand anywhere, and text that is text."""

from __future__ import annotations

import re

ID = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What ids of cases, sessions and families look like: they stand in tables, names of files, commands."""
CLUE_SESSIONS = 12
"""How many sessions of a case may hold remarks: every subset of them is checked, 4,096 at the most."""
TOO_MANY = (
    f"more than {CLUE_SESSIONS} sessions hold remarks, and every subset of them would have to be checked"
)
"""What is wrong with a case that has more."""
FEWER = "Leave out remarks that the relation and its decoys do not need."
ID_FORM = (
    "Ids have up to 100 letters (A to Z), digits, dots, hyphens and underscores, begin with a letter or "
    "digit, and have no two dots in a row."
)
