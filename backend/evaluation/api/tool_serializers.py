"""Tools, sessions and calls in the API."""

import uuid
from typing import Any

from django.conf import settings
from rest_framework import serializers

from backend.common.serializers import serializer_of
from backend.evaluation.api.serializers import ModelReferenceSerializer
from backend.evaluation.models import ToolCall, ToolSession
from backend.evaluation.tool_calls import read_result
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
    owner = serializers.CharField(source="owner.name")
    is_own = serializers.SerializerMethodField(help_text="Whether you may call tools in it.")
    calls = serializers.IntegerField()
    calls_limit = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    submissions = serializers.SerializerMethodField(help_text="That name it.")

    def get_is_own(self, session: ToolSession) -> bool:
        return bool(session.owner_id == self.context["user"].pk)

    def get_calls_limit(self, session: ToolSession) -> int:
        return int(settings.TOOL_CALLS_PER_SESSION)

    def get_submissions(self, session: ToolSession) -> list[uuid.UUID]:
        return [one.pk for one in session.submissions.all()]


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
