"""Studies that were imported with their answers."""

import json
from typing import Any

from django.conf import settings
from django.db import models

from backend.studies.models.studies import Study


class Archive(models.Model):
    """A study that was imported from an export, with its answers. It stays closed.

    Exports of it repeat what the file has: head is its record of the study as JSON text, and
    experts has its record of each expert by the id of the account, which nobody can use.
    job: that imported it; None for the command line.
    """

    study = models.OneToOneField(Study, models.CASCADE, related_name="archive")
    format = models.CharField(max_length=40)
    head = models.TextField()
    experts = models.JSONField(default=dict)
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    job = models.UUIDField(null=True, unique=True)
    imported_at = models.DateTimeField(auto_now_add=True)

    @property
    def record(self) -> dict[str, Any]:
        fields: dict[str, Any] = json.loads(self.head)
        return fields


def archive_of(study: Study) -> Archive | None:
    return study.archive if hasattr(study, "archive") else None
