"""The embedded roles on the released cases: what they keep and connect there, and that they know no name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from memjoin.cases import release
from memjoin.cases.schema import Case, Span
from memjoin.conditions.views import view
from memjoin.models.reader import REST, answer
from memjoin.text.dates import MONTHS
from memjoin.text.salience import Salient, salient_sentences
from memjoin.text.shapes import is_function
from memjoin.text.tokens import has_any_phrase, tokens


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return release.load()


@pytest.fixture(scope="module")
def answers(cases: list[Case]) -> dict[str, str]:
    return {case.id: answer(case.task.text, history(case)) for case in cases}


@pytest.fixture(scope="module")
def remembered(cases: list[Case]) -> dict[str, list[list[Salient]]]:
    return {case.id: [salient_sentences(session) for session in turns(case)] for case in cases}


def history(case: Case) -> list[str]:
    items = view("history", sessions=case.sessions).items
    assert items is not None
    return list(items)


def at(case: Case, span: Span) -> str:
    return case.sessions[span.session].turns[span.turn].text[span.start : span.end]


def turns(case: Case) -> Iterator[list[tuple[str, str]]]:
    for session in case.sessions:
        yield [(turn.speaker, turn.text) for turn in session.turns]


def test_the_policy_keeps_every_kind_of_clue_and_no_question(
    cases: list[Case], remembered: dict[str, list[list[Salient]]]
) -> None:
    stated = kept = asked = 0
    for case in cases:
        chosen = remembered[case.id]
        asked += sum(sentence.text.endswith("?") for session in chosen for sentence in session)
        for clue in case.annotation.clues:
            for span in clue.sentences:
                stated += 1
                kept += any(at(case, span) in sentence.text for sentence in chosen[span.session])
    assert kept / stated >= 0.99
    assert asked == 0


def test_the_policy_lets_some_of_what_is_said_go(
    cases: list[Case], remembered: dict[str, list[list[Salient]]]
) -> None:
    said = sum(len(text) for case in cases for session in turns(case) for _, text in session)
    kept = sum(len(s.text) for sessions in remembered.values() for session in sessions for s in session)
    assert 0.2 < kept / said < 0.7


def test_the_reader_connects_all_clues_of_a_whole_history(cases: list[Case], answers: dict[str, str]) -> None:
    for case in cases:
        said = answers[case.id]
        for clue in case.annotation.clues:
            if not clue.decoy:
                for span in clue.sentences:
                    assert at(case, span) in said, case.id


def test_the_reader_finds_what_the_task_asks_for(cases: list[Case], answers: dict[str, str]) -> None:
    found = wanted = 0
    for case in cases:
        words = tokens(answers[case.id].partition(REST)[0])
        wanted += len(case.annotation.required)
        found += sum(has_any_phrase(words, item.forms) for item in case.annotation.required)
    assert found / wanted >= 0.97


def test_the_reader_leaves_most_of_a_history_alone(cases: list[Case], answers: dict[str, str]) -> None:
    read = sum(len(item) for case in cases for item in history(case))
    said = sum(len(text) for text in answers.values())
    assert said / read < 0.4


def test_nothing_of_a_case_is_said_without_notes(cases: list[Case]) -> None:
    assert len({answer(case.task.text, None) for case in cases}) == 1


class Renaming:
    """New names for all people, aliases, places, codes, slots and services of a case, word by word."""

    def __init__(self, case: Case) -> None:
        annotation = case.annotation
        names = [form for _, value in annotation.values for form in (value.canonical, *value.forms)]
        names += [form for handle in annotation.handles for form in handle.forms] + list(annotation.people)
        words = dict.fromkeys(word for name in names for word in re.findall(r"[^\W_]+", name))
        stems = Counter(map(_stem, {word.lower() for word in re.findall(r"[^\W_]+", _all_text(case))}))
        self.table = {
            word.lower(): _other(number, word)
            for number, word in enumerate(words)
            if len(word) > 1
            and not word.isdigit()
            and word not in _MONTHS
            and not is_function(word.lower())
            # 'plot' in 'plot 41' is no name where 'plots' are spoken of.
            and stems[_stem(word.lower())] <= 1
        }

    def __call__(self, text: str) -> str:
        return re.sub(r"[^\W_]+", self._renamed, text)

    def _renamed(self, match: re.Match[str]) -> str:
        new = self.table.get(match.group().lower())
        if new is None:
            return match.group()
        if match.group().isupper():
            return new
        return new.capitalize() if match.group()[0].isupper() else new.lower()


_MONTHS = {name[:length] for name in MONTHS for length in (3, 9)}


def _stem(word: str) -> str:
    return word.rstrip("s")


def _all_text(case: Case) -> str:
    return " ".join([case.task.text, *history(case)])


def _other(number: int, word: str) -> str:
    """Return another word of the same shape: its capitals, digits and the ending of a plural or a verb."""
    if any(character.isdigit() for character in word) or word.isupper():
        letters = {
            ord(a): ord(b)
            for a, b in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "BCDEFGHIJKLMNOPQRSTUVWXYZA", strict=True)
        }
        return word.translate(letters)
    ending = next((end for end in ("ss", "s", "ed") if word.endswith(end)), "")
    return f"q{chr(97 + number // 26)}{chr(97 + number % 26)}u{ending}"


def test_other_names_in_a_case_make_no_other_choice(cases: list[Case], answers: dict[str, str]) -> None:
    for case in cases[::2]:
        rename = Renaming(case)
        assert len(set(rename.table.values())) == len(rename.table) > 12
        for session in turns(case):
            kept = [(s.turn, rename(s.text)) for s in salient_sentences(session)]
            other = salient_sentences([(speaker, rename(text)) for speaker, text in session])
            assert kept == [(s.turn, s.text) for s in other], case.id
        said = answers[case.id]
        assert rename(said) == answer(rename(case.task.text), list(map(rename, history(case)))), case.id
        assert rename(said) != said
