"""A request for hypotheses as JSON."""

from typing import Any

from backend.evaluation.models.proposals import HypothesisProposal, ProposedHypothesis
from backend.evaluation.proposals.pairs import grade, select_pairs, source_of
from backend.llm.budgets import read_standing
from backend.llm.models import Budget
from backend.tracks.grounding_verdicts import EvidenceSource


def summary_payload(proposal: HypothesisProposal) -> dict[str, Any]:
    return {
        "id": str(proposal.pk),
        "state": proposal.state,
        "error": proposal.error,
        "model": proposal.model,
        "model_size": proposal.endpoint.size_label,
        "prompt_version": proposal.prompt_version,
        "backgrounds": proposal.backgrounds.count(),
        "count": proposal.count,
        "seed": proposal.seed,
        "least_gap": proposal.least_gap,
        "graph": proposal.version.graph.slug,
        "graph_name": proposal.version.graph.name,
        "snapshot": proposal.version.snapshot,
        "literature": proposal.literature or None,
        "cutoff": proposal.cutoff,
        "verifier": proposal.verifier,
        "verifier_version": proposal.verifier_version,
        "created_at": proposal.created_at,
        "ended_at": proposal.ended_at,
    }


def full_payload(proposal: HypothesisProposal) -> dict[str, Any]:
    standing = read_standing(Budget.objects.get(subject=proposal.subject))
    source = source_of(proposal)
    rows = proposal.backgrounds.prefetch_related("hypotheses__grounding").order_by("number")
    return {
        **summary_payload(proposal),
        "job": proposal.job_id,
        "source": source,
        "selection": select_pairs(proposal).as_json(),
        "budget": {"amount": f"{standing.amount:.6f}", "spent": f"{standing.spent:.6f}"},
        "results": [
            {
                "number": row.number,
                "question": row.question,
                "background": row.background,
                "outcome": row.outcome,
                "reason": row.reason,
                "hypotheses": [hypothesis_payload(one, source) for one in row.hypotheses.all()],
            }
            for row in rows
        ],
    }


def hypothesis_payload(one: ProposedHypothesis, source: EvidenceSource) -> dict[str, Any]:
    return {
        "number": one.number,
        "hypothesis": one.hypothesis,
        "rationale": one.rationale,
        "grounding": one.grounding_id,
        "share": grade(one, source).share,
    }
