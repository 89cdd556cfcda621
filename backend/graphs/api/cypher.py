from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.cypher_service import query_graph


class CypherQuerySerializer(serializers.Serializer[Any]):
    # query_validation reports errors in the query with line and column.
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
    capped = serializers.BooleanField(help_text="The result has more rows than are listed.")


class CypherView(GraphReadView):
    @operation(
        "graph_cypher",
        CypherTableSerializer,
        401,
        parameters=[SNAPSHOT_PARAMETER],
        request=CypherQuerySerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Run one read-only query; types are labels; at most 1,000 rows are returned."""
        actor = get_actor_or_raise(request)
        opened = self.get_open_graph(request, slug)
        sent = validate(CypherQuerySerializer(data=request.data))
        table = query_graph(actor=actor, opened=opened, **sent)
        body = {
            "snapshot": opened.version.snapshot,
            "columns": table.columns,
            "rows": table.rows,
            "shown": len(table.rows),
            "capped": table.capped,
        }
        return Response(body)
