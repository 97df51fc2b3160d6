"""Interventions by name, combined, and a user's own."""

import pytest

from memjoin.conditions.interventions.base import Given, is_annotated, is_filter
from memjoin.conditions.interventions.registry import chain, find, fingerprint, joined, known
from memjoin.conditions.views import CONDITIONS
from memjoin.errors import MemJoinError

OWN = """
class Shout:
    name = "shout"
    title = "Shouting"
    sentence = "Every record is put in capitals."
    source = "A test"
    conditions = ("retrieved",)

    def edit(self, given):
        return type(given)(tuple(item.upper() for item in given.items or ()), given.instructions)

class Silent(Shout):
    edit = None

class Nothing:
    name = title = sentence = source = "x"
    conditions = ("retrieved",)

class Elsewhere(Shout):
    conditions = ("everywhere",)

class Asking(Shout):
    def __init__(self, why):
        self.why = why
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    name = f"own_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_every_intervention_says_what_it_is():
    for name, intervention in known().items():
        assert intervention.name == name
        assert intervention.sentence.endswith(".")
        assert intervention.source
        assert set(intervention.conditions) <= set(CONDITIONS)


def test_what_uses_the_annotation_says_so_in_its_sentence():
    for intervention in known().values():
        assert is_annotated(intervention) == ("annotation" in intervention.sentence)


def test_m4_takes_fewer_items_than_there_are_sessions_with_clues(cases):
    given = Given(tuple("abcdef"))
    for case in cases:
        sessions = {clue.session for clue in case.annotation.clues if not clue.decoy}
        left = find("M4").intervention.edit_annotated(given, case).items
        assert len(left) == len(sessions) - 1
        assert left == given.items[: len(left)]


def test_m4_by_items_and_by_tokens():
    given = Given(("a" * 40, "b" * 40, "c" * 4))
    assert find("M4:items=2").intervention.edit(given).items == given.items[:2]
    assert find("M4:items=9").intervention.edit(given) == given
    assert find("M4:tokens=20").intervention.edit(given).items == given.items[:2]
    assert find("M4:tokens=19").intervention.edit(given).items == given.items[:1]
    assert find("M4:tokens=1").intervention.edit(given).items == ()
    assert find("M4:tokens=99").intervention.edit(Given(None)) == Given(None)


def test_m1_leaves_the_records_and_adds_its_instruction_behind_others():
    given = find("M1").intervention.edit(Given(("a",), ("first",)))
    assert given.items == ("a",)
    assert given.instructions[0] == "first"
    assert len(given.instructions) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [("M3+M1", "M1+M3"), ("M1+M1", "M1"), (" M2 + M4:items=2", "M2+M4:items=2"), ("M3:annotated", "M3")],
)
def test_combinations_have_one_name_whatever_the_order(text, name):
    assert joined(chain(text)) == name


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("m3", "no intervention 'm3'", "M3"),
        ("M9", "no intervention 'M9'", "M1"),
        ("M1+", "no intervention ''", "M1"),
        ("M4:items=0", "no intervention", "M4:items=N"),
        ("M4:words=3", "no intervention", "M4:items=N"),
        ("M1:annotated", "no intervention", "M1"),
        ("M4+M4:items=2", "M4 in two variants", "apart"),
        ("no_such_module:Thing", "cannot import no_such_module", "lie in the folder"),
        ("memjoin.errors:Nothing", "Nothing", "spelling"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_way_out(text, said, hint):
    with pytest.raises(MemJoinError) as caught:
        chain(text)
    assert said in caught.value.message
    assert hint in caught.value.hint


def test_an_own_class_is_found_by_module_and_class(own):
    step = find(f"{own}:Shout")
    assert step.intervention.edit(Given(("a",))).items == ("A",)
    assert not is_annotated(step.intervention)
    assert not is_filter(step.intervention)
    assert len(fingerprint(step)) == 64
    assert joined(chain(f"{own}:Shout+M1")) == f"M1+{own}:Shout"


@pytest.mark.parametrize(
    ("name", "said"),
    [("Nothing", "does nothing"), ("Elsewhere", "everywhere"), ("Asking", "cannot be made")],
)
def test_an_own_class_that_is_none_is_refused(own, name, said):
    with pytest.raises(MemJoinError, match=said):
        find(f"{own}:{name}")


def test_a_fingerprint_is_of_the_program():
    assert fingerprint(find("M2")) == fingerprint(find("M3"))  # one module
    assert fingerprint(find("M1")) != fingerprint(find("M3"))
