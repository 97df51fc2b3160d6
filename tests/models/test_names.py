"""Names of models, and where their keys come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from memjoin.models.embedder import MiniLmEmbedder
from memjoin.models.errors import UnknownModelError
from memjoin.models.names import PROVIDERS, parse_name, resolve_chat, resolve_embedder
from memjoin.models.reader import EmbeddedReader
from memjoin.models.types import Role
from memjoin.models.writer import EmbeddedWriter


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_providers_name_has_its_base_url_and_keys(provider: str) -> None:
    name = parse_name(f"{provider}/some-model")
    assert (name.model, name.base_url) == ("some-model", PROVIDERS[provider].base_url)
    assert name.key({PROVIDERS[provider].keys[-1]: " secret "}) == "secret"


def test_a_models_own_slashes_belong_to_the_model() -> None:
    assert parse_name("openrouter/meta/llama-4:free").model == "meta/llama-4:free"


def test_a_base_url_names_its_model_after_a_hash() -> None:
    name = parse_name("http://localhost:8080/v1/#qwen3")
    assert (name.model, name.base_url, name.keys) == (
        "qwen3",
        "http://localhost:8080/v1",
        ("MEMJOIN_API_KEY",),
    )
    assert name.key({}) == ""
    assert name.key({"MEMJOIN_API_KEY": "k", "OPENAI_API_KEY": "other"}) == "k"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("opnai/gpt", "Did you mean openai?"),
        ("embeded", "Did you mean embedded?"),
        ("gpt-5", "provider/model"),
        ("openai/", "names no model"),
        ("http://localhost:8080/v1", "names no model"),
        ("http:///v1#m", "has no host"),
        ("http://localhost:notaport/v1#m", "cannot be read"),
        ("http://[::1/v1#m", "cannot be read"),
    ],
)
def test_a_name_that_cannot_be_understood_says_what_would_be(name: str, says: str) -> None:
    with pytest.raises(UnknownModelError) as caught:
        parse_name(name)
    assert says in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    "name", ["https://me:pl4nted@host/v1#m", "https://host/v1?key=pl4nted#m", "https://pl4nted@host/v1#m"]
)
def test_a_url_with_a_secret_is_refused_without_showing_it(name: str) -> None:
    with pytest.raises(UnknownModelError) as caught:
        parse_name(name)
    assert "pl4nted" not in str(caught.value)
    assert "MEMJOIN_API_KEY" in caught.value.hint


def test_a_missing_key_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in PROVIDERS["google"].keys:
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UnknownModelError, match="GEMINI_API_KEY or GOOGLE_API_KEY is not set") as caught:
        resolve_chat("google/gemini", "judge")
    assert caught.value.hint.startswith("Set GEMINI_API_KEY")
    with pytest.raises(UnknownModelError, match="GEMINI_API_KEY"):
        resolve_embedder("google/embedding")


def test_embedded_is_the_default_and_reads_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {})
    assert isinstance(resolve_chat("embedded", "writer"), EmbeddedWriter)
    assert isinstance(resolve_chat("embedded", "reader"), EmbeddedReader)
    assert isinstance(resolve_embedder("embedded"), MiniLmEmbedder)
    assert resolve_embedder("embedded") is resolve_embedder("embedded")


ROLES: tuple[Role, ...] = ("reader", "filter")


@pytest.mark.parametrize("role", ROLES)
def test_the_embedded_model_of_a_role_is_named_after_it_and_says_that_it_is_embedded(role: Role) -> None:
    model = resolve_chat("embedded", role)
    assert model.embedded
    assert model.deterministic
    assert model.name.startswith("embedded/")
    assert role in model.name


def test_the_embedded_judge_is_no_chat_model_and_that_is_said() -> None:
    with pytest.raises(UnknownModelError, match="embedded judge is not a chat model"):
        resolve_chat("embedded", "judge")


def test_the_documentation_lists_every_provider_with_its_endpoint_and_keys() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    for name, provider in PROVIDERS.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}/MODEL`")]
        assert f"`{provider.base_url}`" in row
        assert all(f"`{key}`" in row for key in provider.keys)
        assert ("none needed" in row) is not provider.needs_key
