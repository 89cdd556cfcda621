"""The one loop over requests to models: a bounded window of calls, of which none is given up."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from backend.common.errors import DomainError
from backend.evaluation.runs.model_loop import ModelLoop
from backend.llm.calls import TEMPORARY, ModelAnswer, ModelRequest, Outcome
from backend.llm.models import Endpoint

WINDOW = 64  # requests that have begun, of which the limiter of the endpoint lets some through
POLL_S = 0.5
MOST_FAULTS_IN_A_ROW = 20  # an endpoint with more has failed, and nothing else is requested
REFUSED_ACCESS = frozenset({401, 402})  # a key that is no more valid, credit that is used up
UNFIT_REQUEST = frozenset({400, 413, 422})  # too long, or against the rules of the server
FAULTS = TEMPORARY | {Outcome.REJECTED}
KeyedRequest = tuple[str, Endpoint, ModelRequest]


@dataclass
class FaultCount:
    """has_failed: the endpoint refuses access, or had too many faults in a row; whoever counts
    requests nothing else then. has_answered: a request was answered, so that a later one which is
    rejected as unfit is at fault itself, not the endpoint."""

    in_a_row: int = 0
    has_failed: bool = False
    has_answered: bool = False

    def add(self, answer: ModelAnswer) -> bool:
        """Whether it is a fault: the ledger has no end of such a request."""
        is_fault = answer.outcome in FAULTS
        if not is_fault:
            self.in_a_row, self.has_answered = 0, True
        elif not (self.has_answered and answer.status in UNFIT_REQUEST):
            self.in_a_row += 1
        is_refused = is_fault and answer.status in REFUSED_ACCESS
        self.has_failed |= is_refused or self.in_a_row >= MOST_FAULTS_IN_A_ROW
        return is_fault


def answer_all(
    loop: ModelLoop,
    requests: Iterable[KeyedRequest],
    check: Callable[[], object] = lambda: None,
    window: int = WINDOW,
) -> Iterator[tuple[str, ModelAnswer]]:
    """Answers by the key of the request, in the order in which they come.

    After the first refusal, or once the loop is stopped, no request begins. Calls in flight are
    paid for: they end and are yielded too, and only then is the refusal raised. check: called
    before each request begins, and at least twice a second while none does; what it raises loses
    the calls in flight. It may stop the loop, and so may whoever takes the answers: they are
    yielded while requests are still being made, which takes long where each reads its context.

    Raises DomainError: CallsRefused, or that an endpoint lacks its price, key or address.
    """
    following = iter(requests)
    refusal: DomainError | None = None
    while True:
        has_begun = _begin_next(loop, following, check, window)
        if not loop.pending:
            break
        try:
            ended = loop.next_answer(0.0 if has_begun else POLL_S)
        except DomainError as error:
            refusal = refusal or error
            loop.stop_calls()
            continue
        if ended is not None:
            yield ended
    if refusal is not None:
        raise refusal


def _begin_next(
    loop: ModelLoop, following: Iterator[KeyedRequest], check: Callable[[], object], window: int
) -> bool:
    """Whether a request has begun."""
    if loop.is_stopped:
        return False
    one = next(following, None) if loop.pending < window else None
    check()
    if one is None or loop.is_stopped:
        return False
    loop.begin(*one)
    return True
