"""Characters that do something else than stand in text, made visible."""

from __future__ import annotations

import re
import unicodedata

# Controls (C0, DEL, C1), halves of surrogate pairs, separators of lines and paragraphs, marks that turn the
# direction of writing or stand nowhere, and the plane of tags.
_ACTING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
# What no text needs, whatever its language: marks of direction are needed in some.
_REFUSED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def visible(text: str, keep: str = "") -> str:
    """Return text that moves no cursor, changes no colour and turns no direction when it is printed.

    Every such character is written as its number, ``<U+202E>``. Everything else stays as it is, HTML too:
    escaping markup is the business of whoever writes markup.

    Args:
        text: Any text, from whatever source.
        keep: Characters that stay, e.g. a line break where lines are wanted.
    """
    if text.isprintable():
        return text
    return _ACTING.sub(lambda found: found[0] if found[0] in keep else named(found[0]), text)


def named(character: str) -> str:
    """Return the number of a character, ``<U+202E>``."""
    return f"<U+{ord(character):04X}>"


def control(text: str) -> tuple[int, str] | None:
    """Return the place and the name of the first character that has no business in text, None without one.

    These are controls other than tab and line feed, and halves of surrogate pairs. Marks of direction, which
    Arabic and Hebrew may need, are let pass.
    """
    if text.isprintable():
        return None
    found = _REFUSED.search(text)
    if found is None:
        return None
    kind = "half a surrogate pair" if unicodedata.category(found[0]) == "Cs" else "a control character"
    return found.start(), f"{kind}, U+{ord(found[0]):04X}"
