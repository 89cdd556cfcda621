"""What a run will need, from the answers to a few of its items."""

from collections.abc import Sequence
from decimal import Decimal
from statistics import fmean
from typing import Any

from backend.evaluation.runs.item_pass import ItemAnswer
from backend.llm.call_results import largest_cost
from backend.llm.calls import JSON_MODES, REASON_LENGTH, ModelRequest, Outcome
from backend.llm.models import Call, Endpoint
from backend.llm.session import RetryRules
from backend.llm.structured_output import messages_for, most_answer_bytes, repair_messages

LATEST_CALLS = 200


def worst_call(endpoint: Endpoint, request: ModelRequest) -> Decimal:
    """As the ledger reserves it, whichever way to request JSON the endpoint takes."""
    return max(
        largest_cost(endpoint, request, messages_for(request, mode), mode) for mode in JSON_MODES
    )


def worst_repair(endpoint: Endpoint, request: ModelRequest) -> Decimal:
    answer, reason = "x" * most_answer_bytes(request), "x" * REASON_LENGTH
    return max(
        largest_cost(endpoint, request, repair_messages(request, mode, answer, reason), mode)
        for mode in JSON_MODES
    )


def sample_allowance(
    endpoint: Endpoint, requests: Sequence[ModelRequest], rules: RetryRules
) -> Decimal:
    """What these items may cost at most: of each the call, its repair, and those that are repeated
    after faults that may have been paid for."""
    calls = rules.most_failures + 2
    return sum((calls * worst_repair(endpoint, one) for one in requests), Decimal(0))


def make_estimate(
    *,
    endpoint: Endpoint,
    requests: Sequence[ModelRequest],
    answers: Sequence[ItemAnswer],
    items: int,
    most_requests: int = 1,
) -> dict[str, Any]:
    """requests, answers: of the sample. cost: at the mean of the sample. worst_cost: each item at
    the worst case of a call and its repair, most_requests times. seconds: with as many calls in
    flight as the endpoint allows.

    Answers from the cache cost nothing and take no time here, though the other items may not be in
    it: tokens count at the endpoint's price, and the time is that of calls before.
    """
    worst = max(
        (worst_call(endpoint, one) + worst_repair(endpoint, one) for one in requests),
        default=Decimal(0),
    )
    priced = [
        one.cost + endpoint.cost(one.tokens_in, one.tokens_out) if one.is_cached else one.cost
        for one in answers
    ]
    count = max(len(answers), 1)
    latency = read_latency(endpoint, requests, answers) / 1000
    in_flight = max(min(endpoint.max_in_flight, items), 1)
    return {
        "sampled": len(answers),
        "cost": format_money(sum(priced, Decimal(0)) / count * items),
        "worst_cost": format_money(worst * most_requests * items),
        "calls": round(items * sum(max(one.calls, 1) for one in answers) / count),
        "seconds": round(items * latency / in_flight, 1),
        "tokens_in": round(items * sum(one.tokens_in for one in answers) / count),
        "tokens_out": round(items * sum(one.tokens_out for one in answers) / count),
    }


def read_latency(
    endpoint: Endpoint, requests: Sequence[ModelRequest], answers: Sequence[ItemAnswer]
) -> float:
    """Milliseconds of an item: the mean of those that were not in the cache, else of the endpoint's
    latest answers to this prompt, or to any; 0 if it has answered nothing yet."""
    if own := [one.latency_ms for one in answers if not one.is_cached]:
        return fmean(own)
    rows = Call.objects.filter(endpoint=endpoint, outcome=Outcome.ANSWERED)
    latest = rows.order_by("-started_at").values_list("prompt_name", "latency_ms")[:LATEST_CALLS]
    names = {one.prompt_name for one in requests}
    known = [latency for name, latency in latest if name in names]
    return fmean(known or [latency for _, latency in latest] or [0])


def format_money(value: Decimal) -> str:
    return f"{value:.6f}"
