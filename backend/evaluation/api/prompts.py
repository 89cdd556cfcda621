"""The versioned prompts of language models, which everybody may read."""

from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.openapi import operation
from backend.common.serializers import shadowing_field
from backend.evaluation.prompts import TaskPrompt, get_prompt_or_raise, list_prompts


class PromptTaskSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    track = serializers.CharField(
        allow_blank=True, help_text="Slug; empty for a task that ends in no predictions."
    )


class PromptSummarySerializer(serializers.Serializer[TaskPrompt]):
    name = serializers.CharField(source="prompt.name")
    version = serializers.CharField(source="prompt.version")
    intent = serializers.CharField(source="prompt.intent")
    source = shadowing_field(
        serializers.CharField(source="prompt.source", help_text="Paper and section.")
    )
    tasks = PromptTaskSerializer(many=True)


class PromptSerializer(PromptSummarySerializer):
    """Words in braces are replaced for each item."""

    output = serializers.CharField(source="prompt.output", help_text="What the answer is.")
    system = serializers.CharField(source="prompt.system")
    user = serializers.CharField(source="prompt.user")


class PromptListSerializer(serializers.Serializer[Any]):
    results = PromptSummarySerializer(many=True)


class Prompts(APIView):
    permission_classes = [AllowAny]

    @operation("prompts_list", PromptListSerializer)
    def get(self, request: Request) -> Response:
        """The prompts of this installation, by name."""
        return Response(PromptListSerializer({"results": list_prompts()}).data)


class PromptDetail(APIView):
    permission_classes = [AllowAny]

    @operation("prompts_read", PromptSerializer)
    def get(self, request: Request, name: str) -> Response:
        """A prompt as models get it, with its version, intent and source."""
        return Response(PromptSerializer(get_prompt_or_raise(name)).data)
