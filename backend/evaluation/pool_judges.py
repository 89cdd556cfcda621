"""Entrants of a board judge none of its answers, also those who become entrants later."""

from annotation.conflicts import withdraw_judge
from annotation.models import Assignment
from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.evaluation.models import PoolStudy


def withdraw_entrants_of(release: Release, split: str) -> int:
    """After a submission to the board: of each of its studies whose verdicts are open."""
    studies = PoolStudy.objects.filter(split=split, corrected_as=None).select_related("study")
    if not studies.exists():
        return 0
    return sum(withdraw_entrants(one) for one in studies.filter(release__in=release.chain()))


def withdraw_entrants(pool_study: PoolStudy) -> int:
    """Withdraw what entrants have of the study, answered or not, as a conflict of interest, which
    its coordinator sees with the reason. Returns how many answers and assignments.

    The caller has begun a transaction.
    """
    assignments = Assignment.objects.not_withdrawn().filter(study=pool_study.pk)
    withdrawn = 0
    for expert in User.objects.filter(pk__in=assignments.values("expert")).order_by("pk"):
        reason = PoolStudy.refuse_judge(pool_study.pk, expert.pk)
        if reason:
            withdrawn += withdraw_judge(
                actor=expert, study=pool_study.study, expert=expert.pk, reason=reason
            )
    return withdrawn
