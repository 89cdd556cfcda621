"""Who may make, see and steer runs."""

import uuid

from django.db.models import Q, QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.policies import visible_releases
from backend.common.errors import NotFound
from backend.evaluation.models import SubmissionState
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.models.submissions import have_names

RUN_NOT_FOUND = "This run does not exist, or you may not see it."
RELATED = ("release", "endpoint", "model", "owner", "job")


def own_runs(actor: User) -> QuerySet[Run]:
    return Run.objects.select_related(*RELATED).filter(owner=actor)


def listed_runs(actor: User) -> QuerySet[Run]:
    """A user's own; for administrators also those of commands, which nobody else would see."""
    if not actor.is_administrator:
        return own_runs(actor)
    return Run.objects.select_related(*RELATED).filter(Q(owner=actor) | Q(owner=None))


def steerable_runs(actor: User) -> QuerySet[Run]:
    """A user's own; all for administrators, those of commands among them."""
    return Run.objects.select_related(*RELATED) if actor.is_administrator else own_runs(actor)


def get_steerable_run_or_raise(actor: User, run_id: uuid.UUID) -> Run:
    run = steerable_runs(actor).filter(pk=run_id).first()
    if run is None:
        raise NotFound(RUN_NOT_FOUND)
    return run


def public_runs(actor: User | None) -> QuerySet[Run]:
    """Runs whose result is on a board that the actor sees, at endpoints that may be published."""
    is_shown = Q(submissions__split=ReleaseSplit.DEV) | Q(submissions__is_improvement=True)
    shown = Run.objects.select_related(*RELATED).filter(
        is_shown,
        have_names("submissions__"),
        state=RunState.ENDED,
        endpoint__may_publish=True,
        release__in=visible_releases(actor),
        submissions__state=SubmissionState.SCORED,
    )
    return shown.distinct()


def get_run_or_raise(actor: User | None, run_id: uuid.UUID) -> Run:
    own = steerable_runs(actor).filter(pk=run_id).first() if actor is not None else None
    run = own or public_runs(actor).filter(pk=run_id).first()
    if run is None:
        raise NotFound(RUN_NOT_FOUND)
    return run


def may_see_whole_run(actor: User | None, run: Run) -> bool:
    """Also prompts and answers of test items, which only who has steered the run reads."""
    return actor is not None and steerable_runs(actor).filter(pk=run.pk).exists()


def visible_splits(actor: User | None, run: Run) -> list[ReleaseSplit]:
    return [*ReleaseSplit] if may_see_whole_run(actor, run) else [ReleaseSplit.DEV]
