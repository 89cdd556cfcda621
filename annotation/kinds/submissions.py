"""The newest submissions of assignments, as agreement and consensus read them."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from annotation.kinds.base import AnyKind, Payload
from annotation.models import Assignment, Revision
from backend.studies.models import Study

MIN_RATERS = 2
ADAPTIVE = "adaptive"


@dataclass
class LatestSubmissions:
    """answers: by question, those with a measured outcome, to the complete item.

    raters: who gave them, in the same order; is_adaptive: whether their question was drawn because
    it informs. left_out: how many others, by outcome. revision_count includes the older revisions.
    """

    answers: dict[uuid.UUID, list[Payload]] = field(default_factory=lambda: defaultdict(list))
    raters: dict[uuid.UUID, list[uuid.UUID]] = field(default_factory=lambda: defaultdict(list))
    is_adaptive: dict[uuid.UUID, list[bool]] = field(default_factory=lambda: defaultdict(list))
    left_out: Counter[str] = field(default_factory=Counter)
    revision_count: int = 0

    def random_part(self) -> "LatestSubmissions":
        """Without answers to questions that were drawn because they inform: an agreement of these
        depends on the draw. left_out has their number as 'adaptive'."""
        result = LatestSubmissions(left_out=self.left_out, revision_count=self.revision_count)
        adaptive = 0
        for question, answers in self.answers.items():
            rows = zip(self.raters[question], answers, self.is_adaptive[question], strict=True)
            for rater, answer, is_adaptive in rows:
                adaptive += is_adaptive
                if not is_adaptive:
                    result.raters[question].append(rater)
                    result.answers[question].append(answer)
        result.left_out = self.left_out + Counter({ADAPTIVE: adaptive})
        return result

    def by_question(self) -> list[Mapping[uuid.UUID, Payload]]:
        """By expert, in an order that is the same every time, for seeded resampling."""
        return [
            dict(zip(self.raters[question], answers, strict=True))
            for question, answers in sorted(self.answers.items())
        ]

    @property
    def compared_questions(self) -> int:
        return sum(len(answers) >= MIN_RATERS for answers in self.answers.values())


def read_latest_submissions(assignments: QuerySet[Assignment], kind: AnyKind) -> LatestSubmissions:
    """One statement, so that the revision count and the answers are of the same moment.

    Answers that do not count are left out; their revisions are counted, and each withdrawal as one
    more: the count never falls.
    """
    counted = Assignment.objects.counted()
    latest = LatestSubmissions()
    rows = (
        Revision.objects.filter(
            response__assignment__in=assignments, number=F("response__submitted_number")
        )
        .values_list(
            "response__assignment__question_id",
            "response__assignment__expert_id",
            "response__assignment__arms",
            "outcome",
            Coalesce("payload", "legacy__payload"),
            "number",
            "response__assignment__state",
            "response__assignment__is_adaptive",
            Exists(counted.filter(pk=OuterRef("response__assignment"))),
        )
        .order_by("response_id")
    )
    for question, expert, arms, outcome, payload, number, state, is_adaptive, counts in rows:
        latest.revision_count += number + (state == Assignment.State.WITHDRAWN)
        if not counts:
            continue
        if kind.is_measured(outcome):
            latest.raters[question].append(expert)
            latest.is_adaptive[question].append(is_adaptive)
            latest.answers[question].append(kind.convert(payload, arms, {}))
        else:
            latest.left_out[outcome] += 1
    return latest


def read_adjudicated_answers(study: Study, kind: AnyKind) -> dict[uuid.UUID, Payload]:
    """By question, the newest adjudication with a measured outcome, to the complete item."""
    rows = Revision.objects.filter(
        response__assignment__in=Assignment.objects.adjudications().filter(study=study),
        number=F("response__submitted_number"),
    ).select_related("response__assignment")
    return {
        one.response.assignment.question_id: kind.convert(
            one.answer, one.response.assignment.arms, {}
        )
        for one in rows
        if kind.is_measured(one.outcome)
    }
