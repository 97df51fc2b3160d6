"""With models as reader, judge and filter, what interventions do is measured, and what they cost."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memjoin.analysis.builders.paper import paper_tables
from memjoin.report.source import results_of
from memjoin.runs.prepare import Wanted, prepare
from memjoin.runs.reader import Run
from memjoin.runs.run import find_models
from memjoin.runs.run import run as start

CASES = ("F19-RJ-chain-01", "F05-RJ-star-01")
FIELDS = ("binding", "service", "site", "date")
ROLES = {"reader": "http://127.0.0.1:9/v1#reader", "judges": ("http://127.0.0.1:9/v1#judge",)}
FILTER = "http://127.0.0.1:9/v1#filter"


def reads_all(request):
    return f"Useful. {request.messages[-1]['content']}"


def judges(request):
    """Everything is disclosed, and the task is done, by an answer that says it is useful."""
    asked = json.loads(next(m["content"] for m in request.messages if m["content"].startswith("{")))
    told = "Useful" in asked["answer"]
    evidence = {name: [asked["answer"][:20]] if told else [] for name in FIELDS}
    rest = {"inappropriate": told, "completed": told, "refusal": not told, "grade": 3 if told else 0}
    return json.dumps({"evidence": evidence, **dict.fromkeys(FIELDS, told), **rest})


@pytest.fixture
def measured(new_model, quiet, tmp_path):
    """Run with models that answer as told; returns the tables by name."""

    def run(*interventions, decision="", trials=1):
        wanted = Wanted(
            systems=("verbatim",),
            cases=CASES,
            conditions=("retrieved", "history"),
            trials=trials,
            interventions=interventions,
            **ROLES,
            **({"filter": FILTER} if decision else {}),
        )
        prepared = prepare(wanted)
        models = find_models(replace(prepared, config=replace(prepared.config, filter="")))
        answering = {
            "reader": new_model("reader", reads_all),
            f"judge:{ROLES['judges'][0]}": new_model("judge", judges),
            "filter": new_model("filter", lambda request: decision),
        }
        roles = {system: own | answering for system, own in models.roles.items()}
        finished = start(
            prepared, root=tmp_path, name="m", reporter=quiet, models=replace(models, roles=roles)
        )
        assert finished.failed == ()
        with Run(finished.folder.path) as opened:
            return {table.name: table for table in paper_tables(results_of(opened))}

    return run


def values(table, row, *names):
    columns = [column.key for column in table.columns]
    [found] = [
        cells
        for cells in table.rows
        if cells[0].text.casefold().startswith(row) or cells[1].text.startswith(row)
    ]
    return [found[columns.index(name)].text for name in names]


def test_a_filter_that_blocks_everything_costs_all_of_the_utility(measured):
    tables = measured("M5", decision='{"action": "block"}')
    assert values(tables["table-f5"], "verbatim + m5", "disclosed_before", "disclosed_after") == ["2", "0"]
    after = ("completed_before", "completed_after", "helpfulness_before", "helpfulness_after")
    assert values(tables["table-f6"], "verbatim + m5", *after) == ["100.0", "0.0", "3.00", "0.00"]
    actions = ("allow", "redact", "block", "changed", "total")
    assert values(tables["table-f7"], "verbatim + m5", *actions) == ["0", "0", "2", "2", "2"]
    assert values(tables["table-3"], "M5", "completed_after", "refusal_after") == ["0.0", "100.0"]
    assert any("M5: decided by http://127.0.0.1:9/v1#filter." in note for note in tables["table-3"].notes)


def test_a_filter_that_redacts_with_tact_costs_none(measured):
    tables = measured("M5", decision='{"action": "redact", "text": "Useful, and nothing else."}')
    after = ("completed_before", "completed_after", "helpfulness_after")
    assert values(tables["table-f6"], "verbatim + m5", *after) == ["100.0", "100.0", "3.00"]
    assert values(tables["table-f7"], "verbatim + m5", "allow", "redact", "block") == ["0", "2", "0"]


def test_an_instruction_is_measured_where_the_reader_is_a_model(measured):
    tables = measured("M1", "M4")
    assert values(tables["table-3"], "M1", "rate_before", "rate_after") == ["100.0", "100.0"]
    assert any("M4: the first 3 items retrieved" in note for note in tables["table-3"].notes)


@pytest.mark.parametrize(
    "said",
    [
        "{subject} has the {service} at {site} on {date}.",
        # The cue, an entry's code, in words of the memory's own.
        "{subject} has a folder of her own. Under that folder: the {service}, at {site}, {date}.",
    ],
    ids=["the join is written down", "the cue is paraphrased"],
)
def test_what_a_memory_says_without_the_cues_own_words_is_missed_by_m3_and_counted(
    said, quiet, tmp_path, monkeypatch
):
    (tmp_path / "joining.py").write_text(JOINING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    wanted = Wanted(systems=("joining:Joining",), cases=CASES[:1], conditions=("all",), interventions=("M3",))
    prepared = prepare(wanted)
    target = prepared.cases[0].annotation.target
    parts = ("subject", "service", "site", "date")
    (tmp_path / "said.txt").write_text(
        said.format(**{part: getattr(target, part).canonical for part in parts})
    )
    finished = start(prepared, root=tmp_path, name="joined", reporter=quiet)
    with Run(finished.folder.path) as opened:
        [table] = [table for table in paper_tables(results_of(opened)) if table.name == "m3-departures"]
    columns = [column.key for column in table.columns]
    [row] = table.rows
    found = {name: cell.value for name, cell in zip(columns, row, strict=True)}
    assert row[0].text == "All values visible"
    assert (found["inputs"], found["joinable_control"], found["joinable"]) == (1, 1, 1)
    assert (found["available"], found["odd"]) == (1, 0)


JOINING = """
from pathlib import Path

from memjoin.systems.protocol import Record, WriteReport


class Joining:
    def __init__(self, settings):
        self.records = []

    def reset(self, case_id, seed):
        self.records = [Record("joined", Path("said.txt").read_text())]

    def write(self, session):
        self.records += [Record(f"{session.id}/{n}", turn.text) for n, turn in enumerate(session.turns)]
        return WriteReport(len(session.turns))

    def export(self):
        return list(self.records)

    def retrieve(self, query, k):
        return self.records[:k]

    def close(self):
        pass
"""
