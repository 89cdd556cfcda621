"""Tools, sessions and calls in the API."""

import uuid
from typing import Any

from django.conf import settings
from rest_framework import serializers

from backend.common.serializers import serializer_of
from backend.evaluation.api.serializers import ModelReferenceSerializer
from backend.evaluation.models import Submission, SubmissionState, ToolCall, ToolSession
from backend.evaluation.tool_calls import read_result
from backend.evaluation.tool_sessions import is_shareable, may_audit_session
from backend.evaluation.tool_walk import ToolWalk


class NewToolSessionSerializer(serializers.Serializer[Any]):
    method = serializers.CharField(
        max_length=20,
        default="",
        allow_blank=True,
        help_text="Of the masked graph, where the release has several.",
    )
    model = serializers.CharField(
        max_length=120,
        default="",
        allow_blank=True,
        help_text="Slug of a model of yours. Then only its submissions may name the session.",
    )


class ToolSessionSerializer(serializers.Serializer[ToolSession]):
    id = serializers.UUIDField()
    release = serializers.CharField(source="release.slug")
    graph = serializers.CharField(source="version.graph.slug")
    snapshot = serializers.CharField(source="version.snapshot")
    method = serializers.CharField(allow_blank=True, help_text="What masked the graph, or empty.")
    model = ModelReferenceSerializer(allow_null=True)
    owner = serializers.SerializerMethodField(help_text="Null for readers of a shared session.")
    is_own = serializers.SerializerMethodField(help_text="Whether you may call tools in it.")
    calls = serializers.IntegerField()
    calls_limit = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    submissions = serializers.SerializerMethodField(help_text="That name it.")
    is_shared = serializers.BooleanField(help_text="Whether its owner lets everybody read it.")
    may_share = serializers.SerializerMethodField(
        help_text="It is yours, and scored submissions of dev items alone name it."
    )

    def get_owner(self, session: ToolSession) -> str | None:
        return session.owner.name if self._may_audit(session) else None

    def get_is_own(self, session: ToolSession) -> bool:
        user = self.context["user"]
        return user is not None and session.owner_id == user.pk

    def get_may_share(self, session: ToolSession) -> bool:
        return self.get_is_own(session) and is_shareable(session)

    def _may_audit(self, session: ToolSession) -> bool:
        return may_audit_session(self.context["user"], session)

    def get_calls_limit(self, session: ToolSession) -> int:
        return int(settings.TOOL_CALLS_PER_SESSION)

    def get_submissions(self, session: ToolSession) -> list[uuid.UUID]:
        may_audit = self._may_audit(session)
        shown = (one for one in session.submissions.all() if may_audit or is_scored(one))
        return [one.pk for one in shown]


def is_scored(submission: Submission) -> bool:
    return submission.state == SubmissionState.SCORED


class SessionSharingSerializer(serializers.Serializer[Any]):
    is_shared = serializers.BooleanField()


class NewToolCallSerializer(serializers.Serializer[Any]):
    tool = serializers.CharField(max_length=200)
    arguments = serializers.DictField(default=dict)


class ToolCallSerializer(serializers.Serializer[ToolCall]):
    """error_code: empty for a result, 'interrupted' for a call that did not end."""

    number = serializers.IntegerField()
    tool = serializers.CharField()
    arguments = serializers.DictField()
    digest = serializers.CharField(allow_blank=True)
    result_bytes = serializers.IntegerField()
    milliseconds = serializers.FloatField(allow_null=True)
    error_code = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class ToolCallResultSerializer(ToolCallSerializer):
    """result: null for an error, and for a result that is too large to store."""

    result = serializers.SerializerMethodField()

    def get_result(self, call: ToolCall) -> dict[str, Any] | None:
        result = read_result(call)
        return None if result is None else dict(result)


ToolWalkSerializer = serializer_of(ToolWalk)


class ToolSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    description = serializers.CharField()
    arguments = serializers.DictField(help_text="JSON Schema.")
    result = serializers.DictField(help_text="JSON Schema.")


class ToolListSerializer(serializers.Serializer[Any]):
    methods = serializers.ListField(
        child=serializers.CharField(), help_text="Of the release's masked graphs."
    )
    calls_per_session = serializers.IntegerField()
    calls_per_day = serializers.IntegerField()
    tools = ToolSerializer(many=True)
