"""`memjoin power`: how large a difference a number of cases can show."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(power)


def power(
    cases: Annotated[int, typer.Option("--cases", min=1, help="Paired cases.")],
    discordance: Annotated[
        list[float] | None,
        typer.Option(
            "--discordance",
            min=0.0,
            max=1.0,
            help="Share of cases that come out differently in the two arms. Repeatable. Default: a range.",
        ),
    ] = None,
    at_power: Annotated[
        float, typer.Option("--power", min=0.01, max=0.999, help="Probability of finding the difference.")
    ] = 0.8,
    alpha: Annotated[
        float, typer.Option("--alpha", min=0.000001, max=0.5, help="Level of the family of comparisons.")
    ] = 0.05,
    comparisons: Annotated[
        int, typer.Option("--comparisons", min=1, help="How many comparisons the family has.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how large a difference in disclosure (or completion) a number of paired cases can show.

    * `memjoin power --cases 288`
    * `memjoin power --cases 288 --discordance 0.2 --comparisons 11`

    The test is the two-sided exact McNemar test. The difference hangs on how many cases come out differently
    in the two arms; `memjoin report` prints that of a run (b + c), and how much of it is noise.
    """
    from memjoin.analysis.builders.power import detectable_differences
    from memjoin.analysis.power import DISCORDANCES, detectable

    found = [detectable(cases, each, alpha / comparisons, at_power) for each in discordance or DISCORDANCES]
    table = detectable_differences(found, alpha, at_power, comparisons)
    if as_json:
        from memjoin.analysis.render import as_json as rendered

        typer.echo(rendered(table), nl=False)
        return
    from memjoin.analysis.layout import plain

    typer.echo(plain(table), nl=False)
