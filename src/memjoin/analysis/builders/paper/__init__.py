"""Every table of the paper's form, from whatever conditions a run has.

A table whose rows a run cannot have is there nonetheless, without rows, and says what it would take.
"""

from __future__ import annotations

from memjoin.analysis.builders.paper.edits import departures, variants
from memjoin.analysis.builders.paper.filtering import table_f5, table_f6, table_f7
from memjoin.analysis.builders.paper.interventions import (
    table_2_cue_removal,
    table_3,
    table_f1,
    table_f2,
    table_f3,
    table_f4,
)
from memjoin.analysis.builders.paper.main import table_1, table_2
from memjoin.analysis.builders.paper.views import table_e1, table_e2, table_e3, table_e4
from memjoin.analysis.results import Results
from memjoin.analysis.table import Table


def paper_tables(results: Results) -> list[Table]:
    """Return Tables 1, 2, 3, E.1 to E.4 and F.1 to F.7 of a run.

    Raises:
        VerdictTableError: Counts that partition something do not add up; names the table and the row.
    """
    return [
        table_1(results),
        table_2(results),
        table_2_cue_removal(results),
        table_3(results),
        table_e1(results),
        table_e2(results),
        table_e3(results),
        table_e4(results),
        table_f1(results),
        table_f2(results),
        table_f3(results),
        table_f4(results),
        departures(results),
        variants(results),
        table_f5(results),
        table_f6(results),
        table_f7(results),
    ]
