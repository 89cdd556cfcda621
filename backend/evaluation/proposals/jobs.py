"""The job of a proposal: hypotheses for each background, then the groundedness of each rationale.

What is stored is not requested again, by the same job or a later one of the proposal.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.db import transaction

from backend.evaluation.grounding.jobs import ground_one, open_knowledge
from backend.evaluation.grounding.model_verifier import open_model_verifier
from backend.evaluation.grounding.verifiers import ClaimVerifier, PlainVerifier
from backend.evaluation.judging.answer_collection import collect_answers
from backend.evaluation.models.grounding import Grounding, GroundingState
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.models.proposals import (
    HypothesisProposal,
    ProposalBackground,
    ProposedHypothesis,
)
from backend.evaluation.paid_requests import end_request, is_claimed_by, request_id
from backend.evaluation.proposals.pairs import select_pairs
from backend.evaluation.proposals.services import store_hypotheses
from backend.evaluation.runs.requests import make_request
from backend.jobs.context import JobContext
from backend.jobs.faults import PlatformFault
from backend.jobs.models import Job
from backend.llm.calls import ModelAnswer, ModelRequest
from backend.llm.models import Budget
from backend.tracks.hypothesis_tasks import HYPOTHESES_TASK, Background
from backend.tracks.model_tasks import NO_CONTEXT

RELATED = ("owner", "endpoint", "version__graph", "collection", "verifier_endpoint")
GROUNDING_RELATED = ("owner", "version__graph", "collection", "endpoint")
Result = Mapping[str, Any]
HALF = 0.3  # of the progress: the requests for hypotheses


def work_on_proposal(context: JobContext) -> Result | Callable[[], Result]:
    """Inputs: `rules`, how often calls are repeated after faults."""
    proposal = HypothesisProposal.objects.select_related(*RELATED).get(pk=request_id(context.job))
    if not is_claimed_by(proposal, context.job):
        return {"proposal": str(proposal.pk), "state": proposal.state}
    if proposal.prompt_version != HYPOTHESES_TASK.prompt.version:
        raise PlatformFault("prompt_changed", "The prompt has changed since. Request it again.")
    budget = Budget.objects.get(subject=proposal.subject)
    request_hypotheses(proposal, budget, context)
    ground_hypotheses(proposal, budget, context)

    def store() -> Result:
        end_request(proposal, RequestState.ENDED)
        return {"proposal": str(proposal.pk), **select_pairs(proposal).as_json()}

    return store


def request_hypotheses(proposal: HypothesisProposal, budget: Budget, context: JobContext) -> None:
    rows = {str(one.number): one for one in proposal.backgrounds.filter(outcome="")}
    total, done = proposal.backgrounds.count(), proposal.backgrounds.count() - len(rows)

    def take(key: str, answer: ModelAnswer) -> None:
        nonlocal done
        store_hypotheses(rows[key], answer)
        done += 1
        phase = f"proposing hypotheses, {done:,} of {total:,} backgrounds"
        context.report_progress(phase, HALF * done / total)

    collect_answers(
        proposal.endpoint,
        budget,
        list_requests(proposal, rows),
        take=take,
        check=context.check_cancelled,
        rules=context.inputs.get("rules"),
    )


def list_requests(
    proposal: HypothesisProposal, rows: Mapping[str, ProposalBackground]
) -> Iterator[tuple[str, ModelRequest]]:
    for key, row in rows.items():
        item = Background(row.question, row.background, proposal.count)
        item_key = f"background {key}"
        yield (
            key,
            make_request(HYPOTHESES_TASK, item, item_key, NO_CONTEXT, endpoint=proposal.endpoint),
        )


def ground_hypotheses(proposal: HypothesisProposal, budget: Budget, context: JobContext) -> None:
    """By the pipeline of every grounding. A rationale that cannot be grounded fails alone."""
    attach_groundings(proposal, context.job)
    rows = Grounding.objects.filter(batch=proposal.pk, proposed_hypothesis__isnull=False)
    queued = rows.filter(state=GroundingState.QUEUED).order_by("line").values_list("pk", flat=True)
    numbers, total = [*queued], rows.count()
    knowledge = None
    with open_verifier(proposal, budget, context) as verifier:
        for number, pk in enumerate(numbers, start=total - len(numbers)):
            grounding = Grounding.objects.select_related(*GROUNDING_RELATED).get(pk=pk)
            knowledge = knowledge or open_knowledge(grounding)
            share = HALF + (1 - HALF) * number / total
            context.report_progress(f"grounding rationales, {number:,} of {total:,}", share)
            ground_one(grounding, knowledge, verifier, context)


@transaction.atomic
def attach_groundings(proposal: HypothesisProposal, job: Job) -> None:
    """One for each hypothesis. Those that failed with an earlier job are made anew; calls that
    were paid for are in the ledger."""
    failed = Grounding.objects.filter(batch=proposal.pk, state=GroundingState.FAILED)
    failed.exclude(job=job).delete()
    Grounding.objects.filter(batch=proposal.pk, state=GroundingState.QUEUED).update(job=job)
    open_rows = ProposedHypothesis.objects.filter(background__proposal=proposal, grounding=None)
    for one in open_rows.select_related("background"):
        one.grounding = Grounding.objects.create(
            owner=proposal.owner,
            batch=proposal.pk,
            line=(one.background.number - 1) * proposal.count + one.number,
            hypothesis=one.hypothesis,
            rationale=one.rationale,
            job=job,
            version=proposal.version,
            collection=proposal.collection,
            literature=proposal.literature,
            cutoff=proposal.cutoff,
            verifier=proposal.verifier,
            verifier_version=proposal.verifier_version,
            endpoint=proposal.verifier_endpoint,
            model=proposal.verifier_endpoint.model if proposal.verifier_endpoint else "",
        )
        one.save(update_fields=["grounding"])


def open_verifier(
    proposal: HypothesisProposal, budget: Budget, context: JobContext
) -> AbstractContextManager[ClaimVerifier]:
    if proposal.verifier_endpoint is None:
        return nullcontext(PlainVerifier())
    rules = context.inputs.get("rules")
    return open_model_verifier(proposal.verifier_endpoint, budget, context.check_cancelled, rules)
