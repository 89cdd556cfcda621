"""The stored pool of a board: computed by a job, up to date while the same entries stand."""

import hashlib
import json
import uuid
from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import lock_release_or_raise
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise
from backend.common.errors import Conflict, DomainError
from backend.evaluation.models import (
    AnswerPool,
    EntryJudgement,
    PooledAnswer,
    Submission,
    SubmissionState,
)
from backend.evaluation.pool_computation import ComputedPool, compute_pool
from backend.evaluation.scored_answers import has_answers
from backend.evaluation.scoring import ScoredSplit
from backend.evaluation.standing import best_first
from backend.jobs.models import Job, JobState
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.science.answer_pools import MAX_DEPTH
from backend.tracks.pooled_track import PooledTrack
from backend.tracks.registry import load_tracks

POOLING = "answer_pool"  # the kind of job
POOLED = "entities"  # what is pooled: pools of anything else are outdated
MOST_STORED = 2_000
MOST_ENTRIES = 50
RETRIED_AFTER = timedelta(minutes=30)
AWAITED = timedelta(minutes=10)  # a submission that is queued may change its board so long


def check_depth(depth: int) -> int:
    if not 1 <= depth <= MAX_DEPTH:
        raise DomainError(f"The depth is out of range. Use 1 to {MAX_DEPTH}.", code="invalid_depth")
    return depth


def choose_split(release: Release, split: str = "") -> ReleaseSplit:
    """The test split where nothing is named, unless the release has dev items alone."""
    known = set(release.items.values_list("split", flat=True).distinct())
    chosen = split or ("test" if "test" in known else "dev")
    if chosen not in known:
        raise DomainError(f"The release has no {chosen} split.", code="no_split")
    return ReleaseSplit(chosen)


def pooled_submissions(release: Release, split: str) -> list[Submission]:
    """Standing entries, best first. Declared samples are no part of a pool."""
    standing = Submission.objects.filter(release=release, split=split).standing()
    rows = best_first(standing, release).select_related("model", "evaluation")
    return [one for one in rows if not one.is_sample]


def choose_submissions(release: Release, split: str, models: Sequence[str]) -> list[Submission]:
    """Of the models with these names or slugs. Raises DomainError for one without an entry."""
    by_name: dict[str, Submission] = {}
    for one in pooled_submissions(release, split):
        by_name |= {one.model.slug: one, one.model.name.casefold(): one}
    if missing := [name for name in models if name.casefold() not in by_name]:
        message = f"No entry of '{missing[0]}' stands on the {split} board."
        raise DomainError(message, code="unknown_entry")
    return list({by_name[name.casefold()].pk: by_name[name.casefold()] for name in models}.values())


def pool_digest(release: Release, submissions: Sequence[Submission], depth: int) -> str:
    stands = sorted([str(one.pk), str(one.evaluation_id)] for one in submissions)
    return hashlib.sha256(json.dumps([POOLED, release.digest, depth, stands]).encode()).hexdigest()


def find_pool(release: Release, split: str) -> AnswerPool | None:
    return AnswerPool.objects.filter(release=release, split=split).first()


def is_outdated(pool: AnswerPool) -> bool:
    """Whether the board has changed since."""
    submissions = pooled_submissions(pool.release, pool.split)[:MOST_ENTRIES]
    return pool.digest != pool_digest(pool.release, submissions, pool.depth)


def update_pool(release: Release, split: ReleaseSplit, depth: int) -> AnswerPool:
    """Compute and store it unless it is up to date. Raises Conflict without entries."""
    known = find_pool(release, split)
    if known is not None and known.depth == depth and not is_outdated(known):
        return known
    every = pooled_submissions(release, split)
    submissions = every[:MOST_ENTRIES]
    if not submissions:
        message = f"No entry stands on the {split} board, so there are no answers to pool."
        raise Conflict(message, code="no_entries")
    digest = pool_digest(release, submissions, depth)
    computed = compute_pool(ScoredSplit.load(release, split), submissions, depth)
    is_partial = len(every) > len(computed.entries)
    return store_pool(release, split, digest, computed, is_partial=is_partial)


