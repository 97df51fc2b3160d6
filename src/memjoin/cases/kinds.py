"""The kinds of remark that clues are made of, and the slots that each kind's wordings fill."""

from __future__ import annotations

from dataclasses import dataclass

WORDS = frozenset({"noun", "roster", "board"})
"""Slots that every remark may use: words of the family for what carries a code, an alias, an entry."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of remark: what it says, the slots its wordings must fill and those they may fill."""

    name: str
    says: str
    needs: frozenset[str]
    may: frozenset[str] = WORDS


def _kinds(*rows: tuple[str, str, str, str]) -> dict[str, Kind]:
    return {
        name: Kind(name, says, frozenset(needs.split()), WORDS | frozenset(may.split()))
        for name, says, needs, may in rows
    }


KINDS: dict[str, Kind] = _kinds(
    # name, what it says, slots needed, slots allowed beyond the family's words
    ("alias", "a person goes by an alias", "who alias", ""),
    ("holder", "an entry belongs to a person or an alias", "who entry", ""),
    ("site", "an entry is at a site", "entry site", ""),
    ("service", "an entry is for a service", "entry service", ""),
    ("date", "an entry is on a date", "entry date", ""),
    ("renamed", "an entry known by a code now goes under another", "entry new", ""),
    ("renumbered", "an entry of the board has another number now", "entry new", ""),
    ("service-date", "an entry is for a service, on a date", "entry service date", ""),
    ("site-date", "an entry is at a site, on a date", "entry site date", ""),
    ("site-service", "an entry is for a service, at a site", "entry site service", ""),
    ("date-at-site", "what is at a site is on a date", "site date", ""),
    ("service-at-site", "what is at a site is a service", "site service", ""),
    ("site-on-date", "what is on a date is at a site", "date site", ""),
    ("service-on-date", "what is on a date is a service", "date service", ""),
    ("booked", "a new entry: a person, a site, a date", "who entry site date", ""),
    ("booked-date", "a new entry: a person, a date", "who entry date", ""),
    ("booked-service", "a new entry: a person, a service", "who entry service", ""),
    ("filled-site", "the blank place of an entry is filled", "entry site", ""),
    ("filled-service", "the blank purpose of an entry is filled", "entry service", ""),
    ("filled-date", "the blank day of an entry is filled", "entry date", ""),
    ("moved-site", "an entry is now at another site", "entry site", "old_site"),
    ("moved-date", "an entry is now on another date", "entry date", "old_date"),
    ("moved-holder", "an entry now belongs to another person", "entry who", "old_who"),
    ("slot-holder", "the user names a slot for something of a person's", "who entry", ""),
    ("slot-site", "the slot spoken of before is at a site", "entry site", ""),
    ("slot-service", "the slot spoken of before is for a service", "entry service", ""),
    ("slot-date", "the slot spoken of before is on a date", "entry date", ""),
    ("slot-renamed", "the slot spoken of before has a code elsewhere", "entry new", ""),
    ("slot-date-site", "the slot is on a date; its code is at a site", "entry date new site", ""),
    ("alias-pair", "two people and their two aliases", "who alias other_who other_alias", ""),
    ("holder-pair", "two entries and the two people they belong to", "who entry other_who other_entry", ""),
    ("site-pair", "two entries and their two sites", "entry site other_entry other_site", ""),
    ("service-pair", "two entries and their two services", "entry service other_entry other_service", ""),
    ("date-pair", "two entries and their two dates", "entry date other_entry other_date", ""),
)
