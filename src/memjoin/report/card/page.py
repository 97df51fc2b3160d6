"""A data card as a page of Markdown: the words of a template, and the figures in it."""

from __future__ import annotations

from importlib import resources
from string import Template

from memjoin.report.card import tables
from memjoin.report.card.figures import Figures
from memjoin.text.visible import visible

LEFT_OUT = "Left out: these figures need the embedder."


def page(figures: Figures) -> str:
    """Return the card: for the release its data card, for other cases their figures alone."""
    name = "release.md" if figures.released else "own.md"
    text = resources.files("memjoin.report.card").joinpath("data", name).read_text(encoding="utf-8")
    return Template(text).substitute(blocks(figures))


def blocks(figures: Figures) -> dict[str, str]:
    """Return what goes into the template, by the names that it has there."""
    found = {
        "source": figures.source,
        "cases": f"{figures.composition.cases:,}",
        "sha256": figures.sha256,
        "composition": tables.composition(figures.composition),
        "coverage": tables.coverage(figures.composition, figures.released),
        "verification": tables.verification(figures.composition),
        "wording": tables.wording(figures.wording),
        "likeness": tables.likeness(figures.wording),
        "naming": tables.naming(figures.naming),
        "nearness": _nearness(figures),
        "calibration": _calibration(figures),
    }
    # Names in a file of somebody's own may hold anything.
    return {name: visible(text, keep="\n") for name, text in found.items()}


def _nearness(figures: Figures) -> str:
    found = figures.nearness
    if found is None:
        return LEFT_OUT
    return (
        f"{tables.nearness(found)}\n\nEmbedder: `{found.embedder}`. Every accepted form is a name of its own."
    )


def _calibration(figures: Figures) -> str:
    found = figures.calibration
    if found is None:
        return LEFT_OUT
    parts = [
        tables.calibration(found),
        f"Embedder: `{found.embedder}`; {found.records:.1f} records a case on average.",
    ]
    if figures.released:
        parts.append(tables.goal(found))
    return "\n\n".join(parts)
