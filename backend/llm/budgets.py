"""Budgets: what a run may spend, has spent, and has reserved."""

from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.db.models import Avg, Count, Q

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError
from backend.llm.models import Budget, Call
from backend.llm.refusals import CallsRefused
from backend.validation.faults import Fault

MAX_AMOUNT = Decimal(1_000_000)
DIGITS = Decimal("0.000000000001")


@dataclass(frozen=True)
class BudgetStanding:
    """In US dollars. typical: the mean cost of a call that was answered, beside the mean of what
    was reserved for it; None before the first."""

    amount: Decimal
    spent: Decimal
    reserved: Decimal
    free: Decimal
    calls: int
    typical: Decimal | None
    typical_reserved: Decimal | None


class BudgetExhausted(CallsRefused):
    """The worst case of the next call does not fit, and no call that could free some is open."""

    code = "budget_exhausted"

    def __init__(self, standing: BudgetStanding, needed: Decimal) -> None:
        detail = (
            f"The next call may cost ${needed:.6f}, and ${standing.free:.6f} is left. "
            "Raise the budget."
        )
        figures = {
            "amount": standing.amount,
            "spent": standing.spent,
            "reserved": standing.reserved,
            "typical": standing.typical,
            "needed": needed,
        }
        data = {name: None if value is None else str(value) for name, value in figures.items()}
        super().__init__(detail, data=data)


class LimitIgnored(CallsRefused):
    """An answer cost more than its worst case, so that no further one has a bound."""

    code = "limit_ignored"

    def __init__(self, endpoint: str) -> None:
        super().__init__(
            f"{endpoint} answers beyond the limit of tokens, and costs more. "
            "Check its settings before you go on."
        )


def open_budget(*, subject: str, amount: Decimal, owner: User | None = None) -> Budget:
    """The budget of this subject, made with this amount if there is none. Safe to repeat."""
    check_amount(amount)
    budget, _ = Budget.objects.get_or_create(
        subject=subject, defaults={"amount": amount, "owner": owner}
    )
    return budget


def check_amount(amount: Decimal) -> None:
    """Raises DomainError."""
    if not (amount.is_finite() and 0 <= amount <= MAX_AMOUNT):
        message = f"A budget is between 0 and {MAX_AMOUNT:,} dollars."
        raise DomainError(message, faults=[Fault("budget", message, "budget_invalid")])


@transaction.atomic
def change_amount(budget: Budget, amount: Decimal) -> Budget:
    """Raises Conflict where more is spent and reserved already."""
    check_amount(amount)
    locked = Budget.objects.select_for_update().get(pk=budget.pk)
    if amount < locked.spent + locked.reserved:
        used = locked.spent + locked.reserved
        raise Conflict(f"${used:.6f} is spent or reserved already. Choose a larger budget.")
    locked.amount = amount
    locked.save(update_fields=["amount"])
    return locked


def read_standing(budget: Budget) -> BudgetStanding:
    budget = Budget.objects.get(pk=budget.pk)
    answered = Q(state=Call.State.SETTLED, outcome="answered")
    figures = Call.objects.filter(budget=budget).aggregate(
        calls=Count("pk"),
        typical=Avg("cost", filter=answered),
        typical_reserved=Avg("reserved", filter=answered),
    )
    return BudgetStanding(
        amount=budget.amount,
        spent=budget.spent,
        reserved=budget.reserved,
        free=budget.amount - budget.spent - budget.reserved,
        calls=figures["calls"],
        typical=_rounded(figures["typical"]),
        typical_reserved=_rounded(figures["typical_reserved"]),
    )


def _rounded(value: Decimal | None) -> Decimal | None:
    return None if value is None else value.quantize(DIGITS)
