import uuid
from http import HTTPStatus
from typing import Any

from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.jobs.api.serializers import JobFilterSerializer, JobSerializer, NewJobSerializer
from backend.jobs.models import Job, JobQuerySet
from backend.jobs.policies import get_job_or_raise, own_jobs
from backend.jobs.registry import get_kind_or_raise
from backend.jobs.services import RequestedJob, cancel_job, request_job


def job_payload(user: User, job: Job) -> dict[str, Any]:
    return dict(JobSerializer(job, context={"user": user}).data)


def requested_job_response(user: User, requested: RequestedJob) -> Response:
    """202 for a new job, 200 for one that was requested before."""
    status = HTTPStatus.ACCEPTED if requested.is_new else HTTPStatus.OK
    return Response(job_payload(user, requested.job), status=status)


class Jobs(ListAPIView[Job]):
    serializer_class = JobSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "user": get_actor_or_raise(self.request)}

    def get_queryset(self) -> JobQuerySet:
        chosen = validate(JobFilterSerializer(data=self.request.query_params))
        subject = chosen.pop("subject", None)
        jobs = own_jobs(get_actor_or_raise(self.request)).filter(**chosen)
        return jobs if subject is None else jobs.about(subject)

    @operation("jobs_list", JobSerializer(many=True), parameters=[JobFilterSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your jobs, the latest first; for administrators, all jobs."""
        return super().get(request, *args, **kwargs)

    @operation(
        "jobs_create", {200: JobSerializer, 202: JobSerializer}, 404, 409, request=NewJobSerializer
    )
    def post(self, request: Request) -> Response:
        """Start a job; 200 and the existing job where the same work was requested before."""
        actor = get_actor_or_raise(request)
        body = validate(NewJobSerializer(data=request.data))
        kind = get_kind_or_raise(body["kind"])
        if kind.create is None:
            raise DomainError(
                f"Jobs of kind {kind.name!r} cannot be created here.", code="not_creatable"
            )
        new = kind.create(actor, body["parameters"])
        return requested_job_response(actor, request_job(owner=actor, request=new))


class JobDetail(APIView):
    @operation("jobs_read", JobSerializer)
    def get(self, request: Request, job_id: uuid.UUID) -> Response:
        """The state, progress and result of a job."""
        actor = get_actor_or_raise(request)
        return Response(job_payload(actor, get_job_or_raise(actor, job_id)))


class JobCancellation(APIView):
    @operation("jobs_cancel", JobSerializer, 409, request=None)
    def post(self, request: Request, job_id: uuid.UUID) -> Response:
        """Cancel a job: its owner or an administrator."""
        actor = get_actor_or_raise(request)
        job = cancel_job(actor=actor, job=get_job_or_raise(actor, job_id))
        return Response(job_payload(actor, job))
