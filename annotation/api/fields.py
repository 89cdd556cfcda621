"""Fields that take from outside what the database can hold, and nothing that breaks it."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

OrderField = serializers.ListField(child=serializers.ListField(child=serializers.UUIDField()))

# A comment of 10,000 characters and an order of hundreds of candidates fit.
VALUE_BYTES_AT_MOST = 64 * 1024


@extend_schema_field(OrderField)
class SentOrder(serializers.Field[Any, Any, Any, Any]):
    """Passed on as it came: the rules of an answer name all its faults at once."""

    default_error_messages = {"not_storable": "The ranking holds a number beyond all numbers."}

    def to_internal_value(self, data: Any) -> Any:
        try:
            json.dumps(data, allow_nan=False)
        except ValueError:
            self.fail("not_storable")  # it could not even be told back
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"description": "Any JSON value of at most 64 kB.", "nullable": True})
class EventValue(serializers.JSONField):
    default_error_messages = {
        "too_large": "A value of an event may take 64 kB at most.",
        "not_storable": "A value of an event holds a number that cannot be kept.",
    }

    def to_internal_value(self, data: Any) -> Any:
        try:
            written = json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            self.fail("not_storable")
        if len(written) > VALUE_BYTES_AT_MOST:
            self.fail("too_large")
        return data
