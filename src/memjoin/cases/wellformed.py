"""What files of cases keep to in either form: ids that can stand anywhere, and text that is text."""

from __future__ import annotations

import re

ID = re.compile(r"(?!.*\.\.)[^\W_][\w.-]{0,99}")
"""What ids of cases, sessions and families look like: they stand in tables, names of files, commands."""
ID_FORM = (
    "Ids have up to 100 letters, digits, dots, hyphens and underscores, begin with a letter or a digit, and "
    "have no two dots in a row."
)
