"""Organisers correct a release, and have its entries scored by a new evaluator version."""

from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.benchmarks.corrections import MAX_CORRECTIONS
from backend.benchmarks.policies import get_release_or_raise, require_release_organiser
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.evaluation.corrections import CorrectionRequest, correct_release, rescore_release
from backend.jobs.api.serializers import JobSerializer


class NewCorrectionSerializer(serializers.Serializer[Any]):
    """corrections: {key, action: withdraw}, {key, action: answer, answer} or
    {key, action: item, item, answer?}; the track has the shape of answers and items."""

    name = OneLineField(max_length=200)
    slug = serializers.SlugField(max_length=100, required=False, allow_blank=True, default="")
    corrections = serializers.ListField(
        child=serializers.DictField(), min_length=1, max_length=MAX_CORRECTIONS
    )


class StartedCorrectionSerializer(serializers.Serializer[Any]):
    """The corrected release is a draft until its entries are scored again."""

    release = serializers.CharField(source="release.slug")
    job = JobSerializer()


class Corrections(APIView):
    @operation(
        "releases_correct",
        StartedCorrectionSerializer,
        409,
        status=202,
        request=NewCorrectionSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a corrected release. It opens in the place of this one, with all entries."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        require_release_organiser(actor, release)
        form = validate(NewCorrectionSerializer(data=request.data))
        correction = CorrectionRequest(form["name"], form["corrections"], form["slug"])
        new, job = correct_release(actor=actor, release=release, request=correction)
        payload = StartedCorrectionSerializer(
            {"release": new, "job": job}, context={"user": actor}
        ).data
        return Response(payload, status=HTTPStatus.ACCEPTED)


class ReleaseRescoring(APIView):
    @operation("releases_rescore", JobSerializer, status=202, request=None)
    def post(self, request: Request, slug: str) -> Response:
        """Score all stored predictions by the present evaluator, then exchange the scores."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        job = rescore_release(actor=actor, release=release)
        return Response(
            JobSerializer(job, context={"user": actor}).data, status=HTTPStatus.ACCEPTED
        )
