import uuid
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.accounts.models import User
from backend.common.openapi import FaultSerializer
from backend.common.serializers import shadowing_field
from backend.jobs.models import Job, JobState
from backend.jobs.policies import may_cancel_job
from backend.jobs.queue_positions import count_jobs_before
from backend.jobs.registry import DescribeJobs, get_kind


class JobErrorSerializer(serializers.Serializer[Any]):
    """code: USER_* for what the owner can change, PLATFORM_* for a fault of the server."""

    code = serializers.CharField()
    detail = serializers.CharField()
    errors = shadowing_field(FaultSerializer(many=True))


def describe_jobs(jobs: Iterable[Job]) -> dict[uuid.UUID, dict[str, Any]]:
    """The `details` of jobs by their id; kinds with one function are described at once."""
    groups: defaultdict[DescribeJobs, list[Job]] = defaultdict(list)
    for job in jobs:
        if describe := get_kind(job.kind).describe:
            groups[describe].append(job)
    return {
        job.pk: dict(details)
        for describe, group in groups.items()
        for job, details in zip(group, describe(group), strict=True)
    }


class JobListSerializer(serializers.ListSerializer[Job]):
    def to_representation(self, data: Any) -> list[Any]:
        jobs = list(data)
        context = cast("dict[str, Any]", self.context)
        context |= {"details": describe_jobs(jobs), "jobs_before": count_jobs_before(jobs)}
        return super().to_representation(jobs)


class JobSerializer(serializers.Serializer[Job]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(JobState.choices)
    phase = serializers.CharField()
    percent = serializers.FloatField()
    estimated_end_at = serializers.DateTimeField(allow_null=True)
    parameters = serializers.DictField()
    subjects = serializers.ListField(child=serializers.CharField())
    jobs_before = serializers.SerializerMethodField(
        help_text="Jobs of its queue that wait before it; null unless it waits."
    )
    details = serializers.SerializerMethodField()
    result = serializers.DictField()
    error = JobErrorSerializer(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField()
    is_owner = serializers.SerializerMethodField()
    can_cancel = serializers.SerializerMethodField()

    class Meta:
        list_serializer_class = JobListSerializer

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_jobs_before(self, job: Job) -> int | None:
        counts = self.context.get("jobs_before")
        if counts is None:
            counts = count_jobs_before([job])
        result: int | None = counts.get(job.pk)
        return result

    @extend_schema_field(serializers.DictField())
    def get_details(self, job: Job) -> dict[str, Any]:
        details = self.context.get("details")
        if details is None:
            details = describe_jobs([job])
        result: dict[str, Any] = details.get(job.pk, {})
        return result

    def get_is_owner(self, job: Job) -> bool:
        return job.owner_id == self._user.pk

    def get_can_cancel(self, job: Job) -> bool:
        return not job.has_ended and may_cancel_job(self._user, job)

    @property
    def _user(self) -> User:
        user: User = self.context["user"]
        return user


class NewJobSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(max_length=64)
    parameters = serializers.DictField(default=dict)


class JobFilterSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(required=False, help_text="only jobs of this kind")
    subject = serializers.CharField(
        required=False, help_text="only jobs about this, as in `graph-version:12`"
    )
    state = serializers.ChoiceField(JobState.choices, required=False)
