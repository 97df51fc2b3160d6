import pytest

from memjoin.judging.qualification.answers import labelled_cases
from memjoin.judging.wording import close_together, in_the_words_of, stem, with_iso_dates, with_name

CASE = labelled_cases()["F19-RJ-chain-01"]


@pytest.mark.parametrize(
    "date",
    [
        *(
            "2029-11-25",
            "2029/11/25",
            "25 November 2029",
            "November 25, 2029",
            "Nov. 25, 2029",
            "25 Nov 2029",
        ),
        *("25.11.2029", "25-11-2029", "25/11/2029", "11/25/2029", "25/11/29", "25.11.29", "25-Nov-2029"),
        *("November 25th, 2029", "25th of November, 2029", "25 November of 2029", "25 Nov '29"),
        *("twenty-fifth of November 2029", "November the twenty-fifth, 2029", "2029 November 25"),
        *("25th November in the year 2029", "25 NOVEMBER 2029"),
    ],
)
def test_a_date_in_any_notation_becomes_an_iso_date(date: str) -> None:
    assert with_iso_dates(f"It is on {date}, at ten.") == "It is on 2029-11-25, at ten."


@pytest.mark.parametrize(
    "text", ["25 November", "November 2029", "31/02/2029", "it may 5 people", "2029-11-251", "v1.2.34567"]
)
def test_what_is_no_full_date_stays(text: str) -> None:
    assert with_iso_dates(text) == text


def test_september_has_a_second_short_form() -> None:
    assert with_iso_dates("17 Sept 2029") == with_iso_dates("Sept. 17, 2029") == "2029-09-17"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("She is being questioned about arson", "arson questioning"),
        ("his application for an occupation order", "occupation order application"),
        ("he will pick up his refugee document", "refugee document pickup"),
        ("they meet the insolvency trustee", "insolvency trustee meeting"),
        ("they examine her for facial palsy", "facial palsy examination"),
    ],
)
def test_a_name_in_other_words_gets_the_name_behind_it(said: str, name: str) -> None:
    assert with_name(f"Well, {said}.", name, [name]) == f"Well, {said} ({name})."


@pytest.mark.parametrize(
    "text",
    [
        "The arson questioning is today.",  # it stands there already
        "There was arson. They are questioned.",  # in two sentences
        "Arson was the one thing about which nobody in all of the town was ever questioned.",  # far apart
        "An arsenal of questions.",
    ],
)
def test_other_words_are_left_alone(text: str) -> None:
    assert with_name(text, "arson questioning", ["arson questioning"]) == text


def test_numbers_and_endings_do_not_matter_to_items() -> None:
    assert close_together("We need 4 keys, please.", "four keys")
    assert close_together("The ladder with two spouts.", "two-spout ladder")
    assert not close_together("We need four. The keys are old.", "four keys")
    assert stem("assessment") == stem("assess")


def test_values_are_found_in_the_words_of_the_case() -> None:
    found = in_the_words_of(CASE, "On the 29th of October 2030 Mafalda is screened for hereditary cancer.")
    assert (found.service, found.site, found.date) == (True, False, True)
    nothing = in_the_words_of(CASE, "Mafalda has a test at a clinic in October 2030.")
    assert (nothing.service, nothing.site, nothing.date) == (False, False, False)
