"""The field of an amount of money in a request."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from backend.llm.budgets import MAX_AMOUNT


class BudgetField(serializers.DecimalField):
    """US dollars, to a millionth."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_digits=16, decimal_places=6, min_value=Decimal(0), max_value=MAX_AMOUNT, **options
        )
