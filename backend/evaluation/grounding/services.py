"""Writes of groundings: requested, stored, published."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.grounding.model_verifier import MODEL_VERSION
from backend.evaluation.grounding.policies import require_owner, require_publishable
from backend.evaluation.grounding.rationale_files import FileRow
from backend.evaluation.grounding.verifiers import find_plain_claims
from backend.evaluation.models.grounding import Grounding, GroundingState, Verifier
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.models.proposals import HypothesisProposal
from backend.evaluation.runs.run_limits import require_dollars
from backend.graphs.literature.cutoff import find_unit_fault
from backend.graphs.models import Collection, Version
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.llm.budgets import open_budget
from backend.llm.endpoints import require_price
from backend.llm.models import Endpoint
from backend.tracks.grounding_plain import PLAIN_VERSION
from backend.validation.faults import Fault

GROUND, GROUND_BY_MODEL = "ground", "ground_by_model"  # kinds of jobs


class GroundingLimitReached(DomainError):
    code = "grounding_limit"
    status = HTTPStatus.TOO_MANY_REQUESTS


class BudgetMissing(DomainError):
    code = "budget_missing"

    def __init__(self) -> None:
        message = "This endpoint costs money. State a budget above 0."
        super().__init__(message, faults=[Fault("budget", message, self.code)])


@dataclass(frozen=True)
class GroundingSettings:
    """endpoint: of the model that verifies; None for the plain verifier. budget: in dollars."""

    version: Version
    collection: Collection | None = None
    cutoff: int | None = None
    endpoint: Endpoint | None = None
    budget: Decimal = Decimal(0)
    is_public: bool = False

    @property
    def verifier(self) -> Verifier:
        return Verifier.PLAIN if self.endpoint is None else Verifier.MODEL

    @property
    def knowledge(self) -> Knowledge:
        return Knowledge(self.version, self.collection, self.cutoff)

    def fields(self) -> Mapping[str, Any]:
        """Of the row."""
        model = "" if self.endpoint is None else self.endpoint.model
        plain = self.endpoint is None
        return {
            "version": self.version,
            "collection": self.collection,
            "literature": describe_collection(self.collection),
            "cutoff": self.cutoff,
            "verifier": self.verifier,
            "verifier_version": PLAIN_VERSION if plain else MODEL_VERSION,
            "endpoint": self.endpoint,
            "model": model,
        }


def describe_collection(collection: Collection | None) -> dict[str, str]:
    if collection is None:
        return {}
    return {"name": collection.name, "slug": collection.slug, "digest": collection.digest}


@transaction.atomic
def request_groundings(
    *,
    actor: User | None,
    rows: Sequence[FileRow],
    settings: GroundingSettings,
    is_local: bool = False,
    subject: str = "",
) -> tuple[Sequence[Grounding], Job]:
    """Queue rationales as one job. actor: None for a command.

    subject: of the job, for rationales of a submission: they are bounded by its items, so that
    the day's limit does not count them, and one with too many claims fails alone.

    Raises NoDates, PriceUnknown, BudgetMissing, GroundingLimitReached, TooManyClaims, DomainError
    for a cut-off in another unit than the graph's dates, and Conflict where the person's dollars
    are in use or what is to be public may not be.
    """
    require_cutoff(settings.knowledge)
    if actor is not None and not subject:
        require_rationales(actor, len(rows))
    if settings.endpoint is not None:
        require_price(settings.endpoint)
        require_budget(settings.endpoint, settings.budget)
        if actor is not None:
            require_dollars(actor, settings.budget)
    for row in rows if not subject else ():
        find_plain_claims(row.rationale)
    batch = uuid.uuid4()
    groundings = [
        Grounding(
            owner=actor,
            batch=batch,
            line=one.line,
            item=None if one.item is None else [*one.item],
            hypothesis=one.hypothesis,
            rationale=one.rationale,
            is_public=settings.is_public,
            **settings.fields(),
        )
        for one in rows
    ]
    if settings.is_public:
        require_publishable(groundings[0])
    Grounding.objects.bulk_create(groundings)
    if settings.endpoint is not None:
        open_budget(subject=budget_subject(batch), amount=settings.budget, owner=actor)
    return groundings, _queue(actor, batch, settings, is_local=is_local, subject=subject)


def require_cutoff(knowledge: Knowledge) -> None:
    """Raises NoDates, and DomainError that names the member."""
    _ = knowledge.view
    if knowledge.cutoff is None:
        return
    if message := find_unit_fault(knowledge.cutoff, knowledge.date_unit):
        raise DomainError(message, code="cutoff", faults=[Fault("cutoff", message, "cutoff")])


def require_budget(endpoint: Endpoint, budget: Decimal) -> None:
    """Without money the first call would fail, after the day's rationales were counted."""
    if (endpoint.price_in or endpoint.price_out) and not budget:
        raise BudgetMissing()


