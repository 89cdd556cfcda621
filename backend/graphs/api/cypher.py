"""Cypher over a graph, for administrators."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts.api.actor import actor_of
from backend.common.schema import problems
from backend.graphs.api.reading import SNAPSHOT, GraphRead
from backend.graphs.querying import query_graph


class CypherQuerySerializer(serializers.Serializer[Any]):
    # What is wrong with a query is said by the reader of queries, with line and column.
    query = serializers.CharField(trim_whitespace=False, allow_blank=True)
    parameters = serializers.DictField(
        child=serializers.JSONField(allow_null=True), required=False, default=dict
    )


class CypherTableSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField(allow_null=True))
    )
    shown = serializers.IntegerField()
    capped = serializers.BooleanField(help_text="There were more rows than are shown.")


class Cypher(GraphRead):
    @extend_schema(
        operation_id="graph_cypher",
        parameters=[SNAPSHOT],
        request=CypherQuerySerializer,
        responses={200: CypherTableSerializer, **problems(401, 403, 404, 422, 503)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask one reading query; entities by label, relations by name, at most 1,000 rows."""
        actor = actor_of(request)
        opened = self.opened(request, slug)
        sent = CypherQuerySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        table = query_graph(actor=actor, opened=opened, **sent.validated_data)
        told = {
            "snapshot": opened.version.snapshot,
            "columns": table.columns,
            "rows": table.rows,
            "shown": len(table.rows),
            "capped": table.capped,
        }
        return Response(told)
