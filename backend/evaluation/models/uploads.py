"""Files of predictions that arrive in parts."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class PredictionUpload(models.Model):
    """An upload that is resumed after a broken connection; its bytes are a file of UPLOADS.

    offset: the bytes that are safely on the disk. The file may have more, of a part that failed.
    updated_at: when the last part arrived.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="prediction_uploads"
    )
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    offset = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(offset__lte=models.F("size")), name="upload_within_its_size"
            )
        ]
