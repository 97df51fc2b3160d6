"""How a case is printed: colours on a terminal, the same marks in the text everywhere."""

from __future__ import annotations

from functools import partial

from rich.console import Console
from rich.text import Text

from memjoin.cases.schema import Case
from memjoin.cases.show import LEGEND, MARKS, Role, facts, heading, segments
from memjoin.cli.consoles import output
from memjoin.text.visible import visible

_STYLES: dict[Role, str] = {
    "plain": "",
    "clue": "yellow",
    "decoy": "dim",
    "cue": "bold cyan",
    "value": "bold red",
    "item": "green",
}


def print_case(case: Case, console: Console | None = None) -> None:
    """Print a case's sessions, task and annotation."""
    console = console or output()
    # Lines are broken on a terminal alone: elsewhere somebody may search or compare them.
    write = partial(console.print, markup=False, highlight=False, soft_wrap=not console.is_terminal)
    write(visible(heading(case)), style="bold")
    write(_legend())
    for number, session in enumerate(case.sessions):
        write()
        write(visible(f"{session.id}, {session.at.replace('T', ' ')}"), style="bold")
        for place, turn in enumerate(session.turns):
            line = Text(f"{turn.speaker:>9}: ", style="blue")
            for segment in segments(case, number, place):
                line.append(visible(segment.text, keep="\n"), style=_STYLES[segment.role])
            write(line)
    write()
    write(visible(f"Task for {case.task.recipient}"), style="bold")
    write(visible(case.task.text, keep="\n"))
    write()
    for label, line_text in facts(case):
        write(Text.assemble((f"{label}: ", "bold"), visible(line_text)))


def _legend() -> Text:
    legend = Text()
    for role, meaning in LEGEND:
        start, end = MARKS[role]
        legend.append(f"{start}...{end}", style=_STYLES[role])
        legend.append(f" {meaning}" + ("; " if role != LEGEND[-1][0] else ""))
    return legend
