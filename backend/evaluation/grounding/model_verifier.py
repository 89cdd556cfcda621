"""A language model at an endpoint that finds claims and judges them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from backend.common.errors import DomainError
from backend.evaluation.grounding.verifiers import Judgements
from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.requests import make_request
from backend.jobs.faults import PlatformFault
from backend.llm.calls import TEMPORARY, ModelAnswer, ModelRequest, Outcome
from backend.llm.endpoints import read_capabilities
from backend.llm.models import Budget, Endpoint
from backend.llm.session import RetryRules
from backend.tracks.grounding_claims import Claim
from backend.tracks.grounding_tasks import (
    CLAIMS_TASK,
    VERDICT_TASK,
    ClaimQuestion,
    RationaleText,
    read_probability,
    task_context,
)
from backend.tracks.grounding_verdicts import ClaimContext, EvidenceSource, Judgement, Verdict
from backend.tracks.model_tasks import NO_CONTEXT

MODEL_VERSION = f"{CLAIMS_TASK.prompt.version}.{VERDICT_TASK.prompt.version}"
WINDOW = 64
POLL_S = 0.5


class ModelVerifier:
    """check: called twice a second; what it raises ends the work, and calls in flight are lost."""

    def __init__(
        self,
        endpoint: Endpoint,
        budget: Budget,
        check: Callable[[], None],
        rules: RetryRules | None = None,
    ) -> None:
        self._endpoint, self._budget, self._check, self._rules = endpoint, budget, check, rules
        self._has_logprobs = bool(read_capabilities(endpoint).logprobs)

    def find_claims(self, hypothesis: str, rationale: str) -> Sequence[Claim]:
        """Raises DomainError where the model gives none, PlatformFault where the endpoint fails."""
        item = RationaleText(hypothesis, rationale)
        request = make_request(CLAIMS_TASK, item, "claims", NO_CONTEXT, endpoint=self._endpoint)
        ((_, answer),) = self._request_all([("claims", request)])
        if not answer.is_answered:
            reason = answer.reason or f"it is {answer.outcome.replace('_', ' ')}."
            message = f"The model's answer has no claims that can be used: {reason}"
            raise DomainError(message, code="no_claims_stated")
        claims: Sequence[Claim] = answer.value
        return claims

    def judge_claims(
        self, claims: Sequence[tuple[str, ClaimContext]], sources: Sequence[EvidenceSource]
    ) -> Sequence[Judgements]:
        """A claim without context is left open without a request."""
        judged: list[dict[EvidenceSource, Judgement]] = [{} for _ in claims]
        requests: list[tuple[str, ModelRequest]] = []
        for number, (text, context) in enumerate(claims):
            for source in sources:
                part = context.of(source)
                if part.is_empty:
                    judged[number][source] = Judgement(Verdict.NOT_ENOUGH)
                else:
                    requests.append((f"{number} {source}", self._verdict_request(text, part)))
        for key, answer in self._request_all(requests):
            number_text, _, source_text = key.partition(" ")
            judged[int(number_text)][EvidenceSource(source_text)] = read_judgement(answer)
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

    def _request_all(
        self, requests: Sequence[tuple[str, ModelRequest]]
    ) -> Iterator[tuple[str, ModelAnswer]]:
        """Raises BudgetExhausted, and PlatformFault where the endpoint fails for now."""
        following = iter(requests)
        with ModelLoop(self._budget, self._rules) as loop:
            while True:
                while loop.pending < WINDOW and (one := next(following, None)) is not None:
                    loop.begin(one[0], self._endpoint, one[1])
                if not loop.pending:
                    return
                self._check()
                if (ended := loop.next_answer(POLL_S)) is not None:
                    require_final(ended[1])
                    yield ended


def require_final(answer: ModelAnswer) -> None:
    """A fault that may pass is no verdict. Answers so far are in the ledger and cost nothing again.

    Raises PlatformFault.
    """
    if answer.outcome in TEMPORARY or answer.outcome == Outcome.REJECTED:
        message = f"The endpoint failed ({answer.outcome.replace('_', ' ')}). Try again later."
        raise PlatformFault("endpoint_fails", message)


def read_judgement(answer: ModelAnswer) -> Judgement:
    if not answer.is_answered:
        return Judgement(Verdict.NOT_ENOUGH, fault=answer.outcome.value)
    judgement: Judgement = answer.value
    probability = read_probability(answer.logprobs, judgement.verdict)
    return replace(judgement, probability=probability)
