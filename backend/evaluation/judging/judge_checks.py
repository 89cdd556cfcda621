"""Checks of judges against people's verdicts, stored and listed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.utils import timezone

from backend.accounts.models import User
from backend.evaluation.judging.drift import DriftReport
from backend.evaluation.judging.votes import Judge
from backend.evaluation.models import JudgeCheck
from backend.evaluation.models.judge_checks import MAX_OCCASION

MOST_CHECKS = 200


@dataclass(frozen=True)
class StoredCheck:
    """difference, low, high: of the agreement with people, now minus before. support_difference: of
    the share that the judge supports. p_agreement, p_support: adjusted by Holm. changed: share of
    the verdicts. smallest_drift: of the agreement, that this set shows."""

    endpoint: str
    model: str
    prompt_version: str
    votes: int
    frozen: str
    occasion: str
    created_at: datetime
    claims: int
    has_drifted: bool
    difference: float
    low: float | None
    high: float | None
    support_difference: float
    p_agreement: float
    p_support: float
    changed: float
    smallest_drift: float


def store_check(
    judge: Judge, *, frozen: str, content: bytes, claims: int, report: DriftReport
) -> JudgeCheck:
    """content: of the file of the set. Safe to repeat."""
    check, _ = JudgeCheck.objects.update_or_create(
        endpoint=judge.endpoint,
        model=judge.endpoint.model,
        prompt_version=judge.task.prompt.version,
        votes=judge.votes,
        frozen_digest=sha256(content).hexdigest(),
        occasion=judge.occasion[:MAX_OCCASION],
        defaults={
            "frozen": frozen[-255:],
            "claims": claims,
            "has_drifted": report.drift.drifted,
            "report": report.as_json(),
            "created_at": timezone.now(),
        },
    )
    return check


def list_checks(reader: User | None) -> Sequence[StoredCheck]:
    """The latest first; of endpoints whose answers may be published, and all for administrators."""
    rows = JudgeCheck.objects.select_related("endpoint")
    if reader is None or not reader.is_administrator:
        rows = rows.filter(endpoint__may_publish=True)
    return [describe_check(one) for one in rows[:MOST_CHECKS]]


def describe_check(one: JudgeCheck) -> StoredCheck:
    agreement, support = (one.report[name]["difference"] for name in ("agreement", "support"))
    return StoredCheck(
        endpoint=one.endpoint.name,
        model=one.model,
        prompt_version=one.prompt_version,
        votes=one.votes,
        frozen=one.frozen,
        occasion=one.occasion,
        created_at=one.created_at,
        claims=one.claims,
        has_drifted=one.has_drifted,
        difference=agreement["value"],
        low=agreement["low"],
        high=agreement["high"],
        support_difference=support["value"],
        p_agreement=one.report["p_agreement"],
        p_support=one.report["p_support"],
        changed=one.report["changed"],
        smallest_drift=one.report["smallest_drift"],
    )
