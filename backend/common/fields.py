"""Serializer fields that several rooms use."""

import unicodedata

from rest_framework import serializers


def one_line(text: str) -> None:
    """No line breaks, and no marks that turn the direction of the text around them."""
    if any(unicodedata.category(sign) in {"Cc", "Zl", "Zp"} or sign in TURNING for sign in text):
        raise serializers.ValidationError("Only letters, digits and punctuation, on one line.")


TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class OneLine(serializers.CharField):
    """A name that is shown in lists and mails."""

    def __init__(self, *, max_length: int, **options: object) -> None:
        super().__init__(max_length=max_length, validators=[one_line], **options)  # type: ignore[arg-type]  # as the base takes them
