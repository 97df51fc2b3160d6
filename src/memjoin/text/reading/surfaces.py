"""Finding the people, entries and values of a case in text, by their surface forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from memjoin.text.dates import MONTHS
from memjoin.text.graph import Handle

MentionKind: TypeAlias = Literal["person", "entry", "site", "date", "service", "unknown"]


class Mention(NamedTuple):
    """One place in text that names something: characters ``start`` to ``end``, end exclusive.

    ``unknown`` is a redaction mark, or a surface that could name two things: a handle nobody can resolve.
    """

    kind: MentionKind
    name: str
    start: int
    end: int


REDACTED = "[redacted]"
"""What stands in a record in place of a deleted surface; any mark of ``_MARK`` reads the same."""

_MARK = re.compile(
    r"""\[\s*(?i:redacted|removed|masked|hidden|deleted|anonymi[sz]ed|withheld|cue|\.{3}|\u2026)[^\]\n]{0,20}\]
      | \[[A-Z]{3,}(?:[_ ][A-Z0-9]+)*\] | <[A-Z]{3,}(?:[_ ][A-Z0-9]+)*>
      | [\u2588\u2592]{2,} | \*{3,}\B | \b[xX]{4,}\b""",
    re.VERBOSE,
)
_MAY_HOLD_MARK = re.compile(r"[\[<\u2588\u2592]|\*{3}|xxxx", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+")
_ARTICLES = frozenset(("the", "a", "an"))
# What a named slot may be called by somebody who takes it up again: the Harbour slot, the Harbour booking.
VAGUE_NOUNS = frozenset(
    (
        *("time", "date", "day", "venue", "place", "location", "site", "service", "purpose", "reason"),
        *("address", "line", "one", "item", "number", "plan", "thing", "matter"),
    )
)
NEUTRAL_NOUNS = VAGUE_NOUNS | frozenset(
    (
        *("appointment", "slot", "booking", "visit", "entry", "code", "envelope", "letter", "session"),
        *("meeting", "record", "reference", "event", "sticker", "tag", "label", "row", "card", "note"),
        *("reservation", "arrangement"),
    )
)
_NUMBER_WORDS = ("no", "number", "nr")

_Meaning: TypeAlias = tuple[MentionKind, str]


class Surfaces:
    """All surface forms of a case, found in text longest first.

    Args:
        handles: Person and entry handles with their forms.
        values: ``(kind, canonical, forms)`` of sites, dates and services. Dates are found in every form
            of ``text.dates.date_forms`` and by ordinals, one-digit days and months, and without a year
            where only one date of the case has that day and month; their own forms are not needed.
        people: Full names of everybody the case names. A first or last name alone is a mention of the
            person where nobody else has it.
    """

    def __init__(
        self,
        handles: Iterable[tuple[Handle, Sequence[str]]],
        values: Iterable[tuple[MentionKind, str, Sequence[str]]],
        people: Iterable[str],
    ) -> None:
        self._runs: dict[str, list[tuple[tuple[str, ...], _Meaning, bool]]] = {}
        meanings: dict[tuple[str, ...], _Meaning | None] = {}
        yearless: set[tuple[str, ...]] = set()

        def add(run: tuple[str, ...], meaning: _Meaning) -> None:
            if run and meanings.setdefault(run, meaning) != meaning:
                meanings[run] = None  # two things share this surface

        named = tuple(dict.fromkeys(people))
        for handle, forms in handles:
            if handle.type in ("person", "entry"):
                for form in (handle.name, *forms):
                    for run in _handle_runs(form, handle.type == "entry"):
                        add(run, (handle.type, handle.name))
        for name in named:
            add(_split(name), ("person", name))
        dates: set[str] = set()
        for kind, canonical, forms in values:
            if kind == "date":
                dates.add(canonical)
                continue
            for form in (canonical, *forms):
                run = _without_article(_split(form))
                add(run, (kind, canonical))
                if kind == "service" and run:
                    add((*run[:-1], f"{run[-1]}s"), (kind, canonical))  # they do gait reviews
        for iso in sorted(dates):
            for run in _date_runs(iso):
                add(run, ("date", iso))
            for run in _yearless_runs(iso):
                add(run, ("date", iso))
                yearless.add(run)
        for run, name in _parts_of_names(named, meanings):
            add(run, ("person", name))
        for run, name in _parts_of_entries(meanings):
            add(run, ("entry", name))
        self.nouns = NEUTRAL_NOUNS | {
            run[0] if any(map(str.isdigit, run[1])) else run[1]
            for run, meaning in meanings.items()
            if meaning and meaning[0] == "entry" and len(run) == 2
        }
        """Nouns by which the case's entries may be taken up again: 'that stake', 'the cell'."""
        for run, meaning in meanings.items():
            if meaning is not None or run not in yearless:
                known = meaning or ("unknown", " ".join(run))
                self._runs.setdefault(run[0], []).append((run, known, run in yearless))
        self._plurals = {
            plural: run[0]
            for run, meaning in meanings.items()
            if meaning is not None and meaning[0] == "entry" and len(run) == 2 and run[1].isdigit()
            for plural in (f"{run[0]}s", f"{run[0]}es", f"{run[0][:-1]}ies")
            if (plural,) not in meanings
        }
        for plural in self._plurals:
            self._runs.setdefault(plural, [])
        for candidates in self._runs.values():
            candidates.sort(key=lambda candidate: -len(candidate[0]))

    def find(self, text: str) -> tuple[list[Mention], list[str]]:
        """Return the mentions of a text in order of place, none overlapping another, and its tokens.

        Redaction marks are looked for only where something else is mentioned.
        """
        if text.isascii():
            words = _TOKEN.findall(text.lower())
        else:
            words = [word.casefold() for word in _TOKEN.findall(text)]
        hits = self._hits(words)
        if not hits:
            return [], words
        spans = [match.span() for match in _TOKEN.finditer(text)]
        found = [Mention(kind, name, spans[at][0], spans[last][1]) for at, last, (kind, name) in hits]
        if _MAY_HOLD_MARK.search(text):
            marks = [Mention("unknown", "", match.start(), match.end()) for match in _MARK.finditer(text)]
            if marks:
                clear = [m for m in found if not any(x.start < m.end and m.start < x.end for x in marks)]
                found = sorted([*clear, *marks], key=lambda mention: mention.start)
        return found, words

    def _hits(self, words: Sequence[str]) -> list[tuple[int, int, _Meaning]]:
        """Return (first token, last token, meaning) of each mention."""
        runs = self._runs
        hits: list[tuple[int, int, _Meaning]] = []
        free, count = 0, len(words)
        for at in [at for at, word in enumerate(words) if word in runs]:
            if at < free:
                continue
            if words[at] in self._plurals:
                hits += [(place, place, ("entry", name)) for place, name in self._numbered(words, at)]
                free = hits[-1][1] + 1 if hits else free
                continue
            for run, meaning, yearless in runs[words[at]]:
                end = at + len(run)
                if len(run) > 1 and tuple(words[at:end]) != run:
                    continue
                if yearless and end < count and len(words[end]) == 4 and words[end].isdigit():
                    continue  # the same day of another year
                hits.append((at, end - 1, meaning))
                free = end
                break
        return hits

    def _numbered(self, words: Sequence[str], at: int) -> list[tuple[int, str]]:
        """Return the entries of 'entries 14, 22 and 31': (which token, name)."""
        noun = self._plurals[words[at]]
        listed: list[tuple[int, str]] = []
        for place in range(at + 1, len(words)):
            if words[place].isdigit():
                names = [
                    meaning[1]
                    for run, meaning, _ in self._runs.get(noun, ())
                    if run == (noun, words[place]) and meaning[0] == "entry"
                ]
                if not names:
                    break
                listed.append((place, names[0]))
            elif words[place] not in ("and", "or", "no", "nos", "numbers"):
                break
        return listed


