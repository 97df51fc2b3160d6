"""'The former', 'the second', 'that last one': mentions of what was named before, by its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memjoin.text.reading.surfaces import Mention, MentionKind
from memjoin.text.reading.ties import Subject

_ORDINAL = re.compile(
    r"\b(?:the|that) (?P<which>former|latter|first|second|third|last)(?: one)?"
    r"(?=['\u2019]s\b|,|;|\.|$|\)| of (?:these|those|them|the (?:two|three))\b"
    r"| (?:is|was|are|has|had|goes|went|will|belongs|for|on|at|to|and|in|takes|moved|gets|got)\b)",
    re.IGNORECASE,
)
_KINDS: tuple[MentionKind, ...] = ("entry", "person")
_PLACES = {"former": 0, "first": 0, "second": 1, "third": 2, "latter": -1, "last": -1}


def with_ordinals(
    text: str, start: int, end: int, mentions: Sequence[Mention], several: Subject | None
) -> Sequence[Mention]:
    """Add a mention for every ordinal of a sentence that can be resolved.

    It counts the entries, or else the people, that the sentence names before it; where these are less than
    two, those of the sentence before. All ordinals of a sentence count the same ones.

    Args:
        text: The record.
        start: Where the sentence starts.
        end: Where it ends.
        mentions: What it mentions.
        several: What the sentence before named, if several.
    """
    added: list[Mention] = []
    found: tuple[MentionKind, list[str]] | None = None
    for match in _ORDINAL.finditer(text, start, end):
        found = found or _series([m for m in mentions if m.end <= match.start()], several)
        place = _PLACES[match["which"].lower()]
        if found is not None and place < len(found[1]):
            added.append(Mention(found[0], found[1][place], match.start(), match.end()))
    return sorted([*mentions, *added], key=lambda mention: mention.start) if added else mentions


def _series(before: Sequence[Mention], several: Subject | None) -> tuple[MentionKind, list[str]] | None:
    for kind in _KINDS:
        names = list(dict.fromkeys(mention.name for mention in before if mention.kind == kind))
        if len(names) > 1:
            return kind, names
        if several is not None and several.kind == kind:
            return kind, list(several.names)
    return None
