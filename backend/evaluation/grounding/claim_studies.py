"""A study of the claims of groundings, made in one step."""

import json
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import QuerySet

from annotation.imports import get_checked_name, import_study
from annotation.study_creation import Design, require_new_name, set_design
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.benchmarks.questionnaire import SourceFile
from backend.common.errors import Conflict, DomainError
from backend.common.pluralize import pluralize
from backend.evaluation.grounding.claim_choice import (
    Choice,
    choose_from_batch,
    divide_budget,
    list_judged_claims,
)
from backend.evaluation.grounding.claim_entries import build_claim_entries
from backend.evaluation.grounding.claim_rounds import read_earlier, require_continued
from backend.evaluation.grounding.policies import require_may_verify
from backend.evaluation.models.claim_studies import (
    ChosenClaim,
    ClaimRule,
    ClaimStudy,
    ClaimStudyBatch,
)
from backend.evaluation.models.grounding import GroundedClaim, Grounding, GroundingState
from backend.studies.models import Study
from backend.tracks.grounding_verdicts import EvidenceSource
from backend.validation.faults import Fault

CLAIMS = "claims"  # the study kind
DEFAULT_CLAIMS, MOST_STUDY_CLAIMS, MOST_BATCHES = 200, 2_000, 50
SEED_BITS = 53
FILE = "claims.json"


@dataclass(frozen=True)
class NewClaimStudy:
    """source: the widest that every batch has, if None. claims: how many. seed: drawn if None."""

    name: str
    claims: int = DEFAULT_CLAIMS
    rule: str = ClaimRule.RANDOM
    source: EvidenceSource | None = None
    overlap: int = 3
    seed: int | None = None


@dataclass(frozen=True)
class CreatedClaimStudy:
    study: Study
    source: EvidenceSource
    questions: int
    seed: int


@dataclass(frozen=True)
class _Part:
    """What is chosen of a batch. total: claims to choose from."""

    batch: uuid.UUID
    total: int
    chosen: Sequence[Choice]


def make_claim_study(
    *, actor: User | None, batches: Sequence[uuid.UUID], request: NewClaimStudy
) -> CreatedClaimStudy:
    """Of claims that no other study of the same source has; the actor becomes its coordinator.

    The actor None is the command line. Raises NotFound, NotAllowed, SourcesNotReadable, and
    Conflict for a name in use, a batch that is not grounded yet, or if nothing is left.
    """
    _check_numbers(batches, request)
    rows = Grounding.objects.filter(batch__in=batches).order_by("pk")
    require_may_verify(actor, batches, rows.select_related("version__graph"))
    require_private(rows)
    require_new_name(get_checked_name(request.name))
    source = request.source or _widest_source(rows)
    seed = secrets.randbits(SEED_BITS) if request.seed is None else request.seed
    parts = _choose(batches, source, request, seed)
    claims = _in_order([one.claim for part in parts for one in part.chosen], seed)
    file = SourceFile(FILE, json.dumps(build_claim_entries(claims, source)).encode())
    with transaction.atomic():
        study = import_study(actor=actor, name=request.name, sources=[file], kind=CLAIMS).study
        set_design(study, Design(overlap=request.overlap))
        fields = {"source": source, "rule": request.rule, "budget": request.claims, "seed": seed}
        claim_study = ClaimStudy.objects.create(study=study, **fields)
        # Two studies that are made at once would have the same claims. Nothing slow follows.
        require_private(rows.select_for_update(of=("self",), no_key=True))
        if _choose(batches, source, request, seed) != parts:
            message = "Another study was made of these claims meanwhile. Make the study again."
            raise Conflict(message, code="claims_changed")
        _store(claim_study, parts, [one.pk for one in claims])
    return CreatedClaimStudy(study, source, len(claims), seed)


def require_private(rows: QuerySet[Grounding]) -> None:
    """Raises Conflict for a public grounding, whose verdicts each expert could read."""
    public = sum(one.is_public for one in rows)
    if public:
        groundings = pluralize(public, "grounding is public", "groundings are public")
        message = f"{groundings}, so experts could read the verdicts. Make them private first."
        raise Conflict(message, code="groundings_are_public")


def _check_numbers(batches: Sequence[uuid.UUID], request: NewClaimStudy) -> None:
    if not 1 <= len(set(batches)) == len(batches) <= MOST_BATCHES:
        message = f"Name 1 to {MOST_BATCHES} batches, each once."
        raise DomainError(message, code="invalid_batches")
    if not 1 <= request.claims <= MOST_STUDY_CLAIMS:
        message = f"The number of claims is out of range. Use 1 to {MOST_STUDY_CLAIMS:,}."
        fault = Fault("claims", message, "invalid_claims")
        raise DomainError(message, code="invalid_claims", faults=[fault])


def _widest_source(rows: QuerySet[Grounding]) -> EvidenceSource:
    return EvidenceSource.BOTH if all(one.literature for one in rows) else EvidenceSource.GRAPH


def _choose(
    batches: Sequence[uuid.UUID], source: EvidenceSource, request: NewClaimStudy, seed: int
) -> list[_Part]:
    queued = Grounding.objects.filter(batch__in=batches, state=GroundingState.QUEUED).count()
    if queued:
        rationales = pluralize(queued, "rationale waits", "rationales wait")
        message = f"{rationales} for verdicts. Make the study when all have them."
        raise Conflict(message, code="not_grounded")
    judged = {batch: list_judged_claims(batch, source) for batch in batches}
    earlier = {one: read_earlier(one, source, request.rule, judged[one]) for one in batches}
    free = {batch: len(judged[batch]) - len(earlier[batch].taken) for batch in batches}
    usable = [batch for batch in batches if free[batch]]
    if not usable:
        message = "No claim is left to verify from these sources. All are in studies, if any."
        raise Conflict(message, code="nothing_to_verify")
    budgets = divide_budget(request.claims, [free[batch] for batch in usable])
    parts = []
    for at, (batch, budget) in enumerate(zip(usable, budgets, strict=True)):
        before = earlier[batch]
        if before.budget:
            require_continued(before.budget + budget, len(judged[batch]))
        chosen = choose_from_batch(judged[batch], before, budget, request.rule, seed + at)
        parts.append(_Part(batch, free[batch], [*chosen]))
    if not any(one.chosen for one in parts):
        message = "By chance no claim was chosen. Request more claims."
        raise Conflict(message, code="no_claim_chosen")
    return parts


def _in_order(claims: Sequence[int], seed: int) -> list[GroundedClaim]:
    """In random order, so that the claims with verdicts of an unfinished study are a random part
    of those that were chosen."""
    order = np.random.default_rng([seed, 1]).permutation(sorted(claims)).tolist()
    related = ("grounding__version__graph", "grounding__collection")
    by_id = GroundedClaim.objects.select_related(*related).in_bulk(order)
    return [by_id[one] for one in order]


def _store(claim_study: ClaimStudy, parts: Sequence[_Part], order: Sequence[int]) -> None:
    entries = Question.objects.filter(entries__batch__study=claim_study.study)
    questions = {int(one.file_id): one for one in entries}
    by_claim: Mapping[int, Question] = {
        claim: questions[number] for number, claim in enumerate(order, start=1)
    }
    for stratum, part in enumerate(parts):
        in_batch = ClaimStudyBatch.objects.create(
            claim_study=claim_study, batch=part.batch, stratum=stratum, claims=part.total
        )
        ChosenClaim.objects.bulk_create(
            ChosenClaim(
                in_batch=in_batch,
                claim_id=one.claim,
                question=by_claim[one.claim],
                propensity=one.propensity,
            )
            for one in part.chosen
        )
