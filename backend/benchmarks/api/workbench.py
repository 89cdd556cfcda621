"""Question sets, their questions, and the workbench of one question."""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.accounts.models import User
from backend.benchmarks.api.rns import explanations_payload
from backend.benchmarks.api.serializers import (
    ExplanationQuery,
    ExplanationsSerializer,
    QuestionFilterSerializer,
    QuestionPageSerializer,
    QuestionSetListSerializer,
    WorkbenchQuery,
    WorkbenchSerializer,
)
from backend.benchmarks.api.time_limit import run_with_time_limit
from backend.benchmarks.models import Candidate, Partition, Question, QuestionSet
from backend.benchmarks.policies import (
    get_question_or_raise,
    get_set_or_raise,
    is_public,
    is_set_owner,
    manageable_set_ids,
    public_questions,
    visible_partitions,
    visible_questions,
    visible_sets,
)
from backend.benchmarks.question_records import original_qid, pattern_of
from backend.benchmarks.rns.explanations import explain_pairs
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.partition_export import export_record
from backend.benchmarks.rns.question_results import (
    describe_result,
    order_questions,
    partitions_by_question,
    weight_shares,
)
from backend.benchmarks.rns.workbench_query import (
    WorkbenchContext,
    load_or_compute_scores,
    select_version,
    versions_of_sets,
    workbench_parts,
)
from backend.common.downloads import download_headers
from backend.common.errors import DomainError
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.models import Version

GRAPH_PARAMETERS = [
    OpenApiParameter(
        "graph",
        str,
        description="A graph's short name; the first that the set was looked up in if not given.",
    ),
    OpenApiParameter("snapshot", str, description="A version of it; the newest if not given."),
]
POSITION_PARAMETERS = [
    OpenApiParameter(name, int, many=True, required=True, description="Candidates by position.")
    for name in ("existing", "serendipity")
]


MAX_SETS = 200


class QuestionSets(APIView):
    permission_classes = [AllowAny]

    @operation("question_sets_list", QuestionSetListSerializer)
    def get(self, request: Request) -> Response:
        """List question sets with at least one question that the user may see; the demo comes
        first, and sets with graph patterns before others.
        """
        actor = get_actor(request)
        shown = Question.objects.filter(pk__in=public_questions().order_by().values("pk"))
        patterned = Question.objects.exclude(pattern_type="")
        sets = (
            visible_sets(actor)
            .annotate(
                public=Exists(shown.filter(question_set=OuterRef("pk"))),
                has_patterns=Exists(patterned.filter(question_set=OuterRef("pk"))),
            )
            .order_by("-is_demo", "-has_patterns", "name")
        )
        results = question_set_rows(actor, list(sets[:MAX_SETS]))
        return Response(QuestionSetListSerializer({"results": results}).data)


class Questions(APIView):
    permission_classes = [AllowAny]

    @operation(
        "question_set_questions", QuestionPageSerializer, parameters=[QuestionFilterSerializer]
    )
    def get(self, request: Request, set_id: uuid.UUID) -> Response:
        """List the questions of a set that the user may see, each with its result by RNS."""
        actor = get_actor(request)
        chosen = validate(QuestionFilterSerializer(data=request.query_params))
        question_set = get_set_or_raise(actor, set_id)
        visible = visible_questions(actor).filter(question_set=question_set)
        if chosen["text"]:
            visible = visible.filter(has_text(chosen["text"]))
        keys = list(visible.order_by("batch_number", "number").values_list("pk", "file_id"))
        ordered = order_questions(actor, question_set, keys, chosen["order"])
        end = chosen["offset"] + chosen["limit"]
        page = {
            "next": next_page(request, end) if end < len(ordered) else None,
            "matching": len(ordered),
            "results": question_rows(actor, question_set, ordered[chosen["offset"] : end]),
        }
        return Response(QuestionPageSerializer(page).data)


def has_text(text: str) -> Q:
    named = Candidate.objects.filter(question=OuterRef("pk"), name__icontains=text)
    return Q(text__icontains=text) | Q(Exists(named))


def next_page(request: Request, offset: int) -> str:
    words = request.query_params.copy()
    words["offset"] = str(offset)
    return f"{request.path}?{words.urlencode()}"


def question_rows(
    actor: User | None, question_set: QuestionSet, ids: Sequence[uuid.UUID]
) -> list[dict[str, Any]]:
    """In the order of the ids, in a number of queries that is the same for any."""
    public = public_questions().order_by().filter(pk=OuterRef("pk"))
    rows = Question.objects.filter(pk__in=ids).annotate(public=Exists(public))
    by_id = {one.pk: one for one in rows.prefetch_related("candidates")}
    partitions = partitions_by_question(ids, actor)
    shares = weight_shares(actor, question_set)
    return [_question_row(by_id[pk], partitions.get(pk, []), shares) for pk in ids]


def _question_row(
    question: Any, partitions: Sequence[Partition], shares: Mapping[str, float]
) -> dict[str, Any]:
    names = {one.position: one.name for one in question.candidates.all()}
    fields = ("id", "file_id", "batch_number", "number", "text", "category", "pattern_type")
    return {
        **{name: getattr(question, name) for name in fields},
        "public": question.public,
        "candidates": len(names),
        "methods": sorted({one.method for one in partitions}),
        "result": describe_result(partitions, names, shares.get(question.file_id)),
    }


