"""Stores a grounded rationale, with what each verdict rests on."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.evaluation.grounding.pipeline import GroundedRationale, GroundedText
from backend.evaluation.grounding.verifiers import Judgements
from backend.evaluation.models.grounding import (
    ClaimVerdict,
    EvidenceKind,
    GroundedClaim,
    Grounding,
    GroundingState,
    VerdictEvidence,
)
from backend.tracks.grounding_verdicts import (
    ClaimContext,
    EvidenceItem,
    EvidenceSource,
    Groundedness,
)


@transaction.atomic
def store_grounding(grounding: Grounding, grounded: GroundedRationale) -> None:
    """Only where it is still queued: a job that runs twice stores once."""
    queued = Grounding.objects.filter(pk=grounding.pk, state=GroundingState.QUEUED)
    fields = {
        "state": GroundingState.ENDED,
        "groundedness": groundedness_payload(grounded.groundedness),
        "ended_at": timezone.now(),
        "error": None,
    }
    if not queued.update(**fields):
        return
    claims = [
        GroundedClaim(
            grounding=grounding,
            number=number,
            text=one.claim.text,
            start=one.claim.start,
            end=one.claim.end,
            mentions=[asdict(it) for it in one.linked.mentions],
            context=context_payload(one.linked.context, one.judgements),
        )
        for number, one in enumerate(grounded.claims, start=1)
    ]
    GroundedClaim.objects.bulk_create(claims)
    verdicts = [
        ClaimVerdict(
            claim=claim,
            source=source,
            verdict=judgement.verdict,
            probability=judgement.probability,
            support=judgement.support,
            fault=judgement.fault,
        )
        for claim, one in zip(claims, grounded.claims, strict=True)
        for source, judgement in one.judgements.items()
    ]
    ClaimVerdict.objects.bulk_create(verdicts)
    following = iter(verdicts)
    evidence = [row for one in grounded.claims for row in _evidence_of(one, following)]
    VerdictEvidence.objects.bulk_create(evidence)


def _evidence_of(one: GroundedText, verdicts: Iterator[ClaimVerdict]) -> Iterator[VerdictEvidence]:
    for source, judgement in one.judgements.items():
        verdict, context = next(verdicts), one.linked.context.of(source)
        for item in judgement.evidence:
            yield VerdictEvidence(
                verdict=verdict,
                kind=EvidenceKind.SENTENCE if item.edge is None else EvidenceKind.EDGE,
                stance=item.stance,
                score=item.score,
                content=evidence_payload(context, item),
            )


def evidence_payload(context: ClaimContext, item: EvidenceItem) -> dict[str, Any]:
    if item.edge is not None:
        edge = context.edges[item.edge]
        return {
            "edge": edge.number,
            "source": asdict(edge.source),
            "target": asdict(edge.target),
            "relation": edge.relation,
            "phrase": edge.forward,
            "first_seen": edge.first_seen,
            "date_source": edge.date_source,
            "publications": [*edge.publications],
        }
    assert item.paper is not None
    assert item.sentence is not None
    paper = context.papers[item.paper]
    return {
        "paper": paper.id,
        "title": paper.title,
        "date": paper.date,
        "note": paper.note,
        "sentence": item.sentence,
        "text": paper.sentences[item.sentence],
    }


def context_payload(context: ClaimContext, judgements: Judgements) -> dict[str, Any]:
    """Only what a verdict rests on: a model may read less than what was retrieved for it."""
    read = {
        source: judgement.read or context.of(source).size
        for source, judgement in judgements.items()
    }
    papers = context.papers[: max((one.papers for one in read.values()), default=0)]
    edges = context.edges[: max((one.edges for one in read.values()), default=0)]
    return {
        "papers": [one.id for one in papers],
        "edges": [one.number for one in edges],
        "edges_between": sum(one.is_between for one in edges),
        "read": {source.value: asdict(size) for source, size in read.items()},
    }


def groundedness_payload(counts: Mapping[EvidenceSource, Groundedness]) -> dict[str, Any]:
    return {
        source.value: {
            "supported": one.supported,
            "contradicted": one.contradicted,
            "claims": one.claims,
            "share": one.share,
        }
        for source, one in counts.items()
    }
