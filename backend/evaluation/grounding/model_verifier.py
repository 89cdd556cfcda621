"""A language model at an endpoint that finds claims and judges them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from backend.common.errors import DomainError
from backend.evaluation.grounding.verifiers import Judgements
from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.request_loop import MOST_FAULTS_IN_A_ROW, answer_all
from backend.evaluation.runs.requests import fit_endpoint, make_request
from backend.jobs.faults import PlatformFault
from backend.llm.calls import TEMPORARY, ModelAnswer, ModelRequest, Outcome
from backend.llm.endpoints import read_capabilities
from backend.llm.models import Budget, Endpoint
from backend.llm.refusals import CallsRefused
from backend.llm.session import RetryRules
from backend.tracks.grounding_claims import Claim
from backend.tracks.grounding_tasks import (
    CLAIMS_TASK,
    VERDICT_TASK,
    ClaimQuestion,
    RationaleText,
    read_probabilities,
    task_context,
)
from backend.tracks.grounding_verdicts import (
    ClaimContext,
    ContextSize,
    EvidenceSource,
    Judgement,
    Verdict,
)
from backend.tracks.model_tasks import NO_CONTEXT
from backend.validation.faults import printable

MODEL_VERSION = f"{CLAIMS_TASK.prompt.version}.{VERDICT_TASK.prompt.version}"


class RationaleFault(PlatformFault):
    """The endpoint has failed this rationale; others may be answered."""


class ModelVerifier:
    """Of one batch, whose calls share a loop. check: called twice a second; what it raises ends
    the work, and calls in flight are lost."""

    def __init__(self, endpoint: Endpoint, loop: ModelLoop, check: Callable[[], None]) -> None:
        self._endpoint, self._loop, self._check = endpoint, loop, check
        self._has_logprobs = bool(read_capabilities(endpoint).logprobs)
        self._faults_in_a_row = 0

    def find_claims(self, hypothesis: str, rationale: str) -> Sequence[Claim]:
        """Raises DomainError where the model gives none, and as `_answer_all`."""
        item = RationaleText(hypothesis, rationale)
        request = make_request(CLAIMS_TASK, item, "claims", NO_CONTEXT, endpoint=self._endpoint)
        answer = self._answer_all([("claims", request)])["claims"]
        if not answer.is_answered:
            reason = answer.reason or f"it is {answer.outcome.replace('_', ' ')}."
            message = f"The model's answer has no claims that can be used: {reason}"
            raise DomainError(message, code="no_claims_stated")
        claims: Sequence[Claim] = answer.value
        return claims

    def judge_claims(
        self, claims: Sequence[tuple[str, ClaimContext]], sources: Sequence[EvidenceSource]
    ) -> Sequence[Judgements]:
        """A claim without context is left open without a request. Raises as `_answer_all`."""
        judged: list[dict[EvidenceSource, Judgement]] = [{} for _ in claims]
        read: dict[str, ContextSize] = {}
        requests: list[tuple[str, ModelRequest]] = []
        for number, (text, context) in enumerate(claims):
            for source in sources:
                part = context.of(source)
                if part.is_empty:
                    judged[number][source] = Judgement(Verdict.NOT_ENOUGH)
                else:
                    key = f"{number} {source}"
                    requests.append((key, self._verdict_request(text, part)))
                    read[key] = self._read_size(text, part)
        for key, answer in self._answer_all(requests).items():
            number_text, _, source_text = key.partition(" ")
            judged[int(number_text)][EvidenceSource(source_text)] = replace(
                read_judgement(answer), read=read[key]
            )
        return [{source: one[source] for source in sources} for one in judged]

    def _verdict_request(self, text: str, context: ClaimContext) -> ModelRequest:
        request = make_request(
            VERDICT_TASK,
            ClaimQuestion(text, context),
            "verdict",
            task_context(context),
            endpoint=self._endpoint,
        )
        return replace(request, logprobs=self._has_logprobs)

    def _read_size(self, text: str, context: ClaimContext) -> ContextSize:
        """What a request has of a context that is longer than what the endpoint reads."""
        item = ClaimQuestion(text, context)
        fitted, _ = fit_endpoint(VERDICT_TASK, item, task_context(context), self._endpoint)
        return ContextSize(len(fitted.papers), len(fitted.link_chains))

    def _answer_all(self, requests: Sequence[tuple[str, ModelRequest]]) -> dict[str, ModelAnswer]:
        """By key. Raises once all calls in flight have ended, whose answers are in the ledger and
        cost nothing again: CallsRefused or PlatformFault, which end the batch, and RationaleFault
        after a fault that may pass, as that is no verdict, or where all were rejected."""
        answers: dict[str, ModelAnswer] = {}
        calls = ((key, self._endpoint, request) for key, request in requests)
        try:
            for key, answer in answer_all(self._loop, calls, self._check):
                answers[key] = answer
                self._count_fault(answer)
        except CallsRefused:
            raise
        except DomainError as error:  # no key, price or address: so it is for the whole batch
            raise CallsRefused(error.detail, code=error.code) from error
        if self._loop.is_stopped:
            message = f"The endpoint failed {MOST_FAULTS_IN_A_ROW} times in a row. Try again later."
            raise PlatformFault("endpoint_fails", message)
        failed = next((one for one in answers.values() if one.outcome in TEMPORARY), None)
        if failed is not None:
            message = f"The endpoint failed ({failed.outcome.replace('_', ' ')}). Try again later."
            raise RationaleFault("endpoint_fails", message)
        require_accepted([*answers.values()])
        return answers

    def _count_fault(self, answer: ModelAnswer) -> None:
        is_fault = answer.outcome in TEMPORARY or answer.outcome == Outcome.REJECTED
        self._faults_in_a_row = self._faults_in_a_row + 1 if is_fault else 0
        if self._faults_in_a_row >= MOST_FAULTS_IN_A_ROW:
            self._loop.stop_calls()


@contextmanager
def open_model_verifier(
    endpoint: Endpoint,
    budget: Budget,
    check: Callable[[], None],
    rules: RetryRules | None = None,
) -> Iterator[ModelVerifier]:
    with ModelLoop(budget, rules) as loop:
        yield ModelVerifier(endpoint, loop, check)


def require_accepted(answers: Sequence[ModelAnswer]) -> None:
    """Raises RationaleFault where all requests were rejected: a share of nothing is no result."""
    if answers and all(one.outcome == Outcome.REJECTED for one in answers):
        reason = printable(answers[0].reason, 300)
        raise RationaleFault("request_rejected", f"The endpoint rejected the request: {reason}")


def read_judgement(answer: ModelAnswer) -> Judgement:
    if not answer.is_answered:
        return Judgement(Verdict.NOT_ENOUGH, fault=answer.outcome.value)
    judgement: Judgement = answer.value
    probability, support = read_probabilities(answer.logprobs, judgement.verdict)
    return replace(judgement, probability=probability, support=support)
