"""The one policy by which every embedded writer chooses what to remember.

Which sentences survive is a finding about a memory system only if it is the system that chooses. An
embedded writer stands in for a language model, and so that its choice favours no framework, all of them share
this one; their responders give it the form that their framework reads, and no more.

It keeps what a person asserts (with a name, code, number, date, place, possession, duty or plan in it) and
drops questions, greetings, thanks and filler; of the assistant it keeps what names something that the user
had not named. It goes by the shape of tokens, function words and generic English cues alone: the same
conversation with other names keeps the same sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memjoin.text.sentences import split_sentences
from memjoin.text.shapes import CALENDAR_WORDS, Shape, content_words, find_shapes
from memjoin.text.tokens import tokens

MIN_WORDS = 3


@dataclass(frozen=True, slots=True)
class Salient:
    """A sentence worth keeping: characters ``start`` to ``end`` of turn number ``turn``, and its text."""

    turn: int
    start: int
    end: int
    speaker: str
    text: str


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Cues of a fact in what a user asserts: whose something is, what must or will be, where it is.
_POSSESSION = _words("my our mine ours have has had got own owns belongs")
_PLAN = _words(
    "will ll going plan plans planning need needs must should supposed want wants booked moved changed "
    "starts started begins ends due called named put keep use uses add bring leave meet meets"
)
_PLACE = re.compile(
    r"\b(?:at|in|on|by|near|behind|opposite|to|from|for) (?:the|my|our|his|her|their)\b", re.I
)
_STATE = re.compile(r"\b(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|am|['’](?:s|re|m))\b", re.I)
# A statement about something definite ('The desk answers ...', 'We agreed ...'), or a subject and its verb.
_STATEMENT = re.compile(r"(?:the|our|my|we|at|on|in|for|with|when) \w|[^\W\d_]+ [^\W\d_]+(?:s|ed)\b", re.I)
# A request to remember: the one kind of question that states something.
_NOTE = re.compile(r"\b(?:note|remember|remind|write down|jot|record|keep|save|put|add|log)\b", re.I)
# Reactions to what was said, and questions in the form of a statement.
_REACTION = re.compile(
    r"(?:ok(?:ay)?|great|good|perfect|thanks?|thank you|cheers|got it|makes sense|fair enough|"
    r"sounds?|(?:that|this|it) (?:sounds?|looks?|helps?|makes|works?|would|will)|"
    r"(?:that|this|it)(?:['’]s| is| was)(?: [a-z]+)? (?:great|good|fine|perfect|helpful|useful|clear|it|all)|"
    r"i (?:was )?(?:wonder(?:ing|ed)?|guess|see|suppose|never thought)|any (?:idea|tips?|thoughts?)|"
    r"not sure|let me know|hi|hello|hey|morning|good (?:morning|evening|afternoon))\b",
    re.I,
)


def salient_sentences(turns: Sequence[tuple[str, str]]) -> list[Salient]:
    """Choose the sentences of a conversation that are worth keeping, in order.

    Args:
        turns: (speaker, text) of each turn. Every speaker but ``assistant``, in whatever case, counts as a
            person who asserts things.
    """
    kept: list[Salient] = []
    said: set[str] = set()
    for number, (speaker, text) in enumerate(turns):
        assistant = speaker.strip().casefold() == "assistant"
        shapes = find_shapes(text)
        for start, end in split_sentences(text):
            sentence = text[start:end]
            inside = [shape for shape in shapes if start <= shape.start < end]
            if _news(sentence, inside, said) if assistant else _fact(sentence, inside):
                kept.append(Salient(number, start, end, speaker, sentence))
        said.update(shape.key for shape in shapes)
    return kept


def _fact(sentence: str, shapes: Sequence[Shape]) -> bool:
    """Tell whether a person's sentence states something."""
    words = tokens(sentence)
    if len(words) < MIN_WORDS:
        return False
    if sentence.rstrip("\"'”’) ").endswith("?"):
        return bool(shapes) and _NOTE.search(sentence) is not None
    if shapes or not CALENDAR_WORDS.isdisjoint(words):
        return True
    if _REACTION.match(sentence) or not content_words(sentence):
        return False
    return (
        not _POSSESSION.isdisjoint(words)
        or not _PLAN.isdisjoint(words)
        or _PLACE.search(sentence) is not None
        or _STATE.search(sentence) is not None
        or _STATEMENT.match(sentence) is not None
    )


def _news(sentence: str, shapes: Sequence[Shape], said: set[str]) -> bool:
    """Tell whether an assistant's sentence states a name, code or date that was not said before."""
    if sentence.endswith("?"):
        return False
    return any(shape.kind != "number" and shape.key not in said for shape in shapes)
