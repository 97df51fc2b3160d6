from pathlib import Path

import pytest

from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.families import Family, from_file, from_flags, named, plan
from memjoin.errors import MemJoinError

CONDITIONS = ("retrieved", "all", "history", "itemized")


def design(
    systems: tuple[str, ...] = ("mem0", "memorybank:paper", "memorybank:repository"),
    treated: tuple[ArmKey, ...] = (),
) -> Design:
    return Design(systems, CONDITIONS, ("c1",), 3, treated=treated)


def planned(*comparisons: str, of: Design | None = None) -> list[str]:
    families = plan(of or design(), [Family("one", "One", comparisons)])
    return [" vs ".join(map(str, pair)) for family in families for pair in family.pairs]


def test_a_star_is_every_system_and_the_same_one_on_both_sides() -> None:
    assert planned("*/retrieved vs history") == [
        "mem0/retrieved vs history",
        "memorybank:paper/retrieved vs history",
        "memorybank:repository/retrieved vs history",
    ]
    assert planned("*/all vs */retrieved")[0] == "mem0/all vs mem0/retrieved"
    assert len(planned("*/all vs */retrieved")) == 3


def test_a_system_without_its_configuration_is_each_of_them() -> None:
    assert planned("memorybank/all vs memorybank/retrieved") == [
        "memorybank:paper/all vs memorybank:paper/retrieved",
        "memorybank:repository/all vs memorybank:repository/retrieved",
    ]
    assert planned("memorybank:paper/all vs history") == ["memorybank:paper/all vs history"]
    assert planned("*/retrieved vs mem0/retrieved") == [
        "memorybank:paper/retrieved vs mem0/retrieved",
        "memorybank:repository/retrieved vs mem0/retrieved",
    ]
    assert planned("history vs */all")[0] == "history vs mem0/all"


def test_names_of_systems_may_hold_slashes() -> None:
    own = design(systems=("./my/memory", "exec: ./bin/run --fast"))
    assert planned("./my/memory/retrieved vs exec: ./bin/run --fast/retrieved", of=own) == [
        "./my/memory/retrieved vs exec: ./bin/run --fast/retrieved"
    ]


def test_only_what_the_run_plans_is_in_a_family() -> None:
    """Holm's m: the comparisons that the run plans, not those of a longer list."""
    of = design(("amem",), (ArmKey("amem", "retrieved", "M1"), ArmKey("", "history", "M2")))
    families = {family.name: family for family in plan(of, named())}
    assert [" vs ".join(map(str, pair)) for pair in families["interventions-primary"].pairs] == [
        "history+M2 vs history",
        "amem/retrieved+M1 vs amem/retrieved",
    ]
    assert list(families) == ["retrieved-vs-history", "interventions-primary", "presentation"]


def test_the_primary_family_has_the_papers_eleven_whichever_way_m3_of_the_history_is_called() -> None:
    arms = [
        *(ArmKey(system, "retrieved", f"M{n}") for system in ("amem", "memgpt") for n in (1, 2, 3, 4)),
        ArmKey("", "history", "M1"),
        ArmKey("", "history", "M2"),
    ]
    for third in (ArmKey("", "history", "M3"), ArmKey("", "itemized", "M3")):
        families = {
            family.name: family for family in plan(design(("amem", "memgpt"), (*arms, third)), named())
        }
        pairs = families["interventions-primary"].pairs
        assert len(pairs) == 11
        assert (third, ArmKey("", "itemized")) in pairs
        assert "interventions-other" not in families


def test_what_no_family_compares_is_compared_with_its_own_control() -> None:
    treated = (ArmKey("mem0", "retrieved", "M1"), ArmKey("mem0", "all", "M3:blind"))
    families = {family.name: family for family in plan(design(treated=treated), named())}
    assert [" vs ".join(map(str, pair)) for pair in families["interventions-other"].pairs] == [
        "mem0/retrieved+M1 vs mem0/retrieved",
        "mem0/all+M3:blind vs mem0/all",
    ]


def test_a_comparison_that_is_written_twice_is_one() -> None:
    assert len(planned("mem0/all vs history", "mem0/all vs history")) == 1


@pytest.mark.parametrize("wrong", ["mem0/retrieved", "mem0/retrieved vs ", " vs history", ""])
def test_what_is_no_comparison_is_refused(wrong: str) -> None:
    with pytest.raises(MemJoinError, match="is no comparison") as error:
        plan(design(), from_flags([wrong]))
    assert "TREATED vs CONTROL" in error.value.hint


def test_own_comparisons_of_what_the_run_does_not_have_are_refused() -> None:
    with pytest.raises(MemJoinError, match="--comparison: the run does not have") as error:
        plan(design(), from_flags(["langmem/retrieved vs history"]))
    assert "mem0/retrieved" in error.value.hint
    assert plan(design(), [Family("ours", "Ours", ("langmem/retrieved vs history",))]) == ()


def test_families_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text("views:\n  title: All against retrieved\n  comparisons:\n    - '*/all vs */retrieved'\n")
    (family,) = plan(design(), from_file(file))
    assert (family.name, family.title, len(family.pairs)) == ("own-views", "All against retrieved", 3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no families"),
        ("- a\n", "has no families"),
        ("views: [a]\n", "the family views is not understood"),
        ("views: {pairs: [a]}\n", "the family views is not understood"),
        ("views: {comparisons: a vs b}\n", "no list of texts"),
        ("views: {comparisons: [1]}\n", "no list of texts"),
        ("views: {title: Nothing}\n", "the family views has no comparisons"),
        ("presentation: {comparisons: [a vs b]}\n", "presentation is the name of a family of ours"),
        ("../views: {comparisons: [a vs b]}\n", "cannot be the name of a family"),
        ("a: [\n", "is not YAML"),
    ],
)
def test_a_file_that_is_none_says_where(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(text)
    with pytest.raises(MemJoinError, match=says) as error:
        from_file(file)
    assert str(file) in error.value.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MemJoinError, match="cannot be read"):
        from_file(tmp_path / "none.yaml")
