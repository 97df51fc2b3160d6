"""Qualify the lexical judge, and write the result that comes with MemJoin.

python benchmarks/judging.py [--write]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import memjoin.judging
from memjoin.judging.lexical import NAME
from memjoin.runs.judging.qualify import qualify

FILE = Path(memjoin.judging.__file__).parent / "data" / "qualification" / "lexical.json"


def main() -> None:
    """Print the result; with --write, put it into the package."""
    found = qualify(NAME, {}).result
    text = json.dumps(found.plain(), indent=2) + "\n"
    print(text, end="")
    if "--write" in sys.argv[1:]:
        FILE.write_text(text, encoding="utf-8")
        print(f"Written to {FILE}.", file=sys.stderr)


if __name__ == "__main__":
    main()
