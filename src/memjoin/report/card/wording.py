"""How long the text of a set of cases is, and how it repeats itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memjoin.cases.likeness import Spread, spread
from memjoin.cases.schema import Case
from memjoin.report.card.quantiles import Quantiles, quantiles
from memjoin.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class Wording:
    """The figures. Words are tokens: runs of letters and digits.

    Attributes:
        trigrams: How many runs of three words there are within turns.
        distinct_trigrams: How many different ones.
        alike: How alike sessions of different cases are, with values masked.
    """

    sessions: int
    turns: int
    words: int
    vocabulary: int
    turns_a_session: Quantiles
    words_a_session: Quantiles
    words_a_user_turn: Quantiles
    words_an_assistant_turn: Quantiles
    words_a_task: Quantiles
    trigrams: int
    distinct_trigrams: int
    alike: Spread


def read(cases: Sequence[Case]) -> Wording:
    """Measure the text of a set of cases."""
    sessions = [session for case in cases for session in case.sessions]
    lengths: dict[str, list[int]] = {"user": [], "assistant": []}
    by_session = []
    words: Counter[str] = Counter()
    trigrams: Counter[tuple[str, ...]] = Counter()
    for session in sessions:
        total = 0
        for turn in session.turns:
            said = tokens(turn.text)
            total += len(said)
            lengths[turn.speaker].append(len(said))
            words.update(said)
            trigrams.update(said[at : at + 3] for at in range(len(said) - 2))
        by_session.append(total)
    return Wording(
        sessions=len(sessions),
        turns=sum(len(session.turns) for session in sessions),
        words=words.total(),
        vocabulary=len(words),
        turns_a_session=quantiles(len(session.turns) for session in sessions),
        words_a_session=quantiles(by_session),
        words_a_user_turn=quantiles(lengths["user"]),
        words_an_assistant_turn=quantiles(lengths["assistant"]),
        words_a_task=quantiles(len(tokens(case.task.text)) for case in cases),
        trigrams=trigrams.total(),
        distinct_trigrams=len(trigrams),
        alike=spread(cases),
    )
