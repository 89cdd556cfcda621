"""Question sets, their questions, and the workbench of one question."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.actor import get_actor
from backend.accounts.models import User
from backend.benchmarks.api.rns import body_of_explanations
from backend.benchmarks.api.serializers import (
    ExplanationAnswer,
    ExplanationQuery,
    ListedQuestion,
    QuestionSetList,
    WorkbenchAnswer,
    WorkbenchQuery,
)
from backend.benchmarks.api.waited import while_waited
from backend.benchmarks.models import Question
from backend.benchmarks.policies import (
    get_question_or_raise,
    get_set_or_raise,
    ids_of_own_sets,
    is_public,
    public_questions,
    visible_partitions,
    visible_questions,
    visible_sets,
)
from backend.benchmarks.serendipity.explanations import explain_pairs
from backend.benchmarks.serendipity.exporting import record_file
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.workbench import (
    Bench,
    body_of_question,
    scored_now,
    version_for,
    versions_of_sets,
    workbench,
)
from backend.benchmarks.stored import qid_of
from backend.common.errors import DomainError
from backend.common.pagination import Cursor
from backend.common.schema import problems
from backend.graphs.models import Version

GRAPH = [
    OpenApiParameter(
        "graph",
        str,
        description="A graph's short name; the first that the set was looked up in if not given.",
    ),
    OpenApiParameter("snapshot", str, description="A version of it; the newest if not given."),
]
POSITIONS = [
    OpenApiParameter(name, int, many=True, required=True, description="Candidates by position.")
    for name in ("existing", "serendipity")
]


MOST_SETS = 200


class ByNumber(Cursor):
    ordering = "number"


class QuestionSets(APIView):
    permission_classes = [AllowAny]

    @extend_schema(operation_id="question_sets_list", responses={200: QuestionSetList})
    def get(self, request: Request) -> Response:
        """Those of which there is a question that she may see; the demo first."""
        actor = get_actor(request)
        shown = Question.objects.filter(pk__in=public_questions().order_by().values("pk"))
        sets = (
            visible_sets(actor)
            .order_by("-is_demo", "name")
            .annotate(public=Exists(shown.filter(question_set=OuterRef("pk"))))
        )
        results = bodies_of_sets(actor, list(sets[:MOST_SETS]))
        return Response(QuestionSetList({"results": results}).data)


class Questions(GenericAPIView[Any]):
    permission_classes = [AllowAny]
    pagination_class = ByNumber
    serializer_class = ListedQuestion
    queryset = Question.objects.none()

    @extend_schema(
        operation_id="question_set_questions",
        responses={200: ListedQuestion(many=True), **problems(404)},
    )
    def get(self, request: Request, set_id: uuid.UUID) -> Response:
        """Its questions that she may see, in their order."""
        actor = get_actor(request)
        question_set = get_set_or_raise(actor, set_id)
        found = visible_questions(actor).filter(question_set=question_set)
        public = public_questions().order_by().filter(pk=OuterRef("pk"))
        rows = found.annotate(public=Exists(public), answers=Count("candidates"))
        splits = Prefetch("partitions", visible_partitions(actor), to_attr="seen")
        page = self.paginate_queryset(rows.prefetch_related(splits)) or []
        return self.get_paginated_response([listed(one) for one in page])


class QuestionRead(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "workbench"

    def seen(self, request: Request, question_id: uuid.UUID) -> tuple[Question, Version]:
        """A question that she may see, and a version that it was looked up in."""
        actor = get_actor(request)
        question = get_question_or_raise(actor, question_id)
        named = (request.query_params.get(name, "") for name in ("graph", "snapshot"))
        return question, version_for(actor, question.question_set, *named)

    def bench(self, request: Request, question_id: uuid.UUID) -> Bench:
        query = WorkbenchQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        asked = query.validated_data
        question, version = self.seen(request, question_id)
        actor = get_actor(request)
        return Bench.of(actor, question, version, Options.of(asked), asked.get("size"))


class Workbench(QuestionRead):
    @extend_schema(
        operation_id="question_workbench",
        parameters=[WorkbenchQuery],
        responses={200: WorkbenchAnswer, **problems(404, 409, 422, 429, 503)},
    )
    def get(self, request: Request, question_id: uuid.UUID) -> Response:
        """Candidates with their bars, R, N and S of the splits, and the partitions side by side."""
        bench = self.bench(request, question_id)
        scored = while_waited(lambda stop: scored_now(bench, stop))
        graph, version = bench.version.graph, bench.version
        return Response(
            {
                "snapshot": version.snapshot,
                "graph": {"slug": graph.slug, "name": graph.name, "number": version.number},
                "public": is_public(bench.question),
                "question": {
                    **body_of_question(bench.question),
                    **place_in_set(get_actor(request), bench.question),
                },
                **workbench(bench, scored),
            }
        )


class QuestionPaths(QuestionRead):
    @extend_schema(
        operation_id="question_serendipity_paths",
        parameters=[ExplanationQuery, *GRAPH, *POSITIONS],
        responses={200: ExplanationAnswer, **problems(404, 422, 429, 503)},
    )
    def get(self, request: Request, question_id: uuid.UUID) -> Response:
        """For every pair of candidates, the best explanations in the graph."""
        query = ExplanationQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        asked: Mapping[str, Any] = query.validated_data
        bench = self.bench(request, question_id)
        known, new = (positions_of(request, name, bench) for name in ("existing", "serendipity"))
        ones, others = ([bench.entities[one] for one in some] for some in (known, new))
        view = bench.snapshot
        found = while_waited(lambda stop: explain_pairs(view, ones, others, stop, **asked))
        body = body_of_explanations(found, asked["order"])
        ends = [(one, other) for one in known for other in new]
        for pair, (one, other) in zip(body["pairs"], ends, strict=True):
            pair |= {"existing_position": one, "serendipity_position": other}
        return Response({"snapshot": bench.version.snapshot, **body})


class WorkbenchExport(QuestionRead):
    @extend_schema(
        operation_id="question_workbench_export",
        parameters=[WorkbenchQuery],
        responses={(200, "application/json"): OpenApiTypes.BINARY, **problems(404, 409, 422, 503)},
    )
    def get(self, request: Request, question_id: uuid.UUID) -> HttpResponse:
        """Its partitions as SerenQA's record, with paths in its notation."""
        bench = self.bench(request, question_id)
        qid = qid_of(bench.question)
        content = while_waited(lambda stop: record_file(bench, qid, stop))
        name = f"partitions-{bench.question.file_id}.json"
        disposition = content_disposition_header(True, name) or "attachment"
        return HttpResponse(
            content,
            content_type="application/json",
            headers={"Content-Disposition": disposition},
        )


