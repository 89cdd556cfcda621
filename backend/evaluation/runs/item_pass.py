"""One pass over the items of a run: a request for each, until all are answered or it must stop."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

from backend.evaluation.models.runs import Run
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.contexts import open_context
from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.request_loop import FAULTS, POLL_S, FaultCount, answer_all
from backend.evaluation.runs.requests import make_request
from backend.evaluation.runs.run_items import RunItem
from backend.evaluation.runs.run_settings import RunSettings
from backend.llm.calls import ModelAnswer, ModelRequest, Outcome
from backend.llm.models import Budget
from backend.llm.refusals import CallsRefused
from backend.llm.session import RetryRules
from backend.tracks.model_tasks import AnyModelTask

WAITING_FOR_EACH_CALL = 2  # requests that are ready beside those in flight


class PassEnd(StrEnum):
    COMPLETE = "complete"
    STOPPED = "stopped"  # the run was paused, or another job took over
    REFUSED = "refused"  # the budget is exhausted, or the endpoint has changed
    ENDPOINT_FAILS = "endpoint_fails"


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """prediction: None unless it was answered."""

    outcome: Outcome
    prediction: Any
    is_retried: bool
    is_cached: bool
    calls: int
    reason: str
    cost: Decimal
    tokens_in: int
    tokens_out: int
    latency_ms: int

    @classmethod
    def of(cls, answer: ModelAnswer) -> "ItemAnswer":
        return cls(
            outcome=answer.outcome,
            prediction=answer.value if answer.is_answered else None,
            is_retried=answer.is_retried,
            is_cached=answer.is_cached,
            calls=answer.calls,
            reason=answer.reason,
            cost=answer.cost,
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
            latency_ms=answer.latency_ms,
        )

    @property
    def may_pass(self) -> bool:
        """Whether another attempt may get an answer; the ledger has no end of such an item."""
        return self.outcome in FAULTS


@dataclass
class ItemPass:
    """answers: by item key. fault: why it stopped, where no further call may be made.

    should_go_on: called twice a second with how many have ended; what it raises ends the pass, and
    calls in flight are lost.
    """

    run: Run
    task: AnyModelTask
    budget: Budget
    should_go_on: Callable[[int], bool]
    rules: RetryRules | None = None
    answers: dict[str, ItemAnswer] = field(default_factory=dict)
    fault: CallsRefused | None = None
    _end: PassEnd = PassEnd.COMPLETE
    _faults: FaultCount = field(default_factory=FaultCount)
    _checked_at: float = 0.0

    def request_all(self, items: Sequence[RunItem]) -> PassEnd:
        self._end = PassEnd.COMPLETE
        endpoint = self.run.endpoint
        calls = ((one.key, endpoint, request) for one, request in self.requests(items))
        window = WAITING_FOR_EACH_CALL * endpoint.max_in_flight
        with ModelLoop(self.budget, self.rules) as loop:
            try:
                for key, answer in answer_all(loop, calls, lambda: self._check(loop), window):
                    self._take(loop, key, answer)
            except CallsRefused as error:
                self.fault = error
                self._end = PassEnd.REFUSED
        return self._end

    def requests(self, items: Sequence[RunItem]) -> Iterator[tuple[RunItem, ModelRequest]]:
        settings = RunSettings.model_validate(self.run.settings)
        look_up = open_context(ContextRequest(self.run.release, settings), self.task.needs)
        for one in items:
            context = look_up(one.item)
            request = make_request(
                self.task,
                one.item,
                one.key,
                context,
                endpoint=self.run.endpoint,
                temperature=settings.temperature,
            )
            yield one, replace(request, sample=settings.sample)

    def _check(self, loop: ModelLoop) -> None:
        now = time.monotonic()
        if now - self._checked_at < POLL_S:
            return
        self._checked_at = now
        if not self.should_go_on(len(self.answers)):
            self._stop(loop, PassEnd.STOPPED)

    def _take(self, loop: ModelLoop, key: str, answer: ModelAnswer) -> None:
        self.answers[key] = ItemAnswer.of(answer)
        self._faults.add(answer)
        if self._faults.has_failed:
            self._stop(loop, PassEnd.ENDPOINT_FAILS)

    def _stop(self, loop: ModelLoop, end: PassEnd) -> None:
        self._end = end
        loop.stop_calls()
