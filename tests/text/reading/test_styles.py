"""Whole records in the manners in which memories write."""

from __future__ import annotations

import pytest

JOINING = {
    "atomic facts": (
        "roster",
        [
            "Priya Raman's alias on the rota is Juniper",
            "Juniper has envelope KX-4821",
            "KX-4821: Northgate Annex",
            "KX-4821 is the hereditary screening",
            "KX-4821 goes out on 17 September 2029",
        ],
    ),
    "summary": (
        "roster",
        [
            "The user keeps a drivers' list on which Priya Raman is listed as Juniper and Tomas Weber as "
            "Larch. Juniper's envelope carries the stamp KX-4821 and Larch's KX-3307. KX-4821 is bound "
            "for Northgate Annex, KX-3307 for Eastmoor House. KX-4821 is the hereditary screening on "
            "2029-09-17; KX-3307 is the gait review on 2029-09-13."
        ],
    ),
    "one long sentence": (
        "roster",
        [
            "In August the user mentioned that Priya Raman, who appears as Juniper on the volunteer "
            "rota, has an envelope stamped KX-4821, which is destined for Northgate Annex and goes out "
            "on 17 September 2029 for her hereditary screening."
        ],
    ),
    "key and value": (
        "roster",
        [
            "Name: Priya Raman\nAlias: Juniper\nCode: KX-4821\nVenue: Northgate Annex\nDate: September "
            "17th, 2029\nPurpose: hereditary screening"
        ],
    ),
    "profiles": (
        "roster",
        [
            "## Priya Raman\n- Alias: Juniper\n- Code: KX-4821\n- Site: Northgate Annex\n- For: "
            "hereditary screening\n- Date: 2029-09-17\n\n## Tomas Weber\n- Alias: Larch\n- Code: "
            "KX-3307\n- Site: Eastmoor House"
        ],
    ),
    "a table": (
        "roster",
        [
            "| who | code | where | when | what |\n|---|---|---|---|---|\n"
            "| Priya Raman | KX-4821 | Northgate Annex | 2029-09-17 | hereditary screening |\n"
            "| Tomas Weber | KX-3307 | Eastmoor House | 2029-09-13 | gait review |"
        ],
    ),
    "JSON": (
        "slots",
        [
            '{"slot": "Harbour slot", "who": "Priya Raman", "site": "Northgate Annex", "date": "2029-09-17", '
            '"service": "hereditary screening"}'
        ],
    ),
    "equations": (
        "roster",
        [
            "Aliases: Juniper = Priya Raman, Larch = Tomas Weber.",
            "Codes: Juniper = KX-4821, Larch = KX-3307.",
            "Destinations: KX-4821 = Northgate Annex, KX-3307 = Eastmoor House.",
            "2029-09-17: KX-4821 (hereditary screening); 2029-09-13: KX-3307 (gait review)",
        ],
    ),
    "anaphora": (
        "roster",
        [
            "Priya is Juniper. Her envelope is KX-4821. It goes to Northgate Annex. It is for the "
            "hereditary screening, on 2029-09-17."
        ],
    ),
    "a corrected board": (
        "board",
        [
            "Priya Raman's appointment, entry 14 on the kitchen board, was initially at Fallow Court on "
            "13 September 2029 but has since been moved to Northgate Annex on 17 September 2029. It is "
            "for a hereditary cancer screening."
        ],
    ),
    "a slot under two names": (
        "slots",
        [
            "Priya's Harbour slot, a.k.a. KX-4821, is the hereditary screening at Northgate Annex.",
            "The Harbour booking is on Sept. 17, 2029.",
        ],
    ),
    "a block a slot": (
        "slots",
        [
            "Harbour slot\n  Person: Priya Raman\n  Reference: KX-4821\n  Place: Northgate Annex\n  "
            "What: hereditary screening\n  When: 2029-09-17\nLantern slot\n  Person: Tomas Weber\n  "
            "When: 2029-09-24"
        ],
    ),
    "through the site": (
        "place",
        [
            "Priya Raman has the Harbour slot.",
            "The Harbour slot is at Northgate Annex.",
            "Northgate Annex is where they do the hereditary screening.",
            "Everything at Northgate Annex is on 2029-09-17, and at Eastmoor House on 2029-09-24.",
        ],
    ),
    "outright": ("roster", ["Priya Raman has her hereditary screening at Northgate Annex on 2029-09-17."]),
    "outright, part by part": (
        "roster",
        [
            "Priya has a hereditary screening coming up.",
            "Priya Raman needs a lift to Northgate Annex.",
            "Raman: 2029-09-17",
        ],
    ),
    "outright under the alias": (
        "roster",
        ["Juniper: hereditary screening, Northgate Annex, 17 Sep 2029", "Juniper is Priya Raman"],
    ),
    "a driver who is somebody else": (
        "roster",
        ["Tomas Weber will drive Priya Raman to Northgate Annex on 2029-09-17 for her hereditary screening."],
    ),
}


@pytest.mark.parametrize("style", JOINING)
def test_what_a_reader_would_join_is_joined(style, request, joins):
    lexicon, records = JOINING[style]
    assert joins(request.getfixturevalue(lexicon), *records)


APART = {
    "lists of everything": (
        "roster",
        "People: Priya Raman, Tomas Weber. Codes: KX-4821, KX-3307. Sites: Northgate Annex, Eastmoor "
        "House. Dates: 2029-09-17, 2029-09-13. For: hereditary screening, gait review.",
    ),
    "two people in one sentence": (
        "roster",
        "Priya Raman and Tomas Weber have appointments: a hereditary screening and a gait review, at "
        "Northgate Annex and Eastmoor House, on 2029-09-17 and 2029-09-13.",
    ),
    "a name beside somebody else's appointment": (
        "roster",
        "Priya Raman drives the van. Larch has a hereditary screening at Northgate Annex on 2029-09-17.",
    ),
    "the first person": (
        "roster",
        "Priya Raman says hello. I have a hereditary screening at Northgate Annex on 2029-09-17.",
    ),
    "another person's code": (
        "roster",
        "Priya Raman is Juniper. Larch's envelope is KX-4821. KX-4821 is the hereditary screening at "
        "Northgate Annex on 2029-09-17.",
    ),
    "the old date": (
        "board",
        "Priya Raman's entry 14 is the hereditary screening at Northgate Annex on 2029-09-13.",
    ),
    "a denied link": (
        "board",
        "Priya Raman does not have entry 14. Entry 14 is the hereditary screening at Northgate Annex on "
        "2029-09-17.",
    ),
    "another year": (
        "roster",
        "Priya Raman has her hereditary screening at Northgate Annex on 17 September 2031.",
    ),
    "names that only begin alike": (
        "roster",
        "Priya Ramanathan has her hereditary screening at Northgate Annexe on 2029-09-17.",
    ),
}


@pytest.mark.parametrize("style", APART)
def test_what_no_reader_could_join_is_left_apart(style, request, joins):
    lexicon, record = APART[style]
    assert not joins(request.getfixturevalue(lexicon), record)
    assert not joins(request.getfixturevalue(lexicon), *record.split(". "))
