"""`memjoin systems`: the memory systems, their environments, and the contract they keep."""

from __future__ import annotations

from typing import Annotated

import typer

systems = typer.Typer(
    no_args_is_help=True,
    help="The memory systems: list them, install them, check that one keeps the contract.",
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(systems, name="systems")


@systems.command("list")
def list_systems(as_json: AsJson = False) -> None:
    """List every system: version, licence, what it exports, how it retrieves, how it deviates from upstream.

    Example: `memjoin systems list --json`
    """
    import json

    from memjoin.systems import describe, registry

    specs = registry.known()
    if as_json:
        typer.echo(json.dumps([describe.describe(spec) for spec in specs], indent=2))
        return
    typer.echo(describe.listing(specs))


@systems.command()
def install(
    names: Annotated[
        list[str] | None, typer.Argument(help="Systems, as `memjoin systems list` has them.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every system there is.")] = False,
) -> None:
    """Make the environments of systems now, rather than when they are first used.

    Where one cannot be made, the others are. Interrupted, it goes on when it is repeated.

    Examples: `memjoin systems install mem0`, `memjoin systems install --all`
    """
    from memjoin.systems import environments, registry

    if every == bool(names):
        raise typer.BadParameter("name systems, or give --all")
    specs = registry.known() if every else [registry.find(name) for name in names or []]
    try:
        environments.install(specs, report=typer.echo)
    except KeyboardInterrupt:
        typer.echo("Stopped. What is installed stays; repeat the command to go on.", err=True)
        raise typer.Exit(130) from None


@systems.command()
def check(
    system: Annotated[
        str, typer.Argument(help="A name, `./folder`, `package.module:Class` or `exec: command`.")
    ],
    writer: Annotated[str, typer.Option(help="The model that answers the system's chat calls.")] = "embedded",
    embedder: Annotated[str, typer.Option(help="What embeds texts for it.")] = "embedded",
    as_json: AsJson = False,
) -> None:
    """Try the contract on a system: isolation, completeness, dates, losses that are reported.

    Exits with 1 if a point fails. Examples: `memjoin systems check mem0`,
    `memjoin systems check my_package.memory:MyMemory`, `memjoin systems check "exec: ./my_memory"`
    """
    import json
    import sys
    from contextlib import redirect_stdout
    from dataclasses import asdict

    from memjoin.runs.check import check_system
    from memjoin.systems import registry

    spec = registry.find(system)
    findings = []
    out = sys.stdout
    with redirect_stdout(sys.stderr):  # there goes what a class in this process prints
        for finding in check_system(
            spec, writer=writer, embedder=embedder, report=lambda line: typer.echo(line, err=True)
        ):
            findings.append(finding)
            if not as_json:
                typer.echo(f"{finding.outcome:<15}{finding.name}: {finding.evidence}", file=out)
    failed = [finding.name for finding in findings if finding.outcome == "failed"]
    if as_json:
        found = [asdict(finding) for finding in findings]
        typer.echo(json.dumps({"system": spec.name, "passed": not failed, "findings": found}, indent=2))
    else:
        broken = f"does not keep the contract: {', '.join(failed)}. docs/systems.md explains each point."
        typer.echo(f"{spec.name} {broken if failed else 'keeps the contract.'}")
    if failed:
        raise typer.Exit(1)
