"""Interventions from the command line: a run that gets more of them, its report, one answer, mistakes."""

import json


def test_a_run_gets_an_intervention_its_report_has_the_tables_and_show_the_difference(
    memjoin, program, tmp_path
):
    own = program()
    flags = ("run", "--cases", "F19-RJ-chain-01", "--system", own, "--name", "one")
    assert memjoin(*flags).code == 0
    said = memjoin(*flags, "--intervention", "M3", "--intervention", "M3:detected", "--intervention", "M5")
    assert said.code == 0
    assert "interventions retrieved+M3, all+M3, itemized+M3" in said.err
    again = memjoin(*flags)
    assert again.code == 0
    assert "retrieved+M5" in again.err

    assert memjoin("report", "runs/one", "--no-figures").code == 0
    tables = tmp_path / "runs" / "one" / "tables"
    assert "M3 Cross-record cue removal" in (tables / "table-3.md").read_text()
    assert "edited by the evaluator's annotation, as a bound" in (tables / "table-3.md").read_text()
    for name in ("table-f4", "table-f7", "m3-departures", "intervention-variants"):
        assert json.loads((tables / f"{name}.json").read_text())["rows"], name

    shown = memjoin("show", "runs/one", "F19-RJ-chain-01", "--condition", "retrieved+M5")
    assert shown.code == 0
    assert "Retrieved memory + M5" in shown.out
    assert "What the filter changed: redact" in shown.out
    plain = json.loads(
        memjoin("show", "runs/one", "F19-RJ-chain-01", "--condition", "retrieved+M5", "--json").out
    )
    assert plain["original"] != plain["answer"]
    assert plain["changed"]


def test_a_plan_of_a_filter_names_its_model(memjoin):
    said = memjoin(
        *("plan", "--cases", "F19-RJ-chain-01", "--system", "verbatim"),
        *("--intervention", "M5", "--filter", "openai/some-model", "--json"),
    )
    assert said.code == 0
    found = [each for each in json.loads(said.out)["estimates"] if each["role"] == "filter"]
    assert [(each["model"], each["calls"]) for each in found] == [
        ("openai/some-model", 2),
        ("openai/some-model", 1),
    ]


def test_mistakes_name_the_way_out(memjoin):
    said = memjoin("run", "--cases", "F19", "--intervention", "m3")
    assert said.code == 2
    assert "There is no intervention 'm3'" in said.err
    assert "Did you mean M3?" in said.err
    said = memjoin("run", "--cases", "F19", "--condition", "history", "--intervention", "M4")
    assert said.code == 2
    assert "No condition of history is one that M4 is for" in said.err
