"""A pinned judge of claims now, beside its stored answers, against people's verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from backend.evaluation.judging.frozen_claims import FrozenClaim
from backend.evaluation.judging.votes import Judge, JudgeAnswers, judge_items
from backend.llm.calls import ModelAnswer
from backend.llm.models import Endpoint
from backend.science.judged_scores.judge_drift import JudgeDrift, judge_drift
from backend.tracks.grounding_tasks import VERDICT_TASK, ClaimQuestion, task_context
from backend.tracks.grounding_verdicts import Judgement, Verdict

Scores = Mapping[str, float | None]


@dataclass(frozen=True)
class DriftReport:
    """left_out: claims without a stored answer of the judge."""

    drift: JudgeDrift
    left_out: int

    def as_json(self) -> dict[str, Any]:
        drift = self.drift
        return {
            "drifted": drift.drifted,
            "claims": drift.claims,
            "left_out": self.left_out,
            "unanswered": drift.unanswered,
            "changed": drift.changed,
            "agreement": asdict(drift.agreement),
            "support": asdict(drift.support),
            "p_agreement": drift.p_values[0],
            "p_support": drift.p_values[1],
            "smallest_drift": drift.smallest_drift,
        }


def compare_scores(
    claims: Sequence[FrozenClaim], before: Scores, now: Scores, *, seed: int
) -> DriftReport | None:
    """None where no claim has a stored answer."""
    known = [one for one in claims if before.get(one.id) is not None]
    if not known:
        return None
    drift = judge_drift(
        np.array([one.people for one in known]),
        np.array([before[one.id] for one in known], dtype=np.float64),
        np.array(
            [np.nan if (it := now.get(one.id)) is None else it for one in known],
            dtype=np.float64,
        ),
        seed=seed,
        clusters=np.array([one.cluster for one in known]),
        weights=np.array([one.weight for one in known]),
    )
    return DriftReport(drift, len(claims) - len(known))


def verifier_of(endpoint: Endpoint, votes: int, occasion: str) -> Judge:
    """By the prompt that verifies claims in groundings. Answers of another occasion would hide
    that the model has changed since."""
    return Judge(endpoint, VERDICT_TASK, votes, lambda item: task_context(item.context), occasion)


def judge_claims(
    judge: Judge, claims: Sequence[FrozenClaim], amount: Any, **options: Any
) -> tuple[Scores, JudgeAnswers[Any]]:
    """With what the experts saw. None for a claim without an answer."""
    items = {one.id: ClaimQuestion(one.claim, one.context) for one in claims}
    answers = judge_items(judge, items, amount, **options)
    return {one.id: read_support(answers.of(one.id)) for one in claims}, answers


def read_support(answers: Sequence[ModelAnswer]) -> float | None:
    """The share of the votes with an answer that support the claim."""
    judgements: list[Judgement] = [one.value for one in answers if one.is_answered]
    if not judgements:
        return None
    return sum(one.verdict == Verdict.SUPPORTED for one in judgements) / len(judgements)
