"""Requests to a judge, once or as several votes, and what its answers add up to."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from hashlib import sha256
from statistics import fmean
from typing import Any, Generic, TypeVar

from backend.evaluation.judging.answer_collection import collect_answers
from backend.evaluation.runs.requests import make_request
from backend.llm.budgets import change_amount, open_budget, read_standing
from backend.llm.call_keys import json_text
from backend.llm.calls import ModelAnswer, ModelRequest
from backend.llm.endpoints import read_capabilities, require_price
from backend.llm.ledger import settle_dead_processes
from backend.llm.models import Budget, Endpoint
from backend.llm.session import RetryRules
from backend.tracks.judge_probabilities import read_choice_probability, read_expected_score
from backend.tracks.judge_tasks import ChoiceOutput, ScoreOutput
from backend.tracks.model_tasks import NO_CONTEXT, AnyModelTask, TaskContext
from backend.validation.faults import printable

MOST_VOTES = 50
VOTE_TEMPERATURE = 1.0  # equal requests at 0 would be one vote
TIE = "tie"
ItemT = TypeVar("ItemT")


@dataclass(frozen=True)
class Judge:
    """An endpoint that judges by one prompt. votes: of each item; one is drawn without chance.
    context_of: what the request about an item may have to shorten. occasion: answers of another
    one, in the cache or paid for, do not count."""

    endpoint: Endpoint
    task: AnyModelTask
    votes: int = 1
    context_of: Callable[[Any], TaskContext] = lambda item: NO_CONTEXT
    occasion: str = ""

    @property
    def name(self) -> str:
        return f"{self.endpoint.model} ({self.prompt})"

    @property
    def prompt(self) -> str:
        return f"{self.task.prompt.name} {self.task.prompt.version}"

    def sample_of(self, number: int) -> int:
        """Which distinguishes equal requests."""
        if not self.occasion:
            return number
        digest = sha256(self.occasion.encode("utf-8", "replace")).digest()
        return int.from_bytes(digest[:5], "big") * MOST_VOTES + number

    def describe(self) -> dict[str, Any]:
        return {
            "judge": self.name,
            "model": self.endpoint.model,
            "size": self.endpoint.size_label,
            "prompt": self.task.prompt.name,
            "prompt_version": self.task.prompt.version,
            "votes": self.votes,
        }


@dataclass
class JudgeAnswers(Generic[ItemT]):
    """by_key: answers of each item in the order of the votes that have ended."""

    by_key: dict[str, dict[int, ModelAnswer]] = field(default_factory=dict)
    spent: Decimal = Decimal(0)
    calls: int = 0

    def of(self, key: str) -> Sequence[ModelAnswer]:
        votes = self.by_key.get(key, {})
        return [votes[number] for number in sorted(votes)]


def judge_items(
    judge: Judge,
    items: Mapping[str, Any],
    amount: Decimal,
    *,
    rules: RetryRules | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> JudgeAnswers[Any]:
    """The same items by the same judge have one budget: repeated after a kill, they make no call
    that was paid for.

    Raises PriceUnknown, Conflict for less money than is spent, CallsRefused and PlatformFault.
    """
    require_price(judge.endpoint)
    budget = open_judge_budget(judge, items, amount)
    has_logprobs = bool(read_capabilities(judge.endpoint).logprobs)
    result: JudgeAnswers[Any] = JudgeAnswers()
    done = 0

    def take(key: str, answer: ModelAnswer) -> None:
        nonlocal done
        number, _, item = key.partition(" ")
        result.by_key.setdefault(item, {})[int(number)] = answer
        done += 1
        progress(done)

    def requests() -> Iterator[tuple[str, ModelRequest]]:
        for key, item in items.items():
            for number in range(judge.votes):
                yield f"{number} {key}", make_vote(judge, item, key, number, has_logprobs)

    collect_answers(judge.endpoint, budget, requests(), take=take, rules=rules)
    standing = read_standing(budget)
    result.spent, result.calls = standing.spent, standing.calls
    return result


def open_judge_budget(judge: Judge, items: Mapping[str, Any], amount: Decimal) -> Budget:
    contents = [judge.prompt, str(judge.endpoint.pk), judge.votes, judge.occasion, [*items]]
    contents += [sha256(repr(one).encode("utf-8", "replace")).hexdigest() for one in items.values()]
    digest = sha256(json_text(contents).encode("utf-8", "replace")).hexdigest()
    budget = open_budget(subject=f"judge:{digest}", amount=Decimal(0))
    settle_dead_processes(None, budget.pk)
    return change_amount(budget, amount)


def make_vote(judge: Judge, item: Any, key: str, number: int, has_logprobs: bool) -> ModelRequest:
    item_key = f"{sha256(key.encode('utf-8', 'replace')).hexdigest()[:32]} {number}"
    temperature = VOTE_TEMPERATURE if judge.votes > 1 else 0.0
    request = make_request(
        judge.task,
        item,
        item_key,
        judge.context_of(item),
        endpoint=judge.endpoint,
        temperature=temperature,
    )
    return replace(request, logprobs=has_logprobs, sample=judge.sample_of(number))


@dataclass(frozen=True)
class JudgedScore:
    """value: the mean over votes of the expected score by token probabilities, else of the score
    that was written. probability: of the most frequent score: by its token, or its share of
    votes. method: 'logprobs', 'votes' or 'single'. written: of each vote."""

    value: float | None
    written: Sequence[int]
    probability: float | None
    method: str
    faults: Mapping[str, int]
    reason: str


def sum_up_scores(answers: Sequence[ModelAnswer]) -> JudgedScore:
    read = [one for one in answers if one.is_answered]
    outputs: list[ScoreOutput] = [one.value for one in read]
    written = [one.score for one in outputs]
    faults = count_faults(answers)
    if not written:
        return JudgedScore(None, (), None, "", faults, list_reason(answers))
    expected = [
        read_expected_score(one.logprobs, score) for one, score in zip(read, written, strict=True)
    ]
    known = [one for one in expected if one is not None]
    if len(known) == len(expected):
        value, method = fmean(one.value for one in known), "logprobs"
    else:
        value, method = fmean(written), "votes" if len(answers) > 1 else "single"
    probability = share_of_most(written) if len(written) > 1 else None
    if len(answers) == 1 and known:
        probability = known[0].probability
    return JudgedScore(value, written, probability, method, faults, outputs[0].reason)


@dataclass(frozen=True)
class ChoiceVote:
    """choice: the most frequent; a tie where two are. probability: of its token, or its share."""

    choice: str | None
    probability: float | None
    faults: Mapping[str, int]
    reason: str


def sum_up_choices(answers: Sequence[ModelAnswer]) -> ChoiceVote:
    """By side first, then much better where most of its votes are."""
    read = [one for one in answers if one.is_answered]
    outputs: list[ChoiceOutput] = [one.value for one in read]
    faults = count_faults(answers)
    if not outputs:
        return ChoiceVote(None, None, faults, list_reason(answers))
    if len(answers) == 1:
        probability = read_choice_probability(read[0].logprobs, outputs[0].choice)
        return ChoiceVote(outputs[0].choice, probability, faults, outputs[0].reason)
    sides = Counter(one.choice.removesuffix("_much") for one in outputs)
    most = max(sides.values())
    leading = [side for side, count in sides.items() if count == most]
    if len(leading) > 1:
        return ChoiceVote(TIE, sides[TIE] / len(outputs), faults, "Votes are divided equally.")
    own = [one for one in outputs if one.choice.removesuffix("_much") == leading[0]]
    much = sum(one.choice.endswith("_much") for one in own)
    choice = f"{leading[0]}_much" if 2 * much > len(own) else leading[0]
    return ChoiceVote(choice, most / len(outputs), faults, own[0].reason)


def count_faults(answers: Sequence[ModelAnswer]) -> dict[str, int]:
    """Votes without a judgement, by outcome."""
    return dict(Counter(str(one.outcome) for one in answers if not one.is_answered))


def list_reason(answers: Sequence[ModelAnswer]) -> str:
    return printable(answers[0].reason, 300) if answers else ""


def share_of_most(values: Sequence[int]) -> float:
    return max(Counter(values).values()) / len(values)
