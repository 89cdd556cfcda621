"""Ranks before and after verdicts, with the bounds of what is still unjudged on either board."""

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Release, ReleaseSplit
from backend.evaluation.answer_pools import find_pool, update_pool
from backend.evaluation.models import AnswerPool
from backend.evaluation.pool_studies import NewPoolStudy, make_study_of_pool
from backend.evaluation.pool_verdicts import apply_verdicts, get_pool_study_or_raise
from backend.jobs.runner import run_job
from backend.leaderboard.standings import update_standing
from tests.evaluation.pooled_boards import (
    QUERIES,
    join,
    judge_all,
    open_sparse_release,
    rankings,
    submit_all,
    true_answers,
)
from tests.personas import Person

pytestmark = pytest.mark.django_db
DEPTH, JUDGED = 20, 15


@pytest.fixture
def corrected(administrator: Person, tmp_path: Path) -> Release:
    """By a part of the verdicts that the pool needs. Its own board is not pooled yet."""
    release = open_sparse_release(tmp_path, administrator.user)
    submit_all(release)
    pool = update_pool(release, ReleaseSplit.TEST, DEPTH)
    request = NewPoolStudy(name="Unjudged", overlap=1, limit=JUDGED)
    created = make_study_of_pool(actor=administrator.user, pool=pool, request=request)
    pool_study = get_pool_study_or_raise(created.study.pk)
    assert judge_all(pool_study.study, [join(pool_study.study, "one")]) == JUDGED < pool.unjudged
    applied = apply_verdicts(actor=administrator.user, pool_study=pool_study)
    run_job(applied.job.pk)
    update_standing(applied.corrected, ReleaseSplit.TEST)
    applied.corrected.refresh_from_db()
    return applied.corrected


def entries_of(browser: APIClient, release: Release) -> dict[str, Any]:
    (change,) = browser.get(f"/api/v1/boards/{release.slug}/changes").json()["changes"]
    return {one["model"]["name"]: one for one in change["entries"]}


def bounds_of(pool: AnswerPool | None) -> dict[str, Any]:
    assert pool is not None
    return {
        one.submission.model.name: {"judged": one.judged, "low": one.low, "high": one.high}
        for one in pool.judgements.select_related("submission__model")
    }


def test_each_side_of_a_change_has_the_bounds_of_its_own_board(
    corrected: Release, visitor: APIClient
) -> None:
    assert corrected.corrects is not None
    before = bounds_of(find_pool(corrected.corrects, "test"))
    unpooled = entries_of(visitor, corrected)
    assert {name: one["before"]["bounds"] for name, one in unpooled.items()} == before
    assert [one["after"]["bounds"] for one in unpooled.values()] == [None] * len(before)
    after = bounds_of(update_pool(corrected, ReleaseSplit.TEST, DEPTH))
    entries = entries_of(visitor, corrected)
    assert {name: one["before"]["bounds"] for name, one in entries.items()} == before
    assert {name: one["after"]["bounds"] for name, one in entries.items()} == after
    assert before != after


def test_the_bounds_after_verdicts_hold_the_true_board_and_are_closer(
    corrected: Release, visitor: APIClient
) -> None:
    update_pool(corrected, ReleaseSplit.TEST, DEPTH)
    widths = []
    for name, entry in entries_of(visitor, corrected).items():
        truth = sum(
            next((1 / at for at, one in enumerate(ranked, 1) if one in true_answers(query)), 0.0)
            for query, ranked in rankings(name).items()
        )
        for side in ("before", "after"):
            bounds = entry[side]["bounds"]
            assert bounds["low"] - 1e-9 <= entry[side]["value"] <= bounds["high"] + 1e-9
            assert bounds["low"] - 1e-9 <= truth / QUERIES <= bounds["high"] + 1e-9
        widths.append([entry[side]["bounds"]["high"] - entry[side]["bounds"]["low"]
                       for side in ("before", "after")])  # fmt: skip
    assert all(after <= before for before, after in widths)
    assert sum(after for _, after in widths) < sum(before for before, _ in widths)


def test_bounds_of_another_value_are_not_shown(corrected: Release, visitor: APIClient) -> None:
    """Of a pool from before the entry was scored again, or the standing from before the pool."""
    pool = update_pool(corrected, ReleaseSplit.TEST, DEPTH)
    judgement = pool.judgements.select_related("submission__model").first()
    assert judgement is not None
    pool.judgements.filter(pk=judgement.pk).update(value=judgement.value + 0.01)
    shown = entries_of(visitor, corrected)
    assert shown.pop(judgement.submission.model.name)["after"]["bounds"] is None
    assert all(one["after"]["bounds"] is not None for one in shown.values())
