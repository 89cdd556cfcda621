"""Guided explorations of a run, level by level."""

import json
import uuid
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.downloads import send_file
from backend.common.openapi import operation
from backend.common.serializers import shadowing_field, validate
from backend.evaluation.runs.policies import get_run_or_raise
from backend.evaluation.runs.trajectories import (
    list_explorations,
    read_trajectory,
    summary_lines,
)
from backend.tracks.serenqa_exploration.guided_state import Ending, Phase

ENDINGS = ["", *(one.value for one in Ending)]


class ExploredNodeSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    type = serializers.CharField()


class WalkedEdgeSerializer(serializers.Serializer[Any]):
    relation = serializers.CharField()
    phrase = serializers.CharField()
    target = ExploredNodeSerializer()
    weight = serializers.FloatField(
        allow_null=True, help_text="From 0.01 to 1; null for an edge without a score."
    )
    prognosis = serializers.IntegerField(
        help_text="1 favourable, -1 unfavourable, 0 where the graph states none."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"source": ExploredNodeSerializer(), **super().get_fields()}


class OfferedEdgeSerializer(WalkedEdgeSerializer):
    is_chosen = serializers.BooleanField()


class OfferedRelationSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    phrases = serializers.ListField(child=serializers.CharField())
    edges = serializers.IntegerField()


class RelationChoiceSerializer(serializers.Serializer[Any]):
    node = ExploredNodeSerializer()
    offered = OfferedRelationSerializer(many=True)
    chosen = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(allow_blank=True)
    fault = serializers.CharField(
        allow_blank=True, help_text="Why the answer could not be read; then nothing is chosen."
    )


class ExplorationLevelSerializer(serializers.Serializer[Any]):
    level = serializers.IntegerField()
    frontier = ExploredNodeSerializer(many=True)
    relations = RelationChoiceSerializer(many=True)
    edges = OfferedEdgeSerializer(many=True)
    chosen = ExploredNodeSerializer(many=True)
    reason = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    goes_on = serializers.BooleanField(
        allow_null=True, help_text="The model's decision; null before it."
    )
    decision_reason = serializers.CharField(allow_blank=True)
    faults = serializers.ListField(child=serializers.CharField())
    cost = serializers.CharField()


class ExploredPathSerializer(serializers.Serializer[Any]):
    leaf = ExploredNodeSerializer()
    depth = serializers.IntegerField()
    strength = serializers.FloatField(
        allow_null=True, help_text="Product of the weights; null where an edge has none."
    )
    is_hit = serializers.BooleanField(
        allow_null=True,
        help_text="Whether the leaf is in the serendipity set; null where that is hidden.",
    )
    edges = WalkedEdgeSerializer(many=True)


class LevelSummarySerializer(serializers.Serializer[Any]):
    level = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)
    fault = serializers.CharField(allow_blank=True)


class ExplorationSerializer(serializers.Serializer[Any]):
    split = serializers.CharField()
    position = serializers.IntegerField(help_text="In the split, from 0.")
    qid = serializers.CharField()
    partition = serializers.CharField()
    root = shadowing_field(serializers.CharField())
    root_name = serializers.CharField(allow_blank=True)
    question = serializers.CharField()
    level = serializers.IntegerField()
    has_ended = serializers.BooleanField()
    ending = serializers.ChoiceField(ENDINGS, help_text="Why no further level was begun.")
    leaves = serializers.IntegerField()
    requests = serializers.IntegerField()
    calls = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.CharField()


class TrajectorySerializer(ExplorationSerializer):
    digest = serializers.CharField(help_text="SHA-256 of the state.")
    phase = serializers.ChoiceField([one.value for one in Phase])
    levels = ExplorationLevelSerializer(many=True)
    paths = ExploredPathSerializer(many=True, help_text="The strongest first.")
    summaries = LevelSummarySerializer(many=True)


class ExplorationPageSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = ExplorationSerializer(many=True)


class ExplorationFilterSerializer(serializers.Serializer[Any]):
    cursor = serializers.IntegerField(min_value=0, max_value=10**9, required=False, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=100, required=False, default=20)


class RunExplorations(APIView):
    permission_classes = [AllowAny]

    @operation(
        "runs_explorations", ExplorationPageSerializer, parameters=[ExplorationFilterSerializer]
    )
    def get(self, request: Request, run_id: uuid.UUID) -> Response:
        """Roots that a guided exploration has begun; of dev items alone for visitors."""
        actor = get_actor(request)
        run = get_run_or_raise(actor, run_id)
        chosen = validate(ExplorationFilterSerializer(data=request.query_params))
        first, limit = chosen["cursor"], chosen["limit"]
        page = list_explorations(actor, run, first=first, limit=limit)

        def address(cursor: int) -> str:
            return replace_query_param(request.build_absolute_uri(), "cursor", str(cursor))

        payload = {
            "count": page.total,
            "next": address(first + limit) if first + limit < page.total else None,
            "previous": address(max(first - limit, 0)) if first else None,
            "results": page.explorations,
        }
        return Response(ExplorationPageSerializer(payload).data)


class RunSummaries(APIView):
    permission_classes = [AllowAny]

    @operation("runs_summaries", {(200, "application/jsonl"): OpenApiTypes.STR})
    def get(self, request: Request, run_id: uuid.UUID) -> StreamingHttpResponse:
        """Summaries of levels with their paths, as `manage.py judge` reads texts; of dev items
        alone for visitors."""
        actor = get_actor(request)
        run = get_run_or_raise(actor, run_id)
        summaries = summary_lines(actor, run)
        lines = (f"{json.dumps(one)}\n".encode() for one in summaries)
        name = "summaries.jsonl"
        return send_file(request, lambda file: file.writelines(lines), name, "application/jsonl")


class RunTrajectory(APIView):
    permission_classes = [AllowAny]

    @operation("runs_trajectory", TrajectorySerializer)
    def get(self, request: Request, run_id: uuid.UUID, split: str, position: int) -> Response:
        """What each level offered, what the model chose and why, and what it cost."""
        actor = get_actor(request)
        run = get_run_or_raise(actor, run_id)
        return Response(TrajectorySerializer(read_trajectory(actor, run, split, position)).data)
