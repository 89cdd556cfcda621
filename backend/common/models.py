"""Models that every package may need: the stored responses of idempotent writes."""

from django.db import models
from rest_framework.utils.encoders import JSONEncoder


class IdempotencyRecord(models.Model):
    """The response to the first write with this Idempotency-Key, returned to its repetitions.

    owner: the id of an account; this package does not import accounts.
    """

    owner = models.UUIDField()
    key = models.UUIDField()
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True, encoder=JSONEncoder)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_once_per_owner")
        ]
        indexes = [models.Index(fields=["created_at"])]
