"""Who may make, see and steer runs."""

import uuid

from django.db.models import QuerySet

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.evaluation.run_models import Run

RUN_NOT_FOUND = "This run does not exist, or you may not see it."
RELATED = ("release", "endpoint", "model", "owner", "job")


def visible_runs(actor: User) -> QuerySet[Run]:
    """A user's own; all for administrators, those of commands among them."""
    runs = Run.objects.select_related(*RELATED)
    return runs if actor.is_administrator else runs.filter(owner=actor)


def get_run_or_raise(actor: User, run_id: uuid.UUID) -> Run:
    run = visible_runs(actor).filter(pk=run_id).first()
    if run is None:
        raise NotFound(RUN_NOT_FOUND)
    return run
