"""The answers to requests to one endpoint, from one budget."""

from collections.abc import Callable, Iterable

from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.request_loop import FaultCount, answer_all
from backend.jobs.faults import PlatformFault
from backend.llm.calls import TEMPORARY, ModelAnswer, ModelRequest
from backend.llm.models import Budget, Endpoint
from backend.llm.session import RetryRules
from backend.validation.faults import printable

TakeAnswer = Callable[[str, ModelAnswer], None]


def collect_answers(
    endpoint: Endpoint,
    budget: Budget,
    requests: Iterable[tuple[str, ModelRequest]],
    *,
    take: TakeAnswer,
    check: Callable[[], None] = lambda: None,
    rules: RetryRules | None = None,
) -> None:
    """take: gets each final answer with the key of its request, once, as soon as it is there. A
    rejected request is final only once another one was accepted, and is taken at the end.

    Raises CallsRefused where the budget is exhausted or the endpoint changed, and PlatformFault
    where requests have failed for now or all were rejected. What was taken is final.
    """
    rejected: list[tuple[str, ModelAnswer]] = []
    taken, failed, faults = 0, 0, FaultCount()
    with ModelLoop(budget, rules) as loop:
        for key, answer in answer_all(loop, ((key, endpoint, one) for key, one in requests), check):
            if not faults.add(answer):
                taken += 1
                take(key, answer)
            elif answer.outcome in TEMPORARY:
                failed += 1
            else:
                rejected.append((key, answer))
            if faults.has_failed:
                loop.stop_calls()
    if failed:
        message = "The endpoint failed for a part of the requests. Try again later."
        raise PlatformFault("endpoint_fails", message)
    if rejected and (faults.has_failed or not taken):
        reason = printable(rejected[-1][1].reason, 300).rstrip(".")
        share = "too many" if taken else "all"
        message = f"The endpoint rejected {share} requests: {reason}. Check its settings."
        raise PlatformFault("requests_rejected", message)
    for key, answer in rejected:
        take(key, answer)