def _split(form: str) -> tuple[str, ...]:
    return tuple(match.group().casefold() for match in _TOKEN.finditer(form))


def _without_article(run: tuple[str, ...]) -> tuple[str, ...]:
    return run[1:] if len(run) > 2 and run[0] in _ARTICLES else run


def _handle_runs(form: str, entry: bool) -> Iterator[tuple[str, ...]]:
    run = _without_article(_split(form))
    if not run:
        return
    yield run
    if not entry or len(run) != 2:
        return
    first, second = run
    if second.isdigit():
        for word in _NUMBER_WORDS:  # entry no. 14
            yield first, word, second
    digits = sum(character.isdigit() for character in first + second)
    if digits and (len(first) <= 3 or len(second) <= 3) and "-" in form:
        yield (first + second,)  # KX4821
    if second in NEUTRAL_NOUNS and not digits and first not in _ARTICLES:
        for noun in NEUTRAL_NOUNS:
            yield first, noun


def _parts_of_names(
    names: Iterable[str], meanings: dict[tuple[str, ...], _Meaning | None]
) -> Iterator[tuple[tuple[str, ...], str]]:
    owners: dict[str, set[str]] = {}
    for name in names:
        parts = _split(name)
        for part in {parts[0], parts[-1]} if len(parts) > 1 else ():
            owners.setdefault(part, set()).add(name)
    single = {run[0] for run, meaning in meanings.items() if len(run) == 1 and meaning is not None}
    for part, having in owners.items():
        if len(having) == 1 and len(part) > 1 and part not in single:
            yield (part,), next(iter(having))


def _parts_of_entries(
    meanings: Mapping[tuple[str, ...], _Meaning | None],
) -> list[tuple[tuple[str, ...], str]]:
    """Return shorter surfaces of entries where only one has them.

    'Row K32' may be 'K32'; of 'stake 58' they may say 'the stake is 58' or 'the number 58'.
    """
    owners: dict[tuple[str, ...], set[str]] = {}
    for run, meaning in meanings.items():
        if meaning is None or meaning[0] != "entry" or len(run) != 2:
            continue
        noun, mark = run
        shorter: list[tuple[str, ...]] = []
        if mark.isdigit():
            shorter = [(noun, "is", mark), (noun, "was", mark), ("number", mark)]
        elif any(character.isdigit() for character in mark):
            shorter = [(mark,)]
        for surface in shorter:
            owners.setdefault(surface, set()).add(meaning[1])
    return [
        (run, next(iter(names))) for run, names in owners.items() if len(names) == 1 and run not in meanings
    ]


def _date_runs(iso: str) -> Iterator[tuple[str, ...]]:
    year, month, day = iso.split("-")
    days, months = {day, str(int(day))}, {month, str(int(month))}
    for d in days:
        for m in months:
            yield year, m, d
            yield m, d, year
            if int(d) > 12:  # only then is day first no other date
                yield d, m, year
    for run in _yearless_runs(iso):
        yield *run, year


def _yearless_runs(iso: str) -> Iterator[tuple[str, ...]]:
    _, month, day = iso.split("-")
    name = MONTHS[int(month) - 1].casefold()
    number = int(day)
    suffix = "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    for d in {day, str(number), f"{number}{suffix}"}:
        for m in {name, name[:3], "sept"} if month == "09" else {name, name[:3]}:
            yield d, m
            yield d, "of", m
            yield m, d
            yield m, "the", d
