"""What wordings and families must keep to, whatever values fill them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memjoin.cases.plaintext import plain
from memjoin.cases.yamlfile import Place
from memjoin.text.tokens import tokens

if TYPE_CHECKING:
    from memjoin.cases.family import Family


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# 'No longer' and the like are negations too, so single words do.
NOT_PLAIN = _words(
    "not no never none neither nor nobody nothing nowhere without cannot hardly scarcely barely unlikely "
    "false if unless whether provided assuming depending maybe perhaps probably possibly presumably might "
    "apparently allegedly supposedly supposed reportedly rumour rumours rumor heard hear guess suppose "
    "wonder reckon reckons believe believes says said told claims thinks seems"
)
"""Tokens that make a remark something else than a plain assertion (property P10)."""

STOP_WORDS = _words(
    "the and for with from into onto that this these those their there then than they them what when where "
    "which while who whose will have has had been being was were are not but our your his her its one two "
    "all any each every some such only over under near next room house street road centre center hall"
)
"""Tokens that are no content words: sharing one gives nothing away (property P8)."""

_CONTRACTION = re.compile(r"\b\w+n['\u2019]t\b", re.IGNORECASE)
_DAY = re.compile(r"(?<![\w.,])(1[3-9]|2\d|3[01])(?![\w])")


def not_plain(text: str, words: str | None = None) -> str:
    """Return the word or mark that keeps text from being a plain assertion, or nothing (property P10).

    Args:
        text: A remark.
        words: Its plain form, where it is at hand.
    """
    if "?" in text:
        return "?"
    found = (plain(text) if words is None else words).split()
    # "don't" has two tokens, of which the second is a t.
    contraction = _CONTRACTION.search(text) if "t" in found else None
    if contraction:
        return contraction.group()
    return "" if NOT_PLAIN.isdisjoint(found) else next(word for word in found if word in NOT_PLAIN)


@lru_cache(maxsize=1 << 14)
def content_words(text: str) -> frozenset[str]:
    """Return the words of text that mean something: three letters or more, plural s dropped."""
    return frozenset(
        token[:-1] if len(token) > 4 and token.endswith("s") else token
        for token in tokens(text)
        if len(token) > 2 and not token.isdigit() and token not in STOP_WORDS
    )


def check_plain(place: Place) -> None:
    """Check wording that carries no clue.

    Raises:
        MemJoinError: It holds a number from 13 to 31 in digits, which could complete a date by accident
            (property P7).
    """
    day = _DAY.search(place.text())
    if day:
        raise place.error(f"'{day.group()}' could be the day of a date", "Write the number as a word.")


def check_assertion(place: Place) -> None:
    """Check wording of a remark.

    Raises:
        MemJoinError: It asks, denies, supposes or reports hearsay (property P10), or ends without a stop.
    """
    check_plain(place)
    text = place.text()
    word = not_plain(re.sub(r"\{\w+\}", "", text))
    if word:
        raise place.error(
            f"'{word}' keeps this from being a plain assertion",
            "Remarks state; they do not ask, deny, suppose or report what somebody said.",
        )
    if not text.rstrip("]").endswith("."):
        raise place.error("a remark ends with a full stop")


def check_apart(place: Place, slots: tuple[str, str]) -> None:
    """Check that a remark keeps two slots in different sentences.

    Raises:
        MemJoinError: One sentence has both. Side by side they would read as two names of one thing, which
            another session has to say (property P4).
    """
    for sentence in place.text().split(". "):
        if all(f"{{{slot}}}" in sentence for slot in slots):
            both = " and ".join(f"{{{slot}}}" for slot in slots)
            raise place.error(f"{both} stand in one sentence", "Make it two sentences, one for each.")


def check_family(top: Place, family: Family) -> None:
    """Check what a family's parts must keep to among each other.

    Raises:
        MemJoinError: A site, a handle or a list of words shares a content word with a service, which
            would give the service away (property P8).
    """
    services = {
        word: value.canonical
        for value in family.services
        for form in value.forms
        for word in content_words(form)
    }
    named = [("sites", value.canonical, form) for value in family.sites for form in value.forms]
    for styles, field in ((family.codes, "codes"), (family.entries, "entries"), (family.slots, "slots")):
        for style in styles:
            named.append((field, style.pattern.source, f"{style.noun} {style.pattern.source}"))
    named.extend(
        (f"words.{name}", phrase, phrase) for name, phrases in family.words.items() for phrase in phrases
    )
    for field, name, text in named:
        shared = content_words(text) & services.keys()
        if shared:
            word = min(shared)
            place = top.at("handles" if field in ("codes", "entries", "slots") else field.split(".")[0])
            raise place.error(
                f"'{name}' shares the word '{word}' with the service '{services[word]}'",
                "A place or a handle must not give the service away; rename one of them.",
            )
