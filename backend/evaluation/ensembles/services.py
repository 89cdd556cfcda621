"""Writes and reads of ensembles: requested by the coordinators of a question set, resumed."""

import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.policies import require_compute_permission, require_set_manager
from backend.benchmarks.rns.jobs import question_set_subject
from backend.common.errors import Conflict, DomainError, NotAllowed, NotFound
from backend.evaluation.models.ensembles import CandidateEnsemble
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.paid_requests import queue_request, require_payable, resume_request
from backend.evaluation.runs.ensemble import VERSION, require_different_models
from backend.llm.budgets import open_budget
from backend.llm.models import Budget, Endpoint
from backend.llm.policies import get_usable_endpoint_or_raise

SCORE_CANDIDATES = "score_candidates"  # kind of job
MOST_ENDPOINTS = 10


@transaction.atomic
def request_ensemble(
    *, actor: User, question_set: QuestionSet, endpoints: Sequence[Endpoint], budget: Decimal
) -> CandidateEnsemble:
    """Queue it as one job.

    Raises NotAllowed unless the actor manages the set, DomainError for two endpoints of one model,
    Conflict `ensemble_under_way`, and what require_payable does.
    """
    if not 1 <= len(endpoints) <= MOST_ENDPOINTS:
        raise DomainError(f"Choose 1 to {MOST_ENDPOINTS} endpoints.", code="endpoints")
    require_scorable(actor, question_set, endpoints)
    require_payable(actor, endpoints, budget)
    ensemble = CandidateEnsemble.objects.create(
        owner=actor, question_set=question_set, prompt_version=VERSION
    )
    ensemble.endpoints.set(endpoints)
    open_budget(subject=ensemble.subject, amount=budget, owner=actor)
    return queue_ensemble(ensemble)


def queue_ensemble(ensemble: CandidateEnsemble) -> CandidateEnsemble:
    subjects = [
        question_set_subject(ensemble.question_set),
        *(f"endpoint:{one.pk}" for one in ensemble.endpoints.all()),
    ]
    return queue_request(ensemble, SCORE_CANDIDATES, subjects=subjects, is_local=False)


def require_scorable(
    actor: User,
    question_set: QuestionSet,
    endpoints: Sequence[Endpoint],
    *,
    resumed: CandidateEnsemble | None = None,
) -> None:
    """Of a set that is locked then: no other ensemble than `resumed` scores it meanwhile."""
    require_compute_permission(actor)
    require_set_manager(actor, question_set)
    require_different_models(endpoints)
    QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    known = CandidateEnsemble.objects.filter(question_set=question_set)
    known = known.exclude(pk=resumed.pk) if resumed else known
    if known.filter(state=RequestState.QUEUED).exists():
        message = "Models score this question set already. Wait until they have."
        raise Conflict(message, code="ensemble_under_way")


@transaction.atomic
def resume_ensemble(*, actor: User, ensemble: CandidateEnsemble, budget: Decimal) -> None:
    """Raises what resume_request does, and NotAllowed or NotFound where a permission has ended.

    For its owner, who pays: administrators read those of others.
    """
    if ensemble.owner_id != actor.pk:
        raise NotAllowed("Only who requested an ensemble can resume it.")
    endpoints = [get_usable_endpoint_or_raise(actor, one.pk) for one in ensemble.endpoints.all()]
    require_scorable(actor, ensemble.question_set, endpoints, resumed=ensemble)
    resume_request(ensemble, budget=budget, endpoints=endpoints, queue=queue_ensemble)


def visible_ensembles(actor: User) -> QuerySet[CandidateEnsemble]:
    """One's own; administrators see what each owner requested."""
    rows = CandidateEnsemble.objects.select_related("owner", "question_set", "job")
    visible = rows if actor.is_administrator else rows.filter(owner=actor)
    return visible.prefetch_related("endpoints")


def get_ensemble_or_raise(actor: User, ensemble_id: uuid.UUID) -> CandidateEnsemble:
    ensemble = visible_ensembles(actor).filter(pk=ensemble_id).first()
    if ensemble is None:
        raise NotFound("There is no such ensemble, or it is not yours.")
    return ensemble


def ensemble_payloads(ensembles: Sequence[CandidateEnsemble]) -> list[dict[str, Any]]:
    budgets = Budget.objects.filter(subject__in=[one.subject for one in ensembles])
    by_subject = {one.subject: one for one in budgets}
    return [_payload(one, by_subject[one.subject]) for one in ensembles]


def _payload(one: CandidateEnsemble, budget: Budget) -> dict[str, Any]:
    return {
        "id": one.pk,
        "state": one.state,
        "error": one.error,
        "owner": one.owner.name if one.owner else "",
        "question_set": {"id": one.question_set_id, "name": one.question_set.name},
        "endpoints": [
            {"name": it.name, "model": it.model, "size_label": it.size_label}
            for it in sorted(one.endpoints.all(), key=lambda it: it.name)
        ],
        "prompt_version": one.prompt_version,
        "result": one.result,
        "job": one.job_id,
        "budget": {"amount": f"{budget.amount:.6f}", "spent": f"{budget.spent:.6f}"},
        "created_at": one.created_at,
        "ended_at": one.ended_at,
    }
