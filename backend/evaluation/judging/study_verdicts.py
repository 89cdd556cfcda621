"""A frozen set from a study of the claims of groundings, with the verifier's stored verdicts."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backend.common.errors import Conflict, NotFound
from backend.evaluation.grounding.claim_choice import list_judged_claims
from backend.evaluation.grounding.claim_clusters import read_clusters
from backend.evaluation.grounding.claim_entries import MAX_ABSTRACT
from backend.evaluation.grounding.claim_verdicts import PeopleVerdict, read_people_verdicts
from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.judging.frozen_claims import ClaimLine, frozen_claim
from backend.evaluation.models.claim_studies import ChosenClaim, ClaimStudy, ClaimStudyBatch
from backend.evaluation.models.grounding import ClaimVerdict, GroundedClaim, Grounding, Verifier
from backend.science.judged_scores.claims import rationale_weights
from backend.studies.models import Study
from backend.tracks.grounding_tasks import VERDICT_TASK, ClaimQuestion, task_context
from backend.tracks.grounding_verdicts import ClaimContext, EvidenceSource, Verdict
from backend.tracks.model_tasks import Message


def freeze_study(study: Study) -> list[dict[str, Any]]:
    """A line for each claim with a verdict of experts, as `frozen_claims.ClaimLine` reads it.

    before: 1 where the verifier supported the claim, null where it gave no verdict, or where a
    model gave it by another prompt than a check would send. cluster: that of the rationale, as in
    the corrected groundedness; weight: 1 ÷ claims of the rationale, by the propensity of an active
    choice. Raises NotFound, and Conflict while the study may change.
    """
    claim_study = ClaimStudy.objects.filter(study=study).first()
    if claim_study is None:
        message = "This study verifies no claims of groundings. Use its JSON export."
        raise NotFound(message)
    if not study.has_ended:
        raise Conflict("This study has not ended, so its verdicts may change.", code="study_open")
    batches = [*claim_study.batches.all()]
    clusters = read_clusters([one.batch for one in batches])
    return [line for one in batches for line in _lines(claim_study, one, clusters)]


def _lines(
    claim_study: ClaimStudy, in_batch: ClaimStudyBatch, clusters: Mapping[uuid.UUID, str]
) -> Iterator[dict[str, Any]]:
    source = EvidenceSource(claim_study.source)
    judged = list_judged_claims(in_batch.batch, source)
    weights = rationale_weights([str(one.grounding) for one in judged]).tolist()
    by_claim = dict(zip((one.claim for one in judged), weights, strict=True))
    people = read_people_verdicts(in_batch.batch, [claim_study]).verdicts
    verdicts = ClaimVerdict.objects.filter(source=source, claim__in=people)
    support = {one.claim_id: None if one.fault else support_of(one) for one in verdicts}
    chosen = ChosenClaim.objects.filter(in_batch=in_batch, claim__in=people)
    related = ("claim__grounding__version", "claim__grounding__collection", "question")
    for one in chosen.select_related(*related):
        known = people[one.claim_id]
        line = {
            "id": str(one.claim_id),
            "claim": one.claim.text,
            "people": known.people,
            "before": support[one.claim_id],
            "cluster": clusters.get(one.claim.grounding_id, str(one.claim.grounding_id)),
            "weight": len(judged) * by_claim[one.claim_id] / _propensity(known),
            **_evidence(one.question.payload),
        }
        yield add_read_context(line, one.claim, source)


def support_of(verdict: ClaimVerdict) -> float:
    return float(verdict.verdict == Verdict.SUPPORTED)


def _propensity(known: PeopleVerdict) -> float:
    return 1.0 if known.propensity is None else known.propensity


def _evidence(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What the experts saw."""
    documents = [
        {name: it[name] for name in ("id", "title", "text")} for it in payload["documents"]
    ]
    edges = [
        {name: it[name] for name in ("source", "relation", "target")} for it in payload["edges"]
    ]
    return {"documents": documents, "edges": edges}


def add_read_context(
    line: dict[str, Any], claim: GroundedClaim, source: EvidenceSource
) -> dict[str, Any]:
    """With the sentences, types and phrases that a model reads in its prompt."""
    context = _read_context(claim, source)
    if context is not None:
        line = {
            **line,
            "documents": [
                {**document, "sentences": [one[:MAX_ABSTRACT] for one in paper.sentences]}
                for document, paper in zip(line["documents"], context.papers, strict=True)
            ],
            "edges": [
                {
                    **shown,
                    "source_type": edge.source.type,
                    "target_type": edge.target.type,
                    "phrase": edge.forward,
                }
                for shown, edge in zip(line["edges"], context.edges, strict=True)
            ],
        }
    if claim.grounding.verifier == Verifier.MODEL and not _has_same_prompt(line, claim, context):
        return {**line, "before": None}
    return line


def _read_context(claim: GroundedClaim, source: EvidenceSource) -> ClaimContext | None:
    grounding = claim.grounding
    knowledge = Knowledge(grounding.version, grounding.collection, grounding.cutoff)
    return knowledge.read_again(*claim.context_of(source))


def _has_same_prompt(
    line: Mapping[str, Any], claim: GroundedClaim, context: ClaimContext | None
) -> bool:
    """Whether a check sends what the grounding sent. Nothing was sent about an empty context."""
    if context is None or context.is_empty or not _is_of_this_prompt(claim.grounding):
        return False
    frozen = frozen_claim(ClaimLine.model_validate(line))
    return _write_prompt(claim.text, context) == _write_prompt(frozen.claim, frozen.context)


def _is_of_this_prompt(grounding: Grounding) -> bool:
    """The version of the verifier has that of the prompt for claims, then that for verdicts."""
    return grounding.verifier_version.endswith(f".{VERDICT_TASK.prompt.version}")


def _write_prompt(claim: str, context: ClaimContext) -> Sequence[Message]:
    return VERDICT_TASK.messages(ClaimQuestion(claim, context), task_context(context))
