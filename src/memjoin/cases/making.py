"""Making a file of cases: build, verify, write, and say what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from memjoin.cases import files, release
from memjoin.cases.build import build_cases
from memjoin.cases.family import Family, choose_families, families, read_family
from memjoin.cases.likeness import MOST_CASES, Likeness, likeness
from memjoin.cases.pool import load_pool
from memjoin.errors import MemJoinError


@dataclass(frozen=True, slots=True)
class Made:
    """A file of cases that was made: where, from what, and how alike its cases are."""

    path: str
    cases: int
    families: tuple[str, ...]
    seed: int
    sha256: str
    likeness: Likeness

    def plain(self) -> dict[str, object]:
        """Return it as JSON has it."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Go through what a person is told."""
        alike = self.likeness
        yield f"{self.cases} cases of {', '.join(self.families)}, seed {self.seed}, all verified: {self.path}"
        yield f"SHA-256 {self.sha256}"
        if alike.highest:
            first, second = alike.between
            yield (
                f"Most alike, with values masked: {first} and {second} share {alike.highest:.1%} of their "
                f"five-word runs (of {alike.sessions} sessions)"
            )
        yield (
            f"User turns in more than {MOST_CASES} cases, with values masked: {len(alike.repeated)} "
            f"of {alike.user_turns}"
        )


def make(
    path: Path,
    seed: int | None = None,
    per_family: int = release.PER_FAMILY,
    wanted: Sequence[str] = (),
    own: Sequence[Path] = (),
) -> Made:
    """Build a file of cases.

    Up to ``release.PER_FAMILY`` cases a family, those too like others are drawn anew; larger sets are built
    one after the other as they come, and their likeness is reported.

    Args:
        path: The file to write.
        seed: The seed; the release's if None.
        per_family: Cases of each family.
        wanted: Ids of families; all that there are if empty, or the own ones alone if there are any.
        own: Family files besides those that come with MemJoin.

    Raises:
        MemJoinError: A family is unknown or breaks its form, no draw keeps the properties, or the file
            cannot be written.
    """
    seed = release.SEED if seed is None else seed
    chosen = _families(wanted, own)
    pool = load_pool()
    if not path.parent.is_dir():
        raise MemJoinError(f"{path}: there is no folder {path.parent}", "Make it first, or name another.")
    unlike = per_family <= release.PER_FAMILY
    build = release.build_release if unlike else build_cases
    number = files.write_cases(build(chosen, pool, per_family, seed), path)
    return Made(
        path=str(path),
        cases=number,
        families=tuple(family.id for family in chosen),
        seed=seed,
        sha256=release.file_digest(path),
        likeness=likeness(files.iter_cases(path)),
    )


def _families(wanted: Sequence[str], own: Sequence[Path]) -> list[Family]:
    mine = {family.id: family for family in map(read_family, own)}
    known = families() | mine
    if not wanted and mine:
        return list(mine.values())
    return choose_families([name.upper() if name not in known else name for name in wanted], known)
