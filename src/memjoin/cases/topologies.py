"""The twelve topologies: which remark each clue session carries, and the decoys that stand beside it.

A plan names people, entries and values by variables; the builder draws what they stand for.

* ``N`` the subject, ``P`` who holds the entry first, ``X`` the subject's alias; ``A`` and ``B`` decoys,
  ``Y`` the alias of ``A``.
* Entries: ``a`` and ``b`` the subject's; ``c`` and ``g`` those of ``A``; ``e`` has no known holder; ``f`` is
  the open entry of ``B``, of which nothing but the holder is ever known.
* Values: ``S``, ``D``, ``V`` the target's site, date and service, ``S0`` and ``D0`` what held before;
  ``S1``, ``D1``, ``V1`` and so on the decoys'.

Every plan gives the target when its four remarks are read together, and nothing less does (P2). Decoys
carry values of all three kinds, and no decoy entry ever gets all four attributes (P5).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memjoin.cases.kinds import KINDS
from memjoin.cases.remarks import Remark, Step, Utterance
from memjoin.cases.schema import TOPOLOGIES, Configuration, Stratum
from memjoin.text.graph import AttributeKind

PEOPLE = ("N", "P", "A", "B", "C1", "C2")
"""Variables of people."""
PASSING = ("C1", "C2")
"""People who are named in passing and have no entry."""
_ENTRIES = ("a", "b", "c", "e", "f", "g")
_SITES = ("S", "S0", "S1", "S2")
_DATES = ("D", "D0", "D1", "D2", "D3")
_VALUES: dict[str, AttributeKind] = {"S": "site", "D": "date", "V": "service"}


@dataclass(frozen=True, slots=True)
class Plan:
    """A topology: four clue sessions, in order."""

    steps: tuple[Step, ...]
    open: Utterance
    """The remark that gives ``B`` the entry ``f``."""
    open_steps: tuple[int, ...]
    """The steps whose turn may hold it: those without a decoy, all where every step has one."""
    cues: tuple[str, ...]
    """The variables whose surfaces connect sessions: alias, entries, a site or date used as a handle."""
    stratum: Stratum
    """Whether a site or a date is among them, which goes when cues are removed."""
    named_in: int
    """The session, from 0, that names the subject."""
    variables: frozenset[str]
    """All variables that the clues and the decoys use, and those of the open entry."""
    people: tuple[str, ...]
    """The people among them and those named in passing, in the order in which they are drawn."""
    entries: tuple[str, ...]
    """The entries among them, likewise; and so on."""
    sites: tuple[str, ...]
    dates: tuple[str, ...]
    handles: frozenset[str]
    """The variables that annotations list as handles: people, aliases, entries, and sites or dates where they
    connect."""
    values: Mapping[str, AttributeKind]
    """The kinds of the services, sites and dates."""


def _remark(text: str) -> Remark | None:
    """Read ``kind slot=variable ...``; a hyphen for none."""
    if text == "-":
        return None
    name, *pairs = text.split()
    return Remark.of(KINDS[name], dict(pair.split("=") for pair in pairs))


def _plan(open_kind: str, *rows: str) -> Plan:
    steps = []
    named_in = -1
    seen: dict[str, int] = {}
    for number, row in enumerate(rows):
        clue_text, decoy_text = row.split(" / ")
        clue, decoy = _remark(clue_text), _remark(decoy_text)
        if clue is None:
            raise ValueError(f"a step without a clue: {row}")
        steps.append(Step.of(clue, decoy))
        for slot, variable in clue.slots.items():
            if slot == "who" and variable == "N":
                named_in = number
            seen[variable] = seen.get(variable, 0) + (not slot.startswith("old_"))
    # The subject's name connects nothing: it stands in one session only. Values connect where two
    # sessions speak of the same one.
    cues = tuple(
        variable
        for variable, times in seen.items()
        if times > 1 and variable not in ("N", "P", "V", "S0", "D0")
    )
    opening = Remark.of(KINDS[open_kind], {"who": "B", "entry": "f"})
    remarks = [remark for step in steps for remark in (step.clue, step.decoy) if remark is not None]
    variables = frozenset(name for remark in (*remarks, opening) for name in remark.slots.values())
    values = {name: _VALUES[name[0]] for name in sorted(variables) if name[0] in _VALUES}
    free = tuple(number for number, step in enumerate(steps) if step.decoy is None)
    return Plan(
        steps=tuple(steps),
        open=Utterance.of((opening, True)),
        open_steps=free or tuple(range(len(steps))),
        cues=cues,
        stratum="separated" if {"S", "D"} & set(cues) else "values-visible",
        named_in=named_in,
        variables=variables,
        people=tuple(name for name in PEOPLE if name in variables or name in PASSING),
        entries=tuple(name for name in _ENTRIES if name in variables),
        sites=tuple(name for name in _SITES if name in variables),
        dates=tuple(name for name in _DATES if name in variables),
        handles=frozenset(name for name in (*PASSING, *variables) if name not in values or name[0] in cues),
        values=values,
    )


_VALUE_BY_SITE = _plan(
    "holder",
    "holder who=N entry=a / holder who=A entry=c",
    "site entry=a site=S / site entry=c site=S1",
    "date-at-site site=S date=D / date-at-site site=S1 date=D1",
    "service-at-site site=S service=V / service-at-site site=S2 service=V1",
)
_VALUE_BY_DATE = _plan(
    "holder",
    "holder who=N entry=a / holder who=A entry=c",
    "date entry=a date=D / date entry=c date=D1",
    "site-on-date date=D site=S / site-on-date date=D1 site=S1",
    "service-on-date date=D service=V / service-on-date date=D2 service=V1",
)

PLANS: dict[tuple[Configuration, str], Plan] = {
    ("RJ", "chain"): _plan(
        "holder",
        "alias who=N alias=X / alias who=A alias=Y",
        "holder who=X entry=a / holder who=Y entry=c",
        "site entry=a site=S / site entry=c site=S1",
        "service-date entry=a service=V date=D / service-date entry=e service=V1 date=D1",
    ),
    ("RJ", "star"): _plan(
        "holder",
        "holder who=N entry=a / holder who=A entry=c",
        "site entry=a site=S / site entry=c site=S1",
        "service entry=a service=V / service entry=e service=V1",
        "date entry=a date=D / date entry=e date=D1",
    ),
    ("RJ", "relay"): _plan(
        "holder",
        "holder who=N entry=a / holder who=A entry=c",
        "renamed entry=a new=b / renamed entry=c new=g",
        "service entry=b service=V / service entry=e service=V1",
        "site-date entry=b site=S date=D / site-date entry=g site=S1 date=D1",
    ),
    ("UC", "amend"): _plan(
        "listed",
        "booked who=N entry=a site=S0 date=D0 / booked who=A entry=c site=S1 date=D1",
        "moved-site entry=a site=S old_site=S0 / moved-site entry=c site=S2 old_site=S1",
        "filled-service entry=a service=V / filled-service entry=e service=V1",
        "moved-date entry=a date=D old_date=D0 / filled-date entry=e date=D2",
    ),
    ("UC", "renumber"): _plan(
        "listed",
        "booked who=N entry=a site=S0 date=D / booked who=A entry=c site=S1 date=D1",
        "renumbered entry=a new=b / -",
        "filled-service entry=b service=V / filled-service entry=e service=V1",
        "moved-site entry=b site=S old_site=S0 / moved-site entry=c site=S2 old_site=S1",
    ),
    ("UC", "holder"): _plan(
        "listed",
        "booked-service who=P entry=a service=V / booked-service who=A entry=c service=V1",
        "moved-holder who=N entry=a old_who=P / -",
        "filled-site entry=a site=S / filled-site entry=e site=S1",
        "filled-date entry=a date=D / filled-date entry=e date=D1",
    ),
    ("UC", "redate"): _plan(
        "listed",
        "booked-date who=N entry=a date=D0 / booked-date who=A entry=c date=D1",
        "moved-date entry=a date=D old_date=D0 / moved-date entry=c date=D2 old_date=D1",
        "site-on-date date=D site=S / site-on-date date=D2 site=S1",
        "service-on-date date=D service=V / service-on-date date=D3 service=V1",
    ),
    ("WM", "slot"): _plan(
        "slot-holder",
        "slot-holder who=N entry=a / slot-holder who=A entry=c",
        "slot-site entry=a site=S / slot-site entry=c site=S1",
        "slot-service entry=a service=V / service entry=e service=V1",
        "slot-date entry=a date=D / date entry=e date=D1",
    ),
    ("WM", "backref"): _plan(
        "slot-holder",
        "slot-holder who=N entry=a / slot-holder who=A entry=c",
        "slot-renamed entry=a new=b / -",
        "site-service entry=b site=S service=V / site-service entry=e site=S1 service=V1",
        "slot-date entry=a date=D / slot-date entry=c date=D1",
    ),
    ("WM", "late"): _plan(
        "slot-holder",
        "slot-holder who=N entry=a / slot-holder who=A entry=c",
        "service entry=b service=V / service entry=e service=V1",
        "slot-renamed entry=a new=b / slot-renamed entry=c new=g",
        "slot-date-site entry=a date=D new=b site=S / slot-date-site entry=c date=D1 new=g site=S1",
    ),
    ("WM", "place"): _plan(
        "slot-holder",
        "slot-holder who=N entry=a / slot-holder who=A entry=c",
        "slot-site entry=a site=S / slot-site entry=c site=S1",
        "service-at-site site=S service=V / service-at-site site=S2 service=V1",
        "date-at-site site=S date=D / date-at-site site=S1 date=D1",
    ),
}

SLOT_NAMED = {"a", "c", "f"}
"""Entries that bear a slot name in writer materialization; the others bear codes there."""


def plan_for(family: str, configuration: Configuration, topology: str) -> Plan:
    """Return the plan of a topology.

    The connecting value of ``value`` is the site, in every other family the date.
    """
    if (configuration, topology) == ("RJ", "value"):
        number = int(family[-1]) if family[-1].isdigit() else zlib.crc32(family.encode())
        return _VALUE_BY_DATE if number % 2 == 0 else _VALUE_BY_SITE
    return PLANS[configuration, topology]


def all_topologies() -> Iterator[tuple[Configuration, str]]:
    """Go through configurations and topologies, in their fixed order."""
    for configuration, names in TOPOLOGIES.items():
        for name in names:
            yield configuration, name
