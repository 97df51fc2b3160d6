"""Writing sessions: the turn that carries a clue, and the small talk around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from memjoin.cases.draw import PASSING, Cast, pick, sample
from memjoin.cases.family import Exchange, Family, ItemForm
from memjoin.cases.kinds import KINDS
from memjoin.cases.patterns import draw
from memjoin.cases.pool import Pool
from memjoin.cases.schema import Clue, RequiredItem, Span, Turn
from memjoin.cases.templates import Template, Text, render, say
from memjoin.cases.topologies import Plan, Remark
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
_VALUE_SLOTS = frozenset(("site", "date", "service", "old_site", "old_date"))


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
        free = [number for number, step in enumerate(plan.steps) if step.decoy is None]
        open_step = pick(rng, free or range(len(plan.steps)))
        return cls(family, pool, plan, cast, rng, words, open_step)


@dataclass(slots=True)
class Fillers:
    """The small talk of one session: pairs of turns, and a closing word that may end it."""

    pairs: list[tuple[Turn, Turn]] = field(default_factory=list)
    closing: Turn | None = None


class _Said(NamedTuple):
    """A remark in a turn: where it starts and ends, and what it is made of."""

    halves: tuple[tuple[Remark, str, bool], ...]
    """(remark, prefix of its slots, whether it is a decoy)"""
    start: int
    end: int
    places: Mapping[str, tuple[int, int]]
    """Where each slot was filled."""


def write_fillers(talk: Talk, sessions: int, clue_places: Sequence[int]) -> list[Fillers]:
    """Write the small talk of all sessions: no exchange twice, two of them naming people in passing."""
    rng = talk.rng
    fillers = []
    used: set[int] = set()
    for place in range(sessions):
        clue = place in clue_places
        number = 1 + (rng.random() < _LONG) + (not clue)
        topic = pick(rng, talk.family.topics)
        session = Fillers()
        for _ in range(number):
            exchange = pick(rng, talk.pool.topics[topic])
            while id(exchange) in used:
                topic = pick(rng, talk.family.topics)
                exchange = pick(rng, talk.pool.topics[topic])
            used.add(id(exchange))
            session.pairs.append(_exchange(talk, exchange, {}))
        if number + clue == 2 and rng.random() < _CLOSED:
            session.closing = Turn("user", _text(talk, pick(rng, talk.pool.closers), {}))
        fillers.append(session)
    asides = sample(rng, talk.family.asides, 1) + sample(rng, talk.pool.asides, 1)
    for variable, aside, place in zip(PASSING, asides, sample(rng, range(sessions), 2), strict=True):
        full, given = talk.cast.surfaces[variable].texts
        pairs = fillers[place].pairs
        pairs[int(rng.random() * len(pairs))] = _exchange(talk, aside, {"other": full}, {"other": given})
    return fillers


def join(fillers: Fillers) -> tuple[Turn, ...]:
    """Return the turns of a session, in order."""
    turns = [turn for pair in fillers.pairs for turn in pair]
    if fillers.closing is not None:
        turns.append(fillers.closing)
    return tuple(turns)


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
    rng = talk.rng
    named: set[str] = set()
    surfaces = draw_item(form, rng)
    text = Text()
    opening = {"item": surfaces[0], **talk.words}
    if form.of == "person":
        opening["who"] = talk.cast.surfaces["N"].name
        named.add("N")
    render(pick(rng, form.openers), opening, rng, text)
    item_at = next((start, end) for slot, start, end in text.marks if slot == "item")
    said = [_say(talk, halves, named, text) for halves in _remarks(talk, step)]
    user = str(text)
    at = int(rng.random() * (len(fillers.pairs) + 1))
    reply = _text(talk, pick(rng, form.replies), {"item": surfaces[0]})
    fillers.pairs.insert(at, (Turn("user", user), Turn("assistant", reply)))
    turn = 2 * at
    clues: list[Clue] = []
    marks: list[tuple[str, Span]] = []
    for remark in said:
        sentences = tuple(
            [
                Span(session, turn, remark.start + start, remark.start + end)
                for start, end in _sentences(user[remark.start : remark.end])
            ]
        )
        for half, prefix, decoy in remark.halves:
            values = []
            for slot, variable in half.slots.items():
                place = remark.places.get(prefix + slot)
                if place is not None:
                    span = Span(session, turn, place[0], place[1])
                    marks.append((variable, span))
                    if slot in _VALUE_SLOTS:
                        values.append(span)
            clues.append(Clue(session, half.statements(talk.cast.surfaces), sentences, tuple(values), decoy))
    item = RequiredItem(form.name, surfaces[0], surfaces, Span(session, turn, *item_at))
    return Written(tuple(clues), item, tuple(marks))


def draw_item(form: ItemForm, rng: Random) -> tuple[str, ...]:
    """Draw a required item: the surface that the case uses, then the others that are accepted."""
    if form.pattern is None:
        return pick(rng, form.values)
    made = draw(form.pattern, (), rng)
    word, _, rest = made.partition(" ")
    # 'extension 214' may be answered as '214'.
    return (made, rest) if rest and word.isalpha() else (made,)


def _remarks(talk: Talk, step: int) -> list[tuple[tuple[Remark, str, bool], ...]]:
    """Return the remarks of a step's turn in the order in which they are made, as halves of sentences."""
    rng = talk.rng
    clue, decoy = talk.plan.steps[step].clue, talk.plan.steps[step].decoy
    remarks: list[tuple[tuple[Remark, str, bool], ...]] = []
    if (
        decoy is not None
        and decoy.kind is clue.kind
        and f"{clue.kind.name}-pair" in KINDS
        and rng.random() < _PAIRED
    ):
        halves = [(clue, False), (decoy, True)]
        if rng.random() < 0.5:
            halves.reverse()
        (first, first_decoy), (second, second_decoy) = halves
        remarks.append(((first, "", first_decoy), (second, "other_", second_decoy)))
    else:
        remarks.append(((clue, "", False),))
        if decoy is not None:
            remarks.append(((decoy, "", True),))
    if step == talk.open_step:
        remarks.append(((talk.plan.open, "", True),))
    return sample(rng, remarks, len(remarks))


