"""A release with many scored entries, ranked by the function of the board's job."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
from django.utils import timezone

from backend.benchmarks.models import Model, Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.benchmarks.split_rows import load_answers
from backend.evaluation.component_files import store_components
from backend.evaluation.models import Evaluation, Score, Submission, SubmissionState
from backend.evaluation.release_items import load_items
from backend.leaderboard.standings import update_standing
from tests.evaluation.truthhypo_files import write_source

SLUG, ITEMS, SEED, AT_ONCE = "large", 200, 20_261_122, 2_000


def fill(entries: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        request = ReleaseRequest(track="truthhypo", name="Large", slug=SLUG)
        release = make_release(
            actor=None, request=request, files=[write_source(Path(folder), ITEMS)]
        )
    Release.objects.filter(pk=release.pk).update(state=Release.State.OPEN)
    release.refresh_from_db()
    models = [Model(name=f"Model {number}", slug=f"model-{number}") for number in range(entries)]
    Model.objects.bulk_create(models, batch_size=AT_ONCE)
    evaluations = [evaluation_of(release, number) for number in range(entries)]
    Evaluation.objects.bulk_create(evaluations, batch_size=AT_ONCE)
    Score.objects.bulk_create(scores_of(release, evaluations), batch_size=AT_ONCE)
    Submission.objects.bulk_create(
        (
            submission_of(release, model, evaluation)
            for model, evaluation in zip(models, evaluations, strict=True)
        ),
        batch_size=AT_ONCE,
    )
    update_standing(release, "test")


def hide_names() -> None:
    """Of entries on every page of the board, which is ranked again."""
    release = Release.objects.get(slug=SLUG)
    submissions = Submission.objects.filter(release=release)
    pks = list(submissions.order_by("pk").values_list("pk", flat=True))[::20]
    submissions.filter(pk__in=pks).update(anonymous_until=timezone.now() + timedelta(days=1))
    update_standing(release, "test")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def evaluation_of(release: Release, number: int) -> Evaluation:
    key = digest(f"evaluation {number}")
    return Evaluation(
        key=key,
        release=release,
        split="test",
        predictions_digest=key,
        evaluator_version=release.evaluator_version,
        seed=SEED,
        items=ITEMS,
        answered=ITEMS,
    )


def submission_of(release: Release, model: Model, evaluation: Evaluation) -> Submission:
    return Submission(
        release=release,
        split="test",
        model=model,
        state=SubmissionState.SCORED,
        file_name="predictions.jsonl",
        file_digest=evaluation.key,
        file_size=1,
        predictions_digest=evaluation.key,
        evaluation=evaluation,
        is_standing=True,
        is_improvement=True,
        is_free=True,
    )


def scores_of(release: Release, evaluations: list[Evaluation]) -> Iterator[Score]:
    """The metrics of random components, which are stored; their intervals are made up."""
    loaded = load_items(release, "test")
    track, items = loaded.track, loaded.table.items
    answers = load_answers(release, "test")
    linked = np.array([answer.label != "no_relation" for answer in answers])
    rng = np.random.default_rng(SEED)
    masks = track.slices(items, answers)
    for evaluation in evaluations:
        right = rng.random(len(items)) < rng.uniform(0.3, 0.9)
        predicted = np.where(right, linked, ~linked)
        cells = (predicted & linked, predicted & ~linked, ~predicted & linked, ~predicted & ~linked)
        components = np.column_stack([*cells, right, np.ones(len(items))]).astype(np.float64)
        store_components(evaluation.key, components)
        for name, mask in masks.items():
            for metric, value in track.metric_values(components, mask).items():
                value *= track.get_metric(metric).scale
                yield Score(
                    evaluation=evaluation,
                    metric=metric,
                    slice=name,
                    value=value,
                    low=0.9 * value,
                    high=1.1 * value,
                    n=int(mask.sum()),
                    clusters=int(mask.sum()),
                    coverage=1.0,
                    method="bootstrap",
                )
