"""What data cards state about a study, in words: how its answers came about."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Min

from annotation.agreement import measure_agreement
from annotation.export_records import ExportRecord
from annotation.formats.jsonl.writer import head_record
from annotation.kinds.base import AnyKind
from annotation.kinds.measures import Measure
from annotation.kinds.registry import get_kind_or_raise
from annotation.kinds.submissions import read_latest_submissions
from annotation.models import Assignment, BatchQuestion, Response
from annotation.release_record import Record, count_answers, count_experts, describe_exclusions
from backend.common.pluralize import pluralize
from backend.studies.models import Study

LICENCE = "The study states no licence. Ask its coordinators before you publish the answers."


@dataclass(frozen=True)
class DataCard:
    """head: the study's own record. answers, experts: as a release counts them. first_at, last_at:
    of submissions, if there are any."""

    head: ExportRecord
    kind: AnyKind
    questions: int
    answers: Record
    experts: Record
    first_at: datetime | None
    last_at: datetime | None
    measures: list[Measure]

    @property
    def summary(self) -> str:
        people = pluralize(self.experts["answered"], "expert")
        parts = pluralize(self.questions, "question"), people
        answers = pluralize(self.answers["answered"], "submitted answer")
        return f"{self.kind.title}: {answers} to {parts[0]} by {parts[1]}."

    @property
    def people(self) -> str:
        """Nothing else is known of them."""
        members = pluralize(self.experts["members"], "expert")
        simulated = self.experts["simulated"]
        note = f", of whom {simulated} are simulated by a program" if simulated else ""
        answered = self.experts["answered"]
        return f"{members}{note}; {answered} answered; under pseudonyms; no demographics."

    @property
    def is_simulated(self) -> bool:
        """Whether a program drew every answer."""
        answered: int = self.answers["answered"]
        return 0 < answered == int(self.answers["simulated"])

    @property
    def protocol(self) -> Iterator[str]:
        outcomes = ", ".join(f"{one.label} ({one.name})" for one in self.kind.outcomes)
        yield f"Each answer ends in one of: {outcomes}; or it is skipped."
        design = self.head["design"]
        overlap = design["overlap"]
        if overlap is None:
            yield "Whole batches are assigned to experts."
        else:
            yield f"Questions come from a pool; each is for {pluralize(overlap, 'expert')}."
        for arm in self.kind.arms:
            shares = design["arm_shares"].get(arm.name)
            shown = ", ".join(f"{share:g} {level}" for level, share in (shares or {}).items())
            drawn = "balanced for each expert" if arm.is_balanced else shown
            if drawn:
                yield f"Arm '{arm.name}' ({', '.join(arm.levels)}): {drawn}."
        yield describe_exclusions(self.answers)
        yield f"Seed of everything drawn by chance: {design['seed']}."
        yield f"Software: Serendib {self.head['software']}."

    @property
    def agreement(self) -> Iterator[str]:
        for one in self.measures:
            if one["value"] is None:
                yield f"{one['label']}: undefined ({one['reason']}), n = {one['n']}."
            elif one["low"] is None or one["high"] is None:
                yield f"{one['label']}: {one['value']:.3f}, n = {one['n']}."
            else:
                interval = f"95 % interval {one['low']:.3f} to {one['high']:.3f}"
                yield f"{one['label']}: {one['value']:.3f} ({interval}), n = {one['n']}."


def describe_study(study: Study) -> DataCard:
    kind = get_kind_or_raise(study.kind)
    head = head_record(study)
    assignments = Assignment.objects.filter(study=study)
    submitted = Response.objects.filter(
        assignment__in=assignments.not_withdrawn(), submitted_number__gt=0
    )
    times = submitted.aggregate(first=Min("revisions__submitted_at"), last=Max("submitted_at"))
    latest = read_latest_submissions(assignments, kind)
    return DataCard(
        head=head,
        kind=kind,
        questions=BatchQuestion.objects.filter(batch__study=study, known_answer=None).count(),
        answers=count_answers(study, kind),
        experts=count_experts(study, kind),
        first_at=times["first"],
        last_at=times["last"],
        measures=measure_agreement(kind, latest, seed=head["design"]["seed"])["measures"],
    )
