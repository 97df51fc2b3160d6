"""The pools that every family draws from keep to the rules at the head of their files."""

from __future__ import annotations

import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from memjoin.cases.pool import read_pool
from memjoin.errors import MemJoinError
from memjoin.text.tokens import tokens

GROUP = re.compile(r"\[([^\[\]]*)\]")
SENTENCE_START = re.compile(r"(?:^|[.!?:] )\"?$")
CAPITAL = re.compile(r"\b[A-Z]\w*(?:'\w+)?")


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


MONTHS = words_of(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
WEEKDAYS = words_of("monday tuesday wednesday thursday friday saturday sunday")
# The words by which remarks name entries, and matters in which a sensitive service could hide.
KEPT_OUT = words_of(
    "appointment appointments clinic clinics code codes entry entries envelope envelopes slot slots sticker "
    "stickers doctor doctors nurse hospital surgery therapy diagnosis medicine illness pregnant court lawyer "
    "solicitor police passport visa debt debts loan mortgage bankruptcy church mosque temple synagogue "
    "prayer priest wedding divorce funeral death dead religion political union"
)
# The only words with a capital inside a sentence: the speaker, and letters that are letters.
CAPITALS_INSIDE = words_of("I I'd I'll I'm I've A A4 B C COUNTIF G PA PDF PUSH PVA T TODAY X ZZ")


class Turn(NamedTuple):
    """One turn of the small talk, as the file holds it."""

    topic: str
    pair: int
    speaker: str
    source: str

    def renderings(self) -> Iterator[str]:
        """Go through everything that the turn can become."""
        parts = [part.split("|") for part in re.split(r"[\[\]]", self.source)]
        yield from ("".join(choice) for choice in product(*parts))

    def vocabulary(self) -> frozenset[str]:
        """Return every token that some rendering holds."""
        return frozenset(tokens(self.source))


def read(name: str) -> dict[str, Any]:
    text = resources.files("memjoin.cases").joinpath("data", name).read_text(encoding="utf-8")
    content = yaml.safe_load(text)
    assert isinstance(content, dict)
    return content


@cache
def topics() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    found = []
    for topic in read("smalltalk.yaml")["topics"]:
        assert set(topic) == {"name", "pairs"}
        assert all(set(pair) == {"user", "assistant"} for pair in topic["pairs"])
        found.append((topic["name"], tuple((pair["user"], pair["assistant"]) for pair in topic["pairs"])))
    return tuple(found)


@cache
def turns() -> tuple[Turn, ...]:
    return tuple(
        Turn(name, number, speaker, source)
        for name, pairs in topics()
        for number, pair in enumerate(pairs, 1)
        for speaker, source in zip(("user", "assistant"), pair, strict=True)
    )


@cache
def people() -> dict[str, dict[str, list[str]]]:
    cultures: dict[str, dict[str, list[str]]] = read("people.yaml")["cultures"]
    return cultures


@cache
def names() -> tuple[str, ...]:
    return tuple(name for culture in people().values() for part in culture.values() for name in part)


@cache
def common_vocabulary() -> frozenset[str]:
    """Every token of the small talk and of the shared remarks, slots of the remarks left out."""
    remarks = re.sub(r"\{\w+\}", " ", yaml.safe_dump(read("remarks.yaml"), allow_unicode=True))
    return frozenset(tokens(remarks)).union(*(turn.vocabulary() for turn in turns()))


# Small talk


def test_there_are_topics_and_pairs_enough() -> None:
    found = [name for name, _ in topics()]
    assert len(found) >= 24
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in found)
    assert min(len(pairs) for _, pairs in topics()) >= 10
    assert sum(len(pairs) for _, pairs in topics()) >= 320


@pytest.mark.parametrize(("speaker", "least", "most"), [("user", 15, 60), ("assistant", 20, 90)])
def test_turns_keep_to_their_length_in_every_rendering(speaker: str, least: int, most: int) -> None:
    wrong = [
        (turn.topic, turn.pair, text)
        for turn in turns()
        if turn.speaker == speaker
        for text in turn.renderings()
        if not least <= len(text.split()) <= most
    ]
    assert wrong == []


def test_choices_are_flat_and_real() -> None:
    for turn in turns():
        groups = [group.split("|") for group in GROUP.findall(turn.source)]
        assert 2 <= len(groups) <= 4, turn
        assert not set("[]|{}") & set(GROUP.sub("", turn.source)), turn
        for options in groups:
            assert len(options) >= 2, turn
            assert all(option and option == option.strip() for option in options), turn
            assert len(set(options)) == len(options), turn


def test_a_pair_yields_eight_user_turns_or_more() -> None:
    few = [turn for turn in turns() if turn.speaker == "user" and len(set(turn.renderings())) < 8]
    assert few == []


