"""Writes of proposed hypotheses: requested, begun again, stored, ended."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError
from backend.evaluation.grounding.services import (
    GroundingSettings,
    require_budget,
    require_cutoff,
    require_rationales,
)
from backend.evaluation.models.proposals import (
    HypothesisProposal,
    ProposalBackground,
    ProposalState,
    ProposedHypothesis,
)
from backend.evaluation.proposals.background_files import BackgroundRow
from backend.evaluation.runs.run_limits import require_dollars
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import recover_job, request_job
from backend.llm.budgets import change_amount, open_budget
from backend.llm.call_keys import json_text
from backend.llm.calls import ModelAnswer
from backend.llm.endpoints import require_price
from backend.llm.ledger import settle_dead_processes
from backend.llm.models import Endpoint
from backend.tracks.hypothesis_tasks import (
    HYPOTHESES_TASK,
    LEAST_HYPOTHESES,
    MOST_HYPOTHESES,
    Proposal,
)
from backend.validation.faults import Fault

PROPOSE = "propose_hypotheses"  # kind of job
DEFAULT_COUNT, DEFAULT_GAP, MOST_GAP = 5, 30.0, 100.0


@dataclass(frozen=True)
class ProposalSettings:
    """grounding: of what the rationales are grounded in, with the endpoint that verifies and the
    budget of all calls. endpoint: of the model that proposes. least_gap: in points."""

    endpoint: Endpoint
    grounding: GroundingSettings
    count: int = DEFAULT_COUNT
    seed: int = 0
    least_gap: float = DEFAULT_GAP

    def fields(self) -> Mapping[str, Any]:
        """Of the row."""
        return {
            **self.grounding.fields(),
            "verifier_endpoint": self.grounding.endpoint,
            "endpoint": self.endpoint,
            "model": self.endpoint.model,
            "prompt_version": HYPOTHESES_TASK.prompt.version,
            "count": self.count,
            "seed": self.seed,
            "least_gap": self.least_gap,
        }


@transaction.atomic
def request_proposal(
    *,
    actor: User | None,
    rows: Sequence[BackgroundRow],
    settings: ProposalSettings,
    digest: str = "",
    is_local: bool = False,
) -> HypothesisProposal:
    """Queue backgrounds as one job. actor: None for a command.

    Raises what request_groundings does: the rationales count for the person's day.
    """
    require_settings(settings)
    require_backgrounds(rows)
    require_cutoff(settings.grounding.knowledge)
    endpoints = [settings.endpoint, settings.grounding.endpoint]
    for endpoint in (one for one in endpoints if one is not None):
        require_price(endpoint)
        require_budget(endpoint, settings.grounding.budget)
    if actor is not None:
        require_rationales(actor, len(rows) * settings.count)
        require_dollars(actor, settings.grounding.budget)
    proposal = HypothesisProposal.objects.create(owner=actor, digest=digest, **settings.fields())
    ProposalBackground.objects.bulk_create(
        ProposalBackground(
            proposal=proposal, number=number, question=one.question, background=one.background
        )
        for number, one in enumerate(rows, start=1)
    )
    open_budget(subject=proposal.subject, amount=settings.grounding.budget, owner=actor)
    return queue_proposal(proposal, is_local=is_local)


def require_settings(settings: ProposalSettings) -> None:
    """Raises DomainError that names the member."""
    faults = []
    if not LEAST_HYPOTHESES <= settings.count <= MOST_HYPOTHESES:
        message = f"Between {LEAST_HYPOTHESES} and {MOST_HYPOTHESES} hypotheses are proposed."
        faults.append(Fault("count", message, "count"))
    if not 0 < settings.least_gap <= MOST_GAP:
        message = f"The least gap is above 0 and at most {MOST_GAP:g} points."
        faults.append(Fault("least_gap", message, "least_gap"))
    if faults:
        raise DomainError(faults[0].message, code=faults[0].code, faults=faults)


def require_backgrounds(rows: Sequence[BackgroundRow]) -> None:
    """Raises DomainError that names each empty one."""
    faults = [
        Fault(f"backgrounds.{place}.background", "This background is empty.", "empty")
        for place, one in enumerate(rows)
        if not one.background.strip()
    ]
    if faults:
        raise DomainError("A background is empty. Fill it in.", code="empty", faults=faults)


def queue_proposal(proposal: HypothesisProposal, *, is_local: bool) -> HypothesisProposal:
    subjects = [
        proposal.subject,
        f"graph-version:{proposal.version_id}",
        f"endpoint:{proposal.endpoint_id}",
    ]
    parameters = {"proposal": str(proposal.pk)}
    request = JobRequest(PROPOSE, parameters, subjects=subjects, id=uuid.uuid4())
    job = request_job(owner=proposal.owner, request=request, is_local=is_local).job
    proposal.job = job
    proposal.state, proposal.error = ProposalState.QUEUED, None
    proposal.save(update_fields=["job", "state", "error"])
    return proposal


def proposal_digest(rows: Sequence[BackgroundRow], settings: ProposalSettings) -> str:
    """Of all that a command's result depends on; its budget may change."""
    own = {
        name: str(getattr(value, "pk", value)) for name, value in sorted(settings.fields().items())
    }
    texts = [[one.question, one.background] for one in rows]
    return sha256(json_text([own, texts]).encode("utf-8", "surrogatepass")).hexdigest()


