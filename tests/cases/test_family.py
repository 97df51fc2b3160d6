"""Family files: the packaged ones load, and whatever breaks the form is named with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import pytest

from memjoin.cases.build import check_topics
from memjoin.cases.family import LEAST, Family, choose_families, read_family
from memjoin.cases.kinds import KINDS
from memjoin.cases.pool import WORDINGS, Pool
from memjoin.errors import MemJoinError

F19 = resources.files("memjoin.cases").joinpath("data", "families", "F19.yaml").read_text(encoding="utf-8")


def changed(folder: Path, old: str, new: str) -> Path:
    """Write F19 with its first ``old`` replaced."""
    assert old in F19
    path = folder / "mine.yaml"
    path.write_text(F19.replace(old, new, 1), encoding="utf-8")
    return path


def test_the_packaged_families_keep_the_form(all_families: Mapping[str, Family], pool: Pool) -> None:
    assert {"F04", "F05", "F11", "F19", "F20", "F23"} <= set(all_families)
    for name, family in all_families.items():
        assert family.id == name
        check_topics(family, pool)
        assert len(family.services) >= LEAST["services"]
        assert all((task.person.of, len(task.errands)) == ("person", 3) for task in family.tasks)


def test_the_pool_has_wordings_of_every_kind(pool: Pool) -> None:
    for name in KINDS:
        assert len({template.source for template in pool.remarks[name]}) >= WORDINGS, name


@pytest.mark.parametrize(
    ("old", "new", "problem", "hint"),
    [
        ("title:", "titel:", "unknown field 'titel'", "Did you mean title"),
        ("situation: legitimate", "situation: fair", "situation: 'fair' is none of", ""),
        ("id: F19", "id: F-19", "id: 'F-19' is no id", ""),
        ("id: F19", "id: 19", "expected text, found int 19", "Put it in quotes."),
        ("id: F19", "id: F19\nid: F20", "the field 'id' is given twice", ""),
        ("id: F19", "id: [F19", "not readable as YAML", "double quotes"),
        ("  - {name: Alder Court, also: []}\n", "  - the Alder Court\n", "starts with an article", ""),
        ("  - {name: Alder Court, also: []}\n", "  - Tollgate\n", "'Tollgate' is listed twice", ""),
        (
            "  - {name: Alder Court, also: []}\n",
            "  - Fertility Annex\n",
            "shares the word 'fertility'",
            "rename",
        ),
        ('pattern: "KV-####"', 'pattern: "{fruit} ##"', "takes from a list 'fruit' that is not there", ""),
        ("  holder:\n", "  holdr:\n", "unknown field 'holdr'", "Did you mean holder"),
        ('"On {roster}, {alias} is {who}."', '"On {roster}, {alias} waits."', "slot {who} is missing", ""),
        ('"On {roster}, {alias} is {who}."', '"{alias} is {who}?"', "'?' keeps this from being a plain", ""),
        ('"On {roster}, {alias} is {who}."', '"{alias} is not {who}."', "'not' keeps this from", "state"),
        ('"On {roster}, {alias} is {who}."', '"{alias} isn\'t {who}."', "isn't' keeps this from", "state"),
        ('"On {roster}, {alias} is {who}."', '"{alias} is {who}"', "ends with a full stop", ""),
        ('"On {roster}, {alias} is {who}."', '"{alias} is {who}, seat 17."', "'17' could be the day", "word"),
        ('"On {roster}, {alias} is {who}."', '"{alias} is {whom}."', "unknown slot {whom}", ""),
        ("of: person", "of: errand", "exactly one item must be the person's", ""),
        ("of: person", "of: nobody", "'nobody' is none of errand, person", ""),
        ('        pattern: "#@@ ###"\n', "", "expected either 'values' or 'pattern'", ""),
        ("  roster: [", "  rooster: [", "the list 'roster' is missing", ""),
        ("  bird: [", "  entry: [", "'entry' is the name of a slot already", ""),
        ("recipient: the volunteer", 'recipient: "" # the', "the text is empty", ""),
    ],
)
def test_what_breaks_the_form_is_named(tmp_path: Path, old: str, new: str, problem: str, hint: str) -> None:
    with pytest.raises(MemJoinError) as caught:
        read_family(changed(tmp_path, old, new))
    assert problem in caught.value.message
    assert hint in caught.value.hint


def test_complaints_give_the_line(tmp_path: Path) -> None:
    line = '    - "On {roster}, {alias} is {who}."\n'
    with pytest.raises(MemJoinError) as caught:
        read_family(changed(tmp_path, line, '    - "On {roster}, {alias} is {whom}."\n'))
    number = F19[: F19.index(line)].count("\n") + 1
    assert caught.value.message.startswith(f"mine.yaml:{number}: remarks.alias[3]: ")


def test_too_few_of_anything_is_refused(tmp_path: Path) -> None:
    sites = re.search(r"sites:\n(  - .*\n)+", F19)
    assert sites
    few = "".join(sites.group().splitlines(keepends=True)[:8])
    with pytest.raises(MemJoinError, match="expected at least 8, found 7"):
        read_family(changed(tmp_path, sites.group(), few))


def test_a_slot_and_its_code_may_not_share_a_sentence(tmp_path: Path) -> None:
    remarks = 'remarks:\n  slot-date-site:\n    - "{entry} is on {date}, and {new} is at {site}."\n'
    with pytest.raises(MemJoinError, match=r"\{entry\} and \{new\} stand in one sentence"):
        read_family(changed(tmp_path, "remarks:\n", remarks))


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(MemJoinError, match=r"none\.yaml: cannot be read: No such file"):
        read_family(tmp_path / "none.yaml")
    (tmp_path / "odd.yaml").write_bytes(b"id: \xff")
    with pytest.raises(MemJoinError, match="not UTF-8 text"):
        read_family(tmp_path / "odd.yaml")


def test_an_unknown_topic_is_named(all_families: Mapping[str, Family], pool: Pool, tmp_path: Path) -> None:
    family = read_family(changed(tmp_path, "topics: [", "topics: [volcanoes, "))
    with pytest.raises(MemJoinError, match="no topic 'volcanoes'"):
        check_topics(family, pool)


def test_families_are_chosen_by_id(all_families: Mapping[str, Family]) -> None:
    assert [family.id for family in choose_families(["F20", "F04"], all_families)] == ["F04", "F20"]
    assert len(choose_families([], all_families)) == len(all_families)
    with pytest.raises(MemJoinError, match="unknown family 'F91'") as caught:
        choose_families(["F91"], all_families)
    assert "F19" in caught.value.hint
