"""JSON values from clients: only what the database can hold."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

# A comment of 10,000 characters and a ranking of hundreds of candidates fit.
MAX_VALUE_BYTES = 64 * 1024

_OBJECT = {"type": "object", "additionalProperties": {}}


@extend_schema_field(_OBJECT)
class JsonObject(serializers.JSONField):
    """An object whose members a study kind defines."""


@extend_schema_field(_OBJECT)
class PayloadField(serializers.JSONField):
    """Passed on unchanged: the study kind reports all of its faults at once."""

    default_error_messages = {"not_storable": "The payload holds a number that JSON cannot hold."}

    def to_internal_value(self, data: Any) -> Any:
        try:
            json.dumps(data, allow_nan=False)
        except ValueError:
            self.fail("not_storable")  # not even a conflict could repeat it
        return data


@extend_schema_field({})
class EventValue(serializers.JSONField):
    default_error_messages = {
        "too_large": "A value of an entry may hold at most 64 kB.",
        "not_storable": "A value of an entry holds a number that JSON cannot hold.",
    }

    def to_internal_value(self, data: Any) -> Any:
        try:
            written = json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            self.fail("not_storable")
        if len(written) > MAX_VALUE_BYTES:
            self.fail("too_large")
        return data
