"""What one person may have under way, tested before money is spent."""

from decimal import Decimal

from django.conf import settings
from django.db.models import Sum

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.common.errors import Conflict
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.queries import require_query
from backend.evaluation.services import is_operator, lock_submitter
from backend.llm.models import Budget
from backend.validation.faults import Fault

MOST_ACTIVE_RUNS = 10  # of a person
ACTIVE = (RunState.ESTIMATING, RunState.RUNNING)


def require_run_allowed(person: User, release: Release, *, has_test: bool) -> None:
    """Raises Conflict with ten active runs, and QueriesUsedUp where a score of test items would be
    refused after the money is spent."""
    lock_submitter(person)
    if Run.objects.filter(owner=person, state__in=ACTIVE).count() >= MOST_ACTIVE_RUNS:
        message = f"You have {MOST_ACTIVE_RUNS} active runs. Wait for one, or cancel it."
        raise Conflict(message, code="too_many_runs")
    if has_test and not is_operator(person, release):
        require_query(person, release)


def require_dollars(person: User, amount: Decimal) -> None:
    """Raises Conflict where the budgets of the person's active runs would be too much with it."""
    limit = Decimal(settings.RUN_DOLLARS_PER_PERSON)
    subjects = [run.subject for run in Run.objects.filter(owner=person, state__in=ACTIVE)]
    total = Budget.objects.filter(subject__in=subjects).aggregate(sum=Sum("amount"))["sum"]
    taken = total or Decimal(0)
    if taken + amount > limit:
        message = (
            f"Budgets of a person's active runs are limited to ${limit:,}; ${taken:,.2f} is in "
            "use. Choose a smaller budget."
        )
        raise Conflict(
            message,
            code="dollars_of_person",
            faults=[Fault("budget", message, "dollars_of_person")],
            data={"limit": str(limit), "taken": str(taken)},
        )
