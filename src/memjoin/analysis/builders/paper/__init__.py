"""Every table of the paper's form, from whatever conditions a run has.

A table whose rows a run cannot have is there nonetheless, without rows, and says what it would take.
"""

from __future__ import annotations

from memjoin.analysis.builders.paper import filtering, interventions, main, views
from memjoin.analysis.results import Results
from memjoin.analysis.table import Table


def paper_tables(results: Results) -> list[Table]:
    """Return Tables 1, 2, 3, E.1 to E.4 and F.1 to F.7 of a run.

    Raises:
        VerdictTableError: Counts that partition something do not add up; names the table and the row.
    """
    return [
        main.table_1(results),
        main.table_2(results),
        interventions.table_2_cue_removal(results),
        interventions.table_3(results),
        views.table_e1(results),
        views.table_e2(results),
        views.table_e3(results),
        views.table_e4(results),
        interventions.table_f1(results),
        interventions.table_f2(results),
        interventions.table_f3(results),
        interventions.table_f4(results),
        filtering.table_f5(results),
        filtering.table_f6(results),
        filtering.table_f7(results),
    ]