def _queue(
    actor: User | None,
    batch: uuid.UUID,
    settings: GroundingSettings,
    *,
    is_local: bool,
    subject: str,
) -> Job:
    rows = Grounding.objects.filter(batch=batch)
    count = rows.count()
    subjects = [f"groundings:{batch}", f"graph-version:{settings.version.pk}"]
    if subject:
        subjects.append(subject)
    if count == 1:
        subjects.append(f"grounding:{rows.get().pk}")
    kind = GROUND if settings.endpoint is None else GROUND_BY_MODEL
    parameters = {"batch": str(batch), "is_long": count > 1}
    request = JobRequest(kind, parameters, subjects=subjects)
    job = request_job(owner=actor, request=request, is_local=is_local).job
    rows.update(job=job)
    return job


def budget_subject(batch: uuid.UUID) -> str:
    return f"groundings:{batch}"


def require_rationales(actor: User, count: int) -> None:
    """Raises GroundingLimitReached where today's rationales and these are too many."""
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    used, limit = groundings_today(actor) + planned_groundings(actor), rationales_a_day()
    if used + count <= limit:
        return
    message = f"{used:,} of your {limit:,} rationales of this day are used. Go on after 00:00 UTC."
    if count > limit - used > 0:
        message = f"There are {count:,} rationales, and {limit - used:,} of this day are left. "
        message += "Send fewer, or go on after 00:00 UTC."
    next_at = start_of_day() + timedelta(days=1)
    raise GroundingLimitReached(message, data={"limit": limit, "next_at": next_at})


def groundings_today(actor: User) -> int:
    """Those that failed by a fault of the platform or the endpoint are not counted."""
    today = Grounding.objects.filter(owner=actor, created_at__gte=start_of_day())
    own = today.filter(item__isnull=True)
    failed = own.filter(state=GroundingState.FAILED, error__code__startswith="PLATFORM_")
    return own.count() - failed.count()


def planned_groundings(actor: User) -> int:
    """Rationales of hypotheses that are still to be proposed."""
    queued = HypothesisProposal.objects.filter(owner=actor, state=RequestState.QUEUED)
    planned = sum(one.count * one.backgrounds.count() for one in queued)
    begun = Grounding.objects.filter(owner=actor, batch__in=queued.values("pk")).count()
    return max(planned - begun, 0)


def rationales_a_day() -> int:
    return int(settings.GROUNDINGS_PER_DAY)


def start_of_day() -> datetime:
    return datetime.combine(timezone.now().astimezone(UTC).date(), time(), UTC)


@transaction.atomic
def set_public(*, actor: User, grounding: Grounding, is_public: bool) -> Grounding:
    """Safe to repeat. Raises NotAllowed, or Conflict where what it quotes is not public.

    A study of its claims, which holds the same lock, is made either before or after it.
    """
    require_owner(actor, grounding)
    Grounding.objects.select_for_update(no_key=True).get(pk=grounding.pk)
    if is_public:
        require_publishable(grounding)
    Grounding.objects.filter(pk=grounding.pk).update(is_public=is_public)
    grounding.is_public = is_public
    return grounding


def fail_grounding(grounding_id: uuid.UUID, error: Mapping[str, Any]) -> None:
    """Only one that is queued."""
    queued = Grounding.objects.filter(pk=grounding_id, state=GroundingState.QUEUED)
    queued.update(state=GroundingState.FAILED, error=dict(error), ended_at=timezone.now())
