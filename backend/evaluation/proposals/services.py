"""Writes of proposed hypotheses: requested, begun again, stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.evaluation.grounding.services import (
    GroundingSettings,
    require_cutoff,
    require_rationales,
)
from backend.evaluation.models.proposals import (
    HypothesisProposal,
    ProposalBackground,
    ProposedHypothesis,
)
from backend.evaluation.paid_requests import (
    digest_of,
    find_of_command,
    queue_request,
    require_payable,
    resume_of_command,
    resume_request,
)
from backend.evaluation.proposals.background_files import BackgroundRow
from backend.llm.budgets import open_budget
from backend.llm.calls import ModelAnswer
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
    if actor is not None:
        require_rationales(actor, len(rows) * settings.count)
    endpoints = [settings.endpoint, settings.grounding.endpoint]
    require_payable(actor, endpoints, settings.grounding.budget)
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


def queue_proposal(proposal: HypothesisProposal, *, is_local: bool = False) -> HypothesisProposal:
    subjects = [f"graph-version:{proposal.version_id}", f"endpoint:{proposal.endpoint_id}"]
    return queue_request(proposal, PROPOSE, subjects=subjects, is_local=is_local)


def proposal_digest(rows: Sequence[BackgroundRow], settings: ProposalSettings) -> str:
    """Of file and options; the budget may change."""
    own = {
        name: str(getattr(value, "pk", value)) for name, value in sorted(settings.fields().items())
    }
    return digest_of([own, [[one.question, one.background] for one in rows]])


def begin_or_resume(
    *, rows: Sequence[BackgroundRow], settings: ProposalSettings
) -> HypothesisProposal:
    """For a command: what an equal one began goes on, and one that has ended is not repeated.

    Raises Conflict while another process works on it, or for less money than is spent.
    """
    digest = proposal_digest(rows, settings)
    proposal = find_of_command(HypothesisProposal, digest)
    if proposal is None:
        return request_proposal(
            actor=None, rows=rows, settings=settings, digest=digest, is_local=True
        )
    queue = partial(queue_proposal, is_local=True)
    return resume_of_command(proposal, settings.grounding.budget, queue)


def resume_proposal(*, proposal: HypothesisProposal, budget: Decimal) -> HypothesisProposal:
    """Raises what resume_request does."""
    endpoints = [proposal.endpoint, proposal.verifier_endpoint]
    return resume_request(proposal, budget=budget, endpoints=endpoints, queue=queue_proposal)


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
