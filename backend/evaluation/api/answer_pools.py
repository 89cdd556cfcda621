"""Organisers pool the unjudged answers of a release, have experts judge them, and correct it."""

import uuid
from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.study_creation import MAX_OVERLAP
from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import get_release_or_raise, require_release_organiser
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise
from backend.common.errors import Conflict
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.answer_pools import (
    MOST_STORED,
    choose_split,
    find_pool,
    request_pool,
)
from backend.evaluation.api.corrections import StartedCorrectionSerializer
from backend.evaluation.pool_items import STUDY_KINDS
from backend.evaluation.pool_overview import PoolOverview, read_pool_overview
from backend.evaluation.pool_studies import DEFAULT_LIMIT, NewPoolStudy, make_study_of_pool
from backend.evaluation.pool_verdicts import apply_verdicts, get_pool_study_or_raise
from backend.jobs.api.serializers import JobSerializer
from backend.science.answer_pools import MAX_DEPTH

MAX_ADAPTIVE = 0.8

AnswerPoolSerializer = serializer_of(PoolOverview, "AnswerPool", job=JobSerializer(allow_null=True))


class PoolFilterSerializer(serializers.Serializer[Any]):
    split = serializers.ChoiceField(
        ReleaseSplit.choices, required=False, help_text="The test split where there is one."
    )


class NewPoolSerializer(PoolFilterSerializer):
    depth = serializers.IntegerField(
        min_value=1, max_value=MAX_DEPTH, required=False, help_text="Of each entry's answers."
    )


class NewPoolStudySerializer(PoolFilterSerializer):
    name = OneLineField(max_length=200)
    kind = serializers.ChoiceField([*STUDY_KINDS], default="claims")
    overlap = serializers.IntegerField(min_value=1, max_value=MAX_OVERLAP, default=3)
    limit = serializers.IntegerField(min_value=1, max_value=MOST_STORED, default=DEFAULT_LIMIT)
    adaptive_share = serializers.FloatField(min_value=0, max_value=MAX_ADAPTIVE, default=0.0)


class CreatedPoolStudySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="study.id")
    name = serializers.CharField(source="study.name")
    questions = serializers.IntegerField()


class AppliedVerdictsSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=200, required=False, allow_blank=True, default="")
    is_partial = serializers.BooleanField(
        default=False, help_text="Whether verdicts that are still waiting may be lost."
    )


class StartedVerdictsSerializer(StartedCorrectionSerializer):
    dropped = serializers.IntegerField(
        help_text="Verdicts false on true answers of the release, which are left out."
    )


def get_own_release_or_raise(request: Request, slug: str) -> tuple[User, Release]:
    """Raises NotAllowed for all but its organiser."""
    actor = get_actor_or_raise(request)
    release = get_release_or_raise(actor, slug)
    require_release_organiser(actor, release)
    return actor, release


class AnswerPoolView(APIView):
    @operation("releases_pool", AnswerPoolSerializer, 403, parameters=[PoolFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """Unjudged answers of the entries in the order of judging, and the studies of them."""
        actor, release = get_own_release_or_raise(request, slug)
        chosen = validate(PoolFilterSerializer(data=request.query_params))
        overview = read_pool_overview(release, choose_split(release, chosen.get("split", "")))
        return Response(AnswerPoolSerializer(overview, context={"user": actor}).data)

    @operation("releases_pool_answers", JobSerializer, 409, status=202, request=NewPoolSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Pool the answers of the entries that stand now."""
        actor, release = get_own_release_or_raise(request, slug)
        get_pooled_track_or_raise(release.track)
        form = validate(NewPoolSerializer(data=request.data))
        split = choose_split(release, form.get("split", ""))
        job = request_pool(release, split, depth=form.get("depth", 0), owner=actor)
        payload = JobSerializer(job, context={"user": actor}).data
        return Response(payload, status=HTTPStatus.ACCEPTED)


class PoolStudies(APIView):
    @operation(
        "releases_pool_study",
        CreatedPoolStudySerializer,
        409,
        status=201,
        request=NewPoolStudySerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a study of the first unjudged answers; you become its coordinator."""
        actor, release = get_own_release_or_raise(request, slug)
        get_pooled_track_or_raise(release.track)
        form = validate(NewPoolStudySerializer(data=request.data))
        pool = find_pool(release, choose_split(release, form.pop("split", "")))
        if pool is None:
            raise Conflict("No answers are pooled yet. Pool them first.", code="no_pool")
        created = make_study_of_pool(actor=actor, pool=pool, request=NewPoolStudy(**form))
        payload = CreatedPoolStudySerializer(created).data
        return Response(payload, status=HTTPStatus.CREATED)


class PoolStudyVerdicts(APIView):
    @operation(
        "releases_apply_verdicts",
        StartedVerdictsSerializer,
        409,
        status=202,
        request=AppliedVerdictsSerializer,
    )
    def post(self, request: Request, slug: str, study_id: uuid.UUID) -> Response:
        """Make a corrected release of a study's verdicts. All entries are scored again."""
        actor, release = get_own_release_or_raise(request, slug)
        form = validate(AppliedVerdictsSerializer(data=request.data))
        pool_study = get_pool_study_or_raise(study_id, release)
        applied = apply_verdicts(actor=actor, pool_study=pool_study, **form)
        started = {
            "release": applied.corrected,
            "job": applied.job,
            "dropped": applied.dropped,
        }
        payload = StartedVerdictsSerializer(started, context={"user": actor}).data
        return Response(payload, status=HTTPStatus.ACCEPTED)
