"""Messages without keys, and errors in OpenAI's shape."""

from __future__ import annotations

import pytest

from memjoin.errors import MemJoinError
from memjoin.models import errors


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdef123456.",
        "Authorization: Bearer abc.def-123456789",
        "GET /v1?api_key=abcdefgh123 failed",
        '{"api_key": "abcdefgh123"}',
        "key AIzaSyA1234567890 is wrong",
        "token=abcdefgh123&x=1",
        "It was my-own-secret, I think",
    ],
)
def test_what_is_or_looks_like_a_key_is_taken_out(text: str) -> None:
    clean = errors.without_keys(text, "my-own-secret", "")
    assert "[key]" in clean
    for secret in ("abcdef", "abc.def", "AIzaSy", "my-own-secret"):
        assert secret not in clean


def test_ordinary_words_stay() -> None:
    text = "The key to the task is a risk-free token of thanks; the secret ingredient is sky-high quality."
    assert errors.without_keys(text) == text


def test_urls_are_shown_without_what_may_be_secret() -> None:
    assert errors.shown_url("https://me:pw@host:8/v1?key=1#m") == "https://host:8/v1"


def test_who_was_asked_is_one_phrase() -> None:
    assert (
        str(errors.Asked("judge", "openai/gpt", "https://u:p@h/v1"))
        == "judge model openai/gpt at https://h/v1"
    )
    assert str(errors.Asked("reader", "embedded")) == "reader model embedded"


def test_every_error_is_the_users_to_mend_and_has_an_http_form() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    kinds = [kind for kind in kinds if issubclass(kind, errors.ModelError)]
    assert len(kinds) >= 11
    for kind in kinds:
        error = kind("It failed.", "Do this.")
        assert isinstance(error, MemJoinError)
        assert 400 <= error.status <= 599
        body = error.body()["error"]
        assert body["message"] == "It failed.\nDo this."
        assert (body["type"], body["code"], body["param"]) == (kind.type, kind.code, None)