def begin_or_resume(
    *, rows: Sequence[BackgroundRow], settings: ProposalSettings
) -> HypothesisProposal:
    """For a command: what an equal one began goes on, and one that has ended is not repeated.

    Raises Conflict while another process works on it, or for less money than is spent.
    """
    digest = proposal_digest(rows, settings)
    known = HypothesisProposal.objects.filter(owner=None, digest=digest)
    proposal = known.select_related("job", "endpoint").first()
    if proposal is None:
        return request_proposal(
            actor=None, rows=rows, settings=settings, digest=digest, is_local=True
        )
    if proposal.state == ProposalState.ENDED:
        return proposal
    release_dead_job(proposal.job)
    with transaction.atomic():
        budget = open_budget(subject=proposal.subject, amount=Decimal(0))
        settle_dead_processes(None, budget.pk)
        change_amount(budget, settings.grounding.budget)
        return queue_proposal(proposal, is_local=True)


@transaction.atomic
def resume_proposal(*, proposal: HypothesisProposal, budget: Decimal) -> HypothesisProposal:
    """Work on what a failed request lacks, with another budget. No answered call is repeated.

    Raises Conflict unless it has failed, for less money than is spent, and for too much a day.
    """
    locked = HypothesisProposal.objects.select_for_update().get(pk=proposal.pk)
    if locked.state != ProposalState.FAILED:
        raise Conflict(
            "Only a failed request for hypotheses is resumed. Reload the page.",
            code="proposal_not_failed",
        )
    endpoints = [proposal.endpoint, proposal.verifier_endpoint]
    for endpoint in (one for one in endpoints if one is not None):
        require_price(endpoint)
        require_budget(endpoint, budget)
    stored = open_budget(subject=locked.subject, amount=Decimal(0))
    settle_dead_processes(None, stored.pk)
    stored.refresh_from_db()
    if proposal.owner is not None:
        require_dollars(proposal.owner, max(budget - stored.spent, Decimal(0)))
    change_amount(stored, budget)
    return queue_proposal(locked, is_local=False)


def release_dead_job(job: Job | None) -> None:
    """Raises Conflict while another process works on it."""
    if job is None or job.has_ended:
        return
    if not Job.objects.abandoned().filter(pk=job.pk).exists():
        message = "Another command works on this file, or worked on it a minute ago. Wait."
        raise Conflict(message, code="proposal_is_active")
    recover_job(job)


@transaction.atomic
def store_hypotheses(row: ProposalBackground, answer: ModelAnswer) -> None:
    """Only where there are none: a job that runs twice stores once."""
    rows = ProposalBackground.objects.filter(pk=row.pk, outcome="")
    if not rows.update(outcome=answer.outcome, reason=answer.reason[:1_000]):
        return
    if not answer.is_answered:
        return
    proposals: Sequence[Proposal] = answer.value
    ProposedHypothesis.objects.bulk_create(
        ProposedHypothesis(
            background=row, number=number, hypothesis=one.hypothesis, rationale=one.rationale
        )
        for number, one in enumerate(proposals, start=1)
    )


def end_proposal(
    proposal: HypothesisProposal, state: ProposalState, error: Mapping[str, Any] | None = None
) -> None:
    """Only one that is queued."""
    queued = HypothesisProposal.objects.filter(pk=proposal.pk, state=ProposalState.QUEUED)
    queued.update(state=state, error=error and dict(error), ended_at=timezone.now())
