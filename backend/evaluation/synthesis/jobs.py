"""The job of a synthesis: relations are drawn, and queries go from step to step."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from django.db import transaction

from backend.benchmarks.stark_queries.generation import GoldQuery, draw_gold_queries
from backend.evaluation.judging.answer_collection import collect_answers
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.models.syntheses import (
    QuerySynthesis,
    SynthesisStep,
    SynthesizedQuery,
)
from backend.evaluation.paid_requests import ID, end_request, is_claimed_by, request_id
from backend.evaluation.synthesis.documents import document_sentences
from backend.evaluation.synthesis.results import store_question_set, summarize
from backend.evaluation.synthesis.services import PROMPT_VERSION
from backend.evaluation.synthesis.steps import (
    PAID_TEXTS,
    Requests,
    Synthesis,
    accept_queries,
    drop_repeated,
)
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.snapshots.graph_view import GraphView
from backend.jobs.context import JobContext
from backend.jobs.faults import PlatformFault
from backend.llm.calls import ModelAnswer
from backend.llm.models import Budget, Endpoint
from backend.tracks.serenqa_graph_queries import pattern_to_graph_query

RELATED = ("owner", "set_owner", "writer", "rewriter", "version__graph")
DRAWN = 0.1  # of the progress
Result = Mapping[str, Any]


def work_on_synthesis(context: JobContext) -> Result | Callable[[], Result]:
    """Inputs: `rules`, how often calls are repeated after faults."""
    row = QuerySynthesis.objects.select_related(*RELATED).get(pk=request_id(context.job))
    if not is_claimed_by(row, context.job):
        return {ID: str(row.pk), "state": row.state}
    if row.prompt_version != PROMPT_VERSION:
        raise PlatformFault("prompt_changed", "A prompt has changed since. Request it again.")
    view = open_version_snapshot(row.version)
    context.report_progress("drawing relations", 0.0, is_forced=True)
    draw_rows(row, view)
    SynthesisWork(Synthesis(row, view), context, Budget.objects.get(subject=row.subject)).run()

    def store() -> Result:
        accept_queries(row, view)
        store_question_set(row, view)
        end_request(row, RequestState.ENDED)
        return {ID: str(row.pk), **summarize(row).as_json()}

    return store


class SynthesisWork:
    def __init__(self, synthesis: Synthesis, context: JobContext, budget: Budget) -> None:
        self.synthesis, self.context, self.budget = synthesis, context, budget
        row = synthesis.row
        self.verifiers = [(one.number, one.endpoint) for one in row.verifiers.all()]
        self.parts = 3 + len(self.verifiers)

    def run(self) -> None:
        row = self.synthesis.row
        writers = (
            (SynthesisStep.PROPERTIES, row.writer, "extracting properties"),
            (SynthesisStep.QUERY, row.writer, "writing queries"),
            (SynthesisStep.REWRITING, row.rewriter, "rewriting queries"),
        )
        for part, (step, endpoint, phase) in enumerate(writers):
            if step in PAID_TEXTS:
                drop_repeated(row, step)
            count = self.synthesis.open_queries(step).count()
            requests = self.synthesis.list_requests(step, endpoint)
            take = partial(self.synthesis.take, step)
            self._collect(endpoint, requests, count, take, phase, part)
        drop_repeated(row, SynthesisStep.VERIFICATION)
        for number, endpoint in self.verifiers:
            count = self.synthesis.count_checks(number)
            checks = self.synthesis.list_checks(number, endpoint)
            take = partial(self.synthesis.take_check, number)
            phase = f"verifying answers with {endpoint.name}"
            self._collect(endpoint, checks, count, take, phase, 2 + number)

    def _collect(
        self,
        endpoint: Endpoint,
        requests: Requests,
        count: int,
        take: Callable[[str, ModelAnswer], None],
        phase: str,
        part: int,
    ) -> None:
        done = 0

        def take_one(key: str, answer: ModelAnswer) -> None:
            nonlocal done
            take(key, answer)
            done += 1
            share = DRAWN + (1 - DRAWN) * (part + done / count) / self.parts
            self.context.report_progress(f"{phase}, {done:,} of {count:,}", share)

        collect_answers(
            endpoint,
            self.budget,
            requests,
            take=take_one,
            check=self.context.check_cancelled,
            rules=self.context.inputs.get("rules"),
        )


@transaction.atomic
def draw_rows(synthesis: QuerySynthesis, view: GraphView) -> None:
    """Once: the same graph and settings give the same rows."""
    if synthesis.queries.exists():
        return
    drawn = draw_gold_queries(view, synthesis.count, synthesis.seed, synthesis.most_answers)
    draws = np.random.default_rng(synthesis.seed)
    SynthesizedQuery.objects.bulk_create(
        make_row(synthesis, view, number, one, draws) for number, one in enumerate(drawn, 1)
    )


def make_row(
    synthesis: QuerySynthesis,
    view: GraphView,
    number: int,
    drawn: GoldQuery,
    draws: np.random.Generator,
) -> SynthesizedQuery:
    query, gold, roles = drawn
    has_document = bool(document_sentences(view, gold))
    return SynthesizedQuery(
        synthesis=synthesis,
        number=number,
        template=query.template,
        role=roles[int(draws.integers(len(roles)))],
        relation=query.text,
        pattern=pattern_to_graph_query(query.pattern),
        entities=[node.name for node in query.pattern.nodes if not node.is_variable],
        gold=gold,
        candidates=[*query.answers],
        step=SynthesisStep.PROPERTIES if has_document else SynthesisStep.QUERY,
    )
