"""Submissions, scores and validation reports in the API."""

import uuid
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.accounts.models import Team
from backend.accounts.teams import find_team
from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.fields import OneLineField
from backend.common.serializers import serializer_of, shadowing_field
from backend.evaluation.models import IntervalReason, Provenance, Score, Submission, SubmissionState
from backend.evaluation.queries import QueryUse
from backend.evaluation.query_reports import get_query_report
from backend.evaluation.tool_sessions import readable_session
from backend.evaluation.visibility import ScoreVisibility, score_visibility
from backend.jobs.api.serializers import JobErrorSerializer
from backend.validation.row_files.faults import RowFault

MOST_DOLLARS = 1_000_000_000
MOST_SECONDS = 31_536_000  # a year

QueryUseSerializer = serializer_of(QueryUse)
RowFaultSerializer = serializer_of(RowFault, "PredictionFault")


class PredictionFileSerializer(serializers.Serializer[Any]):
    """A file of predictions. Its name states format and compression."""

    release = serializers.SlugField(max_length=100)
    split = serializers.ChoiceField(ReleaseSplit.choices, default=ReleaseSplit.TEST)
    file = serializers.FileField(allow_empty_file=True, required=False)
    upload = serializers.UUIDField(
        required=False, help_text="In place of `file`: a complete upload of yours."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("file" in attrs) == ("upload" in attrs):
            message = "Send either a file or the id of an upload."
            raise serializers.ValidationError({"file": message}, code="required")
        return attrs


class ValidationSerializer(serializers.Serializer[Any]):
    """The first faults, in the order of the file, and how many there are in all."""

    is_valid = shadowing_field(serializers.BooleanField())
    digest = serializers.CharField(allow_blank=True)
    items = serializers.IntegerField()
    answered = serializers.IntegerField()
    total = serializers.IntegerField()
    faults = RowFaultSerializer(many=True)
    notices = RowFaultSerializer(many=True)


class DeclaredSerializer(serializers.Serializer[Any]):
    """What the submitter states about how the predictions were made."""

    cost_usd = serializers.FloatField(required=False, min_value=0, max_value=MOST_DOLLARS)
    latency_s = serializers.FloatField(required=False, min_value=0, max_value=MOST_SECONDS)
    hardware = OneLineField(max_length=200, required=False)
    sample = OneLineField(
        max_length=200, required=False, help_text="The part of the items answered."
    )
    method = serializers.CharField(
        max_length=2_000,
        required=False,
        help_text="How the predictions were made, such as prompt, decoding and training.",
    )
    notes = serializers.CharField(max_length=5_000, required=False)
    knowledge_until = serializers.IntegerField(
        required=False,
        min_value=1_900,
        max_value=9_999,
        help_text="The last year of which anything was read by the model.",
    )


class NewSubmissionSerializer(PredictionFileSerializer, DeclaredSerializer):
    model = serializers.SlugField(max_length=120)
    anonymous_until = serializers.DateTimeField(
        required=False, help_text="The board shows no name before; a time to come."
    )

    session = serializers.UUIDField(
        required=False, help_text="Of the tool calls that the predictions were made with."
    )

    def validate_anonymous_until(self, value: datetime) -> datetime:
        if value <= timezone.now():
            raise serializers.ValidationError("This time has passed. Choose a later one.")
        return value


class ScoreSerializer(serializers.Serializer[Score]):
    metric = serializers.CharField()
    slice = serializers.CharField()
    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()
    clusters = serializers.IntegerField()
    coverage = serializers.FloatField()
    method = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    interval_reason = serializers.ChoiceField(
        IntervalReason.choices,
        allow_blank=True,
        help_text="Why the interval is approximate (few_clusters) or missing.",
    )


class ModelReferenceSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class SubmissionErrorSerializer(JobErrorSerializer):
    job = serializers.UUIDField(
        allow_null=True,
        default=None,
        help_text="A reference for the administrator: of the job that failed, if there was one.",
    )


class SubmissionSerializer(serializers.Serializer[Submission]):
    """For those who may see the submission: its submitter, their team and the organisers."""

    id = serializers.UUIDField()
    release = serializers.CharField(source="release.slug")
    release_name = serializers.CharField(source="release.name")
    track = serializers.CharField(source="release.track")
    split = serializers.ChoiceField(ReleaseSplit.choices)
    model = ModelReferenceSerializer()
    submitter = serializers.CharField(
        source="submitted_by.name", default=None, allow_null=True, help_text="Null: an operator."
    )
    state = serializers.ChoiceField(SubmissionState.choices)
    provenance = serializers.ChoiceField(Provenance.choices)
    file_name = serializers.CharField()
    file_digest = serializers.CharField()
    file_size = serializers.IntegerField()
    predictions_digest = serializers.CharField()
    declared = serializers.DictField()
    error = SubmissionErrorSerializer(allow_null=True)
    is_standing = serializers.BooleanField(source="is_on_board")
    is_final = serializers.BooleanField()
    may_be_final = serializers.SerializerMethodField(
        help_text="Whether you may choose it as the final entry of its model now."
    )
    is_free = serializers.BooleanField()
    tool_calls = serializers.SerializerMethodField(help_text="Of the session that it names.")
    failed_queries = serializers.SerializerMethodField(
        help_text="Null where no prediction is a query, or scores are not shown."
    )
    session = serializers.SerializerMethodField(help_text="Null where you may not read its calls.")
    rescored_from = serializers.UUIDField(
        source="rescored_from_id", allow_null=True, help_text="For the release that is corrected."
    )
    query_refunded_at = serializers.DateTimeField(allow_null=True)
    anonymous_until = serializers.DateTimeField(allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawal_reason = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    key = serializers.CharField(source="evaluation.key", default=None, allow_null=True)
    score_visibility = serializers.SerializerMethodField()
    scores = serializers.SerializerMethodField()

    def get_may_be_final(self, submission: Submission) -> bool:
        is_scored = submission.state == SubmissionState.SCORED
        is_open = is_scored and not submission.release.has_ended
        is_open = is_open and not submission.is_sample
        return is_open and submission.split == ReleaseSplit.TEST and self._is_submitter(submission)

    def get_tool_calls(self, submission: Submission) -> int | None:
        return None if submission.session is None else submission.session.calls

    def get_failed_queries(self, submission: Submission) -> int | None:
        takes_queries = get_track_or_raise(submission.release.track).has_queries
        if not takes_queries or self.get_score_visibility(submission) != ScoreVisibility.SHOWN:
            return None
        report = get_query_report(submission)
        return None if report is None else report.failed

    def get_session(self, submission: Submission) -> uuid.UUID | None:
        return readable_session(self.context["user"], submission)

    def _is_submitter(self, submission: Submission) -> bool:
        is_own = submission.submitted_by_id == self.context["user"].pk
        team = self.viewer_team
        return is_own or (team is not None and submission.model.team_id == team.pk)

    @cached_property
    def viewer_team(self) -> Team | None:
        return find_team(self.context["user"])

    def get_score_visibility(self, submission: Submission) -> ScoreVisibility:
        return score_visibility(self.context["user"], submission)

    @extend_schema_field(ScoreSerializer(many=True))
    def get_scores(self, submission: Submission) -> list[dict[str, Any]]:
        is_shown = self.get_score_visibility(submission) == ScoreVisibility.SHOWN
        if not is_shown or submission.evaluation is None:
            return []
        scores = submission.evaluation.scores.order_by("pk")
        return [dict(ScoreSerializer(score).data) for score in scores]


class SubmitterSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    email = serializers.CharField()


class ReceivedSubmissionSerializer(serializers.Serializer[Submission]):
    """A row of the organiser's list; the submission's own page has its scores."""

    id = serializers.UUIDField()
    split = serializers.ChoiceField(ReleaseSplit.choices)
    model = ModelReferenceSerializer()
    submitted_by = SubmitterSerializer(allow_null=True)
    state = serializers.ChoiceField(SubmissionState.choices)
    provenance = serializers.ChoiceField(Provenance.choices)
    file_name = serializers.CharField()
    error = SubmissionErrorSerializer(allow_null=True)
    is_standing = serializers.BooleanField(source="is_on_board")
    is_free = serializers.BooleanField()
    query_refunded_at = serializers.DateTimeField(allow_null=True)
    anonymous_until = serializers.DateTimeField(allow_null=True)
    withdrawal_reason = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
