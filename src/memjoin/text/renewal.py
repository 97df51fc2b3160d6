"""The one rule by which every embedded writer lets a later statement take an earlier one's place.

What is lost when a memory is updated is a finding about a memory system only if it is the system that loses
it. So the writers' rule is narrow: an earlier sentence gives way only to one that repeats all of it but one
value. Like ``memjoin.text.salience`` it goes by shapes, function words and generic English cues alone.
"""

from __future__ import annotations

import re

from memjoin.text.shapes import content_words, find_shapes

_CHANGE = re.compile(
    r"\b(?:now|instead|no longer|became|becomes|(?:moved|changed|switched) to|"
    r"(?:has|have|had|is|are|was|were|been|got) (?:now )?(?:moved|changed|replaced))\b",
    re.I,
)


def says_change(text: str) -> bool:
    """Tell whether a text says that something is otherwise than it was."""
    return _CHANGE.search(text) is not None


def renews(new: str, old: str) -> bool:
    """Tell whether a sentence makes another one old: it says so, and repeats all of it but one value.

    The value is a name, code, number or date; the later sentence has another of the same kind. With it go
    the function words around it; every other word of ``old`` stands in ``new``.
    """
    if not says_change(new):
        return False
    before, after = find_shapes(old), find_shapes(new)
    known, said = {shape.key for shape in before}, {shape.key for shape in after}
    gone = {shape.key: shape.kind for shape in before if shape.key not in said}
    come = {shape.kind for shape in after if shape.key not in known}
    if len(gone) != 1 or not known & said or not come.issuperset(gone.values()):
        return False
    return _others(old) <= _others(new)


def _others(sentence: str) -> set[str]:
    """The words of a sentence that are neither in a shape nor function words."""
    shapes = find_shapes(sentence)
    starts = [0, *(shape.end for shape in shapes)]
    ends = [*(shape.start for shape in shapes), len(sentence)]
    return {
        word for start, end in zip(starts, ends, strict=True) for word in content_words(sentence[start:end])
    }
