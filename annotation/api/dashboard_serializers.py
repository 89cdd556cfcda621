import uuid
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.evidence_serializers import DashboardEvidenceSerializer
from annotation.api.serializers import BatchStudySerializer, QualificationSerializer
from annotation.dashboard import (
    BatchAgreementState,
    BatchSummary,
    Dashboard,
    ExpertBatch,
    ExpertSummary,
    RecentRevision,
    StudyTotals,
)
from annotation.expert_flags import ExpertFlag
from annotation.kinds.figures import Figure, Section
from annotation.kinds.measures import Measure
from annotation.statistics_cache import StatisticsState
from annotation.studies import CoordinatedStudy, StudyBatch, StudyDetails
from backend.accounts.models import User
from backend.common.serializers import serializer_of, shadowing_field
from backend.science.optional_statistic import REASONS
from backend.studies.life_cycle import possible_moves
from backend.studies.models import Member, Study


class CoordinatedStudySerializer(serializers.Serializer[CoordinatedStudy]):
    id = serializers.UUIDField(source="study.id")
    name = serializers.CharField(source="study.name")
    kind = serializers.CharField(source="study.kind")
    status = serializers.ChoiceField(Study.Status.choices, source="study.status")
    is_demo = serializers.BooleanField(source="study.is_demo")
    roles = serializers.ListField(child=serializers.ChoiceField(Member.Role.choices))
    batches = serializers.IntegerField()
    questions = serializers.IntegerField()
    experts = serializers.IntegerField()
    answered = serializers.IntegerField(source="progress.answered")
    expected = serializers.IntegerField(source="progress.total")
    created_at = serializers.DateTimeField(source="study.created_at")


class StudiesSerializer(serializers.Serializer[dict[str, list[CoordinatedStudy]]]):
    results = CoordinatedStudySerializer(many=True)


StudySerializer = serializer_of(
    StudyDetails, "Study", batches=serializer_of(StudyBatch, "StudyBatch")(many=True)
)


class StudyChangeSerializer(serializers.Serializer[dict[str, Any]]):
    """Fields that are absent stay as they are."""

    status = serializers.ChoiceField(Study.Status.choices, required=False)
    description = serializers.CharField(allow_blank=True, max_length=2000, required=False)
    contact = serializers.EmailField(
        allow_blank=True, required=False, help_text="Where its experts can write to."
    )
    closes_on = serializers.DateField(
        allow_null=True, required=False, help_text="Shown to experts. It closes nothing by itself."
    )


class BatchesSerializer(serializers.Serializer[dict[str, list[uuid.UUID]]]):
    batches = serializers.ListField(child=serializers.UUIDField(), max_length=1000)


class PersonSerializer(serializers.Serializer[User]):
    id = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    is_simulated = serializers.BooleanField()


class MeasureSerializer(serializers.Serializer[Measure]):
    """A number with its interval, or the reason why there is none."""

    name = serializers.CharField()
    label = shadowing_field(serializers.CharField())
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="95% interval over questions.")
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="Observations that the value rests on.")
    reason = serializers.ChoiceField(REASONS, allow_null=True)
    interval_reason = serializers.ChoiceField(
        REASONS, allow_null=True, help_text="Why there is no interval."
    )


class AgreementSerializer(serializers.Serializer[BatchAgreementState]):
    measures = MeasureSerializer(many=True, source="statistics.measures")
    questions = serializers.IntegerField(
        source="statistics.questions", help_text="Questions that two or more experts answered."
    )
    left_out = serializers.DictField(
        child=serializers.IntegerField(),
        source="statistics.left_out",
        help_text="Answers that no measure uses, by outcome.",
    )
    computed_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="There are newer answers; a worker computes anew.")


StatisticsSectionSerializer = serializer_of(
    Section, "StatisticsSection", figures=serializer_of(Figure, "StatisticsFigure")(many=True)
)


class StudyStatisticsSerializer(serializers.Serializer[StatisticsState]):
    sections = StatisticsSectionSerializer(many=True, allow_null=True)
    computed_at = serializers.DateTimeField(allow_null=True)
    stale = serializers.BooleanField(help_text="There are newer answers; a worker computes anew.")


