"""What a coordinator should look at: in an expert's answers, and at questions.

silent: questions are left in an open study, and the expert submitted nothing for three days;
simulated experts are never silent. All other flags are figures of the study's statistics, as a
worker last computed them: tests of each expert or question, adjusted over all of them by Holm.
"""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.utils import timezone

from annotation.pool_work import with_pool_work
from annotation.progress import StudyProgress
from annotation.statistics_cache import read_statistics
from backend.studies.models import Member, Study

SILENT_AFTER = timedelta(days=3)
# Dashboards are open all day: flags may be older than the newest answer.
MAX_AGE = timedelta(minutes=5)


@dataclass(frozen=True)
class ExpertFlag:
    """silent: whole days, and questions left in n. Others: the value of the test over n answers;
    note: what was expected, and more."""

    name: Literal[
        "silent",
        "drift",
        "fast",
        "short_times",
        "straight_lining",
        "ability",
        "gold_failed",
        "low_retest",
    ]
    value: float
    n: int
    note: str = ""


@dataclass(frozen=True)
class QuestionFlag:
    """value: of the test over n experts."""

    name: Literal["negative_discrimination", "disputed_key"]
    value: float
    n: int
    note: str = ""


def find_flags(
    study: Study, members: Sequence[Member], progress: Mapping[uuid.UUID, StudyProgress]
) -> dict[uuid.UUID, list[ExpertFlag]]:
    """The flags of each of the experts who have any."""
    result: dict[uuid.UUID, list[ExpertFlag]] = defaultdict(list)
    for figure in _flagged_figures(study):
        if figure["expert"]:
            flag = ExpertFlag(figure["name"], figure["value"], figure["n"], figure["note"])
            result[uuid.UUID(figure["expert"])].append(flag)
    if any(_idle_since(one, progress.get(one.user_id)) for one in members):
        progress = with_pool_work(study, progress)
    for member in members:
        silent = _silent(study, member, progress.get(member.user_id))
        if silent is not None:
            result[member.user_id].append(silent)
    return dict(result)


def find_question_flags(study: Study) -> dict[uuid.UUID, list[QuestionFlag]]:
    """The flags of each of the questions that have any."""
    result: dict[uuid.UUID, list[QuestionFlag]] = defaultdict(list)
    for figure in _flagged_figures(study):
        if figure["question"]:
            flag = QuestionFlag(figure["name"], figure["value"], figure["n"], figure["note"])
            result[uuid.UUID(figure["question"])].append(flag)
    return dict(result)


def silent_since(study: Study, member: Member, progress: StudyProgress | None) -> datetime | None:
    """When an expert who has questions left submitted last, or joined. progress: in a pool,
    `with_pool_work`."""
    if study.status != Study.Status.OPEN or member.user.is_simulated:
        return None
    if progress is None or not progress.remaining:
        return None
    return _idle_since(member, progress)


def _idle_since(member: Member, progress: StudyProgress | None) -> datetime | None:
    last = (progress and progress.last_at) or member.joined_at
    return last if timezone.now() - last >= SILENT_AFTER else None


def _flagged_figures(study: Study) -> list[dict[str, Any]]:
    sections = read_statistics(study, max_age=MAX_AGE).sections or []
    return [
        {"question": "", **figure}
        for section in sections
        for figure in section["figures"]
        if figure["is_flagged"]
    ]


def _silent(study: Study, member: Member, progress: StudyProgress | None) -> ExpertFlag | None:
    since = silent_since(study, member, progress)
    if since is None or progress is None:
        return None
    return ExpertFlag("silent", (timezone.now() - since).days, progress.remaining)
