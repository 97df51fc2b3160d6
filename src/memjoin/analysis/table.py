"""A table as data: what stands in each cell, and all that the number in it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.analysis.bootstrap import Interval
from memjoin.analysis.errors import VerdictTableError
from memjoin.analysis.rates import Rate

NOT_MEASURABLE = "not measurable"
NOT_RUN = "not in this run"
NOTHING = "–"
"""Printed where a rate has no denominator: no such text, or no such answer."""

FEW = 40
"""With fewer cases than this the exact interval is printed beside the bootstrap one."""

Format: TypeAlias = Literal["percent", "score"]
Mark: TypeAlias = Literal["", "best", "second"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    ``text`` is what is printed; ``value`` the unrounded number (a rate as a fraction, not in percent), None
    where there is none. The rest is where it came from, as in ``rates.Rate``. ``mark`` says what stands out
    in its column.
    """

    text: str
    value: float | int | str | None = None
    numerator: float | None = None
    denominator: int | None = None
    unit: str = ""
    interval: Interval | None = None
    exact: Interval | None = None
    note: str = ""
    mark: Mark = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    ``key`` names it in CSV and JSON; a ``wide`` one is left out on a terminal. Neighbours that share a
    ``group`` stand under its name.
    """

    key: str
    title: str
    wide: bool = False
    group: str = ""

    @property
    def full_title(self) -> str:
        """The title with its group's name before it, where no header of two lines can show it."""
        return f"{self.group}: {self.title}" if self.group else self.title


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    ``name`` is its file's, without a suffix. The first ``labels`` columns say what a row is about; on a
    terminal rows stand under the labels that they share. ``subtitle`` is what must be known before any number
    is read; ``notes`` are printed below.

    Raises:
        ValueError: A row has not as many cells as there are columns.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    labels: int = 1
    subtitle: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: {len(row)} cells for {len(self.columns)} columns")


# --- cells -----------------------------------------------------------------------------------------------


def counted_noun(number: int, noun: str) -> str:
    """Return a number with what it counts: ``1 case``, ``24 cases``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def label(text: str) -> Cell:
    """Return a cell of words."""
    return Cell(text, value=text)


def count(number: int, of: int | None = None, unit: str = "") -> Cell:
    """Return a cell with a count, and of how many, if given."""
    return Cell(
        str(number), value=number, numerator=None if of is None else number, denominator=of, unit=unit
    )


def count_of(measured: Rate) -> Cell:
    """Return a cell with the numerator of a rate in whole cases or answers."""
    if not measured.measurable:
        return Cell(NOT_MEASURABLE, unit=measured.unit, note=NOT_MEASURABLE)
    if not measured.denominator:
        return Cell(NOTHING, denominator=0, unit=measured.unit)
    return count(int(measured.numerator), measured.denominator, measured.unit)


def rate(measured: Rate, form: Format = "percent", *, with_interval: bool = False) -> Cell:
    """Return a cell with a rate, rounded here and nowhere else.

    Its interval is the bootstrap's; of a rate of 0 or 1, where that has no width, the exact one, with a star.
    """
    value = measured.value
    if not measured.measurable:
        return Cell(NOT_MEASURABLE, unit=measured.unit, note=NOT_MEASURABLE)
    if value is None:
        return Cell(NOTHING, numerator=measured.numerator, denominator=0, unit=measured.unit)
    text = number(measured.numerator, measured.denominator, form)
    if with_interval and measured.exact is not None and value in (0, 1):
        text += f" {interval(measured.exact, form)}*"
    elif with_interval and measured.interval is not None:
        text += f" {interval(measured.interval, form)}"
    return Cell(
        text=text,
        value=value,
        numerator=measured.numerator,
        denominator=measured.denominator,
        unit=measured.unit,
        interval=measured.interval,
        exact=measured.exact,
    )


def exact(measured: Rate, *, always: bool = False) -> Cell:
    """Return a cell with the Clopper-Pearson interval: of a rate of 0 or 1, of few cases, or always."""
    bounds, value = measured.exact, measured.value
    if bounds is None or value is None:
        return Cell(NOTHING if always else "")
    if 0 < value < 1 and measured.denominator >= FEW and not always:
        return Cell("")
    return Cell(interval(bounds, "percent"), interval=None, exact=bounds)


def p_value(p: float | None) -> Cell:
    """Return a cell with a p value: three decimals, or below 0.001 three digits and a power of ten."""
    if p is None:
        return Cell(NOTHING)
    if p >= 0.001:
        return Cell(f"{p:.3f}", value=p)
    digits, power = f"{p:.2e}".split("e")
    return Cell(f"{digits}e{int(power)}", value=p)


def number(numerator: float, denominator: int, form: Format) -> str:
    """Print a ratio: percent with one decimal, or a score with two; halves go to the even digit.

    The one division is the last step, so that 18 of 288 is exactly 6.25% before it is printed as 6.2.
    """
    return f"{100 * numerator / denominator:.1f}" if form == "percent" else f"{numerator / denominator:.2f}"


def interval(bounds: Interval, form: Format) -> str:
    """Print the two ends of an interval like the number that they belong to."""
    low, high = bounds
    return f"[{100 * low:.1f}, {100 * high:.1f}]" if form == "percent" else f"[{low:.2f}, {high:.2f}]"


def check_partition(table: str, row: str, parts: Sequence[int], whole: int) -> None:
    """See to it that counts of a row add up to what they partition.

    Raises:
        VerdictTableError: They do not.
    """
    if sum(parts) != whole:
        added = " + ".join(str(part) for part in parts)
        raise VerdictTableError(
            f"Table {table}, row {row}: {added} is {sum(parts)}, not {whole}.",
            "The counts do not partition the answers; the verdict table or the program is wrong.",
        )
