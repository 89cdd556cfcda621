"""The answers to requests to one endpoint, from one budget."""

from collections.abc import Callable, Iterable

from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.request_loop import MOST_FAULTS_IN_A_ROW, answer_all
from backend.jobs.faults import PlatformFault
from backend.llm.calls import TEMPORARY, ModelAnswer, ModelRequest, Outcome
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
    taken = failed = faults_in_a_row = 0
    with ModelLoop(budget, rules) as loop:
        for key, answer in answer_all(loop, ((key, endpoint, one) for key, one in requests), check):
            if answer.outcome in TEMPORARY:
                failed += 1
            elif answer.outcome == Outcome.REJECTED:
                rejected.append((key, answer))
            else:
                faults_in_a_row, taken = 0, taken + 1
                take(key, answer)
                continue
            faults_in_a_row += 1
            if faults_in_a_row >= MOST_FAULTS_IN_A_ROW:
                loop.stop_calls()
    if failed:
        message = "The endpoint failed for a part of the requests. Try again later."
        raise PlatformFault("endpoint_fails", message)
    if rejected and not taken:
        reason = printable(rejected[0][1].reason, 300)
        raise PlatformFault("requests_rejected", f"The endpoint rejected all requests: {reason}")
    if faults_in_a_row >= MOST_FAULTS_IN_A_ROW:
        message = "The endpoint rejected too many requests in a row. Check them and its settings."
        raise PlatformFault("requests_rejected", message)
    for key, answer in rejected:
        take(key, answer)
