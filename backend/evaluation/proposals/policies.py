"""Who may read proposed hypotheses: their owner alone, as they may be unpublished work."""

import uuid

from django.db.models import Count, QuerySet

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.evaluation.models.proposals import HypothesisProposal

RELATED = ("owner", "version__graph", "collection", "endpoint", "verifier_endpoint", "job")


def own_proposals(actor: User) -> QuerySet[HypothesisProposal]:
    rows = HypothesisProposal.objects.select_related(*RELATED).filter(owner=actor)
    return rows.annotate(background_count=Count("backgrounds"))


def get_proposal_or_raise(actor: User, proposal_id: uuid.UUID) -> HypothesisProposal:
    proposal = own_proposals(actor).filter(pk=proposal_id).first()
    if proposal is None:
        raise NotFound("There is no such request for hypotheses, or it is not yours.")
    return proposal
