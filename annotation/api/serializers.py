"""How questions, answers and batches look from outside."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.answers import (
    EVENTS_AT_MOST,
    Look,
    Order,
    ResponseData,
    Sent,
    SentEvent,
    YoursData,
    as_told,
    prior_of,
    untouched,
)
from annotation.api.fields import EventValue, OrderField, SentOrder
from annotation.models import (
    Action,
    Assignment,
    Batch,
    EventKind,
    ReasonTag,
    Response,
    State,
    Study,
    UnsureReason,
)
from annotation.policies import CONSENT_VERSION
from annotation.studies import BatchOfMine
from backend.benchmarks.models import Candidate, Question, Resource
from backend.common.schema import ProblemSerializer


class ResourceSerializer(serializers.Serializer[Resource]):
    name = serializers.CharField()
    link = serializers.CharField(allow_blank=True)


class CandidateSerializer(serializers.Serializer[Candidate]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    link = serializers.CharField(allow_blank=True)
    prior_rank = serializers.IntegerField()


class QuestionSerializer(serializers.Serializer[Question]):
    id = serializers.UUIDField()
    file_id = serializers.CharField()
    number = serializers.IntegerField()
    text = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    resources = ResourceSerializer(many=True)
    candidates = CandidateSerializer(many=True)
    prior = serializers.SerializerMethodField()

    @extend_schema_field(OrderField)
    def get_prior(self, question: Question) -> Order:
        return prior_of(question.candidates.all())


class SubmittedSerializer(serializers.Serializer[Response]):
    """The submission that counts."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(State.choices)
    submitted_at = serializers.DateTimeField()


class ResponseSerializer(serializers.Serializer[Response]):
    """The shape of `annotation.answers.as_told`, which is what is sent."""

    version = serializers.IntegerField()
    state = serializers.ChoiceField(State.choices)
    ranking = OrderField
    confidence = serializers.IntegerField(allow_null=True, min_value=1, max_value=5)
    reasons = serializers.ListField(child=serializers.ChoiceField(ReasonTag.choices))
    comment = serializers.CharField(allow_blank=True)
    unsure_reason = serializers.ChoiceField(UnsureReason.choices, allow_blank=True)
    active_ms = serializers.IntegerField()
    updated_at = serializers.DateTimeField(allow_null=True)
    submitted = SubmittedSerializer(allow_null=True)


class AssignmentSerializer(serializers.Serializer[Assignment]):
    id = serializers.UUIDField()
    question = QuestionSerializer()
    response = serializers.SerializerMethodField()

    @extend_schema_field(ResponseSerializer)
    def get_response(self, assignment: Assignment) -> ResponseData:
        found = getattr(assignment, "response", None)
        prior = prior_of(assignment.question.candidates.all())
        return as_told(found or untouched(assignment, prior))


class StudyOfBatchSerializer(serializers.Serializer[Study]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Study.Status.choices)
    is_demo = serializers.BooleanField()


class StudyOfHomeSerializer(StudyOfBatchSerializer):
    consent_needed = serializers.SerializerMethodField()

    def get_consent_needed(self, study: Study) -> bool:
        return bool(self.context["consent_needed"][study.id])


class BatchOfMineSerializer(serializers.Serializer[BatchOfMine]):
    id = serializers.UUIDField(source="batch.id")
    number = serializers.IntegerField(source="batch.number")
    name = serializers.CharField(source="batch.name", allow_blank=True)
    study = StudyOfHomeSerializer(source="batch.study")
    total = serializers.IntegerField(source="progress.total")
    answered = serializers.IntegerField(source="progress.answered")
    confirmed = serializers.IntegerField(source="progress.confirmed")
    changed = serializers.IntegerField(source="progress.changed")
    not_sure = serializers.IntegerField(source="progress.not_sure")
    skipped = serializers.IntegerField(source="progress.skipped")
    drafts = serializers.IntegerField(source="progress.drafts")
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    expected_left_ms = serializers.IntegerField(source="progress.expected_left_ms", allow_null=True)


class HomeSerializer(serializers.Serializer[dict[str, list[BatchOfMine]]]):
    results = BatchOfMineSerializer(many=True)


class BatchSerializer(serializers.Serializer[Batch]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    study = StudyOfBatchSerializer()


class BatchAssignmentsSerializer(serializers.Serializer[dict[str, Any]]):
    batch = BatchSerializer()
    total = serializers.IntegerField()
    assignments = AssignmentSerializer(many=True)


class ConsentSerializer(serializers.Serializer[dict[str, str]]):
    version = serializers.CharField(max_length=20, help_text=f"Now '{CONSENT_VERSION}'.")


class EventSerializer(serializers.Serializer[dict[str, Any]]):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(EventKind.choices)
    old = EventValue(allow_null=True, default=None)
    new = EventValue(allow_null=True, default=None)
    at = serializers.DateTimeField(help_text="The device's clock, kept as told.")


class LookSerializer(serializers.Serializer[dict[str, Any]]):
    """What was done at a question, and for how long."""

    active_ms = serializers.IntegerField(
        help_text="Active time since the last accepted write; kept between 0 and one day."
    )
    events: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=EventSerializer(), max_length=EVENTS_AT_MOST
    )
    interface = serializers.CharField(max_length=40)

    def look(self) -> Look:
        return Look(**self.told())

    def told(self) -> dict[str, Any]:
        data = dict(self.validated_data)
        return {**data, "events": tuple(SentEvent(**event) for event in data["events"])}


class WriteSerializer(LookSerializer):
    """One write of an answer, and what was done on the way to it."""

    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    action = serializers.ChoiceField(Action.choices)
    ranking = SentOrder(allow_null=True)
    confidence = serializers.IntegerField(allow_null=True, min_value=1, max_value=5)
    reasons = serializers.ListField(
        child=serializers.ChoiceField(ReasonTag.choices), max_length=len(ReasonTag)
    )
    comment = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=10_000)
    unsure_reason = serializers.ChoiceField(UnsureReason.choices, allow_blank=True)

    def sent(self) -> Sent:
        data = self.told()
        reasons = tuple(dict.fromkeys(data["reasons"]))
        return Sent(**{**data, "action": Action(data["action"]), "reasons": reasons})


class YoursSerializer(serializers.Serializer[YoursData]):
    version = serializers.IntegerField()
    action = serializers.ChoiceField(Action.choices)
    ranking = OrderField
    confidence = serializers.IntegerField(allow_null=True)
    reasons = serializers.ListField(child=serializers.ChoiceField(ReasonTag.choices))
    comment = serializers.CharField(allow_blank=True)
    unsure_reason = serializers.ChoiceField(UnsureReason.choices, allow_blank=True)


class StaleSerializer(ProblemSerializer):
    """With code stale_version, both versions; with study_closed, neither."""

    current = ResponseSerializer(required=False)
    yours = YoursSerializer(required=False)