def test_no_two_pairs_share_a_run_of_five_words() -> None:
    runs: dict[tuple[str, ...], set[tuple[str, int]]] = defaultdict(set)
    for turn in turns():
        for text in turn.renderings():
            words = tokens(text)
            for start in range(len(words) - 4):
                runs[words[start : start + 5]].add((turn.topic, turn.pair))
    assert {run: pairs for run, pairs in runs.items() if len(pairs) > 1} == {}


def test_user_turns_open_in_many_ways() -> None:
    openings = Counter(tokens(next(turn.renderings()))[:2] for turn in turns() if turn.speaker == "user")
    assert openings.most_common(1)[0][1] <= 12
    assert len(openings) >= 200


def test_talk_names_no_day_and_holds_no_figure() -> None:
    for turn in turns():
        assert not turn.vocabulary() & (MONTHS | WEEKDAYS), turn
        assert set(re.findall(r"\w*\d\w*", turn.source)) <= {"A4"}, turn


def test_talk_keeps_out_of_sensitive_matters() -> None:
    assert {turn: words for turn in turns() if (words := turn.vocabulary() & KEPT_OUT)} == {}


def test_talk_names_nobody_and_no_place() -> None:
    """Names of people and places would be capitals inside a sentence."""
    wrong = [
        (turn.topic, turn.pair, match.group())
        for turn in turns()
        for text in turn.renderings()
        for match in CAPITAL.finditer(text)
        if match.group() not in CAPITALS_INSIDE and not SENTENCE_START.search(text[: match.start()])
    ]
    assert wrong == []


def test_talk_is_plain_text() -> None:
    for turn in turns():
        assert turn.source.isascii(), turn
        assert not re.search(r"[*_`#<>]|https?:|  ", turn.source), turn


def test_turns_end_as_sentences_do() -> None:
    for turn in turns():
        assert all(text[0].isupper() and text[-1] in ".?!" for text in turn.renderings()), turn


# People


def test_there_are_cultures_and_names_enough() -> None:
    assert len(people()) >= 14
    for culture, parts in people().items():
        assert set(parts) == {"given", "family"}, culture
        assert all(len(part) >= 12 for part in parts.values()), culture


def test_every_name_is_one_word_and_occurs_once() -> None:
    for name in names():
        assert len(tokens(name)) == 1, name
        assert name[0].isupper(), name
    assert [name for name, times in Counter(tokens(name)[0] for name in names()).items() if times > 1] == []


def test_no_name_is_a_word_of_the_text_a_month_or_a_weekday() -> None:
    taken = common_vocabulary() | MONTHS | WEEKDAYS
    assert [name for name in names() if tokens(name)[0] in taken] == []


@pytest.mark.parametrize("part", ["aliases", "slots"])
def test_words_that_stand_for_something_are_single_capitalised_and_found_nowhere_else(part: str) -> None:
    content = read("people.yaml")
    words = content[part]
    other = content["slots" if part == "aliases" else "aliases"]
    assert len(words) >= 60
    assert len({word.casefold() for word in words}) == len(words)
    assert all(re.fullmatch(r"[A-Z][a-z]+", word) for word in words)
    taken = common_vocabulary() | {tokens(name)[0] for name in names()} | {word.casefold() for word in other}
    # A plural in the small talk would be read past, but it would look like a hint to a person.
    assert [word for word in words if {word.casefold(), f"{word.casefold()}s"} & taken] == []


def test_no_family_speaks_of_a_name_an_alias_or_a_slot() -> None:
    """Else the small matters of a family would hint at people and entries that they do not concern."""
    content = read("people.yaml")
    taken = frozenset(tokens(" ".join((*names(), *content["aliases"], *content["slots"]))))
    folder = resources.files("memjoin.cases").joinpath("data", "families")
    found = {
        file.name: sorted(taken & frozenset(tokens(file.read_text(encoding="utf-8"))))
        for file in folder.iterdir()
        if file.name.endswith(".yaml")
    }
    assert len(found) > 1
    assert {name: words for name, words in found.items() if words} == {}


# The form of the files


def test_small_talk_with_too_many_readings_is_refused(tmp_path: Path) -> None:
    """All of its turns are made once and kept, so there must not be many."""
    with resources.as_file(resources.files("memjoin.cases").joinpath("data")) as folder:
        for name in ("smalltalk.yaml", "people.yaml", "remarks.yaml"):
            shutil.copy(folder / name, tmp_path)
    path = tmp_path / "smalltalk.yaml"
    head, user, rest = path.read_text(encoding="utf-8").partition("      - user: >-\n")
    path.write_text(f"{head}{user}          {'[a|b]' * 7}\n{rest}", encoding="utf-8")
    with pytest.raises(
        MemJoinError, match=r"smalltalk\.yaml:\d+: topics\[1\]\.pairs\[1\]\.user: more than 64"
    ):
        read_pool(tmp_path)
