"""Property P9: who could still be the subject, so far as some of the sessions tell.

A named person is *compatible* with the target unless at least one entry is known to be theirs and every
such entry conflicts with the target in its site, its date or its service. Candidates are all people that
the sessions or the task name. Elimination joins where too few of them are left.
"""

from __future__ import annotations

from collections.abc import Sequence

from memjoin.cases.schema import Target
from memjoin.cases.stated import ends
from memjoin.text.graph import Attribute, Handle, Relation, Same, Statement, entails


def compatible(statements: Sequence[Statement], person: str, target: Target) -> bool:
    """Tell whether a person is compatible with the target, given statements in session order."""
    relation = Relation(person, target.service.canonical, target.site.canonical, target.date.canonical)
    naming = [
        statement for statement in statements if isinstance(statement, Same) or statement.kind == "holder"
    ]
    has_entry = False
    for key in dict.fromkeys(key for statement in statements for key in ends(statement) if key[0] == "entry"):
        entry = Handle("entry", key[1])
        # Supposed before all else, so that whatever is known of the entry replaces it.
        supposed: list[Statement] = [
            Attribute("service", entry, relation.service),
            Attribute("site", entry, relation.site),
            Attribute("date", entry, relation.date),
        ]
        if entails([*supposed, *naming], relation):
            has_entry = True
            if entails([*supposed, *statements], relation):
                return True
    return not has_entry
