"""How often experts agree with a verifier, over all studies of claims that have ended.

Open studies are left out: a count that changes with an answer would show its expert the verdict.
"""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, Self

import numpy as np
from django.db.models import Count

from backend.common.cached_results import get_or_compute
from backend.evaluation.grounding.claim_clusters import read_clusters
from backend.evaluation.grounding.claim_groups import relation_type
from backend.evaluation.grounding.claim_verdicts import (
    ENDED_CACHED_S,
    has_simulated,
    mean_support,
    rows_by_question,
)
from backend.evaluation.grounding.corrected import IntervalFigure, figure_of
from backend.evaluation.models.claim_studies import (
    ChosenClaim,
    ClaimRule,
    ClaimStudy,
    ClaimStudyBatch,
)
from backend.evaluation.models.grounding import ClaimVerdict, GroundedClaim, Grounding
from backend.graphs.models import Graph
from backend.llm.call_keys import json_text
from backend.llm.models import Endpoint
from backend.llm.models.endpoints import EndpointQuerySet
from backend.science.judged_scores.claims import JudgedClaims
from backend.science.judged_scores.judge_agreement import judge_agreement
from backend.studies.models import ENDED_STATUSES
from backend.tracks.grounding_verdicts import EvidenceSource, Verdict

FORM = 3  # of the stored figures: since 3, simulated verdicts are counted
GroupKind = Literal["entities", "graph"]
LEAST_IN_GROUP, OTHERS = 10, "others"
NONE_YET = "No expert has judged such claims yet."
FEW = "Verdicts on rationales of fewer than 5 items or clusters have no interval."


@dataclass(frozen=True)
class AgreementGroup:
    """kind: entities, the types of the first two of a claim, or graph. Groups of fewer than ten
    claims, and what the graphs of others would name, are together in 'others'."""

    kind: GroupKind
    group: str
    verdicts: int
    agreement: IntervalFigure | None
    kappa: IntervalFigure | None


