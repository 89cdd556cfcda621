"""Tests of the metapaths of two entities: results by their parameters, and their jobs."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import shadowing_field, validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.operations_schema import MAX_ID_LENGTH, ExactCharField
from backend.graphs.api.paths import Payload, entity_ref_payload
from backend.graphs.api.serializers import EntitySummarySerializer
from backend.graphs.edge_phrases import entity_ref
from backend.graphs.graph_access import OpenGraph
from backend.graphs.metapath_jobs import (
    DEFAULT_HOPS,
    MOST_DRAWS,
    MetapathChoice,
    find_metapath_test,
    request_metapath_test,
)
from backend.graphs.metapaths import MAX_KEY_LENGTH
from backend.graphs.walk_queries import SEED_LIMIT
from backend.jobs.api.serializers import JobErrorSerializer, JobSerializer
from backend.jobs.api.views import requested_job_response
from backend.jobs.models import Job, JobState
from backend.science.metapath_test import DRAWS
from backend.science.path_answers import MAX_HOPS


class MetapathTestQuery(serializers.Serializer[object]):
    to = ExactCharField(max_length=MAX_ID_LENGTH)
    metapath = ExactCharField(
        default="",
        allow_blank=True,
        max_length=MAX_KEY_LENGTH,
        help_text="Only this metapath, by its key; without it those of the most paths.",
    )
    hops = serializers.IntegerField(min_value=1, max_value=MAX_HOPS, default=DEFAULT_HOPS)
    draws = serializers.IntegerField(min_value=1, max_value=MOST_DRAWS, default=DRAWS)
    seed = serializers.IntegerField(min_value=0, max_value=SEED_LIMIT - 1, default=0)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """'from' is a reserved word in Python, so it cannot be a class attribute."""
        return {"from": ExactCharField(max_length=MAX_ID_LENGTH), **super().get_fields()}


class TestedMetapathSerializer(serializers.Serializer[Any]):
    metapath = serializers.CharField()
    phrase = serializers.CharField()
    paths = serializers.IntegerField()
    observed = serializers.FloatField(help_text="The degree-weighted path count.")
    mean = serializers.FloatField(help_text="That of the permuted graphs, on average.")
    deviation = serializers.FloatField(
        allow_null=True, help_text="Its standard deviation over them; null of one."
    )
    z_score = serializers.FloatField(allow_null=True, help_text="Null where they do not differ.")
    draws = serializers.IntegerField()
    as_high = serializers.IntegerField(help_text="Permuted graphs with at least this count.")
    p_value = serializers.FloatField(help_text="(1 + as_high) / (1 + draws), one-sided.")
    p_adjusted = serializers.FloatField(
        allow_null=True,
        help_text="By Holm's correction over `family` metapaths; null where one was chosen.",
    )
    exchanged = serializers.FloatField(
        help_text="Share of tried exchanges that were made; near 0, p is no evidence."
    )


class MetapathResultsSerializer(serializers.Serializer[Any]):
    metapaths = TestedMetapathSerializer(many=True)
    family = serializers.IntegerField(
        allow_null=True,
        help_text="Metapaths that the graph's edges could make between the two types; null of one.",
    )
    other_paths = serializers.IntegerField(help_text="Paths of metapaths that were not tested.")
    is_complete = serializers.BooleanField(
        help_text="False: the search for paths ended early, and their numbers are lower bounds."
    )


class TestJobSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(JobState.choices)
    percent = serializers.FloatField()
    error = JobErrorSerializer(allow_null=True)


class MetapathTestSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    source = shadowing_field(EntitySummarySerializer())
    target = EntitySummarySerializer()
    metapath = serializers.CharField(allow_blank=True)
    hops = serializers.IntegerField()
    draws = serializers.IntegerField()
    seed = serializers.IntegerField()
    job = TestJobSerializer(allow_null=True, help_text="The latest of this test, if any.")
    result = MetapathResultsSerializer(allow_null=True)


class MetapathTestView(GraphReadView):
    @operation(
        "graph_metapath_test",
        MetapathTestSerializer,
        parameters=[MetapathTestQuery, SNAPSHOT_PARAMETER],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Whether metapaths join two entities more than in graphs with the same degrees.

        The result is null until somebody has started the test.
        """
        opened = self.get_open_graph(request, slug)
        query = self.validated_query(request, MetapathTestQuery)
        choice = MetapathChoice.checked(opened, query)
        return self.respond(opened, lambda: test_payload(opened, choice))

    def is_cacheable(self) -> bool:
        return False

    @operation(
        "graph_metapath_test_create",
        {200: JobSerializer, 202: JobSerializer},
        401,
        409,
        parameters=[SNAPSHOT_PARAMETER],
        request=MetapathTestQuery,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start the test as a job; 200 and the existing job where it was started before."""
        actor = get_actor_or_raise(request)
        opened = self.get_open_graph(request, slug)
        query = validate(MetapathTestQuery(data=request.data))
        choice = MetapathChoice.checked(opened, query)
        requested = request_metapath_test(actor=actor, opened=opened, choice=choice)
        return requested_job_response(actor, requested)


def test_payload(opened: OpenGraph, choice: MetapathChoice) -> Payload:
    job = find_metapath_test(opened.version, choice)
    ends = (opened.entity_number_or_raise(one) for one in (choice.source, choice.target))
    source, target = (entity_ref_payload(entity_ref(opened.snapshot, one)) for one in ends)
    return {
        "source": source,
        "target": target,
        "metapath": choice.metapath,
        "hops": choice.hops,
        "draws": choice.draws,
        "seed": choice.seed,
        "job": job and job_part(job),
        "result": job.result if job and job.state == JobState.SUCCEEDED else None,
    }


def job_part(job: Job) -> Mapping[str, Any]:
    return dict(TestJobSerializer(job).data)
