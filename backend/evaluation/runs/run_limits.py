"""What one person may have under way, tested before money is spent."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet, Sum, TextField, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from backend.accounts.models import TeamMember, User
from backend.accounts.teams import find_team
from backend.benchmarks.models import Release
from backend.common.errors import Conflict
from backend.common.pluralize import pluralize
from backend.evaluation.models.ensembles import CandidateEnsemble
from backend.evaluation.models.grounding import Grounding
from backend.evaluation.models.proposals import HypothesisProposal
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.models.syntheses import QuerySynthesis
from backend.evaluation.queries import (
    QueriesUsedUp,
    count_queries,
    list_corrected,
    require_query,
)
from backend.evaluation.services import is_operator, lock_submitter
from backend.llm.models import Budget
from backend.validation.faults import Fault

MOST_ACTIVE_RUNS = 10  # of a person
DAY = timedelta(days=1)
ACTIVE = (RunState.ESTIMATING, RunState.RUNNING)


def require_run_allowed(
    person: User, release: Release, *, has_test: bool, besides: Run | None = None
) -> None:
    """Raises Conflict with ten active runs, and QueriesUsedUp where a score of test items would be
    refused after the money is spent. besides: the run itself."""
    lock_submitter(person)
    if count_active(person) >= MOST_ACTIVE_RUNS:
        message = f"You have {MOST_ACTIVE_RUNS} active runs. Wait for one, or cancel it."
        raise Conflict(message, code="too_many_runs")
    if not has_test or is_operator(person, release):
        return
    require_query(person, release)
    left = count_queries(person, release).left
    if left <= (needed := count_running(person, release, besides)):
        message = f"{pluralize(needed, 'run')} under way will use the queries left: {left}. Wait."
        raise QueriesUsedUp(message, data={"left": left, "needed": needed})


def count_running(person: User, release: Release, besides: Run | None = None) -> int:
    """Runs of the person, or of all members of the team, that will each need a query: those over
    test items that have been started."""
    owners = Q(owner=person)
    if team := find_team(person):
        mates = TeamMember.objects.current().filter(team=team).values("user")
        owners |= Q(owner__in=mates)
    rows = Run.objects.filter(owners, release__in=list_corrected(release), state=RunState.RUNNING)
    rows = rows.exclude(settings__contains={"split": "dev"})
    return rows.exclude(pk=besides.pk).count() if besides else rows.count()


def require_run_limits(person: User, release: Release, *, count: int, has_test: bool) -> None:
    """For so many runs at once, before the first is made. Raises as require_run_allowed does."""
    lock_submitter(person)
    active = count_active(person)
    if active + count > MOST_ACTIVE_RUNS:
        message = (
            f"{active} of your {MOST_ACTIVE_RUNS} possible runs are active, so {count} more cannot "
            "begin. Choose fewer, or wait."
        )
        faults = [Fault("samples", message, "too_many_runs")]
        raise Conflict(message, code="too_many_runs", faults=faults)
    if not has_test or is_operator(person, release):
        return
    left = max(count_queries(person, release).left - count_running(person, release), 0)
    if count > left:
        message = (
            f"{count} runs need a query each, and {left} are left. Choose fewer, or dev items."
        )
        raise QueriesUsedUp(message, faults=[Fault("samples", message, "queries_used_up")])


def count_active(person: User) -> int:
    return Run.objects.filter(owner=person, state__in=ACTIVE).count()


def require_dollars(person: User, amount: Decimal, *, besides: Run | None = None) -> None:
    """Raises Conflict where the person's runs and groundings would have too much with it: the
    budgets of those that are active, and what others spent that ended within a day."""
    limit, taken = Decimal(settings.RUN_DOLLARS_PER_PERSON), count_dollars(person, besides)
    if taken + amount > limit:
        message = (
            f"A person's runs may use ${limit:,} within a day; ${taken:,.2f} is in use. Choose a "
            "smaller budget, or wait."
        )
        raise Conflict(
            message,
            code="dollars_of_person",
            faults=[Fault("budget", message, "dollars_of_person")],
            data={"limit": str(limit), "taken": str(taken)},
        )


def count_dollars(person: User, besides: Run | None) -> Decimal:
    """Until its job has ended, calls of a run that was paused or cancelled are still paid for."""
    runs = Run.objects.filter(owner=person)
    if besides is not None:
        runs = runs.exclude(pk=besides.pk)
    has_active_job = Q(job__isnull=False, job__ended_at=None)
    has_ended = Q(job__ended_at__gt=timezone.now() - DAY)
    groundings = Grounding.objects.filter(owner=person).exclude(endpoint=None)
    paid = [
        (one.budget_prefix, one.objects.filter(owner=person))
        for one in (HypothesisProposal, QuerySynthesis, CandidateEnsemble)
    ]
    return (
        _sum_budgets("run:", runs.filter(Q(state__in=ACTIVE) | has_active_job), "pk", "amount")
        + _sum_budgets("run:", runs.exclude(state__in=ACTIVE).filter(has_ended), "pk", "spent")
        + _sum_budgets("groundings:", groundings.filter(has_active_job), "batch", "amount")
        + _sum_budgets("groundings:", groundings.filter(has_ended), "batch", "spent")
        + sum(_sum_budgets(one, rows.filter(has_active_job), "pk", "amount") for one, rows in paid)
        + sum(_sum_budgets(one, rows.filter(has_ended), "pk", "spent") for one, rows in paid)
    )


def _sum_budgets(prefix: str, rows: QuerySet[Any], key: str, field: str) -> Decimal:
    subjects = rows.annotate(
        budget_subject=Concat(Value(prefix), Cast(key, TextField()), output_field=TextField())
    ).values("budget_subject")
    total = Budget.objects.filter(subject__in=subjects).aggregate(sum=Sum(field))["sum"]
    return Decimal(total or 0)
