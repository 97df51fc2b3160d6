"""Building cases: from a family and a topology to sessions, task and annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from memjoin.cases.annotate import annotate
from memjoin.cases.chance import pick, sample
from memjoin.cases.draw import draw_cast
from memjoin.cases.family import Family
from memjoin.cases.pool import Pool
from memjoin.cases.schema import Case, Configuration, Session, Task
from memjoin.cases.templates import say
from memjoin.cases.topologies import Plan, all_topologies, plan_for
from memjoin.cases.verify import findings
from memjoin.cases.write import Draft, write_clue, write_small_talk
from memjoin.errors import MemJoinError

TRIES = 40
"""How often a case is drawn anew when a draw breaks a property (an alias that small talk uses, say)."""

_TASK_SLOTS = {"who": "N", "service": "V", "site": "S", "date": "D"}
_OTHER_SESSIONS = (0, 0, 1, 1, 2, 2)
"""How many sessions without a clue a case has."""


def case_id(family: str, configuration: str, topology: str, number: int) -> str:
    """Return a case's id; ``number`` counts from 1 within family and topology."""
    return f"{family}-{configuration}-{topology}-{number:02}"


def build_case(
    family: Family,
    pool: Pool,
    configuration: Configuration,
    topology: str,
    number: int = 1,
    seed: int = 0,
    redraw: int = 0,
) -> Case:
    """Build one case; the same arguments always give the same case.

    Args:
        family: The kind of situation.
        pool: What families share.
        configuration: RJ, UC or WM.
        topology: One of the configuration's four.
        number: Which case of this family and topology, from 1.
        seed: The seed of the set of cases.
        redraw: Which draw to begin with; the release draws anew what is too alike.

    Raises:
        MemJoinError: No draw of ``TRIES`` keeps all properties; the message says which one broke last.
    """
    name = case_id(family.id, configuration, topology, number)
    plan = plan_for(family.id, configuration, topology)
    problem = ""
    for draw in range(redraw * TRIES, (redraw + 1) * TRIES):
        rng = Random(f"{seed}/{name}/{draw}")
        case = _assemble(family, pool, plan, configuration, topology, name, rng)
        found = findings(case)
        if not found:
            return case
        problem = f"{found[0].property}: {found[0].problem}"
    raise MemJoinError(
        f"{name}: no case without a broken property in {TRIES} draws; the last one broke {problem}",
        "Look in the family's file for wordings or values that clash with each other.",
    )


def build_cases(
    families: Sequence[Family], pool: Pool, per_family: int = 12, seed: int = 0
) -> Iterator[Case]:
    """Build cases of several families: ``per_family`` of each, going round the twelve topologies.

    Raises:
        MemJoinError: A family names a topic that the pool does not have, or no draw keeps the properties.
    """
    topologies = list(all_topologies())
    for family in families:
        check_topics(family, pool)
    for family in families:
        for place in range(per_family):
            configuration, topology = topologies[place % len(topologies)]
            yield build_case(family, pool, configuration, topology, place // len(topologies) + 1, seed)


def check_topics(family: Family, pool: Pool) -> None:
    """Check that the pool has the topics that a family names.

    Raises:
        MemJoinError: It lacks one.
    """
    for topic in family.topics:
        if topic not in pool.topics:
            raise MemJoinError(
                f"{family.id}: there is no topic '{topic}' in smalltalk.yaml",
                f"Known: {', '.join(sorted(pool.topics))}.",
            )


def _assemble(
    family: Family,
    pool: Pool,
    plan: Plan,
    configuration: Configuration,
    topology: str,
    name: str,
    rng: Random,
) -> Case:
    random = rng.random
    others = pick(random, _OTHER_SESSIONS)
    total = len(plan.steps) + others
    cast = draw_cast(family, pool, plan, configuration, total, random)
    draft = Draft.of(family, pool, plan, cast, random)
    places = sorted(sample(random, range(total), len(plan.steps)))
    write_small_talk(draft, total, places)
    form = pick(random, family.tasks)
    items = sample(random, form.errands, len(form.errands))
    # The person's item stands where the name stands.
    items.insert(plan.named_in, form.person)
    for step, place in enumerate(places):
        write_clue(draft, step, items[step], place)
    values = draft.words | {slot: cast.surfaces[variable].name for slot, variable in _TASK_SLOTS.items()}
    wordings = (pick(random, form.text), form.recipient, form.purpose, form.why)
    texts = [say(wording, values, random) for wording in wordings]
    return Case(
        id=name,
        family=family.id,
        category=family.category,
        situation=family.situation,
        configuration=configuration,
        topology=topology,
        sessions=tuple(
            [
                Session(f"s{place}", at, tuple(turns))
                for place, (at, turns) in enumerate(zip(cast.times, draft.sessions, strict=True), 1)
            ]
        ),
        task=Task(*texts[:3]),
        annotation=annotate(draft, texts[3]),
    )
