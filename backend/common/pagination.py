"""Cursor pagination: stable while rows are added."""

from typing import Any

from rest_framework.pagination import CursorPagination


class Cursor(CursorPagination):
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-created_at"

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """next and previous are always there, as an address or null."""
        page = super().get_paginated_response_schema(schema)
        return {**page, "required": ["next", "previous", "results"]}