@transaction.atomic
def store_pool(
    release: Release,
    split: ReleaseSplit,
    digest: str,
    computed: ComputedPool,
    *,
    is_partial: bool = False,
) -> AnswerPool:
    lock_release_or_raise(release.pk, no_key=True)
    AnswerPool.objects.filter(release=release, split=split).delete()
    pool = AnswerPool.objects.create(
        release=release,
        split=split,
        digest=digest,
        depth=computed.depth,
        entries=len(computed.entries),
        answers=computed.answers,
        unjudged=computed.unjudged,
        is_partial=is_partial,
    )
    keys = [str(one.submission.pk) for one in computed.entries]
    PooledAnswer.objects.bulk_create(
        PooledAnswer(
            pool=pool,
            position=position,
            item_id=row.item_id,
            answer=row.answer,
            chance=row.chance,
            effect=row.effect,
            ranks={keys[entry]: rank for entry, rank in row.ranks.items()},
        )
        for position, row in enumerate(computed.rows[:MOST_STORED], start=1)
    )
    EntryJudgement.objects.bulk_create(
        EntryJudgement(
            pool=pool,
            submission=one.submission,
            evaluation=one.submission.evaluation,
            judged=one.judged,
            value=one.value,
            low=one.low,
            high=one.high,
        )
        for one in computed.entries
    )
    return pool


def request_pool(release: Release, split: str, *, depth: int = 0, owner: User | None = None) -> Job:
    """The job that pools the board now; the one that is active, if there is one."""
    parameters = {
        "release": str(release.pk),
        "split": split,
        "depth": check_depth(depth or get_pooled_track_or_raise(release.track).pool_depth),
    }
    active: Job | None = Job.objects.active().filter(kind=POOLING, parameters=parameters).first()
    if active is not None:
        return active
    request = JobRequest(POOLING, parameters, subjects=[release.subject])
    return request_job(owner=owner, request=request).job


def find_pool_job(release: Release, split: str) -> Job | None:
    """The latest."""
    jobs = Job.objects.filter(kind=POOLING, parameters__split=split)
    latest: Job | None = jobs.about(release.subject).order_by("-created_at").first()
    return latest


def request_missing_pools() -> None:
    """Of boards that have changed, for judged@k and the bounds that they show."""
    for release, split in pooled_boards():
        submissions = pooled_submissions(release, split)[:MOST_ENTRIES]
        track, known = get_pooled_track_or_raise(release.track), find_pool(release, split)
        depth = known.depth if known else track.pool_depth
        if not submissions or (known and known.digest == pool_digest(release, submissions, depth)):
            continue
        if track.has_queries and not have_answers(submissions):
            continue
        if is_about_to_change(release, split):
            continue
        jobs = Job.objects.filter(kind=POOLING, parameters__split=split)
        jobs = jobs.about(release.subject)
        recent = jobs.filter(state=JobState.FAILED, ended_at__gt=timezone.now() - RETRIED_AFTER)
        if not (jobs.active() | recent).exists():
            request_pool(release, split, depth=depth)


def is_about_to_change(release: Release, split: str) -> bool:
    """A later sweep sees what is scored until then. One that hangs delays a pool, and no more."""
    since = timezone.now() - AWAITED
    queued = Submission.objects.filter(state=SubmissionState.QUEUED, created_at__gt=since)
    return queued.filter(release=release, split=split).exists()


def have_answers(submissions: Sequence[Submission]) -> bool:
    """Whether no query is run again: that takes minutes an entry, so it is done on request alone.

    Evaluations of before answers were stored have none until then, those of an earlier evaluator
    version until they are scored again.
    """
    version = get_pooled_track_or_raise(submissions[0].release.track).version
    return all(
        one.evaluation
        and one.evaluation.evaluator_version == version
        and has_answers(one.evaluation.key)
        for one in submissions
    )


def pooled_boards() -> Iterator[tuple[Release, str]]:
    tracks = [slug for slug, track in load_tracks().items() if isinstance(track, PooledTrack)]
    boards = Submission.objects.filter(release__track__in=tracks).standing()
    boards = boards.exclude(release__state=Release.State.DEPRECATED)
    pairs: set[tuple[uuid.UUID, str]] = set(boards.values_list("release", "split"))
    releases = Release.objects.in_bulk([release_id for release_id, _ in pairs])
    for release_id, split in sorted(pairs, key=str):
        yield releases[release_id], split
