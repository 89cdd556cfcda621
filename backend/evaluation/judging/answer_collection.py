"""Requests to one endpoint from one budget, as many in flight as its limiter allows."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from backend.evaluation.runs.model_loop import ModelLoop
from backend.jobs.faults import PlatformFault
from backend.llm.calls import TEMPORARY, ModelAnswer, ModelRequest, Outcome
from backend.llm.models import Budget, Endpoint
from backend.llm.refusals import CallsRefused
from backend.llm.session import RetryRules

WINDOW = 64
POLL_S = 0.5
MOST_FAULTS_IN_A_ROW = 20
TakeAnswer = Callable[[str, ModelAnswer], None]


def is_final(answer: ModelAnswer) -> bool:
    """Whether another attempt would end alike; the ledger has no end of the others."""
    return answer.outcome not in TEMPORARY and answer.outcome != Outcome.REJECTED


@dataclass
class AnswerCollection:
    """check: called twice a second; what it raises ends the work, and calls in flight are lost.

    take: gets each final answer with the key of its request, once, as soon as it is there.
    """

    endpoint: Endpoint
    budget: Budget
    take: TakeAnswer
    check: Callable[[], None]
    rules: RetryRules | None = None
    _refused: CallsRefused | None = None
    _failed: int = 0
    _failed_in_a_row: int = 0

    def collect(self, requests: Iterable[tuple[str, ModelRequest]]) -> None:
        """Calls in flight when a further one is refused end, are paid for and taken.

        Raises CallsRefused where the budget is exhausted or the endpoint changed, and PlatformFault
        where requests have failed for now; what was taken is final.
        """
        following = iter(requests)
        with ModelLoop(self.budget, self.rules) as loop:
            while True:
                if self._is_open:
                    self._fill(loop, following)
                if not loop.pending:
                    break
                self.check()
                self._take_next(loop)
        if self._refused is not None:
            raise self._refused
        if self._failed:
            message = "The endpoint failed for a part of the requests. Try again later."
            raise PlatformFault("endpoint_fails", message)

    @property
    def _is_open(self) -> bool:
        return self._refused is None and self._failed_in_a_row < MOST_FAULTS_IN_A_ROW

    def _fill(self, loop: ModelLoop, following: Iterator[tuple[str, ModelRequest]]) -> None:
        while loop.pending < WINDOW and (one := next(following, None)) is not None:
            loop.begin(one[0], self.endpoint, one[1])

    def _take_next(self, loop: ModelLoop) -> None:
        try:
            ended = loop.next_answer(POLL_S)
        except CallsRefused as error:
            self._refused = self._refused or error
            loop.stop_calls()
            return
        if ended is None:
            return
        if is_final(ended[1]):
            self._failed_in_a_row = 0
            self.take(*ended)
            return
        self._failed += 1
        self._failed_in_a_row += 1
        if not self._is_open:
            loop.stop_calls()
