"""Property P9: who could still be the subject, so far as some of the sessions tell.

A named person is *compatible* with the target unless at least one entry is known to be theirs and every
such entry conflicts with the target in its site, its date or its service. Candidates are all people that
the sessions or the task name. Elimination joins where too few of them are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memjoin.cases.evidence import Key, ends
from memjoin.cases.schema import Target
from memjoin.text.graph import Attribute, Handle, Relation, Same, Statement, entails
from memjoin.text.record import record


@record
class Components:
    """Statements by what they are linked to, however indirectly.

    No statement of one component can change what is entailed of a handle in another, in any subset.
    """

    roots: Mapping[Key, Key]
    of: tuple[Key, ...]
    """The component of each statement, by its root."""

    def root(self, person: str) -> Key:
        """Return the component of a person."""
        key = ("person", person)
        return self.roots.get(key, key)


def components(links: Iterable[tuple[Key, Key]]) -> Components:
    """Group statements, given by their ends, into components.

    A service links nothing: only sites and dates can be handles.
    """
    parent: dict[Key, Key] = {}
    lefts = []
    for left, right in links:
        lefts.append(left)
        parent.setdefault(left, left)
        if right[0] == "service":
            continue
        a, b = _root(parent, left), _root(parent, right)
        parent[b] = a
    roots = {key: _root(parent, key) for key in list(parent)}
    return Components(roots, tuple([roots[left] for left in lefts]))


def _root(parent: dict[Key, Key], key: Key) -> Key:
    above = parent.setdefault(key, key)
    while above != key:
        key, above = above, parent[above]
    return key


def conflicting(statements: Iterable[Statement], linked: Components, target: Target) -> set[Key]:
    """Return the components that hold any value at odds with the target.

    A person of another component is compatible, in every subset of the statements as well.
    """
    wanted = {
        "service": target.service.canonical,
        "site": target.site.canonical,
        "date": target.date.canonical,
    }
    return {
        root
        for statement, root in zip(statements, linked.of, strict=True)
        if isinstance(statement, Attribute)
        and statement.kind != "holder"
        and statement.value != wanted[statement.kind]
    }


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