def _say(talk: Talk, halves: tuple[tuple[Remark, str, bool], ...], named: set[str], text: Text) -> _Said:
    """Append a remark to a turn."""
    rng, cast = talk.rng, talk.cast
    kind = halves[0][0].kind.name + ("-pair" if len(halves) > 1 else "")
    own = talk.family.remarks.get(kind)
    template = pick(rng, own if own and rng.random() < _OWN else talk.pool.remarks[kind])
    values = dict(talk.words)
    for half, prefix, _ in halves:
        for slot, variable in half.slots.items():
            texts = cast.surfaces[variable].texts
            if slot in ("who", "old_who") and len(texts) > 1:
                again = variable in named and rng.random() >= _FULL_NAME
                named.add(variable)
                values[prefix + slot] = texts[1] if again else texts[0]
            else:
                values[prefix + slot] = pick(rng, texts)
        if prefix == "" and "entry" in half.slots:
            values["noun"] = cast.nouns[half.slots["entry"]]
    text.add(" ")
    start, marks = text.length, len(text.marks)
    render(template, values, rng, text)
    places = {slot: (start, end) for slot, start, end in text.marks[marks:]}
    return _Said(halves, start, text.length, places)


def _sentences(remark: str) -> list[tuple[int, int]]:
    # Nearly all remarks are one sentence, with its stop at the end alone.
    return [(0, len(remark))] if ". " not in remark else split_sentences(remark)


def _exchange(
    talk: Talk, exchange: Exchange, values: Mapping[str, str], reply: Mapping[str, str] | None = None
) -> tuple[Turn, Turn]:
    user = _text(talk, exchange.user, values)
    assistant = _text(talk, exchange.assistant, values if reply is None else reply)
    return Turn("user", user), Turn("assistant", assistant)


def _text(talk: Talk, template: Template, values: Mapping[str, str]) -> str:
    return say(template, {**talk.words, **values} if template.slots else values, talk.rng)
