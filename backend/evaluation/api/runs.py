"""Runs of language models: tasks of a release, runs and their answers, and what they cost."""

import uuid
from collections.abc import Callable
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.models import User
from backend.benchmarks.policies import get_release_or_raise
from backend.benchmarks.registered_models import get_own_model_or_raise
from backend.common.idempotency import HEADER, StoredResponse, read_key, run_once
from backend.common.openapi import operation
from backend.common.pagination import CreatedAtCursorPagination
from backend.common.serializers import validate
from backend.evaluation.api.model_cost_serializers import (
    CostFilterSerializer,
    ModelCostListSerializer,
)
from backend.evaluation.api.run_request_serializers import (
    AnswerFilterSerializer,
    NewRunSerializer,
    RaisedBudgetSerializer,
    RunBudgetSerializer,
    RunFilterSerializer,
)
from backend.evaluation.api.run_serializers import (
    ModelTaskListSerializer,
    RunAnswerPageSerializer,
    RunSerializer,
    RunSummarySerializer,
    list_payload,
    run_payload,
)
from backend.evaluation.grounding.submission_rationales import find_rationale_track
from backend.evaluation.models.runs import Run
from backend.evaluation.runs.model_costs import MOST_RUNS, list_costs
from backend.evaluation.runs.policies import (
    get_run_or_raise,
    get_steerable_run_or_raise,
    listed_runs,
)
from backend.evaluation.runs.release_tasks import list_tasks
from backend.evaluation.runs.run_answers import list_answers
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import (
    NewRun,
    cancel_run,
    create_run,
    create_samples,
    pause_run,
    resume_run,
    start_run,
)
from backend.llm.policies import get_usable_endpoint_or_raise

KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="New for every run, the same when the request is repeated.",
)


class ReleaseModelTasks(APIView):
    permission_classes = [AllowAny]

    @operation("releases_model_tasks", ModelTaskListSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The model tasks of a release, and what each lacks."""
        release = get_release_or_raise(get_actor(request), slug)
        compares_samples = find_rationale_track(release) is not None
        results = [
            {
                "name": one.task.name,
                "title": one.task.title,
                "description": one.task.prompt.intent,
                "prompt": one.task.prompt,
                "needs": sorted(one.task.needs),
                "settings": one.settings,
                "cutoff": release.cutoff if "cutoff" in one.settings else None,
                "items": one.items,
                "compares_samples": compares_samples,
                "is_available": one.is_available,
                "unavailable_reason": one.unavailable_reason,
            }
            for one in list_tasks(release)
        ]
        return Response(ModelTaskListSerializer({"results": results}).data)


class Runs(ListAPIView[Run]):
    serializer_class = RunSummarySerializer
    pagination_class = CreatedAtCursorPagination

    def get_queryset(self) -> QuerySet[Run]:
        runs = listed_runs(get_actor_or_raise(self.request))
        chosen = validate(RunFilterSerializer(data=self.request.query_params))["release"]
        return runs.filter(release__slug=chosen) if chosen else runs

    @operation("runs_list", RunSummarySerializer(many=True), parameters=[RunFilterSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your runs, the latest first; for administrators also those of commands."""
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(list_payload(page or []))

    @operation(
        "runs_create",
        RunSerializer,
        404,
        409,
        429,
        status=201,
        request=NewRunSerializer,
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        """Make a run: five items give an estimate, then it waits for a budget."""
        actor, key = get_actor_or_raise(request), read_key(request)
        form = validate(NewRunSerializer(data=request.data))

        def write() -> StoredResponse:
            new, count = read_new_run(actor, form), form.get("samples", 1)
            if count == 1:
                run = create_run(actor=actor, new=new)
            else:
                run = create_samples(actor=actor, new=new, count=count)[0]
            return StoredResponse(run_payload(actor, run), HTTPStatus.CREATED)

        content = {"runs": "create", "body": request.data}
        stored = run_once(owner=actor.pk, key=key, content=content, write=write)
        return Response(stored.body, status=stored.status)


def read_new_run(actor: User, form: dict[str, Any]) -> NewRun:
    return NewRun(
        release=get_release_or_raise(actor, form["release"]),
        endpoint=get_usable_endpoint_or_raise(actor, form["endpoint"]),
        task=form["task"],
        model=get_own_model_or_raise(actor, form["model"]),
        settings=RunSettings(**form.get("settings", {})),
    )


class RunDetail(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("runs_read", RunSerializer)
    def get(self, request: Request, run_id: uuid.UUID) -> Response:
        """A run of yours, or one whose result is public."""
        actor = get_actor(request)
        return Response(run_payload(actor, get_run_or_raise(actor, run_id)))


def steer(request: Request, run_id: uuid.UUID, act: Callable[[Run], Run]) -> Response:
    actor = get_actor_or_raise(request)
    act(get_steerable_run_or_raise(actor, run_id))
    return Response(run_payload(actor, get_steerable_run_or_raise(actor, run_id)))


class RunStart(APIView):
    @operation("runs_start", RunSerializer, 409, 429, request=RunBudgetSerializer)
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """Answer all items, for no more than the budget."""
        get_steerable_run_or_raise(get_actor_or_raise(request), run_id)
        budget: Decimal = validate(RunBudgetSerializer(data=request.data))["budget"]
        return steer(request, run_id, lambda run: start_run(run=run, budget=budget))


class RunPause(APIView):
    @operation("runs_pause", RunSerializer, 409, request=None)
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """Make no new calls. Those in flight end and are paid for."""
        return steer(request, run_id, lambda run: pause_run(run=run))


class RunResume(APIView):
    @operation("runs_resume", RunSerializer, 409, 429, request=RaisedBudgetSerializer)
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """Go on, if wanted with another budget. No answered call is repeated."""
        get_steerable_run_or_raise(get_actor_or_raise(request), run_id)
        budget = validate(RaisedBudgetSerializer(data=request.data)).get("budget")
        return steer(request, run_id, lambda run: resume_run(run=run, budget=budget))


class RunCancel(APIView):
    @operation("runs_cancel", RunSerializer, 409, request=None)
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """End the run without a submission."""
        return steer(request, run_id, lambda run: cancel_run(run=run))


class RunAnswers(APIView):
    permission_classes = [AllowAny]

    @operation("runs_answers", RunAnswerPageSerializer, parameters=[AnswerFilterSerializer])
    def get(self, request: Request, run_id: uuid.UUID) -> Response:
        """Prompts and answers, dev items first; for visitors of dev items alone."""
        actor = get_actor(request)
        run = get_run_or_raise(actor, run_id)
        chosen = validate(AnswerFilterSerializer(data=request.query_params))
        page = list_answers(
            actor,
            run,
            outcome=chosen["outcome"],
            text=chosen["item"],
            after=chosen["cursor"],
            limit=chosen["limit"],
        )
        here = request.build_absolute_uri()
        following = replace_query_param(here, "cursor", page.next) if page.next else None
        payload = {"next": following, "results": page.answers}
        return Response(RunAnswerPageSerializer(payload).data)


class ModelCosts(APIView):
    permission_classes = [AllowAny]

    @operation("model_costs", ModelCostListSerializer, parameters=[CostFilterSerializer])
    def get(self, request: Request) -> Response:
        """What the latest 500 public runs cost, by release, task and model; or your own."""
        chosen = validate(CostFilterSerializer(data=request.query_params))
        rows = list_costs(
            get_actor(request), release=chosen["release"], is_own=chosen["own"], most=MOST_RUNS
        )
        return Response(ModelCostListSerializer({"results": rows}).data)
