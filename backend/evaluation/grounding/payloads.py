"""A grounding as JSON and as rows of a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backend.benchmarks.citations import bibtex_entry
from backend.evaluation.models.grounding import (
    ClaimVerdict,
    GroundedClaim,
    Grounding,
    VerdictEvidence,
)
from backend.validation.csv_escaping import csv_text

CSV_COLUMNS = (
    "claim",
    "start",
    "end",
    "text",
    "source",
    "verdict",
    "probability",
    "support",
    "fault",
    "stance",
    "evidence",
    "evidence_text",
)


def summary_payload(grounding: Grounding) -> dict[str, Any]:
    return {
        "id": str(grounding.pk),
        "batch": str(grounding.batch),
        "line": grounding.line,
        "state": grounding.state,
        "error": grounding.error,
        "hypothesis": grounding.hypothesis,
        "groundedness": grounding.groundedness,
        "graph": grounding.version.graph.slug,
        "graph_name": grounding.version.graph.name,
        "snapshot": grounding.version.snapshot,
        "literature": grounding.literature or None,
        "cutoff": grounding.cutoff,
        "verifier": grounding.verifier,
        "verifier_version": grounding.verifier_version,
        "model": grounding.model,
        "model_size": grounding.model_size,
        "is_public": grounding.is_public,
        "created_at": grounding.created_at,
        "ended_at": grounding.ended_at,
    }


def full_payload(grounding: Grounding, *, has_claims: bool = True) -> dict[str, Any]:
    """has_claims: False for a reader who may not see what they quote."""
    claims = [*map(claim_payload, claims_of(grounding))] if has_claims else []
    return {**summary_payload(grounding), "rationale": grounding.rationale, "claims": claims}


def claims_of(grounding: Grounding) -> Sequence[GroundedClaim]:
    return [*grounding.claims.prefetch_related("verdicts__evidence")]


def claim_payload(claim: GroundedClaim) -> dict[str, Any]:
    return {
        "number": claim.number,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "mentions": claim.mentions,
        "context": {name: it for name, it in claim.context.items() if name != "read"},
        "verdicts": [verdict_payload(claim, one) for one in claim.verdicts.all()],
    }


def verdict_payload(claim: GroundedClaim, verdict: ClaimVerdict) -> dict[str, Any]:
    papers, edges = claim.context_of(verdict.source)
    return {
        "source": verdict.source,
        "verdict": verdict.verdict,
        "probability": verdict.probability,
        "support": verdict.support,
        "fault": verdict.fault,
        "papers_read": len(papers),
        "edges_read": len(edges),
        "evidence": [*map(evidence_payload, verdict.evidence.all())],
    }


def evidence_payload(evidence: VerdictEvidence) -> dict[str, Any]:
    content = evidence.content
    is_edge = evidence.kind == "edge"
    return {
        "kind": evidence.kind,
        "stance": evidence.stance,
        "score": evidence.score,
        "edge": content if is_edge else None,
        "sentence": None if is_edge else content,
    }


def export_csv(grounding: Grounding) -> str:
    """A row for each part of the evidence of each verdict, one for a verdict without evidence."""
    return csv_text(_csv_rows(grounding), CSV_COLUMNS)


def _csv_rows(grounding: Grounding) -> Iterator[Mapping[str, object]]:
    for claim in claims_of(grounding):
        for verdict in claim.verdicts.all():
            for stance, evidence, text in _evidence_cells(verdict):
                yield {
                    "claim": claim.number,
                    "start": claim.start,
                    "end": claim.end,
                    "text": claim.text,
                    "source": verdict.source,
                    "verdict": verdict.verdict,
                    "probability": verdict.probability,
                    "support": verdict.support,
                    "fault": verdict.fault,
                    "stance": stance,
                    "evidence": evidence,
                    "evidence_text": text,
                }


def _evidence_cells(verdict: ClaimVerdict) -> Iterator[tuple[str, str, str]]:
    listed = [*verdict.evidence.all()]
    if not listed:
        yield "", "", ""
    for one in listed:
        yield one.stance, evidence_name(one), evidence_text(one)


def evidence_name(one: VerdictEvidence) -> str:
    return f"edge {one.content['edge']}" if one.kind == "edge" else str(one.content["paper"])


def evidence_text(one: VerdictEvidence) -> str:
    content = one.content
    if one.kind == "edge":
        return f"{content['source']['name']} {content['phrase']} {content['target']['name']}"
    return str(content["text"])


def cite_grounding(grounding: Grounding, url: str) -> str:
    both = grounding.groundedness.get("both")
    best = both or grounding.groundedness.get("graph")
    share = best["share"] if best else None
    sources = "graph and papers" if both else "graph"
    result = f"groundedness by {sources} {'undefined' if share is None else f'{share:.2f}'}"
    version = grounding.verifier_version
    model = grounding.endpoint.model_and_size if grounding.endpoint else grounding.model
    by = f"{model}, prompts {version}" if model else f"plain, {version}"
    return bibtex_entry(
        f"serendib-grounding-{grounding.pk}",
        {
            "title": f"Grounded claims: {grounding.hypothesis or grounding.rationale[:80]}",
            "publisher": "Serendib",
            "year": str(grounding.created_at.year),
            "version": grounding.version.snapshot,
            "note": f"Graph {grounding.version.graph.name}, {result}, verifier {by}",
        },
        url,
    )
