"""The trade-off figure: a panel an intervention, a mark an input, told apart without colour."""

from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

import paper
from memjoin.analysis.results import Results, compute
from memjoin.analysis.tradeoffs import TradeOff, trade_offs
from memjoin.report.figures import style, tradeoff


@pytest.fixture(scope="module")
def results() -> Results:
    return compute(paper.rows(), paper.design(resamples=50, annotated=frozenset({"M2", "M3", "M4"})))


@pytest.fixture(scope="module")
def found(results: Results) -> list[TradeOff]:
    return trade_offs(results)


def draw(results: Results, found: list[TradeOff]) -> Figure:
    with style.styled():
        figure = tradeoff.trade_offs(results, found)
        figure.draw_without_rendering()
    return figure


def words(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(Text))


def test_every_intervention_has_a_panel_with_its_name_in_words(results, found):
    figure = draw(results, found)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == [
        "M1\nPrivacy instruction",
        "M2\nValue sanitization",
        "M3\nCross-record cue removal",
        "M4\nRetrieval budget",
        "M5\nOutput filtering",
        "",
    ]
    assert [axes.axison for axes in figure.axes] == [True] * 5 + [False]
    said = words(figure)
    assert "Full history" in said
    assert style.name(results.design.system_title("amem")) in said
    assert "By the evaluator's annotation, as a bound: M2, M3, M4." in said


def test_a_mark_stands_at_the_changes_of_its_input(results, found):
    figure = draw(results, found)
    removal = figure.axes[2]
    wanted = [trade for trade in found if trade.intervention == "M3"]
    marks = [line.get_xydata()[0] for line in removal.lines if line.get_marker() not in ("", "None")]
    assert [tuple(mark) for mark in marks] == [
        (100 * trade.completed.difference, 100 * trade.disclosed.difference) for trade in wanted
    ]


def test_systems_differ_by_shape_and_views_by_filling_so_that_it_prints_in_grey(results, found):
    everywhere = [*found, *(replace(trade, view="All memory") for trade in found if trade.system)]
    figure = draw(results, everywhere)
    shapes = {
        (line.get_marker(), to_rgb(line.get_markerfacecolor()))
        for axes in figure.axes
        for line in axes.lines
        if line.get_marker() not in ("", "None")
    }
    inputs = {(trade.system, trade.view) for trade in everywhere if trade.measurable}
    assert len(shapes) == len(inputs)
    for red, green, blue in (colour for _, colour in shapes):
        assert red == green == blue


def test_inputs_at_one_place_are_counted(results, found):
    removal = [trade for trade in found if trade.intervention == "M3"]
    alike = [replace(removal[0], system=f"system-{number}") for number in range(7)]
    figure = draw(results, alike)
    assert [text.get_text() for text in figure.axes[0].texts] == ["7"]


def test_many_interventions_stay_within_the_page_and_apart(results, found):
    removal = [trade for trade in found if trade.intervention == "M3"]
    many = [
        replace(trade, intervention=f"M{1 + number % 5}:variant={number}")
        for number in range(14)
        for trade in removal
    ]
    figure = draw(results, many)
    assert sum(axes.axison for axes in figure.axes) == 14
    boxes = [axes.get_tightbbox() for axes in figure.axes if axes.axison]
    width = figure.get_figwidth() * figure.dpi
    assert all(box.x0 >= 0 and box.x1 <= width for box in boxes)
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_what_cannot_be_measured_is_named_and_not_drawn(results, found):
    gone = [replace(trade, disclosed=replace(trade.disclosed, difference=None)) for trade in found[:1]]
    others = [trade for trade in found if trade.intervention != found[0].intervention]
    figure = draw(results, gone + others)
    assert f"Not measurable with these roles: {found[0].intervention}." in words(figure)
    assert all(found[0].intervention != axes.get_title(loc="left")[:2] for axes in figure.axes)
