"""Cursor pagination, which stays stable while rows are added."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination


class CreatedAtCursorPagination(CursorPagination):
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-created_at"

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> list[Any] | None:
        """An invalid cursor is a 404, like a cursor of a page that does not exist."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError, OverflowError, DataError) as error:
            raise NotFound("This page does not exist. Start again at the first page.") from error

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """`next` and `previous` are always present, as a URL or null."""
        address = {"type": ["string", "null"], "format": "uri"}
        properties = {"next": address, "previous": address, "results": schema}
        return {"type": "object", "required": [*properties], "properties": properties}
