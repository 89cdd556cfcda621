"""The masked graphs of a release: read by whoever sees the release, made by its organiser."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.db import transaction
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.token_authentication import READING_TOKEN_OR_SESSION
from backend.accounts.models import User
from backend.benchmarks.job_kinds.release_graph import release_graph_request
from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.policies import (
    get_release_or_raise,
    is_organiser,
    lock_release_or_raise,
    require_release_organiser,
)
from backend.benchmarks.release_graph_lookup import (
    describe_queried_part,
    may_send_queries,
    needed_methods,
    offered_methods,
    scored_method,
    used_graphs,
    walked_graph,
)
from backend.benchmarks.release_graphs import reason_in_words
from backend.benchmarks.release_queries import may_query, may_run_on, query_release_graph
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.graphs.api.cypher import CypherTableSerializer
from backend.jobs.api.serializers import JobSerializer
from backend.jobs.services import request_job


@dataclass(frozen=True)
class ExcludedReleaseQuestion:
    """reason: in words. Organisers of the release also read the questions of a conflict, at most
    three, which may reveal answers. The command's report has all of them (`conflicts`)."""

    id: str
    reason: str


@dataclass(frozen=True)
class ReleaseGraphSummary:
    """graph: its address among the graphs. included: number of questions that hold on it. made_for:
    the release that it was made for, an earlier one where this corrects it without new masks.
    later_edges, undated_edges: what the cut-off of the release left out; null without one."""

    method: str
    made_for: str
    graph: str
    snapshot: str
    entities: int
    edges: int
    removed_edges: int
    later_edges: int | None
    undated_edges: int | None
    included: int
    excluded: list[ExcludedReleaseQuestion]


@dataclass(frozen=True)
class ReleaseGraphList:
    """has_queries: whether predictions of the track may be Cypher queries. takes_queries: whether
    the reader's may here, which needs a graph of the engine's size that they may read. offered:
    methods by which it can have a masked graph. needed: those whose graphs must be there before it
    opens. scored: those of them that the items are about. walked: the method of the one that
    baselines read; empty for the graph that the items are about. queried: what queries run on, in
    words; empty for that graph. is_queried: whether queries run on any of these graphs. can_query:
    whether the reader may run them."""

    has_queries: bool
    takes_queries: bool
    offered: list[str]
    needed: list[str]
    scored: list[str]
    walked: str
    queried: str
    is_queried: bool
    can_query: bool
    graphs: list[ReleaseGraphSummary]


ReleaseGraphListSerializer = serializer_of(ReleaseGraphList)


class NewReleaseGraphSerializer(serializers.Serializer[Any]):
    method = serializers.CharField(max_length=20, help_text="llm, expert or rns.")


def list_release_graphs(actor: User | None, release: Release) -> ReleaseGraphList:
    walked, used = walked_graph(release), used_graphs(release)
    is_queried = any(may_run_on(release, one.method) for one in used)
    is_own = actor is not None and is_organiser(actor, release)
    return ReleaseGraphList(
        has_queries=get_track_or_raise(release.track).has_queries,
        takes_queries=may_send_queries(actor, release),
        offered=[*offered_methods(release)] if release.graph_version is not None else [],
        needed=sorted(needed_methods(release)) if release.graph_version is not None else [],
        scored=sorted({scored_method(release)} - {""}),
        walked="" if walked is None else walked.method,
        queried=describe_queried_part(release),
        is_queried=is_queried,
        can_query=is_queried and actor is not None and may_query(actor, release),
        graphs=[summarize(one, names_others=is_own) for one in used],
    )


def summarize(graph: ReleaseGraph, *, names_others: bool) -> ReleaseGraphSummary:
    version = graph.version
    return ReleaseGraphSummary(
        graph.method,
        graph.release.slug,
        version.graph.slug,
        version.snapshot,
        version.entities,
        version.edges,
        graph.removed_edges,
        graph.later_edges,
        graph.undated_edges,
        len(graph.included),
        [
            ExcludedReleaseQuestion(id_, reason_in_words(why, names_others=names_others))
            for id_, why in graph.excluded.items()
        ],
    )


class ReleaseGraphs(APIView):
    authentication_classes = READING_TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("releases_graphs", ReleaseGraphListSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The masked graphs of a release, and which questions each leaves out."""
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        return Response(ReleaseGraphListSerializer(list_release_graphs(actor, release)).data)

    @operation(
        "releases_make_graph", JobSerializer, 409, status=202, request=NewReleaseGraphSerializer
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make the masked graph of one method of partitions. There is one of each."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        require_release_organiser(actor, release)
        method = validate(NewReleaseGraphSerializer(data=request.data))["method"]
        with transaction.atomic():
            locked = lock_release_or_raise(release.pk, no_key=True)  # so that no draft is deleted
            job_request = release_graph_request(actor, locked, method)
            job = request_job(owner=actor, request=job_request).job
        payload = JobSerializer(job, context={"user": actor}).data
        return Response(payload, status=HTTPStatus.ACCEPTED)


class ReleaseQuerySerializer(serializers.Serializer[Any]):
    # query_validation reports errors in the query with line and column.
    query = serializers.CharField(trim_whitespace=False, allow_blank=True, max_length=100_000)


class ReleaseGraphCypher(APIView):
    authentication_classes = READING_TOKEN_OR_SESSION
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "release_query"

    @operation(
        "releases_graph_cypher",
        CypherTableSerializer,
        401,
        429,
        503,
        request=ReleaseQuerySerializer,
    )
    def post(self, request: Request, slug: str, method: str) -> Response:
        """Run one read-only query, as predictions are run; at most 1,000 rows are returned."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        query = validate(ReleaseQuerySerializer(data=request.data))["query"]
        done = query_release_graph(actor=actor, release=release, method=method, query=query)
        table = done.result
        body = {
            "snapshot": done.snapshot,
            "columns": table.columns,
            "rows": table.rows,
            "shown": len(table.rows),
            "capped": table.capped,
        }
        return Response(body)
