"""The embedded writer's answers to SimpleMem's five prompts. Host side: it reads the prompt, nothing else.

Which sentences are kept is decided by ``text.salience``, the same for every framework. The form is
SimpleMem's: entries that can be understood by themselves, so that a sentence with a pronoun stands together
with the one before it, each with the time at which it was said. Rules can tell neither places from persons
nor themes; names and codes go where the package puts everything else that has a name.

A search is planned by what a question mentions: its sentences are the queries, and what was found is complete
if each name and code of the question occurs in it. What is missing is searched for by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memjoin.text.salience import Salient, salient_sentences
from memjoin.text.sentences import split_sentences
from memjoin.text.shapes import content_words, find_shapes
from memjoin.text.tokens import has_phrase, tokens

MAX_SENTENCES = 3
MAX_KEYWORDS = 8
MAX_QUERIES = 4

_EXTRACT = re.compile(
    r"\A\s*Your task is to extract all valuable information from the following dialogues.*?"
    r"(?:\n\[Previous Window Memory Entries [^\n]*\]\n(?P<known>.*?))?"
    r"\n\[Current Window Dialogues\]\n(?P<dialogues>.*)"
    r"\n\n\[Requirements\]\n1\. \*\*Complete Coverage\*\*",
    re.DOTALL,
)
_PLAN = re.compile(
    r"\A\s*Analyze the following question and determine what specific information is required.*?"
    r"\n\nQuestion: (?P<question>.*)\n\nThink step by step:\n",
    re.DOTALL,
)
_QUERIES = re.compile(
    r"\A\s*Based on the information requirements analysis, generate the minimal set .*?"
    r"\n\nOriginal Question: (?P<question>.*)\n\nInformation Requirements Analysis:\n",
    re.DOTALL,
)
_FOUND = (
    r"\n\nOriginal Question: (?P<question>.*?)\n\nRequired Information Types: [^\n]*"
    r"\n\nCurrent(?:ly)? Available Information:\n(?P<found>.*)"
)
_COMPLETE = re.compile(
    r"\A\s*Analyze whether the provided information is sufficient .*?" + _FOUND + r"\n\nEvaluate whether:\n",
    re.DOTALL,
)
_MISSING = re.compile(
    r"\A\s*Based on the original question, required information types, .*?"
    + _FOUND
    + r"\n\nGenerate 1-3 specific search queries",
    re.DOTALL,
)
_TURN = re.compile(r"^\[(?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\] (?P<speaker>user|assistant): ", re.MULTILINE)
_PRONOUNS = frozenset(tokens("he she it they him her them his hers its their theirs this that these those"))


def respond(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Answer a chat request that SimpleMem makes.

    Args:
        body: The request body as OpenAI's chat protocol has it.

    Returns:
        The assistant message, or None if the request is none of SimpleMem's.
    """
    messages = body.get("messages") or []
    last = messages[-1] if messages else {}
    prompt = last.get("content")
    if last.get("role") != "user" or not isinstance(prompt, str):
        return None
    answer: object = None
    if found := _EXTRACT.match(prompt):
        answer = _entries(found["dialogues"], found["known"] or "")
    elif found := _PLAN.match(prompt):
        answer = _plan(found["question"])
    elif found := _QUERIES.match(prompt):
        answer = {"reasoning": "The question, and its sentences.", "queries": _queries(found["question"])}
    elif found := _COMPLETE.match(prompt):
        answer = _assessment(found["question"], found["found"])
    elif found := _MISSING.match(prompt):
        missing = _missing(found["question"], found["found"])
        answer = {"missing_analysis": _listed(missing), "targeted_queries": missing[: MAX_QUERIES - 1]}
    if answer is None:
        return None
    return {"role": "assistant", "content": json.dumps(answer, ensure_ascii=False)}


def _entries(dialogues: str, known: str) -> list[dict[str, Any]]:
    marks = list(_TURN.finditer(dialogues))
    ends = [*(mark.start() for mark in marks[1:]), len(dialogues)]
    turns = [
        (mark["speaker"], dialogues[mark.end() : end].strip("\n"))
        for mark, end in zip(marks, ends, strict=True)
    ]
    # Only what the prompt itself shows of earlier entries is known here.
    seen = {line.removeprefix("- ") for line in known.splitlines()}
    entries = []
    for group in _groups(salient_sentences(turns)):
        text = " ".join(_stopped(sentence.text) for sentence in group)
        if text in seen:
            continue
        seen.add(text)
        entries.append(
            {
                "lossless_restatement": text,
                "keywords": list(dict.fromkeys([*_mentions(text), *content_words(text)]))[:MAX_KEYWORDS],
                "timestamp": marks[group[0].turn]["at"],
                "location": None,
                "persons": [],
                "entities": _mentions(text),
                "topic": None,
            }
        )
    return entries


def _groups(sentences: Iterable[Salient]) -> Iterator[list[Salient]]:
    """Put a sentence with a pronoun together with the sentence of the same turn that it follows."""
    group: list[Salient] = []
    for sentence in sentences:
        leans = not _PRONOUNS.isdisjoint(tokens(sentence.text))
        if group and not (leans and len(group) < MAX_SENTENCES and _follows(group[-1], sentence)):
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def _follows(before: Salient, after: Salient) -> bool:
    # Sentences are a space or a line break apart; a dropped one between them would be longer.
    return before.turn == after.turn and after.start - before.end <= 2


def _stopped(sentence: str) -> str:
    """End a sentence that a line break ended, so that it does not run into the next."""
    return f"{sentence}." if sentence[-1].isalnum() else sentence


def _plan(question: str) -> dict[str, Any]:
    sentences = _sentences(question)
    return {
        "question_type": "relational" if len(_mentions(question)) > 1 else "factual",
        "key_entities": _mentions(question),
        "required_info": [
            {"info_type": "what is asked", "description": sentence, "priority": "high"}
            for sentence in sentences
        ],
        "relationships": [],
        "minimal_queries_needed": len(_queries(question)),
    }


def _queries(question: str) -> list[str]:
    """The question itself and its sentences, no more than SimpleMem searches for."""
    return list(dict.fromkeys([question, *_sentences(question)]))[:MAX_QUERIES]


def _assessment(question: str, found: str) -> dict[str, Any]:
    missing = _missing(question, found)
    mentioned = len(_mentions(question))
    return {
        "assessment": "incomplete" if missing else "complete",
        "reasoning": _listed(missing),
        "missing_info_types": missing,
        "coverage_percentage": round(100 * (1 - len(missing) / mentioned)) if mentioned else 100,
    }


def _missing(question: str, found: str) -> list[str]:
    """Names and codes of the question that do not occur in what was found."""
    within = tokens(found)
    return [mention for mention in _mentions(question) if not has_phrase(within, mention)]


def _listed(missing: list[str]) -> str:
    return f"Nothing found about {', '.join(missing)}." if missing else "All that is named was found."


def _mentions(text: str) -> list[str]:
    """Names and codes in a text, as they stand in it, each once."""
    shapes = [shape for shape in find_shapes(text) if shape.kind in ("name", "code")]
    return list({shape.key: text[shape.start : shape.end] for shape in shapes}.values())


def _sentences(text: str) -> list[str]:
    """Sentences of a text that say something."""
    spans = (text[start:end] for start, end in split_sentences(text))
    return [sentence for sentence in spans if content_words(sentence)]
