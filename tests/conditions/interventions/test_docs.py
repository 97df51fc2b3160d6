"""docs/interventions.md names every intervention, and its examples do what it says."""

import re
from pathlib import Path

from memjoin.conditions.interventions.base import Given, is_annotated
from memjoin.conditions.interventions.registry import find, known

PAGE = (Path(__file__).parents[3] / "docs" / "interventions.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_every_intervention_stands_in_the_table_with_its_conditions_and_what_it_sees():
    rows = {row.split("|")[1].strip(): row for row in PAGE.splitlines() if row.startswith("| `M")}
    for name, intervention in known().items():
        row = rows[f"`{name}`"]
        assert row.split("|")[4].strip() == ", ".join(intervention.conditions)
        assert row.split("|")[3].strip().startswith("yes") == is_annotated(intervention)


def test_the_own_intervention_of_the_page_works(tmp_path, monkeypatch):
    (tmp_path / "my_defences.py").write_text(EXAMPLES[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    step = find("my_defences:FirstSentences")
    assert step.intervention.edit(Given(("One. Two.", "Three"))).items == ("One", "Three")


def test_the_library_example_of_the_page_runs(capsys):
    exec(EXAMPLES[1], {})
    said = capsys.readouterr().out
    assert "Ana Ruiz is down as [removed]." in said
    assert "[removed] is for Northgate Annex." in said
    assert "Her code is [code]." in said
