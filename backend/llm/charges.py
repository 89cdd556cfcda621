"""The tokens that a call is charged: for one reply, and the same rule for rows of the ledger."""

from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Coalesce, Greatest

from backend.llm.calls import Flag


def charge_tokens(reported: int | None, own: int, *, is_wrong: bool) -> int:
    """By the endpoint's count, or the larger of both where it is missing or wrong, as nobody knows
    which one the bill will have."""
    return max(reported or 0, own) if is_wrong else reported or 0


def charged_in() -> Case:
    """Of rows of Call, as `charge_tokens`."""
    return _charged("reported_in", "own_in")


def charged_out() -> Case:
    return _charged("reported_out", "own_out")


def _charged(reported: str, own: str) -> Case:
    by_endpoint = Coalesce(F(reported), Value(0))
    is_wrong = Q(flags__contains=[Flag.TOKEN_COUNT])
    return Case(When(is_wrong, then=Greatest(by_endpoint, F(own))), default=by_endpoint)
