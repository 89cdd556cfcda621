import uuid
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import F, Q

from backend.accounts.models import User


def money_field(**options: Any) -> "models.DecimalField[Any, Any]":
    """US dollars: a token at six decimals for a million tokens is exact."""
    return models.DecimalField(max_digits=24, decimal_places=12, **options)


class Budget(models.Model):
    """What a run may spend, in US dollars, at however many endpoints.

    subject: what it pays for, as 'type:identifier'; a resumed run finds its budget by it.
    reserved: the worst case of the calls that have begun and not ended. The constraint holds for
        every process that pays from it.
    prices: of the last session, in and out by endpoint.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    subject = models.CharField(max_length=120, unique=True)
    owner = models.ForeignKey(User, models.PROTECT, null=True, related_name="budgets")
    amount = money_field()
    spent = money_field(default=Decimal(0))
    reserved = money_field(default=Decimal(0))
    prices = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gte=F("spent") + F("reserved")), name="budget_not_exceeded"
            ),
            models.CheckConstraint(
                condition=Q(spent__gte=0, reserved__gte=0), name="budget_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.subject
