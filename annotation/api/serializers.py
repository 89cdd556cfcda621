import uuid
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.activity import MAX_ENTRIES
from annotation.api.evidence_serializers import PinnedGraphSerializer
from annotation.api.json_fields import EventValue, JsonObject, PayloadField
from annotation.conflicts import MAX_REASON_LENGTH
from annotation.kinds.base import AnyKind, Outcome
from annotation.kinds.items import hides_evidence
from annotation.kinds.registry import get_kind_or_raise
from annotation.known_answers import FeedbackData
from annotation.models import SKIPPED, Action, Assignment, Batch, Response, Status
from annotation.pool import MAX_LEASES
from annotation.presentations import build_item_of
from annotation.qualification import Qualification
from annotation.responses import ResponseData, new_response, serialize_response
from annotation.studies import TEXTS_TO_READ, AssignedBatch, QuestionMark, TextToRead
from backend.common.openapi import ProblemSerializer
from backend.common.serializers import serializer_of, shadowing_field
from backend.graphs.models import Version
from backend.graphs.study_links import pinned_version
from backend.studies.models import Study


class OutcomeSerializer(serializers.Serializer[object]):
    name = serializers.CharField()
    label = shadowing_field(serializers.CharField())
    is_answer = serializers.BooleanField()


class StudyKindSerializer(serializers.Serializer[AnyKind]):
    """A study kind, with every outcome that its responses can have."""

    kind = serializers.CharField(source="name")
    title = serializers.CharField()
    outcomes = serializers.SerializerMethodField()

    @extend_schema_field(OutcomeSerializer(many=True))
    def get_outcomes(self, kind: AnyKind) -> object:
        skipped = Outcome(SKIPPED, "Skipped", is_answer=False, is_measured=False)
        return OutcomeSerializer([*kind.outcomes, skipped], many=True).data


class StudyKindsSerializer(serializers.Serializer[dict[str, list[AnyKind]]]):
    results = StudyKindSerializer(many=True)


class SubmittedAnswerSerializer(serializers.Serializer[Response]):
    """The submission that counts."""

    number = serializers.IntegerField()
    outcome = serializers.CharField()
    submitted_at = serializers.DateTimeField()


QualificationSerializer = serializer_of(Qualification)


class FeedbackSerializer(serializers.Serializer[FeedbackData]):
    is_right = serializers.BooleanField(allow_null=True, help_text="Null for 'not sure'.")
    explanation = serializers.CharField(allow_blank=True)


class ResponseSerializer(serializers.Serializer[ResponseData]):
    """The shape of `annotation.responses.serialize_response`, which is what is sent."""

    version = serializers.IntegerField()
    status = serializers.ChoiceField(Status.choices)
    outcome = serializers.CharField(
        allow_blank=True, help_text="The study kind's word for how it was submitted, or 'skipped'."
    )
    payload = JsonObject(help_text="The study kind's answer.")
    active_ms = serializers.IntegerField()
    updated_at = serializers.DateTimeField(allow_null=True)
    submitted = SubmittedAnswerSerializer(allow_null=True)
    feedback = FeedbackSerializer(
        required=False,  # responses stored on devices may be older
        allow_null=True,
        help_text="Where the study shows the expert whether the answer is right.",
    )


class AssignmentSerializer(serializers.Serializer[Assignment]):
    id = serializers.UUIDField()
    item = serializers.SerializerMethodField()
    has_evidence = serializers.SerializerMethodField(
        help_text="Whether evidence is shown with this question, if the study has a graph."
    )
    response = serializers.SerializerMethodField()

    def to_representation(self, instance: Assignment) -> dict[str, Any]:
        kind = get_kind_or_raise(instance.study.kind)
        item = build_item_of(instance)
        result = getattr(instance, "response", None)
        response = result or new_response(instance, kind, item)
        return {
            "id": str(instance.id),
            "item": item.model_dump(mode="json"),
            "has_evidence": self.get_has_evidence(instance),
            "response": serialize_response(response),
        }

    @extend_schema_field(JsonObject(help_text="The study kind's item."))
    def get_item(self, assignment: Assignment) -> None:
        """For the schema."""

    def get_has_evidence(self, assignment: Assignment) -> bool:
        return not hides_evidence(assignment.arms)

    @extend_schema_field(ResponseSerializer)
    def get_response(self, assignment: Assignment) -> None:
        """For the schema."""


