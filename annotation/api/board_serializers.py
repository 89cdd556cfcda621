"""How studies and their boards look to a coordinator."""

import uuid

from rest_framework import serializers

from annotation.agreement import StatData
from annotation.api.serializers import StudyOfBatchSerializer
from annotation.board import AgreementRow, BatchOfExpert, BatchRow, Board, ExpertRow, Totals
from annotation.models import Member, Revision, State, Study
from annotation.studies import BatchOfStudy, StudyRow, StudyView
from backend.accounts.models import User
from backend.science.statistic import REASONS


class StudyRowSerializer(serializers.Serializer[StudyRow]):
    id = serializers.UUIDField(source="study.id")
    name = serializers.CharField(source="study.name")
    status = serializers.ChoiceField(Study.Status.choices, source="study.status")
    is_demo = serializers.BooleanField(source="study.is_demo")
    roles = serializers.ListField(child=serializers.ChoiceField(Member.Role.choices))
    batches = serializers.IntegerField()
    questions = serializers.IntegerField()
    experts = serializers.IntegerField()
    answered = serializers.IntegerField(source="progress.answered")
    expected = serializers.IntegerField(source="progress.total")
    created_at = serializers.DateTimeField(source="study.created_at")


class StudiesSerializer(serializers.Serializer[dict[str, list[StudyRow]]]):
    results = StudyRowSerializer(many=True)


class BatchOfStudySerializer(serializers.Serializer[BatchOfStudy]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    questions = serializers.IntegerField()


class StudySerializer(serializers.Serializer[StudyView]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Study.Status.choices)
    is_demo = serializers.BooleanField()
    roles = serializers.ListField(child=serializers.ChoiceField(Member.Role.choices))
    batches = BatchOfStudySerializer(many=True)


class StatusSerializer(serializers.Serializer[dict[str, str]]):
    status = serializers.ChoiceField(Study.Status.choices)


class BatchesSerializer(serializers.Serializer[dict[str, list[uuid.UUID]]]):
    batches = serializers.ListField(child=serializers.UUIDField(), max_length=1000)


class NamedPersonSerializer(serializers.Serializer[User]):
    id = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    is_simulated = serializers.BooleanField()


class StatSerializer(serializers.Serializer[StatData]):
    """A number with what it rests on, or the reason why there is none."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="95% interval over questions.")
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="Questions that have a value.")
    reason = serializers.ChoiceField(REASONS, allow_null=True)
    interval_reason = serializers.ChoiceField(
        REASONS, allow_null=True, help_text="Why there is no interval."
    )


class AgreementSerializer(serializers.Serializer[AgreementRow]):
    kendall_w = StatSerializer(source="statistics.kendall_w")
    tau_b = StatSerializer(source="statistics.tau_b")
    top1 = StatSerializer(source="statistics.top1")
    questions = serializers.IntegerField(
        source="statistics.questions", help_text="Those that two or more experts put in order."
    )
    not_sure_left_out = serializers.IntegerField(source="statistics.not_sure_left_out")
    skipped_left_out = serializers.IntegerField(source="statistics.skipped_left_out")
    computed_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="Answers came in since; new numbers are asked for.")


class TotalsSerializer(serializers.Serializer[Totals]):
    answered = serializers.IntegerField(source="progress.answered")
    expected = serializers.IntegerField(source="progress.total")
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    changed_share = serializers.FloatField(source="progress.changed_share", allow_null=True)
    not_sure_share = serializers.FloatField(source="progress.not_sure_share", allow_null=True)
    experts = serializers.IntegerField()
    active = NamedPersonSerializer(many=True)
    finish_at = serializers.DateTimeField(
        allow_null=True, help_text="At the pace of the last seven days; null if too few to tell."
    )


class BatchRowSerializer(serializers.Serializer[BatchRow]):
    id = serializers.UUIDField(source="batch.id")
    number = serializers.IntegerField(source="batch.number")
    name = serializers.CharField(source="batch.name", allow_blank=True)
    questions = serializers.IntegerField()
    experts = serializers.IntegerField()
    answered = serializers.IntegerField(source="progress.answered")
    expected = serializers.IntegerField(source="progress.total")
    skipped = serializers.IntegerField(source="progress.skipped")
    active = NamedPersonSerializer(many=True)
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    confirmed = serializers.IntegerField(source="progress.confirmed")
    changed = serializers.IntegerField(source="progress.changed")
    not_sure = serializers.IntegerField(source="progress.not_sure")
    changed_share = serializers.FloatField(
        source="progress.changed_share", allow_null=True, help_text="Of the orders submitted."
    )
    agreement = AgreementSerializer(allow_null=True)


class RecentSerializer(serializers.Serializer[Revision]):
    at = serializers.DateTimeField(source="submitted_at")
    expert = NamedPersonSerializer(source="response.assignment.expert")
    batch_number = serializers.IntegerField(source="response.assignment.batch.number")
    question_number = serializers.IntegerField(source="response.assignment.question.number")
    state = serializers.ChoiceField(State.choices)
    confidence = serializers.IntegerField(allow_null=True)


class BatchOfExpertSerializer(serializers.Serializer[BatchOfExpert]):
    id = serializers.UUIDField(source="batch.id")
    number = serializers.IntegerField(source="batch.number")
    answered = serializers.IntegerField(source="progress.answered")
    total = serializers.IntegerField(source="progress.total")


class ExpertRowSerializer(serializers.Serializer[ExpertRow]):
    id = serializers.UUIDField(source="user.id")
    name = serializers.CharField(source="user.name", allow_blank=True)
    email = serializers.EmailField(source="user.email")
    is_simulated = serializers.BooleanField(source="user.is_simulated")
    consented = serializers.BooleanField()
    batches = BatchOfExpertSerializer(many=True)
    answered = serializers.IntegerField(source="progress.answered")
    total = serializers.IntegerField(source="progress.total")
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    changed_share = serializers.FloatField(source="progress.changed_share", allow_null=True)
    last_at = serializers.DateTimeField(source="progress.last_at", allow_null=True)


class BoardSerializer(serializers.Serializer[Board]):
    study = StudyOfBatchSerializer()
    version = serializers.IntegerField(help_text="Grows; a message with a higher one is news.")
    computed_at = serializers.DateTimeField(allow_null=True)
    totals = TotalsSerializer()
    batches = BatchRowSerializer(many=True)
    recent = RecentSerializer(many=True)
    experts = ExpertRowSerializer(many=True)
