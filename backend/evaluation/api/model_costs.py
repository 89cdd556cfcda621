"""What runs cost, as files."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.downloads import download_headers
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.evaluation.api.model_cost_serializers import (
    CostFilterSerializer,
    ModelCostListSerializer,
)
from backend.evaluation.runs.model_costs import list_costs
from backend.validation.csv_escaping import csv_text

COUNTS = ("runs", "items", "calls", "tokens_in", "tokens_out")
COLUMNS = (
    *("release", "release_title", "task", "task_title", "model", "parameters", *COUNTS),
    *("tokens_in_per_item", "tokens_out_per_item", "cost_usd", "cost_usd_per_item"),
)


class ModelCostExport(APIView):
    permission_classes = [AllowAny]

    def read(self, request: Request) -> Sequence[dict[str, Any]]:
        chosen = validate(CostFilterSerializer(data=request.query_params))
        return list_costs(get_actor(request), release=chosen["release"], is_own=chosen["own"])


class ModelCostsJson(ModelCostExport):
    @operation("model_costs_json", ModelCostListSerializer, parameters=[CostFilterSerializer])
    def get(self, request: Request) -> Response:
        """What all runs cost, as a file."""
        data = ModelCostListSerializer({"results": self.read(request)}).data
        return Response(data, headers=download_headers("model-costs.json"))


class ModelCostsCsv(ModelCostExport):
    @operation(
        "model_costs_csv",
        {(200, "text/csv"): OpenApiTypes.STR},
        parameters=[CostFilterSerializer],
    )
    def get(self, request: Request) -> HttpResponse:
        """What all runs cost, as a table: a line for each release, task and model."""
        return HttpResponse(
            csv_text((_cells(row) for row in self.read(request)), COLUMNS),
            content_type="text/csv; charset=utf-8",
            headers=download_headers("model-costs.csv"),
        )


def _cells(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "release": row["release"]["slug"],
        "release_title": row["release"]["title"],
        "task": row["task"]["name"],
        "task_title": row["task"]["title"],
        "cost_usd": row["cost"],
        "cost_usd_per_item": row["cost_per_item"],
    }
