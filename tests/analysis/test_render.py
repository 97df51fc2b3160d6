import csv
import io
import json

import pytest

from memjoin.analysis.layout import layout, plain
from memjoin.analysis.render import CSV_COLUMNS, as_csv, as_json, markdown
from memjoin.analysis.table import NOT_MEASURABLE, Cell, Column, Table

RATE = Cell("13.9 [10.1, 18.1]", 40 / 288, 40, 288, "cases", interval=(0.1, 0.18), exact=(0.11, 0.19))
NOT = Cell(NOT_MEASURABLE, unit="answers", note=NOT_MEASURABLE)
TABLE = Table(
    name="disclosure",
    title="Disclosure",
    columns=(
        Column("system", "System"),
        Column("input", "Input"),
        Column("rate", "DR (%) [95% CI]"),
        Column("exact", "DR, exact", wide=True),
        Column("refusal", "Refusal (%)"),
        Column("memory_only", "Mem.-only"),
    ),
    rows=(
        (Cell("mem0"), Cell("Retrieved memory, k = 10"), RATE, Cell("[11.0, 19.0]"), NOT, Cell("3", 3)),
        (Cell("mem0"), Cell("All memory"), RATE, Cell(""), NOT, Cell("–")),
        (Cell("a|b <x>"), Cell("All memory"), RATE, Cell(""), NOT, Cell("12", 12)),
    ),
    labels=2,
    subtitle="Embedded roles.",
    notes=("First note.", "Second note."),
)


def test_markdown() -> None:
    lines = markdown(TABLE).splitlines()
    assert lines[:3] == ["## Disclosure", "", "**Embedded roles.**"]
    assert lines[4] == "| System | Input | DR (%) [95% CI] | DR, exact | Refusal (%) | Mem.-only |"
    assert lines[5] == "| --- | --- | ---: | ---: | ---: | ---: |"
    assert lines[6] == (
        "| mem0 | Retrieved memory, k = 10 | 13.9 [10.1, 18.1] | [11.0, 19.0] | not measurable | 3 |"
    )
    assert lines[8].startswith("| a\\|b &lt;x> |")
    assert lines[-2:] == ["- First note.", "- Second note."]


def test_csv_has_one_line_a_cell_with_all_that_the_number_came_from() -> None:
    read = list(csv.DictReader(io.StringIO(as_csv(TABLE))))
    assert tuple(read[0]) == CSV_COLUMNS
    assert len(read) == 3 * 4
    assert read[0] == {
        "table": "disclosure",
        "row": "1",
        "labels": "mem0 / Retrieved memory, k = 10",
        "column": "rate",
        "text": "13.9 [10.1, 18.1]",
        "value": repr(40 / 288),
        "numerator": "40",
        "denominator": "288",
        "unit": "cases",
        "low": "0.1",
        "high": "0.18",
        "exact_low": "0.11",
        "exact_high": "0.19",
        "note": "",
    }
    assert (read[2]["text"], read[2]["value"], read[2]["denominator"]) == (NOT_MEASURABLE, "", "")


def test_json_keeps_numbers_as_numbers_and_leaves_out_what_is_not_there() -> None:
    read = json.loads(as_json(TABLE))
    assert (read["name"], read["labels"]) == ("disclosure", ["system", "input"])
    assert [column["key"] for column in read["columns"]] == ["rate", "exact", "refusal", "memory_only"]
    first = read["rows"][0]
    assert (first["system"], first["input"]) == ("mem0", "Retrieved memory, k = 10")
    assert first["rate"] == {
        "text": "13.9 [10.1, 18.1]",
        "value": 40 / 288,
        "numerator": 40,
        "denominator": 288,
        "unit": "cases",
        "interval": [0.1, 0.18],
        "exact": [0.11, 0.19],
    }
    assert first["refusal"] == {"text": NOT_MEASURABLE, "unit": "answers", "note": NOT_MEASURABLE}


def test_json_takes_no_number_that_is_none() -> None:
    table = Table("t", "T", (Column("a", "A"), Column("b", "B")), ((Cell("x"), Cell("nan", float("nan"))),))
    with pytest.raises(ValueError, match="JSON"):
        as_json(table)


def test_plain_text() -> None:
    assert plain(TABLE).splitlines() == [
        "Disclosure",
        "Embedded roles.",
        "System                        DR (%) [95% CI]  Mem.-only",
        "mem0",
        "  Retrieved memory, k = 10  13.9 [10.1, 18.1]          3",
        "  All memory                13.9 [10.1, 18.1]          –",
        "a|b <x>",
        "  All memory                13.9 [10.1, 18.1]         12",
        "First note.",
        "Second note.",
        "Not measurable with these roles: Refusal (%).",
    ]


def test_titles_wrap_to_the_width_of_their_column_and_stand_at_the_bottom() -> None:
    columns = (Column("s", "System"), Column("a", "One long title"), Column("b", "B"))
    table = Table("t", "T", columns, ((Cell("mem0"), Cell("1.0"), Cell("2.0")),))
    headers = [line.text for line in layout(table) if line.kind == "header"]
    assert headers == ["          One", "         long", "System  title    B"]


def test_notes_that_were_printed_before_can_be_left_out() -> None:
    notes = [line.text for line in layout(TABLE, leave_out={"First note."}) if line.kind == "note"]
    assert notes == ["Second note.", "Not measurable with these roles: Refusal (%)."]


def test_long_notes_wrap() -> None:
    table = Table("t", "T", (Column("s", "S"),), (), notes=("word " * 60,))
    assert all(len(line.text) <= 40 for line in layout(table, width=40))


def test_a_table_without_rows_is_its_header() -> None:
    table = Table("t", "T", (Column("s", "System"), Column("a", "A")), ())
    assert [line.kind for line in layout(table)] == ["title", "header"]


def test_long_labels_wrap_where_the_table_would_be_too_wide() -> None:
    columns = (Column("s", "System"), Column("i", "Input"), Column("a", "A long column of figures"))
    rows = ((Cell("mem0"), Cell("Retrieved memory, k = 2, its own"), Cell("1" * 20)),)
    lines = [line.text for line in layout(Table("t", "T", columns, rows, labels=2), width=42)]
    assert lines[-2:] == ["  Retrieved memory,   " + "1" * 20, "    k = 2, its own"]
    assert max(map(len, lines)) <= 42
