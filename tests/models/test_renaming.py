"""Nothing that is embedded knows a name: other names of the same shape give the same output, renamed.

The conversation below is written by hand; its people, aliases, places, codes, slots and services are drawn.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.models.reader import answer
from memjoin.models.types import ChatRequest
from memjoin.models.writer import EmbeddedWriter
from memjoin.text.salience import salient_sentences
from memjoin.text.shapes import CALENDAR_WORDS, FUNCTION_WORDS

SESSIONS = [
    [
        "For the drivers' list: {who}'s car has the plate {plate}. {first} is down as {alias} on the rota.",
        "Added, {plate} is on the list.",
        "My loaf spread out like a pancake. It was fine in the bowl. How do I stop that?",
        "Prove it for a shorter time. Ask {baker} for a scraper.",
    ],
    [
        "The drivers' pick-up corner is {corner} and {crossing}. {alias}'s envelope is {code}, {other}'s is "
        "{wrong}.",
        "Noted: {corner} and {crossing}.",
        "{baker} gets the spare keys, by the way. {first} knows.",
        "Good idea! Shall I remind {baker}?",
    ],
    [
        "The drivers answer on extension 214. I call it {slot}, the {slot} run, and it goes with {code}.",
        "{code} leaves for {site}, {wrong} for {far}. It is on 17 September 2029.",
    ],
    [
        "Put the drivers at the side entrance. The {slot} run is the {service}. Thanks!",
        "At {far} they do the {harmless}. On 3 October 2029 it is {other}'s turn.",
    ],
]
TASK = "Write to the drivers' desk so that they find {who}'s car: plate, corner, extension, entrance."

# Short and long, with accents, hyphens, apostrophes, and the endings of plurals and of verbs.
NAMES = re.findall(
    r"\S+",
    """
    Bo Ngaire Agnes Siobhán Ołeksandr O'Brien Al-Sayed Vrba Çelik Ýmir Bảo Kwabena Tambourine Lapwing Fred
    Moss Quayside Tollgate Ænes Dơn Hollin Rivers Pommel Łucja Ingrid Wharf Óscar Zed Mossgate Tarn Nutmeg
    """,
)
WORDS = re.findall(
    r"\S+", "asylum adoption opioid tapering debts counselled ångström pawned custody rides gene sects"
)
codes = st.from_regex(r"[A-Z]{2}-[0-9]{4}", fullmatch=True)
plates = st.from_regex(r"[1-9][A-Z]{2} [0-9]{3}", fullmatch=True)


@st.composite
def namings(draw: st.DrawFn) -> dict[str, str]:
    words = draw(st.permutations(NAMES))
    small = draw(st.permutations(WORDS))
    one, two = draw(st.lists(codes, min_size=2, max_size=2, unique=True))
    return {
        "who": f"{words[0]} {words[1]}",
        "first": words[0],
        "alias": words[2],
        "other": f"{words[3]} {words[4]}",
        "baker": words[5],
        "site": f"{words[6]} {words[7]}",
        "far": f"{words[8]} {words[9]}",
        "corner": words[10],
        "crossing": words[11],
        "slot": words[12],
        "service": f"{small[0]} {small[1]}",
        "harmless": f"{small[2]} {small[3]}",
        "code": one,
        "wrong": two,
        "plate": draw(plates),
    }


def test_the_names_are_free_to_be_given() -> None:
    spoken = " ".join([TASK, *(turn for turns in SESSIONS for turn in turns)])
    fixed = {word.lower() for word in re.findall(r"\w+", spoken)} | FUNCTION_WORDS | CALENDAR_WORDS
    given_names = [word.lower() for word in NAMES + WORDS]
    assert len(set(given_names)) == len(given_names) >= 40
    assert fixed.isdisjoint(given_names)


def conversations(names: dict[str, str]) -> list[list[tuple[str, str]]]:
    return [
        [(("user", "assistant")[i % 2], turn.format(**names)) for i, turn in enumerate(turns)]
        for turns in SESSIONS
    ]


def renamed(text: str, old: dict[str, str], new: dict[str, str]) -> str:
    table = {old[key]: new[key] for key in sorted(old, key=lambda key: -len(old[key]))}
    pattern = r"(?<!\w)(?:" + "|".join(re.escape(name) for name in table) + r")(?!\w)"
    return re.sub(pattern, lambda match: table[match.group()], text)


def write(names: dict[str, str], prompt: str, **parameters: Any) -> str:
    lines = [f"{who}: {said}" for turns in conversations(names) for who, said in turns]
    messages = ({"role": "system", "content": prompt}, {"role": "user", "content": "\n".join(lines)})
    message = EmbeddedWriter().complete(ChatRequest("m", messages, parameters)).message
    return message["content"] or json.dumps(message["tool_calls"], ensure_ascii=False)


def read(names: dict[str, str]) -> str:
    items = ["\n".join(f"{who}: {said}" for who, said in turns) for turns in conversations(names)]
    return answer(TASK.format(**names), items)


FIRST = {
    "who": "Priya Raman",
    "first": "Priya",
    "alias": "Juniper",
    "other": "Tomas Vrba",
    "baker": "Wren",
    "site": "Northgate Annex",
    "far": "Eastmoor House",
    "corner": "Mill",
    "crossing": "Foundry",
    "slot": "Harbour",
    "service": "hereditary screening",
    "harmless": "pottery course",
    "code": "KX-4821",
    "wrong": "KX-3307",
    "plate": "7KD 220",
}


@settings(max_examples=25)
@given(names=namings())
def test_the_policy_keeps_the_same_sentences(names: dict[str, str]) -> None:
    for before, after in zip(conversations(FIRST), conversations(names), strict=True):
        kept = [(s.turn, renamed(s.text, FIRST, names)) for s in salient_sentences(before)]
        assert kept == [(s.turn, s.text) for s in salient_sentences(after)]
        assert kept


TOOL = {
    "type": "function",
    "function": {
        "name": "store",
        "parameters": {"properties": {"text": {"type": "string"}}, "required": ["text"]},
    },
}


@pytest.mark.parametrize(
    ("prompt", "parameters"),
    [
        ("Summarise.", {}),
        ('Give {"facts": []}.', {"response_format": {"type": "json_object"}}),
        ("Remember.", {"tools": [TOOL]}),
    ],
)
@settings(max_examples=10)
@given(names=namings())
def test_the_writer_writes_the_same(names: dict[str, str], prompt: str, parameters: dict[str, Any]) -> None:
    written = write(FIRST, prompt, **parameters)
    assert "KX-4821" in written
    assert renamed(written, FIRST, names) == write(names, prompt, **parameters)


@settings(max_examples=25)
@given(names=namings())
def test_the_reader_answers_the_same(names: dict[str, str]) -> None:
    said = read(FIRST)
    assert "hereditary screening" in said
    assert "Eastmoor House" in said  # connected by way of the other person's envelope
    assert "pancake" not in said
    assert renamed(said, FIRST, names) == read(names)
