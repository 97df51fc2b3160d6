"""What a run used of models: limits, costs, and what was not sent, as its user sees them."""

import json
import sqlite3

import pytest

CASE = "F19-RJ-chain-01"
PRICES = 'currency = "EUR"\n[models]\n"http://*" = { input = 1000, output = 2000 }\n'


@pytest.fixture
def flags(provider, program):
    return ["--cases", CASE, "--system", program(), "--reader", provider.model(), "--trials", "1"]


def test_a_run_ends_with_what_it_used_and_what_it_cost(memjoin, provider, flags, tmp_path):
    (tmp_path / "prices.toml").write_text(PRICES)
    said = memjoin("run", *flags, "--prices", "prices.toml")
    asked = provider.answered.total()
    assert f"Asked of models so far: {asked} calls, " in said.out
    assert " EUR." in said.out
    used = json.loads(memjoin("run", *flags, "--prices", "prices.toml", "--json").out)["used"]
    assert provider.answered.total() == asked == used["calls"]
    rows = [row for row in used["by_role_and_system"] if not row["embedded"]]
    assert {(row["role"], row["model"]) for row in rows} == {("reader", provider.model())}
    assert sum(row["calls"] for row in rows) == asked
    assert used["cost"] == pytest.approx(
        sum(row["input_tokens"] / 1000 + row["output_tokens"] / 500 for row in rows)
    )
    assert (used["currency"], used["not_sent"]) == ("EUR", [])


def test_without_prices_the_cost_is_unknown(memjoin, flags, monkeypatch, tmp_path):
    plan = memjoin("plan", *flags)
    assert "Cost: unknown." in plan.out
    assert "--prices" in plan.out
    assert "Cost: unknown." in memjoin("run", *flags).out
    assert json.loads(memjoin("run", *flags, "--json").out)["used"]["cost"] is None
    (tmp_path / "prices.toml").write_text(PRICES)
    monkeypatch.setenv("MEMJOIN_PRICES", "prices.toml")
    assert "Cost: unknown." not in memjoin("run", *flags).out
    assert json.loads(memjoin("plan", *flags, "--json").out)["cost"] > 0


def test_embedded_roles_use_nothing_that_is_worth_a_line(memjoin, program):
    said = memjoin("run", "--cases", CASE, "--system", program())
    assert "Asked of models" not in said.out


def test_a_budget_stops_a_run_that_then_goes_on(memjoin, provider, flags, tmp_path):
    said = memjoin("run", *flags, "--budget", "2calls", "--concurrency", "1")
    assert said.code == 3
    assert provider.answered.total() == 2
    lines = said.err.splitlines()
    assert "Stopped. The budget of 2 calls is used up; the next call would go beyond it." in lines
    assert any(line.startswith("Asked of models so far: 2 calls, ") for line in lines)
    assert "the same command goes on from it" in lines[-1]
    again = memjoin("run", *flags, "--budget", "2calls", "--json")
    assert (again.code, provider.answered.total()) == (3, 2)
    assert json.loads(again.out)["stopped"] == "budget"
    assert json.loads(again.out)["used"]["calls"] == 2
    assert memjoin("run", *flags, "--budget", "1ktokens,99calls").code == 3
    assert memjoin("run", *flags).code == 0
    assert max(provider.answered.values()) == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--budget", "12"], "'12' is no budget"),
        (["--prices", "none.toml"], "none.toml cannot be read"),
        (["--in-flight", "0"], "--in-flight"),
    ],
)
def test_limits_that_make_no_sense_are_refused_before_anything_is_made(memjoin, flags, tmp_path, wrong, says):
    said = memjoin("run", *flags, *wrong)
    assert said.code == 2
    assert says in said.err
    assert not (tmp_path / "runs").exists()


def test_what_a_model_refuses_is_recorded_and_said(memjoin, provider, flags, tmp_path):
    provider.refuses = "temperature"
    said = memjoin("run", *flags)
    assert said.code == 0
    line = f"The reader model {provider.model()} refuses temperature and was asked without: "
    assert line in said.out
    used = json.loads(memjoin("run", *flags, "--json").out)["used"]
    assert used["not_sent"] == [{"role": "reader", "model": provider.model(), "parameter": "temperature"}]
    with sqlite3.connect(tmp_path / "runs" / "cases" / "ledger.sqlite") as ledger:
        rows = ledger.execute(
            "SELECT dropped, text FROM calls JOIN texts ON texts.hash = parameters"
        ).fetchall()
    assert {dropped for dropped, _ in rows} == {"temperature"}
    assert all(json.loads(parameters) == {"seed": 0, "temperature": 0.7} for _, parameters in rows)
    ledger.close()


def test_seed_and_temperature_of_each_role_and_trial_are_sent_and_recorded(memjoin, provider, tmp_path):
    roles = [f"--{role}={provider.model()}" for role in ("writer", "reader", "judge")]
    flags = ["--cases", CASE, "--system", "memorybank", "--condition", "retrieved"]
    assert memjoin("run", *flags, *roles, "--trials", "2", "--seed", "7", "--temperature", "0.3").code == 0
    with sqlite3.connect(tmp_path / "runs" / "cases" / "ledger.sqlite") as ledger:
        rows = ledger.execute(
            "SELECT DISTINCT role, trial, text FROM calls JOIN texts ON texts.hash = parameters"
        ).fetchall()
    ledger.close()
    recorded = {
        (role, trial, values["temperature"], values["seed"])
        for role, trial, values in ((role, trial, json.loads(text)) for role, trial, text in rows)
    }
    own = {(role, trial, 0.3, 7 + trial) for role in ("writer", "reader") for trial in (0, 1)}
    assert recorded == own | {("judge", trial, 0.0, 0) for trial in (0, 1)}
    bodies = [json.loads(body.partition(" ")[2]) for body in provider.answered]
    assert {(body["temperature"], body["seed"]) for body in bodies} == {(0.3, 7), (0.3, 8), (0.0, 0)}
    manifest = json.loads((tmp_path / "runs" / "cases" / "manifest.json").read_text())
    assert manifest["sampling"] == {
        "writer": {"temperature": 0.3, "seeds": {"1": 7, "2": 8}},
        "reader": {"temperature": 0.3, "seeds": {"1": 7, "2": 8}},
        "judge": [{"model": provider.model(), "temperature": 0.0, "seed": 0}],
    }
