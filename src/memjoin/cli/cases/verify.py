"""`memjoin cases verify`: the properties of every case."""

from __future__ import annotations

import typer

from memjoin.cli.cases.options import AsJson, CasesFile


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("verify")(verify)


def verify(file: CasesFile = None, as_json: AsJson = False) -> None:
    """Check the properties P1 to P11 of every case, from its text.

    Exits with 1 if a case breaks one. Examples: `memjoin cases verify`,
    `memjoin cases verify --cases own.jsonl --json`
    """
    import json

    from memjoin.cases import files, release, table
    from memjoin.cases.verify import verify as check

    report = check(release.load() if file is None else files.iter_cases(file))
    if as_json:
        typer.echo(json.dumps(table.report(report), ensure_ascii=False, indent=2))
    else:
        for line in table.report_lines(report):
            typer.echo(line)
    if report.findings or not report.checked:
        raise typer.Exit(1)
