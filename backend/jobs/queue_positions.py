"""How many jobs wait before another one."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping

from backend.jobs.models import Job, JobState
from backend.jobs.registry import get_kind

MOST_COUNTED = 1_000


def count_jobs_before(jobs: Iterable[Job]) -> Mapping[uuid.UUID, int]:
    """Of those that wait: how many of the same queue were requested before and wait as well.

    A job after MOST_COUNTED others has no number, and neither has a job that runs in a command.
    """
    waiting = {job.pk for job in jobs if job.state == JobState.QUEUED and not job.is_local}
    if not waiting:
        return {}
    result, counts = {}, Counter[str]()
    for job in Job.objects.waiting().order_by("created_at", "pk")[:MOST_COUNTED]:
        queue = get_kind(job.kind).queue_of(job)
        if job.pk in waiting:
            result[job.pk] = counts[queue]
        counts[queue] += 1
    return result
