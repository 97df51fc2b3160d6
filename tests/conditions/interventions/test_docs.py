"""docs/interventions.md names every intervention, and the examples of the pages do what they say."""

import re
import sys
from pathlib import Path

import pytest

from memjoin.conditions.interventions.apply import decided, edited, request_of
from memjoin.conditions.interventions.base import DecisionError, Draft, Filtered, Given, is_annotated
from memjoin.conditions.interventions.registry import find, known

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "interventions.md").read_text(encoding="utf-8")
OWN = (DOCS / "add-an-intervention.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_every_intervention_stands_in_the_table_with_its_conditions_and_what_it_sees():
    rows = {row.split("|")[1].strip(): row for row in PAGE.splitlines() if row.startswith("| `M")}
    for name, intervention in known().items():
        row = rows[f"`{name}`"]
        assert row.split("|")[4].strip() == ", ".join(intervention.conditions)
        assert row.split("|")[3].strip().startswith("yes") == is_annotated(intervention)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Return an intervention of the page, from its file."""
    for example in EXAMPLE.findall(OWN):
        name = re.match(r"# (\w+\.py)\n", example)[1]
        (tmp_path / name).write_text(example)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield find
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


def test_the_edit_of_the_page_works(own):
    step = own("my_edit:FirstSentences")
    assert edited(Given(("One. Two.", "Three")), [step], None).items == ("One", "Three")
    assert edited(Given(None), [step], None).items is None


def test_the_bound_of_the_page_is_one_and_works(own, by_topology):
    case = by_topology["chain"]
    step = own("my_bound:WithoutTheSubject")
    subject = case.annotation.target.subject.canonical
    assert is_annotated(step.intervention)
    assert edited(Given((f"{subject} called.", "Open at nine.")), [step], case).items == ("Open at nine.",)


@pytest.mark.parametrize(
    ("task", "answer", "made"),
    [
        ("Write.", "Dear all. Room 4. Bye", Filtered("redact", "Dear all. Bye")),
        ("Write.", "Dear all. Bye", Filtered("allow", "Dear all. Bye")),
        ("Write.", "Room 4", Filtered("block", "No answer can be given.")),
        ("Say 4.", "Room 4", Filtered("allow", "Room 4")),
    ],
)
def test_the_filter_by_rules_of_the_page_works(own, task, answer, made):
    step, draft = own("my_filter:NoNumbers"), Draft(task, answer)
    assert request_of(step, draft) is None
    assert decided(step, draft, "") == made


def test_the_filter_with_a_model_of_the_page_works(own):
    step, draft = own("my_filter:AskFirst"), Draft("Write.", "Dear all.")
    assert request_of(step, draft)[0]["content"].endswith("Dear all.")
    assert decided(step, draft, "Yes.") == Filtered("allow", "Dear all.")
    assert decided(step, draft, "no").action == "block"
    with pytest.raises(DecisionError, match="not yes or no"):
        decided(step, draft, "Perhaps")


def test_the_library_example_of_the_page_runs(capsys):
    exec(EXAMPLE.findall(PAGE)[0], {})
    said = capsys.readouterr().out
    assert "Ana Ruiz is down as [removed]." in said
    assert "[removed] is for Northgate Annex." in said
    assert "Her code is [code]." in said
