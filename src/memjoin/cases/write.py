"""Writing sessions: the turn that carries a clue, and the small talk around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from random import Random

from memjoin.cases.draw import Cast, pick, sample
from memjoin.cases.family import Exchange, Family, ItemForm
from memjoin.cases.patterns import draw
from memjoin.cases.pool import Pool
from memjoin.cases.remarks import Utterance
from memjoin.cases.schema import Clue, RequiredItem, Span, Turn
from memjoin.cases.templates import render, say
from memjoin.cases.topologies import PASSING, Plan
from memjoin.text.record import record
from memjoin.text.sentences import split_sentences

_OWN = 0.5
"""How often a remark takes one of the family's own wordings, where it has any."""
_PAIRED = 0.5
"""How often a clue and its decoy share a sentence, where their kind has a pair."""
_FULL_NAME = 0.3
"""How often a person who was named in the session is named in full again."""
_LONG = 0.6
"""How often a session has six turns rather than four."""
_CLOSED = 0.15
"""How often a short session ends on a closing word of the user's."""

_VALUES = ("service", "site", "date")
_ARTICLES = ("the ", "The ")
_ARTICLE = 4
"""How many characters the mark of an entry or an item leaves out at an article: "the [Harbour slot]"."""

# The same as Span(...), which goes through a function of Python's: a case has some forty.
_span: Callable[[tuple[int, int, int, int]], Span] = partial(tuple.__new__, Span)


@record
class Written:
    """The turn that carries a clue: what it states, the item it holds, and its marks."""

    clues: tuple[Clue, ...]
    item: RequiredItem
    marks: tuple[tuple[str, Span], ...]
    """Where the surfaces of the plan's variables stand: (variable, span)."""


@record
class Talk:
    """What writing one case draws on."""

    family: Family
    pool: Pool
    plan: Plan
    cast: Cast
    rng: Random
    words: Mapping[str, str]
    """A phrase of each list of the family, the same throughout the case: there is one board, one rota."""
    open_step: int
    """The step whose turn also gives ``B`` the open entry: one without a decoy, where there is one."""

    @classmethod
    def of(cls, family: Family, pool: Pool, plan: Plan, cast: Cast, rng: Random) -> Talk:
        """Draw what stays the same throughout a case."""
        words = {name: pick(rng, phrases) for name, phrases in family.words.items()}
        return cls(family, pool, plan, cast, rng, words, pick(rng, plan.open_steps))


@dataclass(slots=True)
class Fillers:
    """The small talk of one session: pairs of turns, and a closing word that may end it."""

    pairs: list[tuple[Turn, Turn]]
    closing: Turn | None = None

    def turns(self) -> tuple[Turn, ...]:
        """Return the turns of the session, in order."""
        last = () if self.closing is None else (self.closing,)
        return (*chain.from_iterable(self.pairs), *last)


def write_fillers(talk: Talk, sessions: int, clue_places: Sequence[int]) -> list[Fillers]:
    """Write the small talk of all sessions: no exchange twice, two of them naming people in passing."""
    rng, topics, talk_of = talk.rng, talk.family.topics, talk.pool.topics
    random = rng.random
    fillers = []
    used: set[int] = set()
    for place in range(sessions):
        clue = place in clue_places
        number = 1 + (random() < _LONG) + (not clue)
        exchanges = talk_of[topics[int(random() * len(topics))]]
        pairs = []
        for _ in range(number):
            exchange = exchanges[int(random() * len(exchanges))]
            while id(exchange) in used:
                exchanges = talk_of[topics[int(random() * len(topics))]]
                exchange = exchanges[int(random() * len(exchanges))]
            used.add(id(exchange))
            pairs.append(_exchange(talk, exchange))
        session = Fillers(pairs)
        if number + clue == 2 and random() < _CLOSED:
            session.closing = Turn("user", say(pick(rng, talk.pool.closers), talk.words, rng))
        fillers.append(session)
    asides = sample(rng, talk.family.asides, 1) + sample(rng, talk.pool.asides, 1)
    for variable, aside, place in zip(PASSING, asides, sample(rng, range(sessions), 2), strict=True):
        full, given = talk.cast.surfaces[variable].texts
        pairs = fillers[place].pairs
        pairs[int(random() * len(pairs))] = _exchange(talk, aside, full, given)
    return fillers


def _exchange(talk: Talk, exchange: Exchange, other: str = "", again: str = "") -> tuple[Turn, Turn]:
    """Write an exchange; an aside names another person, in the reply once more."""
    user, assistant, words, rng = exchange.user, exchange.assistant, talk.words, talk.rng
    return (
        Turn("user", say(user, {**words, "other": other} if user.slots else words, rng)),
        Turn("assistant", say(assistant, {**words, "other": again} if assistant.slots else words, rng)),
    )


