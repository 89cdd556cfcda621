"""Who may read a synthesis: its owner alone, as its answers may be those of a later test."""

import uuid

from django.db.models import QuerySet

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.evaluation.models.syntheses import QuerySynthesis

RELATED = ("owner", "writer", "rewriter", "version__graph", "question_set", "job")


def own_syntheses(actor: User) -> QuerySet[QuerySynthesis]:
    rows = QuerySynthesis.objects.select_related(*RELATED).filter(owner=actor)
    return rows.prefetch_related("verifiers__endpoint")


def get_synthesis_or_raise(actor: User, synthesis_id: uuid.UUID) -> QuerySynthesis:
    synthesis = own_syntheses(actor).filter(pk=synthesis_id).first()
    if synthesis is None:
        raise NotFound("There is no such synthesis of queries, or it is not yours.")
    return synthesis
