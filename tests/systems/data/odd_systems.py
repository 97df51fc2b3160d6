"""One system that keeps the contract, and others that each break one point of it."""

from __future__ import annotations

import datetime
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

from memjoin.systems.endpoint import Endpoint, EndpointError
from memjoin.systems.protocol import Loss, Record, Session, Settings, WriteReport


class Good:
    """Asks a model for a title of each session, and keeps the title and the turns."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.endpoint = Endpoint(settings)
        self.records: list[Record] = []

    def reset(self, case_id: str, seed: int) -> None:
        self.records = []

    def write(self, session: Session) -> WriteReport:
        losses: list[Loss] = []
        calls = self.endpoint.calls
        added = [
            Record(f"{session.id}/{number}", f"[{session.at}] {turn.text}", created=session.at)
            for number, turn in enumerate(session.turns)
        ]
        try:
            title = self.endpoint.chat([{"role": "user", "content": session.turns[0].text}])["content"]
        except EndpointError as error:
            losses.append(Loss("model-error", str(error)))
        else:
            if title:
                added.append(Record(f"{session.id}/title", title))
            else:
                losses.append(Loss("empty-reply", "no title"))
        self.records += added
        return WriteReport(len(added), model_calls=self.endpoint.calls - calls, losses=tuple(losses))

    def export(self) -> list[Record]:
        return list(self.records)

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        words = set(query.lower().split())
        score = {r.id: len(words & set(r.text.lower().split())) for r in self.records}
        return sorted(self.records, key=lambda record: -score[record.id])[:k]

    def close(self) -> None:
        self.endpoint.close()


class Forgetful(Good):
    """Stores nothing, and says so."""

    def write(self, session: Session) -> WriteReport:
        return WriteReport(losses=(Loss("nothing-stored", "out of paper"),))


class Leaky(Good):
    """Leaves the last record of a case behind."""

    def reset(self, case_id: str, seed: int) -> None:
        self.records = self.records[-1:]


class Recalling(Good):
    """Keeps one answer for another case's query."""

    last: list[Record] | None = None

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        self.last = self.last or super().retrieve(query, k)
        return self.last[:k]

    def write(self, session: Session) -> WriteReport:
        if session.id.startswith("choir-1"):
            self.last = None
        report = super().write(session)
        if session.id.startswith("choir-3"):
            self.retrieve("Sandpiper", None)
        return report


class Littering(Good):
    """Leaves a file behind."""

    def write(self, session: Session) -> WriteReport:
        (Path(self.settings.home) / session.id).write_text(session.turns[0].text)
        return super().write(session)


class Strengthening(Good):
    """Stamps what it recalls."""

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        found = super().retrieve(query, k)
        self.records = [replace(r, updated="2041-05-05") if r in found[:1] else r for r in self.records]
        return found


class Wandering(Good):
    """Finds something else each time."""

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        self.asked = getattr(self, "asked", 0) + 1
        return super().retrieve(query, k)[self.asked :]


class Generous(Good):
    """Does not look at k."""

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        return super().retrieve(query, None)


class Paged(Good):
    """Exports the first twelve records only, as a client with a page size does."""

    def export(self) -> list[Record]:
        return self.records[:12]


class Shuffled(Good):
    """Exports the other way round every other time."""

    def export(self) -> list[Record]:
        self.turned = not getattr(self, "turned", False)
        return self.records if self.turned else self.records[::-1]


class Prepending(Good):
    """Moves what was there when something is added."""

    def write(self, session: Session) -> WriteReport:
        earlier, self.records = self.records, []
        report = super().write(session)
        self.records += earlier[::-1]
        return report


class Boasting(Good):
    """Reports a model call that it does not make."""

    def write(self, session: Session) -> WriteReport:
        report = super().write(session)
        return replace(report, model_calls=report.model_calls + 1)


class Rewriting(Good):
    """Changes a record and does not report it."""

    def write(self, session: Session) -> WriteReport:
        self.records = [replace(r, text=r.text + " (old)") for r in self.records]
        return super().write(session)


class Inventing(Good):
    """Retrieves what it does not export."""

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        return [Record("extra", "A line that nobody said."), *super().retrieve(query, k)][:k]


class Undated(Good):
    """Ignores when a session was."""

    def write(self, session: Session) -> WriteReport:
        report = super().write(session)
        self.records = [replace(r, text=r.text.split("] ")[-1], created=None) for r in self.records]
        return report


class Stamping(Good):
    """Stamps records with today's date."""

    def write(self, session: Session) -> WriteReport:
        report = super().write(session)
        now = datetime.datetime.now().isoformat(timespec="minutes")
        self.records = [replace(r, updated=now) for r in self.records]
        return report


class Random(Good):
    """Gives random ids."""

    def write(self, session: Session) -> WriteReport:
        before = len(self.records)
        report = super().write(session)
        self.records[before:] = [replace(r, id=uuid.uuid4().hex) for r in self.records[before:]]
        return report


class Swallowing(Good):
    """Says nothing of a reply that it could not use."""

    def write(self, session: Session) -> WriteReport:
        return replace(super().write(session), losses=())


class Ignoring(Good):
    """Takes no reply as text, and says nothing of those that are no title."""

    def write(self, session: Session) -> WriteReport:
        report = super().write(session)
        if self.records[-1].id.endswith("title") and not self.records[-1].text.startswith("Title"):
            self.records[-1] = replace(self.records[-1], text="Untitled")
        return report


class Stuck(Good):
    """Stores nothing any more once a reply was bad."""

    stuck = False

    def write(self, session: Session) -> WriteReport:
        if self.stuck:
            return WriteReport()
        report = super().write(session)
        self.stuck = bool(report.losses)
        return report

    def reset(self, case_id: str, seed: int) -> None:
        super().reset(case_id, seed)
        self.stuck = False


class Raising(Good):
    """Lets the endpoint's errors through."""

    def write(self, session: Session) -> WriteReport:
        report = super().write(session)
        if report.losses:
            raise RuntimeError(report.losses[0].detail)
        return report


class Fragile(Good):
    """Fails over text that is not ASCII."""

    def write(self, session: Session) -> WriteReport:
        for turn in session.turns:
            turn.text.encode("ascii")
        return super().write(session)


class Wrong(Good):
    """Returns dictionaries."""

    def export(self) -> Any:
        return [{"id": record.id, "text": record.text} for record in self.records]


class Unopened(Good):
    """Does not even open."""

    def reset(self, case_id: str, seed: int) -> None:
        raise OSError("no such store")