class BatchStudySerializer(serializers.Serializer[Study]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.CharField()
    status = serializers.ChoiceField(Study.Status.choices)
    is_demo = serializers.BooleanField()


class AssignedBatchStudySerializer(BatchStudySerializer):
    """description, contact and closes_on are what the coordinators wrote for their experts."""

    description = serializers.CharField(allow_blank=True)
    contact = serializers.CharField(allow_blank=True)
    closes_on = serializers.DateField(allow_null=True)
    coordinators = serializers.SerializerMethodField(help_text="Their names.")
    to_read = serializers.SerializerMethodField(
        help_text="Before the next question. Null when nothing newer has to be read."
    )
    qualification = serializers.SerializerMethodField()

    @extend_schema_field(QualificationSerializer(allow_null=True))
    def get_qualification(self, study: Study) -> object:
        shown: dict[uuid.UUID, Qualification] = self.context["qualifications"]
        return QualificationSerializer(shown[study.id]).data if study.id in shown else None

    def get_coordinators(self, study: Study) -> list[str]:
        names: dict[uuid.UUID, list[str]] = self.context["coordinators"]
        return names.get(study.id, [])

    @extend_schema_field(serializers.ChoiceField(TEXTS_TO_READ, allow_null=True))
    def get_to_read(self, study: Study) -> TextToRead | None:
        texts: dict[uuid.UUID, TextToRead | None] = self.context["to_read"]
        return texts[study.id]


class AssignedBatchSerializer(serializers.Serializer[AssignedBatch]):
    id = serializers.UUIDField(source="batch.id")
    number = serializers.IntegerField(source="batch.number")
    name = serializers.CharField(source="batch.name", allow_blank=True)
    study = AssignedBatchStudySerializer(source="batch.study")
    total = serializers.IntegerField(source="progress.total")
    answered = serializers.IntegerField(source="progress.answered")
    outcomes = serializers.DictField(child=serializers.IntegerField(), source="progress.outcomes")
    drafts = serializers.IntegerField(source="progress.drafts")
    marks = serializer_of(QuestionMark)(many=True)
    median_active_ms = serializers.IntegerField(source="progress.median_active_ms", allow_null=True)
    expected_left_ms = serializers.IntegerField(source="progress.expected_left_ms", allow_null=True)


class AssignedBatchesSerializer(serializers.Serializer[dict[str, list[AssignedBatch]]]):
    results = AssignedBatchSerializer(many=True)


class GuidelineTextSerializer(serializers.Serializer[dict[str, Any]]):
    number = serializers.IntegerField()
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class StudyWithGraphSerializer(BatchStudySerializer):
    graph = serializers.SerializerMethodField()

    @extend_schema_field(PinnedGraphSerializer(allow_null=True))
    def get_graph(self, study: Study) -> object:
        version: Version | None = pinned_version(study)
        return PinnedGraphSerializer(version).data if version else None


class BatchSerializer(serializers.Serializer[Batch]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    study = StudyWithGraphSerializer()
    guidelines = GuidelineTextSerializer(allow_null=True, help_text="The newest of the study.")


class BatchAssignmentsSerializer(serializers.Serializer[dict[str, Any]]):
    batch = BatchSerializer()
    total = serializers.IntegerField()
    available = serializers.IntegerField(help_text="Of a pool: what could be leased besides.")
    assignments = AssignmentSerializer(many=True)


class LeaseSerializer(serializers.Serializer[dict[str, int]]):
    count = serializers.IntegerField(min_value=1, max_value=MAX_LEASES, default=1)


class ActivityEntrySerializer(serializers.Serializer[dict[str, Any]]):
    id = serializers.UUIDField(help_text="Made by the client; a known id changes nothing.")
    kind = serializers.CharField(max_length=40, help_text="Of the core or of the study kind.")
    at = serializers.DateTimeField(help_text="The device's clock.")
    active_ms = serializers.IntegerField(
        default=0, help_text="Active time that this entry reports; clamped to one day."
    )
    old = EventValue(allow_null=True, default=None)
    new = EventValue(allow_null=True, default=None)


class ActivitySerializer(serializers.Serializer[dict[str, Any]]):
    """Entries of the activity log, in any order and any number of times."""

    entries: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=ActivityEntrySerializer(), max_length=MAX_ENTRIES
    )
    interface = serializers.CharField(max_length=40)


class RecordedActivitySerializer(serializers.Serializer[dict[str, int]]):
    recorded = serializers.IntegerField(help_text="How many of the entries were new.")


class ResponseWriteSerializer(serializers.Serializer[dict[str, Any]]):
    """One write of an answer."""

    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    action = serializers.ChoiceField(Action.choices)
    outcome = serializers.CharField(
        allow_blank=True, max_length=40, help_text="What is submitted; empty for save and skip."
    )
    payload = PayloadField(help_text="The study kind's answer.")
    active_ms = serializers.IntegerField(
        help_text="Active time since the last time reported; clamped to one day."
    )
    guidelines = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        allow_null=True,
        default=None,
        help_text="The version of the guidelines that the page showed.",
    )
    conflict = serializers.CharField(
        max_length=MAX_REASON_LENGTH,
        default="",
        allow_blank=True,
        help_text="Of a skip: the conflict of interest. The question never comes again.",
    )


class ClientVersionSerializer(serializers.Serializer[dict[str, Any]]):
    version = serializers.IntegerField()
    action = serializers.ChoiceField(Action.choices)
    outcome = serializers.CharField(allow_blank=True)
    payload = JsonObject()


class VersionConflictSerializer(ProblemSerializer):
    """With code stale_version, both versions; with study_closed, neither."""

    server_version = ResponseSerializer(required=False)
    client_version = ClientVersionSerializer(required=False)
