"""The verifiers of claims, and how often experts agree with each."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.accounts.models import User
from backend.evaluation.grounding.policies import RELATED
from backend.evaluation.grounding.verifier_agreement import VerifierAgreement, read_agreement
from backend.evaluation.models import ChosenClaim, Grounding
from backend.studies.models import ENDED_STATUSES
from backend.tracks.grounding_verdicts import EvidenceSource

ONE_OF_EACH = ("verifier", "verifier_version", "model", "endpoint__base_url", "endpoint__model")


@dataclass(frozen=True)
class JudgedVerifier:
    """model, endpoint: empty for the plain verifier. agreements: by source, over all studies that
    have ended."""

    verifier: str
    version: str
    model: str
    endpoint: str
    agreements: list[VerifierAgreement]


def list_verifiers(reader: User | None) -> Sequence[JudgedVerifier]:
    """Those with whose verdicts experts were compared; of endpoints whose answers may be published,
    and all for administrators."""
    verified = ChosenClaim.objects.filter(
        in_batch__claim_study__study__status__in=ENDED_STATUSES
    ).values("claim__grounding")
    rows = Grounding.objects.filter(pk__in=verified)
    one_of_each = rows.order_by(*ONE_OF_EACH, "created_at").distinct(*ONE_OF_EACH)
    shown = [one for one in one_of_each.select_related(*RELATED) if may_see_verifier(reader, one)]
    return [describe_verifier(one) for one in shown]


def may_see_verifier(reader: User | None, grounding: Grounding) -> bool:
    if grounding.endpoint is None or grounding.endpoint.may_publish:
        return True
    return reader is not None and reader.is_administrator


def describe_verifier(grounding: Grounding) -> JudgedVerifier:
    agreements = [read_agreement(grounding, source) for source in EvidenceSource]
    return JudgedVerifier(
        verifier=grounding.verifier,
        version=grounding.verifier_version,
        model=grounding.model,
        endpoint="" if grounding.endpoint is None else grounding.endpoint.name,
        agreements=[one for one in agreements if one.verdicts],
    )
