import json
import unicodedata
from http import HTTPStatus
from typing import Any

from rest_framework import serializers

from backend.common.errors import DomainError
from backend.common.parsers import UNREADABLE_JSON, require_storable


def validate_one_line(text: str) -> None:
    """Refuse line breaks and marks that change the direction of the surrounding text."""
    if any(
        unicodedata.category(sign) in {"Cc", "Zl", "Zp"} or sign in DIRECTION_MARKS for sign in text
    ):
        raise serializers.ValidationError("Use letters, digits and punctuation only, on one line.")


DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class OneLineField(serializers.CharField):
    """A name that is shown in lists and e-mails."""

    def __init__(self, *, max_length: int, **options: object) -> None:
        super().__init__(max_length=max_length, validators=[validate_one_line], **options)  # type: ignore[arg-type]  # the options of the base class


class BoundedJSONField(serializers.JSONField):
    """JSON text in a form field, with the limits of depth and text that JSON bodies have."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            value = super().to_internal_value(data)
            require_storable(json.dumps(value).encode(), value)
        except RecursionError as error:
            raise DomainError(
                UNREADABLE_JSON, code="parse_error", status=HTTPStatus.BAD_REQUEST
            ) from error
        except UnicodeError:
            self.fail("invalid")
        return value
