"""The text of the released cases: composition of the set, and faults that a careful editor would mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from memjoin.cases import release
from memjoin.cases.family import Family
from memjoin.cases.schema import Case

# A vowel letter that is spoken as a consonant, and the other way round.
FAULTS = {
    "a before a vowel": r"\b[Aa] (?!one\b|once\b|uni|use|usu|euro|ukulele)[aeiou]\w*",
    "an before a consonant": r"\b[Aa]n (?!hour|honest|honou?r|heir)[b-df-hj-np-tv-z]\w+",
    "two articles": r"\b(?:the|a|an) (?:the|a|an)\b",
    "a word twice": r"\b(\w+) \1\b",
    "two spaces": r"  ",
    "a space before a mark": r" [,.;:?!)]",
    "no space after a mark": r"[^\W\d][,;?!][^\W\d]|[a-z]\.[A-Z]",
    "marks that do not go together": r"[,;:][.,;:?!]|\.\.|[?!][.?!]",
    "a small letter after a full stop": r"(?<!['\w])[\w']{3,}[.?!] [a-z]",
    "a slot or a choice left open": r"[{}\[\]|]",
}


def texts(case: Case) -> Iterator[str]:
    for session in case.sessions:
        for turn in session.turns:
            yield turn.text
    yield from (case.task.text, case.annotation.why)


@pytest.fixture(scope="module")
def everything() -> list[tuple[str, str]]:
    return [(case.id, text) for case in release.load() for text in texts(case)]


def test_the_release_covers_what_the_documentation_says(all_families: Mapping[str, Family]) -> None:
    cases = release.load()
    assert list(all_families) == [f"F{number:02}" for number in range(1, 25)]
    assert len(cases) == 288
    assert set(Counter(case.configuration for case in cases).values()) == {96}
    assert set(Counter(case.category for case in cases).values()) == {24}
    assert set(Counter(case.family for case in cases).values()) == {12}
    assert set(Counter((case.category, case.situation) for case in cases).values()) == {12}


def test_every_family_has_enough_of_everything_and_its_own(all_families: Mapping[str, Family]) -> None:
    services: Counter[str] = Counter()
    sites: Counter[str] = Counter()
    patterns: Counter[str] = Counter()
    recipients: Counter[str] = Counter()
    for family in all_families.values():
        assert len(family.services) >= 8, family.id
        assert len(family.sites) >= 8, family.id
        assert len(family.tasks) >= 4, family.id
        assert len(family.topics) >= 6, family.id
        services.update(form.casefold() for value in family.services for form in value.forms)
        sites.update(form.casefold() for value in family.sites for form in value.forms)
        patterns.update(
            {f"{style.noun} {style.pattern.source}" for style in (*family.codes, *family.entries)}
        )
        recipients.update(task.recipient.source for task in family.tasks)
    for counts in (services, sites, patterns, recipients):
        assert [name for name, families in counts.items() if families > 1] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_the_text_is_free_of(fault: str, everything: list[tuple[str, str]]) -> None:
    wrong = [
        (name, text[max(0, match.start() - 30) : match.end() + 30])
        for name, text in everything
        for match in re.finditer(FAULTS[fault], text)
    ]
    assert wrong == []


def test_texts_begin_and_end_as_sentences_do(everything: list[tuple[str, str]]) -> None:
    for name, text in everything:
        first = text.lstrip("'\"")[0]
        assert first.isupper() or first.isdigit() or text[0] in "'\"", (name, text)
        assert re.search(r"[.?!]['\"]?$", text), (name, text)
        assert text.count('"') % 2 == 0, (name, text)
        assert text.count("(") == text.count(")"), (name, text)


def test_sessions_are_conversations_of_a_usual_length() -> None:
    for case in release.load():
        assert 4 <= len(case.sessions) <= 6, case.id
        for session in case.sessions:
            assert 4 <= len(session.turns) <= 6, (case.id, session.id)
            assert [turn.speaker for turn in session.turns][:4] == ["user", "assistant"] * 2


def test_assistants_answer_at_some_length() -> None:
    lengths = sorted(
        len(turn.text.split())
        for case in release.load()
        for session in case.sessions
        for turn in session.turns
        if turn.speaker == "assistant"
    )
    assert lengths[0] >= 5
    assert lengths[len(lengths) // 4] >= 12
    assert lengths[-1] <= 90