class QuestionRead(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "workbench"

    def get_question_and_version(
        self, request: Request, question_id: uuid.UUID
    ) -> tuple[Question, Version]:
        """A visible question, and a visible version that its set was resolved against."""
        actor = get_actor(request)
        question = get_question_or_raise(actor, question_id)
        named = (request.query_params.get(name, "") for name in ("graph", "snapshot"))
        return question, select_version(actor, question.question_set, *named)

    def load_context(self, request: Request, question_id: uuid.UUID) -> WorkbenchContext:
        options = validate(WorkbenchQuery(data=request.query_params))
        question, version = self.get_question_and_version(request, question_id)
        actor = get_actor(request)
        return WorkbenchContext.load(
            actor, question, version, RnsOptions.parse(options), options.get("size")
        )


class Workbench(QuestionRead):
    @operation("question_workbench", WorkbenchSerializer, 409, 429, parameters=[WorkbenchQuery])
    def get(self, request: Request, question_id: uuid.UUID) -> Response:
        """Return the candidates with their bars, the scores of the splits, and all partitions."""
        bench = self.load_context(request, question_id)
        scored = run_with_time_limit(lambda stop: load_or_compute_scores(bench, stop))
        question = {
            "question": bench.question,
            "pattern": pattern_of(bench.question),
            **neighbours_in_set(get_actor(request), bench.question),
        }
        shown = {
            "version": bench.version,
            "public": is_public(bench.question),
            "question": question,
            **workbench_parts(bench, scored),
        }
        return Response(WorkbenchSerializer(shown).data)


class QuestionPaths(QuestionRead):
    @operation(
        "question_serendipity_paths",
        ExplanationsSerializer,
        429,
        parameters=[ExplanationQuery, *GRAPH_PARAMETERS, *POSITION_PARAMETERS],
    )
    def get(self, request: Request, question_id: uuid.UUID) -> Response:
        """Return the best explanations in the graph for every pair of candidates."""
        options = validate(ExplanationQuery(data=request.query_params))
        bench = self.load_context(request, question_id)
        known, new = (positions_of(request, name, bench) for name in ("existing", "serendipity"))
        ones, others = ([bench.entities[one] for one in some] for some in (known, new))
        view = bench.snapshot
        result = run_with_time_limit(
            lambda stop: explain_pairs(view, ones, others, stop, **options)
        )
        body = explanations_payload(result, options["order"])
        ends = [(one, other) for one in known for other in new]
        for pair, (one, other) in zip(body["pairs"], ends, strict=True):
            pair |= {"existing_position": one, "serendipity_position": other}
        return Response({"snapshot": bench.version.snapshot, **body})


class WorkbenchExport(QuestionRead):
    @operation(
        "question_workbench_export",
        {(200, "application/json"): OpenApiTypes.ANY},
        409,
        parameters=[WorkbenchQuery],
    )
    def get(self, request: Request, question_id: uuid.UUID) -> HttpResponse:
        """Return the partitions as a SerenQA record, with paths in SerenQA's notation."""
        bench = self.load_context(request, question_id)
        qid = original_qid(bench.question)
        content = run_with_time_limit(lambda stop: export_record(bench, qid, stop))
        headers = download_headers(f"partitions-{bench.question.file_id}.json")
        return HttpResponse(content, content_type="application/json", headers=headers)


def positions_of(request: Request, name: str, bench: WorkbenchContext) -> list[int]:
    """Positions of candidates that are in the graph, without duplicates."""
    result = dict.fromkeys(request.query_params.getlist(name))
    try:
        positions = [int(one) for one in result]
    except ValueError:
        positions = [-1]
    if not positions or any(one not in bench.entities for one in positions):
        raise DomainError(
            f"Give the positions of candidates that are in this graph in '{name}'.",
            code="unknown_candidate",
            data={"place": name},
        )
    return positions


def neighbours_in_set(actor: User | None, question: Question) -> dict[str, Any]:
    """The number of visible questions of the set, and the ids of the previous and the next one."""
    visible = visible_questions(actor).filter(question_set=question.question_set_id)
    ids = list(visible.values_list("pk", flat=True))
    place = ids.index(question.pk)
    return {
        "set_size": len(ids),
        "previous": ids[place - 1] if place else None,
        "next": ids[place + 1] if place + 1 < len(ids) else None,
    }


def question_set_rows(actor: User | None, sets: Sequence[Any]) -> list[dict[str, Any]]:
    """What the user may see of each set, in a number of queries that is the same for any."""
    visible = visible_questions(actor).order_by().filter(question_set__in=sets)
    counts = dict(visible.values_list("question_set").annotate(Count("pk")))
    methods = count_methods(actor, visible)
    versions = versions_of_sets(actor, sets)
    managed = manageable_set_ids(actor, sets)
    return [
        {
            "set": one,
            "questions": counts.get(one.pk, 0),
            "is_manager": one.pk in managed,
            "is_owner": is_set_owner(actor, one),
            "graphs": versions[one.pk],
            "methods": methods[one.pk],
        }
        for one in sets
    ]


def count_methods(
    actor: User | None, questions: QuerySet[Question]
) -> Mapping[uuid.UUID, dict[str, int]]:
    """By question set: the number of questions that have a partition by each method."""
    rows = visible_partitions(actor).filter(question__in=questions).order_by()
    result = defaultdict[uuid.UUID, dict[str, int]](dict)
    counted = rows.values_list("question__question_set", "method")
    for question_set, method, count in counted.annotate(Count("question", distinct=True)):
        result[question_set][method] = count
    return result
