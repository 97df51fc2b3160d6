"""Writing sessions: the turn that carries a clue, and the small talk around it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import TypeAlias

from memjoin.cases.chance import Uniform, pick, sample
from memjoin.cases.draw import Cast
from memjoin.cases.family import Family, ItemForm
from memjoin.cases.patterns import draw
from memjoin.cases.pool import Pool, SmallTalk
from memjoin.cases.remarks import Utterance
from memjoin.cases.schema import Clue, RequiredItem, Span, Turn
from memjoin.cases.templates import render, say
from memjoin.cases.topologies import PASSING, Plan
from memjoin.text.record import maker
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

_ARTICLES = ("the ", "The ")
_ARTICLE = 4
"""How many characters the mark of an entry or an item leaves out at an article: "the [Harbour slot]"."""

Said: TypeAlias = tuple[Utterance, dict[str, tuple[int, int]], int, int]
"""An utterance, the places of its slots in the turn, and its own: start and end."""

_make_turn, _make_clue, _make_required = maker(Turn), maker(Clue), maker(RequiredItem)
# Span(...) goes through a function of Python's, and a case has some forty.
_span = tuple.__new__


@dataclass(slots=True)
class Draft:
    """A case that is being written: what it draws on, the turns so far, and what to annotate in them."""

    family: Family
    pool: Pool
    plan: Plan
    cast: Cast
    random: Uniform
    words: dict[str, str]
    """A phrase of each list of the family, the same throughout the case: there is one board, one rota."""
    open_step: int
    """The step whose turn also gives ``B`` the open entry: one without a decoy, where there is one."""
    sessions: list[list[Turn]] = field(default_factory=list)
    clues: list[Clue] = field(default_factory=list)
    required: list[RequiredItem] = field(default_factory=list)
    places: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    """Where the surfaces of the plan's variables stand, in the turns that carry clues."""

    @classmethod
    def of(cls, family: Family, pool: Pool, plan: Plan, cast: Cast, random: Uniform) -> Draft:
        """Draw what stays the same throughout a case."""
        words = {name: pick(random, phrases) for name, phrases in family.words.items()}
        return cls(family, pool, plan, cast, random, words, pick(random, plan.open_steps))


