"""Compute the standing of a split: rank sets, audit, rows."""

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import list_models
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.damaged_files import DamagedFile
from backend.evaluation.lost_predictions import leave_out
from backend.evaluation.models import IntervalReason, Score, Submission
from backend.evaluation.queries import number_queries
from backend.evaluation.recovered_components import load_or_compute
from backend.evaluation.release_contents import count_by_cluster
from backend.evaluation.release_items import ReleaseItems, load_items, mark_left_out
from backend.evaluation.scoring import SEED
from backend.evaluation.services import lock_scores
from backend.leaderboard.announcements import announce_on_commit
from backend.leaderboard.anonymity import model_reference
from backend.leaderboard.models import AFTER_CUTOFF, Standing, StandingRow
from backend.leaderboard.standing_pages import store_pages
from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import MIN_BOOTSTRAP_CLUSTERS, MIN_CLUSTERS
from backend.science.evaluation.rank_sets import count_contributing_clusters, rank_sets
from backend.science.evaluation.resolution import (
    count_stable_half_splits,
    resolution_floor,
)

ROWS_AT_ONCE = 1_000
FORM = 4  # of contents and audits: boards are ranked again where it is another
RankSet = dict[str, int]
Row = tuple[Submission, dict[str, Any]]


@dataclass(frozen=True)
class Entries:
    """Standing submissions with the cluster sums of all items: (entries, clusters, components).

    cluster_sizes: (clusters,), of the items that count in metrics.
    """

    submissions: Sequence[Submission]
    sums: NDArray[np.float64]
    cluster_sizes: NDArray[np.float64]


def standing_submissions(release: Release, split: str) -> list[Submission]:
    rows = Submission.objects.filter(release=release, split=split).standing()
    related = rows.select_related("model", "evaluation", "release")
    return list(related.order_by("created_at", "pk"))


def compute_digest(submissions: Sequence[Submission]) -> str:
    """Equal while the same submissions stand, evaluated, named, counted and declared as they were.

    A standing whose contents have another form has another digest.
    """
    digest = hashlib.sha256(f"{FORM}\n".encode())
    queries = number_queries(submissions[0].release) if submissions else {}
    for one in submissions:
        named = [one.declared, model_reference(one.model), queries.get(one.pk)]
        if (year := knowledge_until(one)) is not None:
            named.append(year)
        shown = json.dumps(named, sort_keys=True)
        digest.update(f"{one.pk} {one.evaluation_id} {one.is_anonymous} {shown}\n".encode())
    return digest.hexdigest()


class LostEntries(Exception):
    """Their components and their stored predictions are lost."""

    def __init__(self, submissions: Sequence[Submission]) -> None:
        super().__init__()
        self.submissions = submissions


def load_entries(loaded: ReleaseItems, submissions: Sequence[Submission]) -> Entries:
    """Raises LostEntries."""
    clusters = loaded.track.cluster_ids(loaded.table.items)
    count = int(clusters.max()) + 1
    sums: list[NDArray[np.float64]] = []
    lost: list[Submission] = []
    for one in submissions:
        try:
            if one.evaluation is not None:
                components = load_or_compute(one, one.evaluation)
                sums.append(sum_by_cluster(components, clusters, count))
        except DamagedFile:
            lost.append(one)
    if lost:
        raise LostEntries(lost)
    return Entries(submissions, np.stack(sums), count_by_cluster(loaded.table, clusters))


def update_standing(release: Release, split: str) -> Standing | None:
    """The standing of now, computed unless it is the latest. None where nothing ever stood."""
    submissions = standing_submissions(release, split)
    digest = compute_digest(submissions)
    latest = Standing.objects.filter(release=release, split=split).first()
    if latest is not None and latest.digest == digest:
        return latest
    if not submissions and latest is None:
        return None
    full = [one for one in submissions if not one.is_sample]
    try:
        audit, ranked = rank_submissions(release, split, full) if full else ({}, [])
    except LostEntries as error:
        with transaction.atomic():
            lock_scores(release.pk)
            leave_out(error.submissions)
        return update_standing(release, split)
    samples = [one for one in submissions if one.is_sample]
    return _store(release, split, digest, audit, _rows(release, ranked, samples))


def rank_submissions(
    release: Release, split: str, submissions: Sequence[Submission]
) -> tuple[dict[str, Any], list[tuple[Submission, RankSet]]]:
    """What the items tell apart, and the submissions in order of the main metric."""
    loaded = mark_left_out(release, load_items(release, split))
    entries, track = load_entries(loaded, submissions), loaded.track
    metric = track.get_metric(track.main_metric)
    is_higher = metric.direction == "higher"
    draws = ClusterDraws(entries.sums.shape[1], SEED)
    ranks = rank_sets(entries.sums, metric.formula, draws, higher_is_better=is_higher)
    clusters = count_contributing_clusters(entries.sums, metric.formula)
    floor = resolution_floor(entries.sums, metric.formula, entries.cluster_sizes)
    stable, half_splits = count_stable_half_splits(
        entries.sums, metric.formula, seed=SEED, higher_is_better=is_higher
    )
    audit = {
        "resolution_floor": None if floor is None else metric.scale * floor,
        "separated_share": ranks.separated_share,
        "neighbours": len(submissions) - 1,
        "stable_half_splits": stable,
        "half_splits": half_splits,
        "clusters": clusters,
        "rank_reason": rank_reason(clusters),
    }
    ranked = [
        (submissions[at], {"best": int(ranks.best[at]), "worst": int(ranks.worst[at])})
        for at in ranks.order.tolist()
    ]
    return audit, ranked


