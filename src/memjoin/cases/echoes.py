"""Remarks that echo each other: two of one turn that say different things in the same words."""

from __future__ import annotations

from collections import Counter

from memjoin.cases.plaintext import masked, phrase, plain
from memjoin.cases.schema import Case

WORDS = 4
"""From how many words on the wording of a remark counts, names and values left out.

"KV-4821 is for Alder Court. KV-3307 is for Fennel Row." is how people talk; a longer sentence that comes
twice in a row, with other names, looks like the template that it is.
"""

_MARK = " _ "


def echo(case: Case) -> str:
    """Return a wording that two remarks of one turn share, names and values masked, or nothing.

    A clue and a decoy that share a sentence are one remark.
    """
    annotation = case.annotation
    forms = {form for named in annotation.handles for form in named.forms}
    forms.update(form for _, value in annotation.values for form in value.forms)
    wanted = sorted({phrase(form) for form in forms}, key=lambda one: (-len(one), one))
    said: Counter[tuple[int, int, str]] = Counter()
    for span in {span for clue in annotation.clues for span in clue.sentences}:
        text = plain(case.sessions[span.session].turns[span.turn].text[span.start : span.end])
        words = masked(text, wanted, _MARK).split()
        if len(words) - words.count("_") >= WORDS:
            said[span.session, span.turn, " ".join(words)] += 1
    return min((wording for (_, _, wording), times in said.items() if times > 1), default="")
