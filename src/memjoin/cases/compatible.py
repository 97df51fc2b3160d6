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
    """Statements by what they are linked to, however indirectly; each component has a number.

    No statement of one component can change what is entailed of a handle in another, in any subset.
    """

    numbers: Mapping[Key, int]
    of: tuple[int, ...]
    """The component of each statement."""

    def number(self, person: str) -> int:
        """Return the component of a person, -1 for somebody of whom nothing is stated."""
        return self.numbers.get(("person", person), -1)


def components(links: Iterable[tuple[Key, Key]]) -> Components:
    """Group statements, given by their ends, into components.

    A service links nothing: only sites and dates can be handles.
    """
    numbers: dict[Key, int] = {}
    lefts = []
    for left, right in links:
        lefts.append(left)
        one = numbers.setdefault(left, len(numbers))
        if right[0] != "service":
            other = numbers.setdefault(right, one)
            if other != one:
                for key, number in numbers.items():
                    if number == other:
                        numbers[key] = one
    return Components(numbers, tuple([numbers[left] for left in lefts]))


def conflicting(statements: Iterable[Statement], linked: Components, target: Target) -> set[int]:
    """Return the components that hold any value at odds with the target.

    A person of another component is compatible, in every subset of the statements as well.
    """
    wanted = {
        "service": target.service.canonical,
        "site": target.site.canonical,
        "date": target.date.canonical,
    }
    return {
        number
        for statement, number in zip(statements, linked.of, strict=True)
        if isinstance(statement, Attribute) and wanted.get(statement.kind, statement.value) != statement.value
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