def rank_reason(clusters: int) -> str | None:
    """Why rank sets are approximate, or exclude no rank."""
    if clusters < MIN_CLUSTERS:
        return IntervalReason.TOO_FEW_CLUSTERS
    return IntervalReason.FEW_CLUSTERS if clusters < MIN_BOOTSTRAP_CLUSTERS else None


def _rows(
    release: Release,
    ranked: Sequence[tuple[Submission, RankSet]],
    samples: Sequence[Submission],
) -> list[Row]:
    """Declared samples come after all others, without a rank, in order of the main metric."""
    scores: dict[uuid.UUID, list[Score]] = {}
    ids = [one.evaluation_id for one in [*samples, *(entry for entry, _ in ranked)]]
    for score in Score.objects.filter(evaluation__in=ids).order_by("pk"):
        scores.setdefault(score.evaluation_id, []).append(score)
    queries = number_queries(release)

    def row(submission: Submission, rank: RankSet | None) -> Row:
        listed = scores[submission.evaluation_id] if submission.evaluation_id else []
        # The number of a query would lead from an anonymous entry to the submitter's others.
        query = None if submission.is_anonymous else queries.get(submission.pk)
        return submission, {**entry_content(submission, listed, rank), "query": query}

    track = get_track_or_raise(release.track)
    main = f"{track.main_metric} {track.overall}"
    is_higher = track.get_metric(track.main_metric).direction == "higher"
    unranked = [row(one, None) for one in samples]
    unranked.sort(key=lambda one: one[1]["scores"][main][0], reverse=is_higher)
    return [row(one, rank) for one, rank in ranked] + unranked


def knowledge_until(submission: Submission) -> int | None:
    """The last year that the entry may know: as declared, else of its model's training data.

    What is known of its model would lead to an anonymous entry's name.
    """
    declared: int | None = submission.declared.get("knowledge_until")
    trained = None if submission.is_anonymous else submission.model.training_cutoff
    return declared if declared is not None or trained is None else trained.year


def scores_after_cutoff(submission: Submission, scores: Sequence[Score]) -> list[tuple[str, Score]]:
    """Those over items that are later than all that the entry may know, as a slice of its own."""
    year = knowledge_until(submission)
    if year is None or submission.evaluation is None:
        return []
    track = get_track_or_raise(submission.release.track)
    chosen = track.slice_after(year, {one.slice for one in scores})
    return [(f"{one.metric} {AFTER_CUTOFF}", one) for one in scores if one.slice == chosen]


def entry_content(
    submission: Submission, scores: Sequence[Score], rank: RankSet | None
) -> dict[str, Any]:
    """What everybody may read of an entry. An anonymous one has no name until its date."""
    evaluation, model = submission.evaluation, submission.model
    listed = [(f"{one.metric} {one.slice}", one) for one in scores]
    listed += scores_after_cutoff(submission, scores)
    anonymous_until = submission.anonymous_until if submission.is_anonymous else None
    declared = submission.declared
    return {
        "submission": str(submission.pk),
        "model": None if anonymous_until else model_reference(model),
        "anonymous_until": anonymous_until.isoformat() if anonymous_until else None,
        "rank": rank,
        "provenance": submission.provenance,
        "is_simulated": model.is_simulated,
        "submitted_at": submission.created_at.isoformat(),
        "coverage": evaluation.answered / evaluation.items if evaluation else 0.0,
        "cost_usd": declared.get("cost_usd"),
        "latency_s": declared.get("latency_s"),
        "sample": declared.get("sample"),
        "knowledge_until": knowledge_until(submission),
        "run_parameters": None if anonymous_until else declared.get("run", {}).get("parameters"),
        "scores": {name: [score.value, score.low, score.high, score.n] for name, score in listed},
        "interval_reasons": {
            name: one.interval_reason for name, one in listed if one.interval_reason
        },
        "coverages": {name: one.coverage for name, one in listed if one.coverage < 1},
    }


@transaction.atomic
def _store(
    release: Release,
    split: str,
    digest: str,
    audit: dict[str, Any],
    rows: Sequence[Row],
) -> Standing | None:
    # Two jobs may compute the same standing. One that is not of now any more is not stored: the
    # change has queued a job of its own.
    release = lock_scores(release.pk)
    latest = Standing.objects.filter(release=release, split=split).first()
    if latest is not None and latest.digest == digest:
        return latest
    if compute_digest(standing_submissions(release, split)) != digest:
        return latest
    standing = Standing.objects.create(
        release=release,
        split=split,
        digest=digest,
        evaluator_version=release.evaluator_version,
        entries=len(rows),
        audit=audit,
    )
    StandingRow.objects.bulk_create(
        (
            StandingRow(
                standing=standing,
                position=position,
                submission_id=submission.pk,
                content=content,
            )
            for position, (submission, content) in enumerate(rows, start=1)
        ),
        batch_size=ROWS_AT_ONCE,
    )
    store_pages(standing)
    announce_on_commit(release.pk, standing.pk)
    if release.state != Release.State.DRAFT:
        list_models(one.model_id for one, _ in rows if not one.is_anonymous)
    return standing
