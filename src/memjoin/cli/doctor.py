"""`memjoin doctor`: what is installed, what would be downloaded, which keys are set, disk space."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from memjoin.runs.doctor import Diagnosis


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(
    out: Annotated[Path, typer.Option("--out", help="The folder of all runs.")] = Path("runs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look at this machine: what is installed, what would be downloaded, which keys are set (names only).

    Makes and downloads nothing. Exits with 1 if something would keep a run from working.
    """
    from memjoin.runs.doctor import diagnose

    found = diagnose(out)
    if as_json:
        import json
        from dataclasses import asdict

        typer.echo(json.dumps(asdict(found), indent=2))
    else:
        typer.echo("\n".join(lines(found)))
    raise typer.Exit(1 if found.problems else 0)


def lines(found: Diagnosis) -> list[str]:
    """Return a diagnosis for people to read."""
    text = ["Installed"]
    text += [f"  {name} {version}" for name, version in found.versions.items()]
    text += [f"  cores: {found.cores}", f"  cases: {found.cases}", "", "Memory systems"]
    for system in found.systems:
        state = {
            "none needed": "needs no environment of its own",
            "ready": f"installed, {system.packages} packages, {system.size / 2**20:.0f} MB in {system.path}",
            "not made yet": f"{system.packages} packages would be downloaded",
        }[system.state]
        default = "; measured by default" if system.default else ""
        text.append(f"  {system.name}: {state}{default}")
    text += ["", "Keys that are set (used only where a model is named)"]
    text += [f"  {provider}: {', '.join(names)}" for provider, names in found.keys.items() if names] or [
        "  none"
    ]
    text += ["", "Disk"]
    for place in found.places:
        access = "" if place.writable else ", cannot be written"
        text.append(f"  {place.what}: {place.path}, {place.free / 2**30:.1f} GB free{access}")
    text += ["", "Problems" if found.problems else "Nothing stands in the way of a run."]
    return text + [f"  {problem}" for problem in found.problems]
