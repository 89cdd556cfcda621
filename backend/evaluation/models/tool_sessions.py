"""Sessions of tool calls that programs make on the graph of a release."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.benchmarks.models import Model, Release
from backend.common.pluralize import pluralize
from backend.graphs.models import Version


class ToolSession(models.Model):
    """A program's calls of tools on one graph of a release, in order, for the audit.

    version: the graph: the release's masked one where it has one. method: what masked it, empty
        for a release without masked graphs.
    model: whose predictions the calls are for, if that was stated at the beginning.
    calls: how many were numbered, including those that failed.
    is_shared: its owner lets everybody read it; see `tool_sessions.is_shareable`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tool_sessions"
    )
    release = models.ForeignKey(Release, models.PROTECT, related_name="tool_sessions")
    version = models.ForeignKey(Version, models.PROTECT, related_name="tool_sessions")
    method = models.CharField(max_length=20, blank=True)
    model = models.ForeignKey(Model, models.PROTECT, null=True, related_name="tool_sessions")
    calls = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True)
    is_shared = models.BooleanField(default=False)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["owner", "created_at"], name="tool_sessions_of")]

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        count = cls.objects.filter(version=version).count()
        return [pluralize(count, "session of tool calls", "sessions of tool calls")] * bool(count)


class ToolCall(models.Model):
    """One call. Its row is made before the tool runs, so that a killed server loses none.

    arguments: as they were sent; empty where they cannot be stored, with a code of that error.
    digest: SHA-256 of the result, or of the error, as canonical JSON; empty while it runs.
    result: canonical JSON of the result, compressed; null for an error or a large result.
    result_bytes: of the canonical JSON. error_code: empty for a result.
    """

    INTERRUPTED = "interrupted"

    session = models.ForeignKey(ToolSession, models.CASCADE, related_name="call_rows")
    number = models.PositiveIntegerField()
    tool = models.CharField(max_length=60)
    arguments = models.JSONField()
    digest = models.CharField(max_length=64, blank=True)
    result = models.BinaryField(null=True)
    result_bytes = models.PositiveIntegerField(default=0)
    milliseconds = models.FloatField(null=True)
    error_code = models.CharField(max_length=60, blank=True, default=INTERRUPTED)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="tool_call_number_once")
        ]


class ToolUse(models.Model):
    """What one person used of the daily limits, by UTC day."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    day = models.DateField()
    sessions = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "day"], name="tool_use_once_a_day")]
