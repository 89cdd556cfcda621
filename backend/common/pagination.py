"""Cursor pagination: stable while rows are added."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination


class Cursor(CursorPagination):
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-created_at"

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> list[Any] | None:
        """A cursor that was not made here is answered like one that leads nowhere."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError, OverflowError, DataError) as error:
            raise NotFound("There is no such page. Begin again at the first.") from error

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """next and previous are always there, as an address or null."""
        page = super().get_paginated_response_schema(schema)
        return {**page, "required": ["next", "previous", "results"]}
