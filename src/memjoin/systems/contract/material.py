"""The small conversations that contract checks write. Nothing in them comes from the cases."""

from __future__ import annotations

from collections.abc import Sequence

from memjoin.systems.protocol import Session, Turn

DATES = ("2041-03-14T09:30", "2041-03-20T18:05", "2041-04-02T11:45")
OTHER_DATES = ("2043-08-05T10:15", "2043-08-19T16:40", "2043-09-23T08:20")
"""Two sets of dates, far from today and from each other: no day, month or year is in both."""

_LATER = ("2041-05-06T12:00",)

_CHOIR = (
    (
        ("user", "For the choir list: Ottilie Vanterpool keeps the scores, and her locker is number 318."),
        ("assistant", "Noted. Do you want the list by voice or by name?"),
        ("user", "By name. On the rota she is down as Sandpiper, so write it that way."),
        ("assistant", "I will write it that way."),
    ),
    (
        ("user", "The spring concert moved to Larkmoor Hall, and parking code QF-7719 is for the altos."),
        ("assistant", "Shall I tell the basses to park elsewhere?"),
        ("user", "Yes, the basses have the yard behind Tolland Street 14."),
        ("assistant", "Done, the yard behind Tolland Street 14 is for the basses."),
    ),
    (
        ("user", "Sandpiper wants the tea urn ready at Larkmoor Hall by half past six."),
        ("assistant", "How many cups should there be?"),
        ("user", "Forty cups, and the sugar is in the box with the label VANT-2."),
        ("assistant", "Forty cups and the box with the label VANT-2."),
    ),
)

_GARDEN = (
    (
        ("user", "Plot 52 at the allotments belongs to Bastien Okonjo now, he grows only beans."),
        ("assistant", "Should I move his name up on the waiting list for the shed?"),
        ("user", "Please do, the shed key is under tag RH-4460 at the Wexcombe gate."),
        ("assistant", "Moved up, and the key is under tag RH-4460."),
    ),
)

MARKERS = ("Vanterpool", "Sandpiper", "QF-7719", "Larkmoor", "Tolland", "VANT-2")
"""Words of the choir that no other conversation has."""

QUERY = "Where is Larkmoor Hall's parking, and what does Sandpiper keep in locker 318?"
OTHER_QUERY = "Whose is plot 52, and where is the key to the shed?"

_UNUSUAL = (
    ("user", "Zoë Ångström-O'Brien wrote \"5 > 3 & {x: 'y'}\" on card №7, 100% sure: C:\\temp\\n."),
    ("assistant", ""),
    ("user", "На двери 12 висит табличка 茶室, рядом שלום и 👩‍👩‍👧 на карточке KD-0042.\n\nNew line\there."),
    ("assistant", "Noted: e\u0301 and \u202ereversed\u202c, and a zero\u200bwidth space."),
    ("user", " ".join(f"Shelf {number} holds box {number * 7}." for number in range(1, 1200))),
    ("assistant", "That is a long list."),
)


def choir(dates: Sequence[str] = DATES) -> list[Session]:
    """Return three sessions about a choir, at the given dates."""
    return _sessions("choir", _CHOIR, dates)


def garden() -> list[Session]:
    """Return one session about something else, with other people, later than the choir's first three."""
    return _sessions("garden", _GARDEN, _LATER)


def unusual() -> Session:
    """Return a session of an empty turn, a turn of 25,000 characters, many scripts and many quotes."""
    return _sessions("unusual", (_UNUSUAL,), DATES)[0]


def _sessions(name: str, talks: Sequence[Sequence[tuple[str, str]]], dates: Sequence[str]) -> list[Session]:
    return [
        Session(f"{name}-{number}", at, tuple(Turn(speaker, text) for speaker, text in talk))
        for number, (talk, at) in enumerate(zip(talks, dates, strict=False), start=1)
    ]
