"""How often experts agree with a verifier, over all studies of claims that have ended.

Open studies are left out: a count that changes with an answer would show its expert the verdict.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from django.db.models import Count

from backend.common.cached_results import get_or_compute
from backend.evaluation.grounding.claim_clusters import read_clusters
from backend.evaluation.grounding.claim_verdicts import (
    ENDED_CACHED_S,
    mean_support,
    rows_by_question,
)
from backend.evaluation.grounding.corrected import IntervalFigure, figure_of
from backend.evaluation.models.claim_studies import ChosenClaim, ClaimRule, ClaimStudy
from backend.evaluation.models.grounding import ClaimVerdict, GroundedClaim, Grounding
from backend.llm.call_keys import json_text
from backend.llm.models import Endpoint
from backend.llm.models.endpoints import EndpointQuerySet
from backend.science.judged_scores.claims import JudgedClaims
from backend.science.judged_scores.judge_agreement import judge_agreement
from backend.studies.models import ENDED_STATUSES, Study
from backend.tracks.grounding_verdicts import EvidenceSource, Verdict

FORM = 2  # of the stored figures: since 2, clusters are items where rationales have them
NONE_YET = "No expert has judged such claims yet."
FEW = "Verdicts on rationales of fewer than 5 items or clusters have no interval."


@dataclass(frozen=True)
class VerifierAgreement:
    """Verified claims of the same verifier, version and server, whoever's. agreement: the share on
    which verifier and experts agree. kappa: None where all have one verdict."""

    source: str
    verdicts: int
    rationales: int
    agreement: IntervalFigure | None
    kappa: IntervalFigure | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Compared:
    grounding: str
    cluster: str
    is_supported: bool
    people: float
    weight: float


def verifier_agreements(grounding: Grounding) -> list[VerifierAgreement]:
    """For each source that the grounding has verdicts from."""
    verdicts = ClaimVerdict.objects.filter(claim__grounding=grounding)
    present = set(verdicts.order_by().values_list("source", flat=True).distinct())
    return [read_agreement(grounding, one) for one in EvidenceSource if one in present]


def read_agreement(
    grounding: Grounding, source: EvidenceSource, *, is_published: bool = False
) -> VerifierAgreement:
    """All groundings of a verifier share it.

    is_published: without groundings by endpoints whose answers may not be published.
    """
    studies = _ended_studies(source)
    server = "" if grounding.endpoint is None else grounding.endpoint.identity
    names = [grounding.verifier, grounding.verifier_version, grounding.model, server, source.value]
    named = json_text([FORM, names, is_published, [str(one.pk) for one in studies]])
    return get_or_compute(
        f"verifier-agreement-{sha256(named.encode()).hexdigest()}",
        lambda: _agreement(grounding, source, studies, is_published=is_published),
        form=VerifierAgreement,
        timeout_s=ENDED_CACHED_S,
    )


def _ended_studies(source: EvidenceSource) -> Sequence[ClaimStudy]:
    studies = ClaimStudy.objects.filter(source=source, study__status__in=ENDED_STATUSES)
    return [*studies.select_related("study").order_by("pk")]


def _agreement(
    grounding: Grounding,
    source: EvidenceSource,
    studies: Sequence[ClaimStudy],
    *,
    is_published: bool,
) -> VerifierAgreement:
    rows = [*_compared(grounding, source, studies, is_published=is_published)]
    if not rows:
        return VerifierAgreement(source.value, 0, 0, None, None, NONE_YET)
    claims = JudgedClaims.of(
        [float(one.is_supported) for one in rows],
        [one.people for one in rows],
        clusters=[one.cluster for one in rows],
        weights=[one.weight for one in rows],
    )
    overall = judge_agreement(claims, seed=0)[0]
    rationales = len({one.grounding for one in rows})
    agreement, kappa = figure_of(overall.agreement), figure_of(overall.kappa)
    reason = FEW if overall.agreement.low is None else ""
    return VerifierAgreement(source.value, len(rows), rationales, agreement, kappa, reason)


def _compared(
    grounding: Grounding,
    source: EvidenceSource,
    studies: Sequence[ClaimStudy],
    *,
    is_published: bool,
) -> Iterator[_Compared]:
    same: dict[str, object] = {
        "verifier": grounding.verifier,
        "verifier_version": grounding.verifier_version,
        "model": grounding.model,
    }
    if grounding.endpoint is not None:  # others may have a model of this name
        endpoints = EndpointQuerySet(Endpoint).alike(grounding.endpoint)
        same["endpoint__in"] = endpoints.filter(may_publish=True) if is_published else endpoints
    alike = {f"claim__grounding__{name}": value for name, value in same.items()}
    for one in studies:
        chosen = ChosenClaim.objects.filter(in_batch__claim_study=one, **alike)
        listed = [*chosen.select_related("claim", "in_batch")]
        if listed:
            yield from _of_study(one.study, listed, source, one.rule)


def _of_study(
    study: Study, chosen: Sequence[ChosenClaim], source: EvidenceSource, rule: str
) -> Iterator[_Compared]:
    """Claims weigh by 1 / claims of their rationale and inverse propensity, and sum to their
    number."""
    rows = rows_by_question(study)
    verdicts = dict(
        ClaimVerdict.objects.filter(
            claim__in=[one.claim_id for one in chosen], source=source
        ).values_list("claim", "verdict")
    )
    judged = [
        (one, mean)
        for one in chosen
        if (row := rows.get(one.question_id)) is not None
        and row.excluded is None
        and not row.has_known_answer
        and (mean := mean_support(row)) is not None
        and one.claim_id in verdicts
    ]
    rationales = GroundedClaim.objects.filter(
        grounding__in={one.claim.grounding_id for one, _ in judged}
    )
    claims = dict(
        rationales.values("grounding").annotate(n=Count("pk")).values_list("grounding", "n")
    )
    weights = np.array([1 / claims[one.claim.grounding_id] for one, _ in judged])
    if rule == ClaimRule.ACTIVE:
        weights /= [one.propensity for one, _ in judged]
    clusters = read_clusters({one.in_batch.batch for one, _ in judged})
    for (one, mean), weight in zip(judged, weights, strict=True):
        is_supported = verdicts[one.claim_id] == Verdict.SUPPORTED
        share = float(weight * len(judged) / weights.sum())
        grounding = one.claim.grounding_id
        yield _Compared(str(grounding), clusters[grounding], is_supported, mean, share)
