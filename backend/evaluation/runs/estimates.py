"""What a run will need, from the answers to a few of its items."""

import uuid
from collections.abc import Sequence
from decimal import Decimal
from statistics import fmean
from typing import Any

from backend.evaluation.runs.item_pass import ItemAnswer
from backend.llm.calls import JsonMode, ModelRequest
from backend.llm.models import Call, Endpoint
from backend.llm.structured_output import request_options
from backend.llm.tokens import most_prompt_tokens

# Of one item: the call, its repair, and two after faults that may have been paid for.
MOST_PAID_CALLS = 4


def worst_cost(endpoint: Endpoint, request: ModelRequest) -> Decimal:
    """Of one call, as the ledger reserves it, with the words of a repair."""
    options = request_options(request, JsonMode.SCHEMA)
    tokens_in = 2 * most_prompt_tokens(request.messages, options) + 4 * request.max_tokens
    if endpoint.context_tokens is not None:
        tokens_in = min(tokens_in, endpoint.context_tokens)
    return endpoint.cost(tokens_in, request.max_tokens)


def sample_allowance(endpoint: Endpoint, requests: Sequence[ModelRequest]) -> Decimal:
    """What the sample may cost at most, whatever happens to it."""
    one_call = sum((worst_cost(endpoint, one) for one in requests), Decimal(0))
    return MOST_PAID_CALLS * one_call


def make_estimate(
    *, endpoint: Endpoint, budget_id: uuid.UUID, answers: Sequence[ItemAnswer], items: int
) -> dict[str, Any]:
    """cost: at the mean of the sample. worst_cost: each item at the worst case of its calls, of
    which a repair is one. seconds: with as many calls in flight as the endpoint allows.

    Answers from the cache cost nothing here, though the other items may not be in it: tokens count
    at the endpoint's price.
    """
    rows = Call.objects.filter(budget=budget_id, state=Call.State.SETTLED)
    reserved = max(rows.values_list("reserved", flat=True), default=Decimal(0))
    priced = [
        one.cost if one.cost or not one.is_cached else endpoint.cost(one.tokens_in, one.tokens_out)
        for one in answers
    ]
    count = max(len(answers), 1)
    latency = fmean([one.latency_ms for one in answers]) / 1000 if answers else 0.0
    in_flight = max(min(endpoint.max_in_flight, items), 1)
    return {
        "sampled": len(answers),
        "cost": format_money(sum(priced, Decimal(0)) / count * items),
        "worst_cost": format_money(2 * reserved * items),
        "calls": round(items * sum(max(one.calls, 1) for one in answers) / count),
        "seconds": round(items * latency / in_flight, 1),
        "tokens_in": round(items * sum(one.tokens_in for one in answers) / count),
        "tokens_out": round(items * sum(one.tokens_out for one in answers) / count),
    }


def format_money(value: Decimal) -> str:
    return f"{value:.6f}"
