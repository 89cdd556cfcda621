"""Claims as questions of a study: the claim, and the papers and edges that its verifier read.

Nothing here states the verifier, its verdict or what it rests on: a paper or edge is shown because
it was read, not because it decided.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backend.common.errors import Conflict
from backend.evaluation.models.grounding import GroundedClaim, Grounding
from backend.evaluation.pool_items import MAX_NAME, MAX_TEXT, describe_edge
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Paper
from backend.tracks.grounding_verdicts import EvidenceSource

MAX_ABSTRACT = 50_000


def build_claim_entries(
    claims: Sequence[GroundedClaim], source: EvidenceSource
) -> list[dict[str, Any]]:
    """Entries of a questionnaire, numbered from 1 in this order.

    Raises Conflict where a paper that was read is no longer there.
    """
    return [
        {
            "question_number": number,
            "qid": number,
            "category": "",
            "text": claim.text[:MAX_TEXT],
            "documents": [*_documents(claim, source)],
            "edges": [*_edges(claim, source)],
            "because": "optional",
        }
        for number, claim in enumerate(claims, start=1)
    ]


def _documents(claim: GroundedClaim, source: EvidenceSource) -> Iterator[Mapping[str, str]]:
    keys, _ = claim.context_of(source)
    if not keys:
        return
    collection = claim.grounding.collection_id
    papers = {one.key: one for one in Paper.objects.filter(collection=collection, key__in=keys)}
    if len(papers) < len(set(keys)):
        message = "Papers that the verifier read were deleted. Ground the rationales again."
        raise Conflict(message, code="papers_deleted")
    yield from (describe_document(papers[key]) for key in dict.fromkeys(keys))


def describe_document(paper: Paper) -> Mapping[str, str]:
    name = paper.key if paper.is_made_up else f"PMID {paper.key}"
    origin = ". ".join(part for part in (name, paper.date, paper.note) if part)
    return {
        "id": paper.key,
        "title": paper.title[:MAX_NAME],
        "text": ((paper.abstract.strip() and paper.abstract) or paper.title or name)[:MAX_ABSTRACT],
        "source": origin[:MAX_NAME],
    }


def _edges(claim: GroundedClaim, source: EvidenceSource) -> Iterator[Mapping[str, str]]:
    _, edges = claim.context_of(source)
    grounding: Grounding = claim.grounding
    view = open_version_snapshot(grounding.version)
    for number in edges:
        edge = describe_edge(view, number)
        # What an edge is derived from may be later than the cut-off.
        yield edge if grounding.cutoff is None else {**edge, "origin": ""}
