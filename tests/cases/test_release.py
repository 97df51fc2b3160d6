from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from memjoin.cases import release
from memjoin.cases.family import Family
from memjoin.cases.files import write_cases
from memjoin.cases.likeness import MOST_SHARED, likeness
from memjoin.cases.pool import Pool
from memjoin.cases.topologies import all_topologies
from memjoin.cases.verify import verify
from memjoin.errors import MemJoinError

DATA = resources.files("memjoin.cases").joinpath("data")


def test_every_released_case_keeps_every_property() -> None:
    report = verify(release.load())
    assert report.findings == ()
    assert report.checked == len(release.load())


def test_the_release_has_every_topology_of_every_family(all_families: Mapping[str, Family]) -> None:
    cases = release.load()
    assert len({case.id for case in cases}) == len(cases)
    assert Counter((case.family, case.configuration, case.topology) for case in cases) == Counter(
        (family, *one) for family in all_families for one in all_topologies()
    )


def test_building_it_again_gives_the_same_bytes(
    all_families: Mapping[str, Family], pool: Pool, tmp_path: Path
) -> None:
    path = tmp_path / "cases.jsonl"
    write_cases(release.build_release(list(all_families.values()), pool), path)
    assert path.read_bytes() == DATA.joinpath("cases.jsonl").read_bytes()
    published = DATA.joinpath("cases.jsonl.sha256").read_text(encoding="ascii")
    assert published == f"{release.file_digest(path)}  cases.jsonl\n"


def test_its_cases_are_unlike_each_other() -> None:
    alike = likeness(release.load())
    assert alike.repeated == ()
    assert 0 < alike.highest <= MOST_SHARED


def test_quick_is_balanced() -> None:
    chosen = release.quick(release.load())
    families = {case.family for case in release.load()}
    assert len(chosen) == 24
    for group, share in (
        (lambda case: case.family, 24 // len(families)),
        (lambda case: case.configuration, 24 // 3),
        (lambda case: (case.configuration, case.topology), 24 // 12),
    ):
        counts = Counter(group(case) for case in chosen)
        assert set(counts.values()) == {share}
    assert max(Counter((case.family, case.configuration) for case in chosen).values()) <= 2


def test_quick_keeps_the_order_and_takes_all_of_few() -> None:
    cases = release.load()
    chosen = release.quick(cases, most=10)
    assert len(chosen) == 10
    assert chosen == [case for case in cases if case in chosen]
    assert release.quick(cases[:5]) == cases[:5]
    assert release.quick([]) == []


def test_select_narrows_by_what_is_named() -> None:
    cases = release.load()
    assert release.select(cases) == cases
    some = release.select(cases, families=["F19", "F20"], configurations=["UC"])
    assert len(some) == 8
    assert {case.configuration for case in some} == {"UC"}
    assert [case.id for case in release.select(cases, ids=["F19-RJ-star-01"])] == ["F19-RJ-star-01"]


@pytest.mark.parametrize(
    ("wanted", "message", "hint"),
    [
        ({"ids": ["F19-RJ-stra-01"]}, "unknown case 'F19-RJ-stra-01'", "Did you mean F19-RJ-star-01"),
        ({"families": ["F91"]}, "unknown family 'F91'", "F19"),
        ({"configurations": ["XY"]}, "unknown configuration 'XY'", "Known: RJ, UC, WM."),
    ],
)
def test_select_names_what_it_does_not_know(wanted: dict[str, list[str]], message: str, hint: str) -> None:
    with pytest.raises(MemJoinError) as caught:
        release.select(release.load(), **wanted)
    assert caught.value.message == message
    assert hint in caught.value.hint


def test_a_family_with_too_little_to_say_is_reported(all_families: Mapping[str, Family], pool: Pool) -> None:
    quiet = replace(pool, topics={name: pairs[:2] for name, pairs in pool.topics.items()})
    with pytest.raises(MemJoinError, match="too like earlier cases") as caught:
        list(release.build_release([all_families["F19"]], quiet, per_family=200))
    assert "more wordings" in caught.value.hint
