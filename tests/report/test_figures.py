import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import paper
from memjoin.analysis import figures as data
from memjoin.analysis.design import EMBEDDED_LABEL, ArmKey
from memjoin.analysis.results import Results, compute
from memjoin.errors import MemJoinError
from memjoin.report.figures import Figures, changes, style, views, write_figures

NAMES = ("figure-3a", "figure-3b", "figure-3c", "figure-4", "trade-off")


@pytest.fixture(scope="module")
def results() -> Results:
    return compute(paper.rows(), paper.design(resamples=500, titles={"amem": "A-Mem"}))


@pytest.fixture(scope="module")
def drawn(results: Results, tmp_path_factory: pytest.TempPathFactory) -> tuple[Figures, Path]:
    folder = tmp_path_factory.mktemp("figures")
    return write_figures(results, folder), folder


def words(folder: Path, name: str) -> str:
    texts = ET.parse(folder / f"{name}.svg").iter("{http://www.w3.org/2000/svg}text")
    return "\n".join("".join(each.itertext()) for each in texts)


def test_every_figure_is_there_in_three_forms(drawn: tuple[Figures, Path]) -> None:
    found, folder = drawn
    assert found.missing == ()
    assert {path.name for path in found.written} == {
        f"{name}.{suffix}" for name in NAMES for suffix in ("svg", "pdf", "png")
    }
    assert (folder / "figure-4.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "figure-4.pdf").read_bytes().startswith(b"%PDF")


def test_figures_say_in_words_what_they_show_of_how_many(drawn: tuple[Figures, Path]) -> None:
    _, folder = drawn
    for name in NAMES:
        said = words(folder, name)
        assert "N = 288 cases, 3 trials each: 864 answers an input." in said
        assert "95% bootstrap interval" in said or "95% paired bootstrap interval" in said
    assert "60.2" in words(folder, "figure-3a")
    assert "A4: subject, service, site, date" in words(folder, "figure-3b")
    assert "6 systems pooled: 72 pairs of a case and a system in each family." in words(folder, "figure-3c")
    assert "Privacy instruction (M1)" in words(folder, "figure-4")
    assert "Output filtering (M5)" in words(folder, "figure-4")
    assert "F03 category 02, legitimate" in words(folder, "figure-3c")
    for name in ("figure-3a", "figure-3b", "figure-4"):
        assert "A-Mem" in words(folder, name)
        assert "amem" not in words(folder, name)


def test_no_word_stands_outside_a_figure(results: Results) -> None:
    """The layout is worked out with the widths that words are drawn with."""
    with style.styled():
        for figure in (
            views.availability(results, data.views(results)),
            views.composition(results, data.views(results)),
            views.by_family(results, data.family_changes(results)),
            changes.shifts(results, data.shifts(results)),
        ):
            figure.draw_without_rendering()
            box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
            assert box.x0 >= 0
            assert box.x1 <= width
            assert box.y0 >= 0
            assert box.y1 <= height


def test_the_same_results_give_the_same_bytes(results: Results, tmp_path: Path) -> None:
    for name in ("one", "two"):
        with style.styled():
            style.save(views.by_family(results, data.family_changes(results)), tmp_path / name)
    for suffix in ("svg", "pdf", "png"):
        first, second = (tmp_path / f"{name}.{suffix}" for name in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()


def test_families_pool_the_systems_over_their_pairs(results: Results) -> None:
    """Figure 3c: the change of the sum of N_D over 6 x 12."""
    changes = data.family_changes(results)
    assert [change.family for change in changes] == [f"F{number:02}" for number in range(1, 25)]
    assert {change.of for change in changes} == {72}
    before = sum(len(cases) for cases in paper.RETRIEVED.values())
    after = sum(len(cases) for cases in paper.ALL.values())
    assert sum(change.gain for change in changes) == after - before


def test_compositions_sum_to_all_answers(results: Results) -> None:
    for view in data.views(results):
        assert sum(level.numerator for level in view.levels) == view.a4.denominator == 864


def texts(figure: Figure) -> list[str]:
    return [each.get_text() for each in figure.findobj(Text)]


def test_embedded_roles_stand_below_the_figure() -> None:
    embedded = frozenset({"reader", "judge"})
    of = compute(paper.rows(), paper.design(embedded=embedded, resamples=200))
    with style.styled():
        drawn = [
            views.availability(of, data.views(of)),
            views.composition(of, data.views(of)),
            views.by_family(of, data.family_changes(of)),
            changes.shifts(of, data.shifts(of)),
        ]
    for figure in drawn:
        assert any(EMBEDDED_LABEL in text for text in texts(figure))
    # Refusal, and what is left of an answer's utility after a filter.
    assert texts(drawn[-1]).count("not measurable") == 2


def test_what_a_run_has_not_is_said_not_drawn(tmp_path: Path) -> None:
    rows = [row for row in paper.rows() if (row.condition, row.intervention) == ("history", "")]
    plain = paper.design(systems=(), conditions=("history",), treated=(), resamples=200)
    found = write_figures(compute(rows, plain), tmp_path)
    assert found.written == ()
    assert [name for name, _ in found.missing] == [*NAMES]
    assert found.missing[2][1] == "the run needs a memory system under retrieved and all"


def test_figure_4_leaves_out_what_cannot_be_measured_and_says_so() -> None:
    """An embedded reader follows no instruction: of M1 nothing is left."""
    embedded = frozenset({"reader", "judge"})
    of = compute(paper.rows(), paper.design(embedded=embedded, resamples=200))
    with style.styled():
        said = texts(changes.shifts(of, data.shifts(of)))
    assert "Output filtering (M5)" in said
    assert "Privacy instruction (M1)" not in said
    assert any("Not measurable with these roles: M1." in text for text in said)


def test_a_run_of_which_no_change_can_be_measured_has_no_figure_4() -> None:
    treated = (ArmKey("amem", "retrieved", "M1"),)
    rows = [
        row
        for row in paper.rows()
        if (row.system, row.condition) == ("amem", "retrieved") and row.intervention in ("", "M1")
    ]
    plain = paper.design(
        systems=("amem",),
        conditions=("retrieved",),
        treated=treated,
        embedded=frozenset({"reader"}),
        resamples=50,
    )
    shifts = data.shifts(compute(rows, plain))
    assert [shift.measurable for shift in shifts] == [False]


def test_long_names_of_systems_do_not_push_the_figure_aside() -> None:
    assert style.name("memorybank:repository") == "memorybank:repository"
    short = style.name("exec: /usr/bin/python /somewhere/deep/own_memory.py")
    assert short.endswith("/own_memory.py")
    assert len(short) == 26


def test_a_folder_that_cannot_be_written(results: Results, tmp_path: Path) -> None:
    (tmp_path / "figures").write_text("a file")
    with pytest.raises(MemJoinError, match="cannot be written"):
        write_figures(results, tmp_path / "figures")