def write_small_talk(draft: Draft, sessions: int, clue_places: Sequence[int]) -> None:
    """Write the small talk of all sessions: no exchange twice, two of them naming people in passing.

    Args:
        draft: The case, without any session as yet.
        sessions: How many there are to be.
        clue_places: Those to which the turn of a clue will be added.
    """
    random, pool, topics = draft.random, draft.pool, draft.family.topics
    used: set[SmallTalk] = set()
    for place in range(sessions):
        clue = place in clue_places
        number = 1 + (random() < _LONG) + (not clue)
        exchanges = pool.topics[topics[floor(random() * len(topics))]]
        turns: list[Turn] = []
        for _ in range(number):
            exchange = exchanges[floor(random() * len(exchanges))]
            while exchange in used:
                exchanges = pool.topics[topics[floor(random() * len(topics))]]
                exchange = exchanges[floor(random() * len(exchanges))]
            used.add(exchange)
            user, assistant = exchange.user, exchange.assistant
            turns.append(user[floor(random() * len(user))])
            turns.append(assistant[floor(random() * len(assistant))])
        if number + clue == 2 and random() < _CLOSED:
            turns.append(pick(random, pick(random, pool.closers)))
        draft.sessions.append(turns)
    asides = pick(random, draft.family.asides), pick(random, pool.asides)
    for variable, aside, place in zip(PASSING, asides, sample(random, range(sessions), 2), strict=True):
        full, given = draft.cast.surfaces[variable].texts
        user_text = say(aside.user, draft.words | {"other": full}, random)
        reply = say(aside.assistant, draft.words | {"other": given}, random)
        turns = draft.sessions[place]
        at = 2 * floor(random() * (len(turns) // 2))
        turns[at : at + 2] = _make_turn("user", user_text), _make_turn("assistant", reply)


def write_clue(draft: Draft, step: int, form: ItemForm, session: int) -> None:
    """Write the turn that carries a clue and its reply, and put them among a session's small talk.

    The turn opens with the required item on the task's everyday matter; the remarks follow.

    Args:
        draft: The case; the two turns are added, and what to annotate in them.
        step: The step of the plan, from 0.
        form: The required item.
        session: The session's place in the case, from 0.
    """
    random, surfaces = draft.random, draft.cast.surfaces
    forms = draw_item(form, random)
    values = draft.words.copy()
    values["item"] = forms[0]
    named: set[str] = set()
    if form.of == "person":
        values["who"] = surfaces["N"].name
        named.add("N")
    text, filled = render(pick(random, form.openers), values, random)
    said: list[Said] = []
    for utterance in _remarks(draft, step):
        start = len(text) + 1
        text, places = _say(draft, utterance, named, f"{text} ")
        said.append((utterance, places, start, len(text)))
    turns = draft.sessions[session]
    turn = 2 * floor(random() * (len(turns) // 2 + 1))
    reply = say(pick(random, form.replies), values, random)
    turns[turn:turn] = _make_turn("user", text), _make_turn("assistant", reply)
    first, last = filled["item"]
    if text.startswith(_ARTICLES, first, last):
        first += _ARTICLE
    item = _make_required(form.name, forms[0], forms, Span(session, turn, first, last))
    draft.required.append(item)
    _mark(draft, said, session, turn)


def _mark(draft: Draft, said: Iterable[Said], session: int, turn: int) -> None:
    """Note what was said in a turn, and where, for the annotation."""
    text, surfaces, marks = draft.sessions[session][turn].text, draft.cast.surfaces, draft.places
    for utterance, places, start, end in said:
        # Nearly all remarks are one sentence, with its stop at the end alone.
        if text.find(". ", start, end) < 0:
            sentences: tuple[Span, ...] = (_span(Span, (session, turn, start, end)),)
        else:
            sentences = tuple(
                [Span(session, turn, start + a, start + b) for a, b in split_sentences(text[start:end])]
            )
        for half in utterance.halves:
            spans = []
            for slot, variable, is_entry, is_value in half.places:
                if slot in places:
                    first, last = places[slot]
                    if is_entry:
                        first = last - len(surfaces[variable].name)
                    span = _span(Span, (session, turn, first, last))
                    marks[variable].append(span)
                    if is_value:
                        spans.append(span)
            stated = half.remark.statements(surfaces)
            draft.clues.append(_make_clue(session, stated, sentences, tuple(spans), half.decoy))


def draw_item(form: ItemForm, random: Uniform) -> tuple[str, ...]:
    """Draw a required item: the surface that the case uses, then the others that are accepted."""
    if form.pattern is None:
        return pick(random, form.values)
    made = draw(form.pattern, (), random)
    word, _, rest = made.partition(" ")
    # 'extension 214' may be answered as '214'.
    return (made, rest) if rest and word.isalpha() else (made,)


def _remarks(draft: Draft, step: int) -> list[Utterance]:
    """Return what is said in a step's turn, in the order in which it is said."""
    random, this = draft.random, draft.plan.steps[step]
    remarks = this.alone
    if this.paired and random() < _PAIRED:
        remarks = (this.paired[random() < 0.5],)
    if step == draft.open_step:
        remarks = (*remarks, draft.plan.open)
    return sample(random, remarks, len(remarks))


def _say(
    draft: Draft, utterance: Utterance, named: set[str], text: str
) -> tuple[str, dict[str, tuple[int, int]]]:
    """Return a turn to which what is said was added, and where in it each slot was filled.

    Args:
        draft: What the case draws on.
        utterance: What there is to say.
        named: The variables of people whom the turn has named; those named now are added.
        text: The turn so far.
    """
    random, surfaces = draft.random, draft.cast.surfaces
    own = draft.family.remarks.get(utterance.kind)
    template = pick(random, own if own and random() < _OWN else draft.pool.remarks[utterance.kind])
    values = draft.words.copy()
    for slot, variable, person in utterance.fills:
        texts = surfaces[variable].texts
        if person and len(texts) > 1:
            again = variable in named and random() >= _FULL_NAME
            named.add(variable)
            values[slot] = texts[1] if again else texts[0]
        else:
            values[slot] = texts[floor(random() * len(texts))]
    if utterance.entry is not None:
        values["noun"] = draft.cast.nouns[utterance.entry]
    return render(template, values, random, text)