def write_clue(talk: Talk, step: int, form: ItemForm, session: int, fillers: Fillers) -> Written:
    """Write the turn that carries a clue and its reply, and put them among a session's small talk.

    The turn opens with the required item on the task's everyday matter; the remarks follow.

    Args:
        talk: What the case draws on.
        step: The step of the plan, from 0.
        form: The required item.
        session: The session's place in the case, from 0.
        fillers: The session's small talk; the new pair is inserted.
    """
    rng, surfaces = talk.rng, talk.cast.surfaces
    forms = draw_item(form, rng)
    item = forms[0]
    named: set[str] = set()
    values = {**talk.words, "item": item}
    if form.of == "person":
        values["who"] = surfaces["N"].name
        named.add("N")
    opening, filled = render(pick(rng, form.openers), values, rng)
    texts, length = [opening], len(opening)
    said = []
    for utterance in _remarks(talk, step):
        remark, places = _say(talk, utterance, named, length + 1)
        said.append((utterance, places, length + 1, length + 1 + len(remark)))
        texts.append(remark)
        length += 1 + len(remark)
    user = " ".join(texts)
    at = int(rng.random() * (len(fillers.pairs) + 1))
    reply = say(pick(rng, form.replies), values, rng)
    fillers.pairs.insert(at, (Turn("user", user), Turn("assistant", reply)))
    turn = 2 * at
    clues = []
    marks = []
    for utterance, places, start, end in said:
        sentences = tuple([_span((session, turn, *one)) for one in _sentences(user, start, end)])
        for half in utterance.halves:
            spans = []
            for slot, variable, names in half.places:
                if slot in places:
                    first, last = places[slot]
                    if names == "entry" and user.startswith(_ARTICLES, first, last):
                        first += _ARTICLE
                    span = _span((session, turn, first, last))
                    marks.append((variable, span))
                    if names in _VALUES:
                        spans.append(span)
            stated = half.remark.statements(surfaces)
            clues.append(Clue(session, stated, sentences, tuple(spans), half.decoy))
    first, last = filled["item"]
    if user.startswith(_ARTICLES, first, last):
        first += _ARTICLE
    required = RequiredItem(form.name, item, forms, _span((session, turn, first, last)))
    return Written(tuple(clues), required, tuple(marks))


def draw_item(form: ItemForm, rng: Random) -> tuple[str, ...]:
    """Draw a required item: the surface that the case uses, then the others that are accepted."""
    if form.pattern is None:
        return pick(rng, form.values)
    made = draw(form.pattern, (), rng)
    word, _, rest = made.partition(" ")
    # 'extension 214' may be answered as '214'.
    return (made, rest) if rest and word.isalpha() else (made,)


def _remarks(talk: Talk, step: int) -> list[Utterance]:
    """Return what is said in a step's turn, in the order in which it is said."""
    rng, this = talk.rng, talk.plan.steps[step]
    if this.paired and rng.random() < _PAIRED:
        remarks = [this.paired[rng.random() < 0.5]]
    else:
        remarks = list(this.alone)
    if step == talk.open_step:
        remarks.append(talk.plan.open)
    return sample(rng, remarks, len(remarks))


def _say(
    talk: Talk, utterance: Utterance, named: set[str], at: int
) -> tuple[str, dict[str, tuple[int, int]]]:
    """Return what is said, and where each slot was filled, in a turn in which it starts at a place.

    Args:
        talk: What the case draws on.
        utterance: What there is to say.
        named: The variables of people whom the turn has named; those named now are added.
        at: The place, in characters.
    """
    rng, surfaces = talk.rng, talk.cast.surfaces
    random = rng.random
    own = talk.family.remarks.get(utterance.kind)
    template = pick(rng, own if own and random() < _OWN else talk.pool.remarks[utterance.kind])
    values = dict(talk.words)
    for slot, variable, person in utterance.fills:
        texts = surfaces[variable].texts
        if person and len(texts) > 1:
            again = variable in named and random() >= _FULL_NAME
            named.add(variable)
            values[slot] = texts[1] if again else texts[0]
        else:
            values[slot] = texts[int(random() * len(texts))]
    if utterance.entry is not None:
        values["noun"] = talk.cast.nouns[utterance.entry]
    return render(template, values, rng, at)


def _sentences(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """Return the sentences of a remark that stands in a turn."""
    # Nearly all remarks are one sentence, with its stop at the end alone.
    if text.find(". ", start, end) < 0:
        return [(start, end)]
    return [(start + first, start + last) for first, last in split_sentences(text[start:end])]
