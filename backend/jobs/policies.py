import uuid

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.jobs.models import Job, JobQuerySet
from backend.jobs.registry import get_kind

JOB_NOT_FOUND = "There is no such job, or you may not see it."


def own_jobs(user: User) -> JobQuerySet:
    """The user's jobs; for administrators, all jobs."""
    jobs: JobQuerySet = Job.objects.all()
    return jobs if user.is_administrator else jobs.filter(owner=user)


def may_see_job(user: User, job: Job) -> bool:
    return user.is_active and get_kind(job.kind).may_see(user, job)


def may_cancel_job(user: User, job: Job) -> bool:
    return user.is_active and get_kind(job.kind).may_cancel(user, job)


def get_job_or_raise(user: User, job_id: uuid.UUID) -> Job:
    job: Job | None = Job.objects.select_related("owner").filter(id=job_id).first()
    if job is None or not may_see_job(user, job):
        raise NotFound(JOB_NOT_FOUND)
    return job
