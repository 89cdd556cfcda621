"""What each person spent at each endpoint, by the ledger."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Max, Q, Sum
from django.utils import timezone

from backend.accounts.models import User
from backend.llm.calls import Flag
from backend.llm.charges import charged_in, charged_out
from backend.llm.models import Call
from backend.llm.policies import require_spending_reader

LEAST_DAYS, MOST_DAYS = 1, 3_660


def list_spending(actor: User, *, days: int) -> Sequence[dict[str, Any]]:
    """Of calls that began within so many days, the most expensive first.

    person: None for commands. unknown_cost: the part of cost that is a worst case, as the answer
    did not arrive; its tokens are unknown and not counted. Raises NotAllowed.
    """
    require_spending_reader(actor)
    rows = (
        Call.objects.filter(state=Call.State.SETTLED, started_at__gte=_start(days))
        .values("budget__owner", "endpoint")
        .annotate(
            email=F("budget__owner__email"),
            person_name=F("budget__owner__name"),
            endpoint_name=F("endpoint__name"),
            model=F("endpoint__model"),
            calls=Count("pk"),
            tokens_in=Sum(charged_in()),
            tokens_out=Sum(charged_out()),
            paid=Sum("cost"),
            paid_unknown=Sum(
                "cost", filter=Q(flags__contains=[Flag.UNKNOWN_COST]), default=Decimal(0)
            ),
            last_call_at=Max("started_at"),
        )
        .order_by("-paid", "email", "endpoint_name")
    )
    return [_payload(row) for row in rows]


def _start(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def _payload(row: Mapping[str, Any]) -> dict[str, Any]:
    person = {"email": row["email"], "name": row["person_name"]}
    return {
        "person": person if row["budget__owner"] else None,
        "endpoint": {"id": row["endpoint"], "name": row["endpoint_name"]},
        **{name: row[name] for name in ("model", "calls", "tokens_in", "tokens_out")},
        "cost": f"{row['paid']:.6f}",
        "unknown_cost": f"{row['paid_unknown']:.6f}",
        "last_call_at": row["last_call_at"],
    }
