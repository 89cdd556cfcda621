"""Files of many sets: upload for scoring in a job, and download of the scores."""

import uuid

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.benchmarks.api.serializers import SetsFile
from backend.benchmarks.job_kinds.scoring import MAX_FILE_BYTES, read_scores, request_scoring
from backend.benchmarks.policies import require_scoring_permission
from backend.benchmarks.rns.options import RnsOptions, parse_weights
from backend.common.downloads import download_headers
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER
from backend.graphs.graph_access import open_graph
from backend.jobs.api.serializers import JobSerializer
from backend.jobs.api.views import requested_job_response
from backend.jobs.policies import get_job_or_raise


class RnsBatches(APIView):
    parser_classes = [MultiPartParser]

    @operation(
        "graph_rns_batches",
        {200: JobSerializer, 202: JobSerializer},
        429,
        parameters=[SNAPSHOT_PARAMETER],
        request={"multipart/form-data": SetsFile},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that scores a file of sets, one JSON object a line."""
        actor = get_actor_or_raise(request)
        require_scoring_permission(actor)
        opened = open_graph(actor, slug, request.query_params.get("snapshot", ""))
        form = validate(SetsFile(data=request.data), is_form=True)
        requested = request_scoring(
            actor=actor,
            version=opened.version,
            options=RnsOptions.parse(form),
            weights=parse_weights(None),
            content=form["file"].read(MAX_FILE_BYTES + 1),
        )
        return requested_job_response(actor, requested)


class JobScores(APIView):
    @operation("job_scores", {(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: Request, job_id: uuid.UUID) -> HttpResponse:
        """Download the scores of a file of sets, one JSON object a line."""
        job = get_job_or_raise(get_actor_or_raise(request), job_id)
        content = read_scores(job) if job.kind == "rns-scoring" and job.has_ended else None
        if content is None:
            raise NotFound("The scores are not available.")
        headers = download_headers(f"rns-{job.pk}.jsonl")
        return HttpResponse(content, content_type="application/jsonl", headers=headers)
