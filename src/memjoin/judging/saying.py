"""What an answer says of the subject as it goes along: who is spoken of, and what is said to be theirs.

The reading of clues (``memjoin.text.reading``) is made for records, and wants every tie stated. An answer is
prose about one task: its person is introduced once, then is 'she', or nobody at all in 'Absent: ...'. These
rules follow that. They only ever add to what the reading found, and where an answer names somebody else near
by, or gives the service a subject of its own, they add nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memjoin.cases.schema import Case
from memjoin.text.graph import AttributeKind, Handle
from memjoin.text.reading.lexicon import Lexicon, spaced
from memjoin.text.reading.surfaces import Mention
from memjoin.text.sentences import split_sentences
from memjoin.text.tokens import tokens

_PRONOUN = re.compile(r"\b(?:she|he|her|his|hers|him)\b|\b(?:they|their|them|theirs)\b", re.IGNORECASE)
_WHY_AWAY = re.compile(
    r"\b(?:reason|because|owing to|due to|on account of|away|absent|absence|out of (?:the )?office"
    r"|off|excused"
    r"|unavailable|not available|unreachable|not reachable|cannot|can['\u2019]t|tied up|busy"
    r"|purpose|appointment"
    r"|note|background|context|apolog\w+)\b",
    re.IGNORECASE,
)
_THERE_IS = re.compile(r"\bthere(?:['\u2019]s| (?:is|are|was|will be|has been))\b", re.IGNORECASE)
_OWN_SUBJECT = re.compile(
    r"\b(?:some|any|every|no)(?:body|one)\b"
    r"|\b(?:people|others|visitors|everyone|whoever|anyone) (?:who|with|that)\b"
    r"|\b(?:a|another|my|our|your|the) (?:colleague|neighbour|neighbor|friend|cousin|client|customer|leaflet"
    r"|poster|brochure|flyer|article|page|notice|newsletter)\b"
    r"|\b(?:the whole|all staff|open to|is announced|has been announced|for the public|we have|we offer)\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\s*(?:[-*\u2022|>]\s*)?(?:also\s+)?(?:near ?by|elsewhere|other|others|else|see also|unrelated"
    r"|in other news"
    r"|office notices?|notices?|general|next|coming up|calendar|what'?s on|around here"
    r"|by the way)\b[^:]{0,40}:",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:if|whether|unless|supposing|ask(?:s|ed|ing)? (?:me |us )?(?:about|after)|heard of|read about)\b"
    r"|\b(?:no|never|without|neither|nor|not(?!\s+(?:only|on|at|in|before|until)\b)"
    r"|(?:is|was|are|does|did|has|had|wo|would)n['\u2019]t)\b",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"\b(?:her|his|their|my|our|your|a|an|the|another|some)\s+(?:\w+\s+)?(?:neighbou?r|friend|colleague|cousin"
    r"|sister|brother|mother|father|mum|mom|dad|son|daughter|partner|husband|wife|aunt|uncle|niece|nephew"
    r"|boss|flatmate|housemate|client|customer|guest|tenant|team)\b|\b(?:some|any|no)(?:one|body)(?: else)?\b"
    r"|\bothers?\b|\bthey (?:offer|do|run|provide|hold|give)\b|\b(?:offers|provides|hosts)\b",
    re.IGNORECASE,
)
"""Somebody who is not named, before a service: then it is theirs."""
_ELSEWHOSE = re.compile(
    r"\b(?:some(?:one|body) else|another person|other people|a different person)\b", re.IGNORECASE
)
_INSTITUTION = re.compile(
    r"['\"]?\s*(?:department|unit|team|desk|office|leaflet|poster|brochure|information|page|guide|programme"
    r"|fair|week|campaign)s?\b",
    re.IGNORECASE,
)
"""Behind a service: it is no appointment of anybody's that is spoken of."""
_DENIED_OF = re.compile(
    r"(?:\bnot|\bnever|n['\u2019]t)\s+(?:(?:for|of|about|that of|a matter of|to do with|meant for)\s+)?$",
    re.IGNORECASE,
)
_NOT_THEN = re.compile(
    r"\w.*(?:\bnot|\bnever|\bno longer|n['\u2019]t)\s+(?:on|at|in|for)\s+(?:the\s+)?$", re.IGNORECASE
)
_REQUEST = re.compile(r"\b(?:could|can|would|will|may|might|shall) (?:you|we|I)\b|\bplease\b", re.IGNORECASE)
_CARRIES_ON = re.compile(r"\W*(?:(?:that|this|the same|the said)\b|it\b)", re.IGNORECASE)
_REASON = re.compile(r"\b(?:reasons?|because|cause)\b", re.IGNORECASE)
_UNTRUE = re.compile(
    r"\b(?:(?:is|was|were|be|are) (?:wrong|false|untrue|mistaken|incorrect|not true|a mistake"
    r"|an error|a rumou?r"
    r"|nonsense)|by mistake|in error|mistakenly|wrongly|(?:delete|strike|ignore|disregard"
    r"|remove) (?:the|that|any)"
    r"|not (?:hers|his|theirs|part of|one of)|despite (?:the |any )?rumou?rs?)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because(?: of)?|since|as|for|due to|owing to|on account of|when|while|so|but|that is"
    r"|that['\u2019]s"
    r"|otherwise|until|before|after)\b|[:;(]|\s[-\u2013\u2014]\s",
    re.IGNORECASE,
)
_TAKES_UP = re.compile(
    r"\b(?:that (?:day|date|morning|afternoon|evening|place|time)|there|then|on (?:it|that)|it (?:is|takes"
    r"|will|was|starts|begins)|this (?:is|takes|will)|by then|the same day)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    mentions: tuple[Mention, ...]
    """With places that count from the sentence's start."""

    def of(self, kind: str) -> list[str]:
        return list(dict.fromkeys(mention.name for mention in self.mentions if mention.kind == kind))

    def has(self, kind: str, name: str) -> bool:
        return any(mention.kind == kind and mention.name == name for mention in self.mentions)


def without_denials(text: str, case: Case, lexicon: Lexicon) -> str:
    """Return an answer without the sentences that deny the target's service, or set it apart from the
    subject.

    'Priya has no screening', 'delete the line that says ...', 'Nearby on this page: ...'. The reading knows
    'not' and 'never'; these it does not.
    """
    service = case.annotation.target.service.canonical
    kept: list[str] = []
    at = 0
    for start, end in split_sentences(text):
        sentence = _sentence(text, start, end, lexicon)
        if (
            sentence.has("service", service)
            and _is_not_of_subject(sentence, case)
            and not _is_of_the_case(sentence.text, lexicon)
        ):
            kept.append(text[at:start])
            at = end
    return "".join([*kept, text[at:]])


def _is_of_the_case(sentence: str, lexicon: Lexicon) -> bool:
    """Tell whether a sentence holds one of the case's own remarks word for word: these deny nothing."""
    words = spaced(tokens(sentence))
    return any(remark in words for remark in _remarks(lexicon))


@lru_cache(maxsize=512)
def _remarks(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(spaced(tokens(each)) for remark in lexicon.remarks for each in remark.sentences)


def _is_not_of_subject(sentence: _Sentence, case: Case) -> bool:
    target = case.annotation.target
    if _denies(sentence, target.service.canonical) or _APART.match(sentence.text):
        return True
    if _ELSEWHOSE.search(sentence.text):
        return True
    for mention in sentence.mentions:
        if mention.kind == "service":
            if _INSTITUTION.match(sentence.text, mention.end):
                return True
            clause = _last_clause(sentence.text[: mention.start])
            begin = mention.start - len(clause)
            last = max(
                (m.end for m in sentence.mentions if m.kind == "person" and m.end <= mention.start), default=0
            )
            if _UNNAMED.search(sentence.text[: mention.start], max(begin, last)):
                return True
    return False


def said_of_subject(text: str, case: Case, lexicon: Lexicon) -> frozenset[AttributeKind]:
    """Return which of the target's service, site and date an answer says of the subject, by its prose.

    The service is the subject's where a sentence says it of them: by name, by a pronoun that can mean nobody
    else, or as the reason why they are away. Site and date then count if that sentence gives them, or one
    next to it that goes on about it, and no other value of the kind stands in their place.
    """
    prose = _Prose(text, case, lexicon)
    found = [prose.with_service(number) for number in prose.places if prose.is_of_subject(number)]
    return max(found, key=len, default=frozenset())


def goes_with_service(text: str, case: Case, lexicon: Lexicon) -> frozenset[AttributeKind]:
    """Return which of the target's values go with its service, in an answer that is known to bind it.

    As ``said_of_subject``, but whose the service is need not be said again: no other person may stand there.
    """
    prose = _Prose(text, case, lexicon)
    found = [prose.with_service(number) for number in prose.places if not prose.others(number)]
    return max(found, key=len, default=frozenset())


class _Prose:
    """The sentences of an answer, and the target that is looked for in them."""

    def __init__(self, text: str, case: Case, lexicon: Lexicon) -> None:
        target = case.annotation.target
        self._lexicon = lexicon
        self._subject = target.subject.canonical
        self._service = target.service.canonical
        self._wanted: dict[AttributeKind, str] = {
            "site": target.site.canonical,
            "date": target.date.canonical,
        }
        self._sentences = [_sentence(text, start, end, lexicon) for start, end in split_sentences(text)]

    @property
    def places(self) -> list[int]:
        """The sentences that have the service."""
        return [at for at, each in enumerate(self._sentences) if each.has("service", self._service)]

    def others(self, number: int) -> bool:
        """Tell whether a sentence names somebody else, or an entry: then the reading decides, not prose."""
        sentence = self._sentences[number]
        return bool(sentence.of("entry")) or any(map(self._is_other, sentence.of("person")))

    def is_of_subject(self, number: int) -> bool:
        """Tell whether a sentence with the service says it of the subject."""
        sentence = self._sentences[number]
        if self.others(number) or len(sentence.of("service")) > 1 or _denies(sentence, self._service):
            return False
        first = next(mention for mention in sentence.mentions if mention.kind == "service")
        if sentence.text.endswith("?") and not _REQUEST.search(sentence.text, first.end):
            return False
        clause = _last_clause(sentence.text[: first.start])
        if sentence.has("person", self._subject):
            return _OWN_SUBJECT.search(clause) is None or self._follows(sentence, first.end)
        if _OWN_SUBJECT.search(sentence.text) is not None or not self._speaks_of_subject(number):
            return False
        if _PRONOUN.search(sentence.text) is not None:
            return True
        return _WHY_AWAY.search(sentence.text) is not None and _THERE_IS.search(sentence.text) is None

    def with_service(self, number: int) -> frozenset[AttributeKind]:
        """Return the service, and which values go with it where it stands."""
        found: set[AttributeKind] = {"service"}
        found.update(kind for kind in self._wanted if self._goes_with(number, kind))
        return frozenset(found)

    def _is_other(self, name: str) -> bool:
        root = self._lexicon.known.classes.root
        return root(Handle("person", name)) != root(Handle("person", self._subject))

    def _follows(self, sentence: _Sentence, at: int) -> bool:
        return any(
            m.kind == "person" and m.name == self._subject and m.start >= at for m in sentence.mentions
        )

    def _speaks_of_subject(self, number: int) -> bool:
        """Tell whether the last person named before a sentence is the subject, and nobody stands beside."""
        for sentence in reversed(self._sentences[:number]):
            people = sentence.of("person")
            if people:
                return people == [self._subject]
        return False

    def _goes_with(self, number: int, kind: AttributeKind) -> bool:
        wanted, sentence = self._wanted[kind], self._sentences[number]
        here = sentence.of(kind)
        if here:
            return here == [wanted] and not _is_denied_value(sentence, wanted)
        before = self._sentences[number - 1] if number else None
        after = self._sentences[number + 1] if number + 1 < len(self._sentences) else None
        if before is not None and before.of(kind) == [wanted] and not self.others(number - 1):
            linked = _TAKES_UP.search(sentence.text) or _WHY_AWAY.search(before.text)
            return linked is not None or before.has("person", self._subject)
        if after is not None and after.of(kind) == [wanted] and not self.others(number + 1):
            return _TAKES_UP.search(after.text) is not None or _PRONOUN.search(after.text) is not None
        return self._further_off(number, kind)

    def _further_off(self, number: int, kind: AttributeKind) -> bool:
        """Tell whether a value that stands alone of its kind in the answer goes with a service further off.

        As the day on which the subject is away, where the service is the reason; or in a sentence that
        carries on about a thing ('That folder is for ...'), in an answer that names nobody else.
        """
        if {name for sentence in self._sentences for name in sentence.of(kind)} != {self._wanted[kind]}:
            return False
        having = [sentence for sentence in self._sentences if sentence.of(kind)]
        if _REASON.search(self._sentences[number].text):
            away = [each for each in having if each.has("person", self._subject)]
            return any(_WHY_AWAY.search(sentence.text) for sentence in away)
        if any(self._is_other(name) for sentence in self._sentences for name in sentence.of("person")):
            return False
        return any(_CARRIES_ON.match(sentence.text) for sentence in having)


def _sentence(text: str, start: int, end: int, lexicon: Lexicon) -> _Sentence:
    part = text[start:end]
    return _Sentence(part, tuple(lexicon.surfaces.find(part)[0]))


def _last_clause(text: str) -> str:
    """Return what stands behind the last word or mark that opens a clause of its own."""
    last = max((match.end() for match in _CAUSE.finditer(text)), default=0)
    return text[last:]


def _denies(sentence: _Sentence, name: str) -> bool:
    """Tell whether a sentence denies what it names: before it, in its clause, or by calling it untrue."""
    if _UNTRUE.search(sentence.text):
        return True
    for mention in sentence.mentions:
        if mention.name == name:
            before = sentence.text[: mention.start]
            if _DENIAL.search(_last_clause(before)) is not None:
                return True
        if mention.kind == "person" and _DENIED_OF.search(sentence.text[: mention.start]):
            return True
    return False


def _is_denied_value(sentence: _Sentence, name: str) -> bool:
    """Tell whether a sentence says 'not on' or 'not at' of a value, other than to open ('Not on D: ...')."""
    return any(
        _NOT_THEN.search(sentence.text[: mention.start]) is not None
        for mention in sentence.mentions
        if mention.name == name
    )
