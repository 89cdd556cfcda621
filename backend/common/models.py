"""Nouns that every room may need: so far, the memory of repeated writes."""

from django.db import models
from rest_framework.utils.encoders import JSONEncoder


class RepeatedWrite(models.Model):
    """What a write with this Idempotency-Key was answered, so that its repetition changes nothing.

    The owner is an account's id; this room does not know accounts.
    """

    owner = models.UUIDField()
    key = models.UUIDField()
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True, encoder=JSONEncoder)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "key"], name="repeated_write_once_per_owner")
        ]
        indexes = [models.Index(fields=["created_at"])]
