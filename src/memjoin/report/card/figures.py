"""All figures of a data card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from memjoin.cases.family import families
from memjoin.cases.pool import load_pool
from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.models.types import Embedder
from memjoin.report.card import composition, naming, wording
from memjoin.report.card.calibration import Calibration, Progress, calibrate
from memjoin.report.card.composition import Composition
from memjoin.report.card.naming import Naming
from memjoin.report.card.nearness import Nearness, nearness
from memjoin.report.card.wording import Wording


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a set of cases. ``nearness`` and ``calibration`` are None where they were left out."""

    source: str
    """The version of the release, or the name of a file."""
    released: bool
    sha256: str
    composition: Composition
    wording: Wording
    naming: Naming
    nearness: Nearness | None
    calibration: Calibration | None

    def plain(self) -> dict[str, object]:
        """Return them as JSON has them."""
        return asdict(self)


def measure(
    cases: Sequence[Case],
    source: str,
    sha256: str,
    released: bool = False,
    embedder: Callable[[], Embedder] | None = None,
    progress: Progress = lambda done, of: None,
) -> Figures:
    """Work out the figures of a set of cases.

    Args:
        cases: The cases.
        source: What the card calls them.
        sha256: The digest of their file.
        released: Whether they are the release, which has more to be said about.
        embedder: Makes the embedder for the figures that need one; None leaves those out.
        progress: Told how far the calibration is, which takes longest.

    Raises:
        MemJoinError: There is no case, or the reference memory fails.
    """
    if not cases:
        raise MemJoinError(f"{source} holds no case", "A data card needs one at least.")
    model = embedder() if embedder else None
    return Figures(
        source=source,
        released=released,
        sha256=sha256,
        composition=composition.compose(cases, families()),
        wording=wording.read(cases),
        naming=naming.count(cases, load_pool()),
        nearness=nearness(cases, model) if model else None,
        calibration=calibrate(cases, model, progress) if model else None,
    )
