"""What each person spent at each endpoint, for administrators; also as files."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.downloads import download_headers
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.llm.api.serializers import SpendingFilterSerializer, SpendingListSerializer
from backend.llm.spending import list_spending
from backend.validation.csv_escaping import csv_text

COLUMNS = (
    *("person_email", "person_name", "endpoint", "model", "calls", "tokens_in", "tokens_out"),
    *("cost_usd", "unknown_cost_usd", "last_call_at"),
)


class ModelSpendingView(APIView):
    def read(self, request: Request) -> Sequence[dict[str, Any]]:
        chosen = validate(SpendingFilterSerializer(data=request.query_params))
        return list_spending(get_actor_or_raise(request), days=chosen["days"])


class ModelSpending(ModelSpendingView):
    @operation("model_spending", SpendingListSerializer, 403, parameters=[SpendingFilterSerializer])
    def get(self, request: Request) -> Response:
        """What each person paid at each endpoint, by the ledger, the most expensive first."""
        return Response(SpendingListSerializer({"results": self.read(request)}).data)


class ModelSpendingJson(ModelSpendingView):
    @operation(
        "model_spending_json", SpendingListSerializer, 403, parameters=[SpendingFilterSerializer]
    )
    def get(self, request: Request) -> Response:
        """The same as a file."""
        data = SpendingListSerializer({"results": self.read(request)}).data
        return Response(data, headers=download_headers("model-spending.json"))


class ModelSpendingCsv(ModelSpendingView):
    @operation(
        "model_spending_csv",
        {(200, "text/csv"): OpenApiTypes.STR},
        403,
        parameters=[SpendingFilterSerializer],
    )
    def get(self, request: Request) -> HttpResponse:
        """The same as a table."""
        return HttpResponse(
            csv_text((_cells(row) for row in self.read(request)), COLUMNS),
            content_type="text/csv; charset=utf-8",
            headers=download_headers("model-spending.csv"),
        )


def _cells(row: dict[str, Any]) -> dict[str, Any]:
    person = row["person"] or {"email": None, "name": None}
    return {
        **row,
        "person_email": person["email"],
        "person_name": person["name"],
        "endpoint": row["endpoint"]["name"],
        "cost_usd": row["cost"],
        "unknown_cost_usd": row["unknown_cost"],
        "last_call_at": row["last_call_at"].isoformat(),
    }
