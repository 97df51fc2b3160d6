from __future__ import annotations

from dataclasses import replace

from memjoin.cases import release
from memjoin.cases.echoes import echo
from memjoin.cases.schema import Annotation, Case, Clue, NamedHandle, Session, Span, Turn
from memjoin.text.graph import Handle


def two_remarks(case: Case, first: str, second: str, shared: bool = False) -> Case:
    """Return a case of one turn with two remarks, about KV-4821 and KV-3307."""
    text = f"{first} {second}"
    spans = (
        [Span(0, 0, 0, len(text))] * 2
        if shared
        else [Span(0, 0, 0, len(first)), Span(0, 0, len(first) + 1, len(text))]
    )
    annotation: Annotation = replace(
        case.annotation,
        handles=tuple(NamedHandle(Handle("entry", name), (name,)) for name in ("KV-4821", "KV-3307")),
        values=(),
        clues=tuple(
            Clue(0, (), (span,), (), decoy) for span, decoy in zip(spans, (False, True), strict=True)
        ),
    )
    session = Session("s1", "2029-01-01T09:00", (Turn("user", text), Turn("assistant", "Noted.")))
    return replace(case, sessions=(session,), annotation=annotation)


def test_a_sentence_that_comes_twice_with_other_names_is_an_echo(built: list[Case]) -> None:
    case = two_remarks(
        built[0], "We drop surnames here, so it is KV-4821.", "We drop surnames here, so it is KV-3307."
    )
    assert echo(case) == "we drop surnames here so it is _"


def test_other_words_and_short_sentences_are_none(built: list[Case]) -> None:
    assert not echo(
        two_remarks(built[0], "We drop surnames here, so it is KV-4821.", "The other one is KV-3307.")
    )
    assert not echo(two_remarks(built[0], "KV-4821 is for later.", "KV-3307 is for later."))


def test_a_clue_and_a_decoy_in_one_sentence_are_one_remark(built: list[Case]) -> None:
    first, second = "KV-4821 waits in the hall for now,", "KV-3307 waits in the hall for now."
    assert not echo(two_remarks(built[0], first, second, shared=True))


def test_turns_of_the_release_do_not_echo() -> None:
    assert {case.id: wording for case in release.load() if (wording := echo(case))} == {}


def test_without_the_rule_there_would_be_echoes(built: list[Case]) -> None:
    assert any(echo(case) for case in built)