@dataclass(frozen=True)
class VerifierAgreement:
    """Verified claims of the same verifier, version and server, whoever's. agreement: the share on
    which verifier and experts agree. kappa: None where all have one verdict. simulated: claims with
    a verdict by a simulated expert, as in the demo. groups: parts of them, of at least ten claims.
    """

    source: str
    verdicts: int
    rationales: int
    agreement: IntervalFigure | None
    kappa: IntervalFigure | None
    reason: str
    simulated: int = 0
    groups: tuple[AgreementGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class _Compared:
    """entities, graph: see `AgreementGroup`; 'others' unless the graph is public."""

    grounding: str
    cluster: str
    is_supported: bool
    people: float
    weight: float
    is_simulated: bool
    entities: str
    graph: str


@dataclass(frozen=True, slots=True)
class _Basis:
    """What the figures of a verifier are computed from, and their key in the cache names.

    grounding: one by the verifier. endpoints: whose verdicts count; None for the plain verifier.
    named_graphs: those that figures may name, the public ones.
    """

    grounding: Grounding
    source: EvidenceSource
    studies: Sequence[ClaimStudy]
    endpoints: Sequence[uuid.UUID] | None
    named_graphs: Mapping[uuid.UUID, str]

    @classmethod
    def of(cls, grounding: Grounding, source: EvidenceSource, *, is_published: bool) -> Self:
        ended = ClaimStudy.objects.filter(source=source, study__status__in=ENDED_STATUSES)
        studies = [*ended.select_related("study").order_by("pk")]
        endpoints = None
        if grounding.endpoint is not None:  # others may have a model of this name
            alike = EndpointQuerySet(Endpoint).alike(grounding.endpoint).order_by("pk")
            counted = alike.filter(may_publish=True) if is_published else alike
            endpoints = [*counted.values_list("pk", flat=True)]
        batches = ClaimStudyBatch.objects.filter(claim_study__in=studies).values("batch")
        graphs = Graph.objects.public().filter(
            pk__in=Grounding.objects.filter(batch__in=batches).values("version__graph")
        )
        named = dict(graphs.order_by("pk").values_list("pk", "name"))
        return cls(grounding, source, studies, endpoints, named)

    @property
    def key(self) -> str:
        one = self.grounding
        server = "" if one.endpoint is None else one.endpoint.identity
        parts = [
            [FORM, one.verifier, one.verifier_version, one.model, server, self.source.value],
            [str(it.pk) for it in self.studies],
            None if self.endpoints is None else [*map(str, self.endpoints)],
            [[str(pk), name] for pk, name in self.named_graphs.items()],
        ]
        return f"verifier-agreement-{sha256(json_text(parts).encode()).hexdigest()}"


def verifier_agreements(grounding: Grounding) -> list[VerifierAgreement]:
    """For each source that the grounding has verdicts from."""
    verdicts = ClaimVerdict.objects.filter(claim__grounding=grounding)
    present = set(verdicts.order_by().values_list("source", flat=True).distinct())
    return agreements_from(grounding, [one for one in EvidenceSource if one in present])


def agreements_from(
    grounding: Grounding, sources: Iterable[EvidenceSource]
) -> list[VerifierAgreement]:
    """Answers of endpoints that may not be published count only beside one of them, which its
    owner alone reads."""
    is_published = grounding.endpoint is None or grounding.endpoint.may_publish
    return [read_agreement(grounding, one, is_published=is_published) for one in sources]


def read_agreement(
    grounding: Grounding, source: EvidenceSource, *, is_published: bool = False
) -> VerifierAgreement:
    """All groundings of a verifier share it.

    is_published: without groundings by endpoints whose answers may not be published.
    """
    basis = _Basis.of(grounding, source, is_published=is_published)
    return get_or_compute(
        basis.key, lambda: _agreement(basis), form=VerifierAgreement, timeout_s=ENDED_CACHED_S
    )


def _agreement(basis: _Basis) -> VerifierAgreement:
    rows = [*_compared(basis)]
    source = basis.source.value
    if not rows:
        return VerifierAgreement(source, 0, 0, None, None, NONE_YET)
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
    groups = (
        *_groups(claims, "entities", [one.entities for one in rows]),
        *_groups(claims, "graph", [one.graph for one in rows]),
    )
    counts = (len(rows), rationales)
    simulated = sum(one.is_simulated for one in rows)
    return VerifierAgreement(source, *counts, agreement, kappa, reason, simulated, groups)


def _groups(
    claims: JudgedClaims, kind: GroupKind, names: Sequence[str]
) -> Iterator[AgreementGroup]:
    counts = Counter(names)
    labels = [one if counts[one] >= LEAST_IN_GROUP else OTHERS for one in names]
    for one in judge_agreement(claims, seed=0, groups=labels)[1:]:
        if one.verdicts >= LEAST_IN_GROUP:
            agreement, kappa = figure_of(one.agreement), figure_of(one.kappa)
            yield AgreementGroup(kind, str(one.group), one.verdicts, agreement, kappa)


def _compared(basis: _Basis) -> Iterator[_Compared]:
    grounding = basis.grounding
    same: dict[str, object] = {
        "verifier": grounding.verifier,
        "verifier_version": grounding.verifier_version,
        "model": grounding.model,
    }
    if basis.endpoints is not None:
        same["endpoint__in"] = basis.endpoints
    alike = {f"claim__grounding__{name}": value for name, value in same.items()}
    for one in basis.studies:
        chosen = ChosenClaim.objects.filter(in_batch__claim_study=one, **alike)
        listed = [*chosen.select_related("claim__grounding__version", "in_batch")]
        if listed:
            yield from _of_study(one, listed, basis)


def _of_study(
    study: ClaimStudy, chosen: Sequence[ChosenClaim], basis: _Basis
) -> Iterator[_Compared]:
    """Claims weigh by 1 / claims of their rationale and inverse propensity, and sum to their
    number."""
    rows = rows_by_question(study.study)
    verdicts = dict(
        ClaimVerdict.objects.filter(
            claim__in=[one.claim_id for one in chosen], source=basis.source
        ).values_list("claim", "verdict")
    )
    judged = [
        (one, mean, has_simulated(row))
        for one in chosen
        if (row := rows.get(one.question_id)) is not None
        and row.excluded is None
        and not row.has_known_answer
        and (mean := mean_support(row)) is not None
        and one.claim_id in verdicts
    ]
    rationales = GroundedClaim.objects.filter(
        grounding__in={one.claim.grounding_id for one, _, _ in judged}
    )
    claims = dict(
        rationales.values("grounding").annotate(n=Count("pk")).values_list("grounding", "n")
    )
    weights = np.array([1 / claims[one.claim.grounding_id] for one, _, _ in judged])
    if study.rule == ClaimRule.ACTIVE:
        weights /= [one.propensity for one, _, _ in judged]
    clusters = read_clusters({one.in_batch.batch for one, _, _ in judged})
    for (one, mean, is_simulated), weight in zip(judged, weights, strict=True):
        is_supported = verdicts[one.claim_id] == Verdict.SUPPORTED
        share = float(weight * len(judged) / weights.sum())
        grounding = one.claim.grounding_id
        name = basis.named_graphs.get(one.claim.grounding.version.graph_id)
        yield _Compared(
            *(str(grounding), clusters[grounding], is_supported, mean, share, is_simulated),
            entities=OTHERS if name is None else relation_type(one.claim.mentions),
            graph=OTHERS if name is None else name,
        )
