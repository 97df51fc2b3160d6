"""The figures of a data card as Markdown: one block for each part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memjoin.report.card.calibration import GOAL, GOAL_SIZE, Calibration
from memjoin.report.card.composition import Composition
from memjoin.report.card.naming import Naming
from memjoin.report.card.nearness import Near, Nearness
from memjoin.report.card.quantiles import Quantiles
from memjoin.report.card.wording import Wording

OURS = "ours"
PAPER = "the paper"
FROM_PAPER = frozenset(f"F{number:02}" for number in range(1, 13))
"""The families that Table A.1 of the paper names."""
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_SITUATIONS = {"legitimate": "excessive disclosure", "incompatible": "incompatible recipient or purpose"}


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; all columns but the first are set to the right where they hold numbers."""
    body = [[_cell(cell) for cell in row] for row in rows]
    marks = [
        "---:" if place and body and all(_is_number(row[place]) for row in body) else "---"
        for place in range(len(head))
    ]
    lines = [list(head), marks, *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(cell: object) -> str:
    text = f"{cell:,}" if isinstance(cell, int) else str(cell)
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _is_number(text: str) -> bool:
    return not text or text[0].isdigit()


def coverage(found: Composition, released: bool) -> str:
    """Return a row a family: where it is from, what it is about, and what its cases use."""
    head = ["Family", "Category", "Situation", *(["Named by"] if released else [])]
    head += ["Cases", "Services", "Sites", "Recipients"]
    rows = []
    for family in found.families:
        row: list[object] = [f"{family.id} {family.title}".strip(), family.category]
        row.append(_SITUATIONS.get(family.situation, family.situation))
        if released:
            row.append(PAPER if family.id in FROM_PAPER else OURS)
        rows.append([*row, family.cases, family.services, family.sites, family.recipients])
    return table(head, rows)


def composition(found: Composition) -> str:
    """Return counts by configuration, topology, category and situation, and what a case has."""
    strata = sorted({name for counts in found.strata.values() for name in counts}, reverse=True)
    by_configuration = table(
        ["Configuration", "Cases", "Topologies, cases of each", *(f"Stratum {name}" for name in strata)],
        [
            [
                name,
                number,
                ", ".join(
                    f"{topology.partition(' ')[2]} {times}"
                    for topology, times in found.topologies.items()
                    if topology.startswith(f"{name} ")
                ),
                *(found.strata[name].get(stratum, 0) for stratum in strata),
            ]
            for name, number in found.configurations.items()
        ],
    )
    smallest, largest = min(found.categories.values()), max(found.categories.values())
    each = f"{smallest} cases each" if smallest == largest else f"{smallest} to {largest} cases each"
    situations = ", ".join(
        f"{_SITUATIONS.get(name, name)} {count}" for name, count in found.situations.items()
    )
    a_case = _spread_table(
        "A case has",
        {
            "sessions": found.sessions,
            "days from the first session to the last": found.days,
            "clues": found.clues,
            "remarks of decoys": found.decoys,
            "required items": found.required,
            "named people": found.people,
        },
    )
    said = f"{len(found.categories)} categories, {each}. Situations: {situations}."
    return "\n\n".join([said, by_configuration, a_case])


def verification(found: Composition) -> str:
    """Return how many cases break which property."""
    broken = {name: count for name, count in found.failing.items() if count}
    if not broken:
        return f"{found.cases:,} cases checked, P1 to P{len(found.failing)}: no case breaks one."
    told = ", ".join(f"{name} by {count}" for name, count in broken.items())
    return f"{found.cases:,} cases checked. **Broken: {told}.**"


def wording(found: Wording) -> str:
    """Return lengths, three-word runs and likeness."""
    lengths = _spread_table(
        "Length",
        {
            "turns a session": found.turns_a_session,
            "words a session": found.words_a_session,
            "words a user turn": found.words_a_user_turn,
            "words an assistant turn": found.words_an_assistant_turn,
            "words a task": found.words_a_task,
        },
    )
    counts = (
        f"{found.sessions:,} sessions, {found.turns:,} turns, {found.words:,} words, of which "
        f"{found.vocabulary:,} are different. Of {found.trigrams:,} runs of three words within turns "
        f"{found.distinct_trigrams:,} are different ({_share(found.distinct_trigrams, found.trigrams)})."
    )
    return "\n\n".join([counts, lengths])


def likeness(found: Wording) -> str:
    """Return how alike sessions of different cases are, with values masked."""
    import numpy as np

    alike = found.alike
    classes = table(
        ["Jaccard similarity", "Pairs of sessions", "Share"],
        [
            [
                f"{'0' if not low else f'over {low:g}'} to {high:g}",
                count,
                _share(count, alike.pairs, 3),
            ]
            for low, high, count in zip(alike.edges, alike.edges[1:], alike.counts, strict=False)
        ],
    )
    ranks = (0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1)
    quantiles = np.quantile(alike.nearest or (0.0,), ranks).tolist()
    nearest = table(
        [
            "The most alike session of another case",
            *("least" if not q else f"{q:.0%}" for q in ranks[:-1]),
            "most",
        ],
        [["Jaccard similarity", *(f"{value:.2f}" for value in quantiles)]],
    )
    between = " and ".join(alike.between)
    times = len(alike.turns_by_cases)
    turns = (
        f"Of {alike.user_turns:,} different user turns, masked, "
        + ", ".join(
            f"{count:,} stand in {number} case{'s' * (number > 1)}"
            for number, count in enumerate(alike.turns_by_cases, start=1)
            if count
        )
        + f". The most frequent stands in {times}"
        + (f", for example: *{_short(alike.most_frequent)}*" if alike.most_frequent else "")
    )
    highest = f"The highest similarity is {max(alike.nearest, default=0):.3f}" + (
        f", between {between}." if alike.between[0] else "."
    )
    return "\n\n".join([highest, classes, nearest, turns])


def naming(found: Naming) -> str:
    """Return the spread of names, values, dates and the forms of dates."""
    values = ", ".join(f"{count:,} {_plural(name, count)}" for name, count in found.values.items())
    people = (
        f"{found.subjects:,} people are subjects, none of more than {found.most_subject} "
        f"{_plural('case', found.most_subject)}; {found.people:,} people are named, with {found.given:,} "
        f"given and {found.family:,} family names. The subjects' names are from {found.cultures} of the "
        f"{found.known_cultures} groups of names in the pool, {found.largest_culture:.1%} of them from the "
        "largest."
    )
    used = (
        f"Different values and handles, those of decoys included: {values}. No service is the target's in "
        f"more than {found.most_service} {_plural('case', found.most_service)}."
    )
    days = list(found.days.values()) or [0]
    dates = (
        f"The targets have {found.dates:,} different dates, from {found.years[0]} to {found.years[1]}, on "
        f"{len(found.days)} different days of the month ({min(days)} to {max(days)} cases each)."
    )
    months = table(["Month", *_MONTHS], [["Targets", *found.months]])
    total = sum(found.forms.values())
    forms = table(
        ["Dates are written like", "Times", "Share"],
        [[form, count, _share(count, total)] for form, count in found.forms.items() if count],
    )
    return "\n\n".join([people, used, dates, months, forms])


def nearness(found: Nearness) -> str:
    """Return how near sites and handles are to services, by family."""

    def row(name: str, site: Near, handle: Near, bold: str = "") -> list[object]:
        return [
            f"{bold}{name}{bold}",
            *(
                cell
                for near in (site, handle)
                for cell in (
                    f"{near.mean:.2f}",
                    f"{near.others:.2f}",
                    f"{near.highest:.2f}",
                    f"{near.name} / {near.service}" if near.names else "",
                )
            ),
        ]

    rows = [row(family, found.sites[family], found.handles[family]) for family in found.sites]
    rows.append(row("all", found.all_sites, found.all_handles))
    head = ["Family"]
    for what in ("Sites", "Handles"):
        head += [f"{what}: mean", "to other families", "highest", "that is"]
    return table(head, rows)


def calibration(found: Calibration) -> str:
    """Return Available and Joinable of the reference memory by number of records and configuration."""
    sizes = list(found.overall)
    head = [
        "Records",
        *(f"{name}: {what}" for name in (*found.by_configuration, "all") for what in ("Avail.", "Joinable")),
    ]
    rows = []
    for size in sizes:
        shares = [*(shares[size] for shares in found.by_configuration.values()), found.overall[size]]
        cells = (cell for share in shares for cell in (f"{share.available:.1%}", f"{share.joinable:.1%}"))
        rows.append([f"k = {size}" if size != "all" else "all", *cells])
    return table(head, rows)


def goal(found: Calibration) -> str:
    """Say whether the release keeps to its goal."""
    share = found.overall[str(GOAL_SIZE)].joinable
    kept = "is met" if share >= GOAL else "is **not** met"
    return f"The goal, at least {GOAL:.0%} joinable at k = {GOAL_SIZE}, {kept}: {share:.1%}."


def _spread_table(head: str, rows: Mapping[str, Quantiles]) -> str:
    return table(
        [head, "least", "10%", "median", "90%", "most", "mean"],
        [
            [name, *(f"{value:g}" for value in (q.least, q.p10, q.median, q.p90, q.most)), f"{q.mean:.1f}"]
            for name, q in rows.items()
        ],
    )


def _share(part: int, whole: int, digits: int = 1) -> str:
    return f"{part / whole if whole else 0:.{digits}%}"


def _short(text: str, words: int = 14) -> str:
    found = text.replace("_", "...").split()
    return " ".join(found[:words]) + (" ..." if len(found) > words else "")


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return {"alias": "aliases", "entry": "entries"}.get(word, f"{word}s")
