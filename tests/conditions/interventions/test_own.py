"""A user's own interventions: what they return is checked, and a mistake is named with its place."""

from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from memjoin.conditions.interventions import registry
from memjoin.conditions.interventions.apply import decided, edited, request_of
from memjoin.conditions.interventions.base import DecisionError, Draft, Filtered, Given
from memjoin.conditions.interventions.registry import Step, find
from memjoin.errors import MemJoinError

GIVEN = Given(("Ana is here.", "So is Ben."), ("Be brief.",))
DRAFT = Draft("Write to Ben.", "Dear Ben, Ana is here.")


class Own:
    """An edit and a filter at once is what no own intervention is: each test takes the part it needs."""

    name, title, sentence, source, conditions = "own", "Own", "It does something.", "A test", ("retrieved",)


def editing(make):
    return Step("mine:Edit", type("Edit", (Own,), {"edit": staticmethod(make)})())


def filtering(request=lambda draft: None, apply=lambda draft, decision: Filtered("allow", draft.answer)):
    parts = {"request": staticmethod(request), "apply": staticmethod(apply)}
    return Step("mine:Filter", type("Filter", (Own,), parts)())


def test_edits_are_applied_in_order_and_a_filter_leaves_the_input(by_topology):
    shout = editing(lambda given: replace(given, items=[item.upper() for item in given.items]))
    first = editing(lambda given: replace(given, items=given.items[:1]))
    steps = (shout, first, filtering())
    assert edited(GIVEN, steps, by_topology["chain"]) == Given(("ANA IS HERE.",), ("Be brief.",))


def test_an_own_edit_may_see_the_annotation(by_topology):
    def make(given, case):
        return replace(given, items=(case.annotation.target.subject.canonical,))

    step = Step("mine:Bound", type("Bound", (Own,), {"edit_annotated": staticmethod(make)})())
    case = by_topology["chain"]
    assert edited(GIVEN, [step], case).items == (case.annotation.target.subject.canonical,)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda given: given.items, "tuple, not Given"),
        (lambda given: None, "NoneType, not Given"),
        (lambda given: replace(given, items=None), "none for one"),
        (lambda given: replace(given, items="one text"), "no strings"),
        (lambda given: replace(given, items=(b"bytes",)), "no strings"),
        (lambda given: replace(given, instructions=(1,)), "no strings"),
    ],
)
def test_what_an_edit_may_not_return_is_named(make, said, by_topology):
    with pytest.raises(MemJoinError, match=said) as caught:
        edited(GIVEN, [editing(make)], by_topology["chain"])
    assert "mine:Edit" in caught.value.message
    assert caught.value.hint


def test_no_memory_cannot_become_one(by_topology):
    step = editing(lambda given: replace(given, items=()))
    with pytest.raises(MemJoinError, match="records for no memory"):
        edited(Given(None), [step], by_topology["chain"])


def test_an_edit_that_fails_is_named_with_the_line_it_fails_at(by_topology):
    step = editing(lambda given: given.items[9])
    with pytest.raises(MemJoinError, match="edit raises IndexError: tuple index out of range") as caught:
        edited(GIVEN, [step], by_topology["chain"])
    assert "test_own.py, line" in caught.value.message


def test_a_mistake_of_ours_is_not_put_down_to_the_user(by_topology):
    with pytest.raises(AttributeError):
        edited(None, [find("M1")], by_topology["chain"])


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (filtering(apply=lambda draft, decision: ("allow", "a")), "something else than Filtered"),
        (filtering(apply=lambda draft, decision: Filtered("alow", "a")), "something else than Filtered"),
        (filtering(apply=lambda draft, decision: Filtered("block", None)), "something else than Filtered"),
        (filtering(apply=lambda draft, decision: Filtered("allow", "a")), "allowed, and changed"),
        (filtering(apply=lambda draft, decision: 1 / 0), "apply raises ZeroDivisionError"),
    ],
)
def test_what_a_filter_may_not_make_of_an_answer_is_named(step, said):
    with pytest.raises(MemJoinError, match=said):
        decided(step, DRAFT, "")


@pytest.mark.parametrize("asked", ["a prompt", [1], [{"role": "user"}]])
def test_what_a_filter_may_not_ask_is_named(asked):
    with pytest.raises(MemJoinError, match="no list of messages"):
        request_of(filtering(request=lambda draft: asked), DRAFT)


def test_a_decision_that_cannot_be_understood_stays_what_it_is():
    def apply(draft, decision):
        raise DecisionError("no verb")

    with pytest.raises(DecisionError, match="no verb"):
        decided(filtering(apply=apply), DRAFT, "hm")
    with pytest.raises(MemJoinError, match="M1 is no filter"):
        decided(find("M1"), DRAFT, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class A(:", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("import not_there_at_all", "cannot import"),
        ("def A(): raise RuntimeError('no')", "does nothing|lacks"),
        ("class A:\n    def __init__(self): raise RuntimeError('no')", "RuntimeError: no"),
    ],
)
def test_a_module_that_cannot_be_used_is_a_mistake_and_no_crash(text, said, tmp_path, monkeypatch):
    name = f"broken_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MemJoinError, match=said):
        find(f"{name}:A")


def installed(monkeypatch, name, value):
    points = (EntryPoint(name, value, registry.GROUP),)
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else ())


def test_an_installed_package_brings_its_own(monkeypatch):
    installed(monkeypatch, "half", "memjoin.conditions.interventions.budget:FewerThanClues")
    step = find("half")
    assert step.name == "half"
    assert step.intervention.title == "Retrieval budget"
    with pytest.raises(MemJoinError, match="no intervention 'halv'") as caught:
        find("halv")
    assert "half" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("all", "memjoin.conditions.interventions.budget:FewerThanClues", "calls its intervention 'all'"),
        ("a+b", "memjoin.conditions.interventions.budget:FewerThanClues", "calls its intervention"),
        ("gone", "no_such_module:Thing", "cannot be loaded"),
        ("gone", "memjoin.errors:Thing", "cannot be loaded"),
    ],
)
def test_an_installed_one_that_is_none_is_named(name, value, said, monkeypatch):
    installed(monkeypatch, name, value)
    with pytest.raises(MemJoinError, match=said):
        registry.known()
    assert find("M1").name == "M1"  # ours do without


def test_an_installed_one_does_not_take_a_name_of_ours(monkeypatch):
    installed(monkeypatch, "M1", "no_such_module:Thing")
    assert registry.known()["M1"].title == "Privacy instruction"
