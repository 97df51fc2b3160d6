"""`memjoin cases`: the cases of the release and one's own, shown, verified and built."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from memjoin.cases.schema import Case

cases = typer.Typer(
    no_args_is_help=True,
    help="The cases: list them, read one, verify their properties, build further ones.",
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CasesFile = Annotated[
    Path | None, typer.Option("--cases", help="A file of cases (.jsonl) instead of the release.")
]
Families = Annotated[list[str] | None, typer.Option("--family", help="Only this family; repeatable.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(cases, name="cases")


def _source(path: Path | None) -> list[Case]:
    from memjoin.cases import files, release

    return release.load() if path is None else files.read_cases(path)


@cases.command("list")
def list_cases(
    family: Families = None,
    configuration: Annotated[list[str] | None, typer.Option(help="Only RJ, UC or WM; repeatable.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only those of the preset `quick`.")] = False,
    file: CasesFile = None,
    as_json: AsJson = False,
) -> None:
    """List cases: family, situation, evidence configuration, topology, stratum.

    Examples: `memjoin cases list --family F19`, `memjoin cases list --configuration UC --json`
    """
    import json

    from memjoin.cases import release, table

    chosen = release.select(
        _source(file), families=family or (), configurations=[name.upper() for name in configuration or ()]
    )
    if quick:
        chosen = release.quick(chosen)
    if as_json:
        typer.echo(json.dumps([table.row(case) for case in chosen], ensure_ascii=False, indent=2))
        return
    for line in table.lines(chosen):
        typer.echo(line)
    typer.echo(table.summary(chosen, release.VERSION if file is None else file.name))


@cases.command()
def show(
    case_id: Annotated[str, typer.Argument(metavar="ID", help="A case, as `memjoin cases list` has it.")],
    file: CasesFile = None,
    as_json: AsJson = False,
) -> None:
    """Show a case as a person would read it, with everything its annotation knows marked.

    Clues, decoys, cues, values of the target and required items bear marks, and colours on a terminal.

    Example: `memjoin cases show F19-RJ-chain-01`
    """
    import json

    from memjoin.cases import files, release

    (case,) = release.select(_source(file), ids=[case_id])
    if as_json:
        typer.echo(json.dumps(files.to_plain(case), ensure_ascii=False, indent=2))
        return
    from memjoin.cli.reading import print_case

    print_case(case)


@cases.command()
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


@cases.command()
def build(
    out: Annotated[Path, typer.Option(help="The file to write (.jsonl).")],
    seed: Annotated[int | None, typer.Option(help="The seed; that of the release if left out.")] = None,
    per_family: Annotated[int, typer.Option(min=1, help="How many cases of each family.")] = 12,
    family: Families = None,
    family_file: Annotated[
        list[Path] | None, typer.Option(help="A family file of your own (.yaml); repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build cases from the families; the same seed always gives the same bytes.

    Every case is verified as it is built. Up to 12 a family, those too alike are drawn anew, as for the
    release; of larger sets the likeness is reported.

    Examples: `memjoin cases build --seed 7 --per-family 400 --out more.jsonl`,
    `memjoin cases build --family-file mine.yaml --out mine.jsonl`
    """
    import json

    from memjoin.cases import making

    made = making.make(out, seed, per_family, family or (), family_file or ())
    if as_json:
        typer.echo(json.dumps(made.plain(), ensure_ascii=False, indent=2))
        return
    for line in made.lines():
        typer.echo(line)
