"""`memjoin report`, `compare` and `power` on a run of one's own system."""

import json

import pytest

CASES = "F19-RJ-chain-01,F19-UC-amend-01,F19-WM-slot-01"


@pytest.fixture
def runs(memjoin, program):
    own = program()
    for name, cases in (("one", CASES), ("two", CASES.rpartition(",")[0])):
        assert memjoin("run", "--cases", cases, "--system", own, "--name", name).code == 0
    return own


def test_a_report_writes_every_table_and_figure_and_says_what_is_missing(runs, memjoin, tmp_path):
    said = memjoin("report", "runs/one")
    assert said.code == 0
    assert "Retrieved memory against Full history" in said.out
    tables, figures = tmp_path / "runs" / "one" / "tables", tmp_path / "runs" / "one" / "figures"
    for name in ("1", "2", "3", "e1", "e2", "e3", "e4", "f1", "f2", "f3", "f4", "f5", "f6", "f7"):
        for suffix in ("md", "csv", "json", "tex"):
            assert (tables / f"table-{name}.{suffix}").stat().st_size > 0
    assert {path.name for path in figures.glob("*.png")} == {f"figure-3{part}.png" for part in "abc"}
    assert "figure-4: the run needs M1 or a filter of answers on retrieved, and roles" in said.out
    assert "No rows: the run needs an output filter (M5)." in (tables / "table-f7.md").read_text()


def test_a_second_report_writes_the_same_bytes(runs, memjoin, tmp_path):
    for out in ("a", "b"):
        assert memjoin("report", "runs/one", "--no-figures", "--out", out).code == 0
    names = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.*"))
    assert len(names) > 100
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_own_comparisons_by_flag_and_file(runs, memjoin, tmp_path):
    (tmp_path / "ours.yaml").write_text("views: {title: Views, comparisons: ['*/all vs */retrieved']}\n")
    said = memjoin(
        "report", "runs/one", "--no-figures", "--families", "ours.yaml", "--comparison", "*/all vs history"
    )
    assert said.code == 0
    assert "\nViews\n" in said.out
    assert "\nOwn comparisons\n" in said.out
    assert "figures" not in said.out
    assert not (tmp_path / "runs" / "one" / "figures").exists()


def test_a_comparison_that_the_run_lacks_names_what_it_has(runs, memjoin):
    said = memjoin("report", "runs/one", "--comparison", "mem0/retrieved vs history")
    assert said.code == 2
    assert "the run does not have what 'mem0/retrieved vs history' compares" in said.err
    assert f"{runs}/retrieved" in said.err


def test_the_report_as_json(runs, memjoin):
    found = json.loads(memjoin("report", "runs/one", "--no-figures", "--json").out)
    assert found["tables"]["table-1"]["rows"][0]["system"] == runs
    assert found["tables"]["table-e3"]["rows"]
    assert "table-f5" in found["missing"]
    assert len(found["files"]) == 4 * len(found["tables"])


def test_two_runs_are_compared_on_what_they_share(runs, memjoin):
    said = memjoin("compare", "runs/one", "runs/two")
    assert said.code == 0
    assert "two (B) against one (A)" in said.out
    assert "2 common cases, 1 trial each" in said.out
    assert "Cases: 3 in A, 2 in B." in said.out
    assert "Both runs are set up alike" in said.out
    assert "one trial has no floor" in " ".join(said.out.split())
    found = json.loads(memjoin("compare", "runs/one", "runs/two", "--json").out)
    assert {row["verdict"]["text"] for row in found["rows"]} == {"noise"}


def test_runs_that_cannot_be_compared(runs, memjoin, tmp_path):
    said = memjoin("compare", "runs/one", "runs/none")
    assert said.code == 2
    assert "There is no run runs/none" in said.err
    assert memjoin("report", ".").code == 2
    assert memjoin("run", "--cases", "F04-RJ-chain-01", "--condition", "history", "--name", "far").code == 0
    said = memjoin("compare", "runs/one", "runs/far")
    assert said.code == 2
    assert "no case in common" in said.err


def test_power(memjoin):
    said = memjoin("power", "--cases", "288", "--discordance", "0.2")
    assert said.code == 0
    assert ["20.0", "7.6", "22", "40,", "18"] in [line.split() for line in said.out.splitlines()]
    found = json.loads(memjoin("power", "--cases", "288", "--json").out)
    assert [row["discordance"] for row in found["rows"]] == ["5.0", "10.0", "15.0", "20.0", "30.0", "40.0"]
    alone, many = (
        json.loads(memjoin("power", "--cases", "288", "--discordance", "0.2", "--json", *more).out)
        for more in ((), ("--comparisons", "11"))
    )
    assert alone["rows"][0]["difference"]["value"] < many["rows"][0]["difference"]["value"]
    assert memjoin("power", "--cases", "288", "--discordance", "2").code == 2
    assert memjoin("power").code == 2