class OutcomeCountsField(serializers.DictField):
    child = serializers.IntegerField()

    def __init__(self, **options: Any) -> None:
        super().__init__(
            source="progress.outcomes",
            help_text="Newest submissions by outcome: every outcome of the kind, and 'skipped'. "
            "While no results are shown, 'answered' instead of outcomes that show the answer.",
            **options,
        )


class StudyTotalsSerializer(serializers.Serializer[StudyTotals]):
    answered = serializers.IntegerField(source="progress.answered")
    expected = serializers.IntegerField(source="progress.total")
    outcomes = OutcomeCountsField()
    shares = MeasureSerializer(many=True)
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    experts = serializers.IntegerField()
    active = PersonSerializer(many=True)
    finish_at = serializers.DateTimeField(
        allow_null=True, help_text="At the pace of the last seven days; null if too few answers."
    )


class BatchSummarySerializer(serializers.Serializer[BatchSummary]):
    id = serializers.UUIDField(source="batch.id")
    number = serializers.IntegerField(source="batch.number")
    name = serializers.CharField(source="batch.name", allow_blank=True)
    questions = serializers.IntegerField()
    experts = serializers.IntegerField()
    answered = serializers.IntegerField(source="progress.answered")
    expected = serializers.IntegerField(source="progress.total")
    outcomes = OutcomeCountsField()
    shares = MeasureSerializer(many=True)
    active = PersonSerializer(many=True)
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    agreement = AgreementSerializer(allow_null=True)


class RecentRevisionSerializer(serializers.Serializer[RecentRevision]):
    at = serializers.DateTimeField(source="revision.submitted_at")
    expert = PersonSerializer(source="revision.response.assignment.expert")
    batch_number = serializers.IntegerField(source="revision.response.assignment.batch.number")
    question_number = serializers.IntegerField(
        source="revision.response.assignment.question.number"
    )
    outcome = serializers.CharField(
        help_text="'answered' instead of an outcome that shows the answer."
    )


class ExpertBatchSerializer(serializers.Serializer[ExpertBatch]):
    id = serializers.UUIDField(source="batch.id")
    number = serializers.IntegerField(source="batch.number")
    answered = serializers.IntegerField(source="progress.answered")
    total = serializers.IntegerField(source="progress.total")


class ExpertSummarySerializer(serializers.Serializer[ExpertSummary]):
    id = serializers.UUIDField(source="user.id")
    name = serializers.CharField(source="user.name", allow_blank=True)
    email = serializers.EmailField(source="user.email")
    is_simulated = serializers.BooleanField(source="user.is_simulated")
    consented = serializers.BooleanField()
    batches = ExpertBatchSerializer(many=True)
    answered = serializers.IntegerField(source="progress.answered")
    total = serializers.IntegerField(source="progress.total")
    outcomes = OutcomeCountsField()
    shares = MeasureSerializer(many=True)
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    last_at = serializers.DateTimeField(source="progress.last_at", allow_null=True)
    reminded_at = serializers.DateTimeField(allow_null=True)
    flags = serializer_of(ExpertFlag)(many=True)
    qualification = QualificationSerializer(allow_null=True)


class DashboardStudySerializer(BatchStudySerializer):
    moves = serializers.SerializerMethodField(help_text="The states that it can be given next.")

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(Study.Status.choices)))
    def get_moves(self, study: Study) -> list[Study.Status]:
        return possible_moves(study)


class DashboardSerializer(serializers.Serializer[Dashboard]):
    study = DashboardStudySerializer()
    shows_results = serializers.BooleanField(
        help_text="Whether outcomes, shares and measures have how questions were answered: once "
        "the study has ended, and nothing waits for an adjudication."
    )
    version = serializers.IntegerField(help_text="Grows; a message with a higher one is news.")
    computed_at = serializers.DateTimeField(allow_null=True)
    totals = StudyTotalsSerializer()
    batches = BatchSummarySerializer(many=True)
    recent = RecentRevisionSerializer(many=True)
    experts = ExpertSummarySerializer(many=True)
    evidence = DashboardEvidenceSerializer(allow_null=True)