def positions_of(request: Request, name: str, bench: Bench) -> list[int]:
    """Candidates that are in the graph, each once."""
    found = dict.fromkeys(request.query_params.getlist(name))
    try:
        positions = [int(one) for one in found]
    except ValueError:
        positions = [-1]
    if not positions or any(one not in bench.entities for one in positions):
        raise DomainError(
            f"Name candidates that are in this graph, by their positions, in '{name}'.",
            code="unknown_candidate",
            data={"place": name},
        )
    return positions


def place_in_set(actor: User | None, question: Question) -> dict[str, Any]:
    """How many questions there are, and the ones beside it, of those that she may see."""
    seen = visible_questions(actor).filter(question_set=question.question_set_id)
    before = seen.filter(number__lt=question.number).order_by("-number").first()
    after = seen.filter(number__gt=question.number).order_by("number").first()
    return {
        "of": seen.count(),
        "previous": None if before is None else str(before.pk),
        "next": None if after is None else str(after.pk),
    }


def listed(question: Any) -> dict[str, Any]:
    return {
        "id": str(question.pk),
        "file_id": question.file_id,
        "number": question.number,
        "text": question.text,
        "category": question.category,
        "pattern_type": question.pattern_type,
        "candidates": question.answers,
        "public": question.public,
        "methods": sorted({one.method for one in question.seen}),
    }


def body_of_version(version: Version) -> dict[str, Any]:
    return {
        "slug": version.graph.slug,
        "name": version.graph.name,
        "snapshot": version.snapshot,
        "number": version.number,
    }


def bodies_of_sets(actor: User | None, sets: Sequence[Any]) -> list[dict[str, Any]]:
    """What she may see of each, in as many queries for many sets as for one."""
    seen = visible_questions(actor).order_by().filter(question_set__in=sets)
    counts = dict(seen.values_list("question_set").annotate(Count("pk")))
    methods = methods_of(actor, seen)
    versions = versions_of_sets(actor, sets)
    hers = ids_of_own_sets(actor, sets)
    return [
        {
            "id": one.pk,
            "name": one.name,
            "is_demo": one.is_demo,
            "questions": counts.get(one.pk, 0),
            "public": one.public,
            "hers": one.pk in hers,
            "graphs": [body_of_version(it) for it in versions[one.pk]],
            "methods": methods[one.pk],
        }
        for one in sets
    ]


def methods_of(
    actor: User | None, questions: QuerySet[Question]
) -> Mapping[uuid.UUID, dict[str, int]]:
    """By question set: how many questions have a partition by each method."""
    rows = visible_partitions(actor).filter(question__in=questions).order_by()
    found = defaultdict[uuid.UUID, dict[str, int]](dict)
    counted = rows.values_list("question__question_set", "method")
    for question_set, method, count in counted.annotate(Count("question", distinct=True)):
        found[question_set][method] = count
    return found
