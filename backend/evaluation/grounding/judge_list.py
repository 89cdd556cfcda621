"""The verifiers of claims, and how often experts agree with each."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from backend.accounts.models import User
from backend.evaluation.grounding.policies import RELATED
from backend.evaluation.grounding.verifier_agreement import VerifierAgreement, read_agreement
from backend.evaluation.models import ChosenClaim, Grounding
from backend.studies.models import ENDED_STATUSES
from backend.tracks.grounding_verdicts import EvidenceSource

ONE_OF_EACH = ("verifier", "verifier_version", "model", "endpoint__base_url", "endpoint__model")


@dataclass(frozen=True)
class JudgedVerifier:
    """model, model_size, endpoint: empty for the plain verifier. agreements: by source, over all
    studies that have ended."""

    verifier: str
    version: str
    model: str
    model_size: str
    endpoint: str
    agreements: list[VerifierAgreement]


def list_verifiers(reader: User | None) -> Sequence[JudgedVerifier]:
    """Those with whose verdicts experts were compared; of endpoints whose answers may be published,
    and all for administrators."""
    verified = ChosenClaim.objects.filter(
        in_batch__claim_study__study__status__in=ENDED_STATUSES
    ).values("claim__grounding")
    rows = Grounding.objects.filter(pk__in=verified)
    sees_all = reader is not None and reader.is_administrator
    if not sees_all:
        rows = rows.filter(Q(endpoint=None) | Q(endpoint__may_publish=True))
    one_of_each = rows.order_by(*ONE_OF_EACH, "created_at").distinct(*ONE_OF_EACH)
    return [
        describe_verifier(one, is_published=not sees_all)
        for one in one_of_each.select_related(*RELATED)
    ]


def describe_verifier(grounding: Grounding, *, is_published: bool) -> JudgedVerifier:
    agreements = [
        read_agreement(grounding, source, is_published=is_published) for source in EvidenceSource
    ]
    return JudgedVerifier(
        verifier=grounding.verifier,
        version=grounding.verifier_version,
        model=grounding.model,
        model_size=grounding.model_size,
        endpoint="" if grounding.endpoint is None else grounding.endpoint.name,
        agreements=[one for one in agreements if one.verdicts],
    )
