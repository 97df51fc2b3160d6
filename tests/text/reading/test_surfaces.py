"""What is found in text as a mention of what."""

from __future__ import annotations

import pytest

from memjoin.text.graph import Handle
from memjoin.text.reading.surfaces import Surfaces

HANDLES = [
    (Handle("person", "Juniper"), ["Juniper"]),
    (Handle("entry", "KX-4821"), ["KX-4821"]),
    (Handle("entry", "teal 47"), ["teal 47"]),
    (Handle("entry", "line 41"), ["line 41"]),
    (Handle("entry", "line 52"), ["line 52"]),
    (Handle("entry", "row K32"), ["row K32"]),
    (Handle("entry", "the Harbour slot"), ["the Harbour slot", "the slot we noted"]),
]
VALUES = [
    ("site", "Northgate Annex", ["the Northgate Annex"]),
    ("site", "Northgate Annex East", []),
    ("service", "gait review", ["gait review"]),
    ("date", "2029-09-17", []),
    ("date", "2029-09-05", []),
    ("date", "2030-10-21", []),
    ("date", "2031-10-21", []),
]
PEOPLE = ["Priya Raman", "Priya Okafor", "Tomas Weber", "María José Núñez", "Lý Ng"]
SURFACES = Surfaces(HANDLES, VALUES, PEOPLE)


def found(text: str, surfaces: Surfaces = SURFACES) -> list[tuple[str, str]]:
    mentions, _ = surfaces.find(text)
    return [(mention.name, text[mention.start : mention.end]) for mention in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "kx-4821 and KX4821, KX 4821",
            [("KX-4821", "kx-4821"), ("KX-4821", "KX4821"), ("KX-4821", "KX 4821")],
        ),
        (
            "Line 41, line no. 41, line #41",
            [("line 41", "Line 41"), ("line 41", "line no. 41"), ("line 41", "line #41")],
        ),
        ("lines 41 and 52, lines 9", [("line 41", "41"), ("line 52", "52")]),
        ("the line is 41; number 52", [("line 41", "line is 41"), ("line 52", "number 52")]),
        ("K32 in row K32", [("row K32", "K32"), ("row K32", "row K32")]),
        (
            "The Harbour slot, Harbour booking",
            [("the Harbour slot", "Harbour slot"), ("the Harbour slot", "Harbour booking")],
        ),
        ("the slot we noted", [("the Harbour slot", "slot we noted")]),
        ("teal 47, teal 48, 47", [("teal 47", "teal 47")]),
        (
            "Northgate Annex East of Northgate Annex",
            [("Northgate Annex East", "Northgate Annex East"), ("Northgate Annex", "Northgate Annex")],
        ),
        ("gait reviews", [("gait review", "gait reviews")]),
        (
            "Priya Raman's, Raman, Weber, Tomas",
            [
                ("Priya Raman", "Priya Raman"),
                ("Priya Raman", "Raman"),
                ("Tomas Weber", "Weber"),
                ("Tomas Weber", "Tomas"),
            ],
        ),
        ("Priya came", []),
        ("María and nunez, Núñez", [("María José Núñez", "María"), ("María José Núñez", "Núñez")]),
        ("Junipers, KX-48211, XKX-4821", []),
        ("", []),
    ],
)
def test_names_codes_and_values(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "2029-09-17",
        "2029/9/17",
        "17 September 2029",
        "September 17th, 2029",
        "the 17th of September",
        "Sept. 17",
        "9/17/2029",
        "17.09.2029",
        "17 Sep",
    ],
)
def test_a_date_in_any_form_of_which_only_one_is_in_the_case(text: str) -> None:
    assert [name for name, _ in found(f"on {text}, then")] == ["2029-09-17"]


@pytest.mark.parametrize(
    "text", ["17 September 2030", "17", "September", "2029-09-18", "21 October", "21.10.", "05/09/2029"]
)
def test_another_date_or_one_that_could_be_two(text: str) -> None:
    assert found(f"on {text}, then") == []


def test_decomposed_accents_are_for_the_caller_to_compose() -> None:
    assert found("Núñez") == [("María José Núñez", "Núñez")]


def test_a_surface_of_two_things_is_of_nobody_known() -> None:
    surfaces = Surfaces(
        [(Handle("person", "Juniper"), ["the boss"]), (Handle("person", "Larch"), ["the boss"])], [], []
    )
    assert [(mention.kind, mention.name) for mention in surfaces.find("The boss and Larch")[0]] == [
        ("unknown", "the boss"),
        ("person", "Larch"),
    ]


def test_a_name_that_is_also_an_alias_stays_the_alias() -> None:
    surfaces = Surfaces([(Handle("person", "Reed"), ["Reed"])], [], ["Oliver Reed"])
    assert found("Reed and Oliver", surfaces) == [("Reed", "Reed"), ("Oliver Reed", "Oliver")]


@pytest.mark.parametrize(
    "mark", ["[redacted]", "[REMOVED]", "[NAME]", "[PERSON_2]", "<CODE>", "███", "***", "[...]"]
)
def test_redaction_marks(mark: str) -> None:
    mentions, _ = SURFACES.find(f"{mark} is for Juniper")
    assert [mention.kind for mention in mentions] == ["unknown", "person"]


@pytest.mark.parametrize(
    "text", ["[2029-08-20 14:05] Juniper", "[user] Juniper", "**Juniper**", "<b>Juniper</b>"]
)
def test_what_looks_a_little_like_a_mark(text: str) -> None:
    assert [name for name, _ in found(text)] == ["Juniper"]


def test_tokens_come_along() -> None:
    assert SURFACES.find("Nothing HERE.")[1] == ["nothing", "here"]
