"""What a comparison of two entries may show of the test split."""

from pathlib import Path

import pytest

from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Evaluation
from backend.leaderboard.comparisons import compare_evaluations
from tests.evaluation.pooled_boards import submit

pytestmark = pytest.mark.django_db
ANSWERS = [1] * 10 + [3] + [25] * 4  # of each query


def open_release(folder: Path) -> Release:
    path = folder / "queries.csv"
    lines = [
        f'{query},What is number {query}?,"{[*range(1000 * query, 1000 * query + count)]}"'
        for query, count in enumerate(ANSWERS)
    ]
    path.write_text("\n".join(["id,query,answer_ids", *lines]) + "\n")
    request = ReleaseRequest(track="stark-prime", name="Few", slug="few", test_share=1.0)
    release = make_release(actor=None, request=request, files=[path])
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


def enter(release: Release, model: str, right: int) -> Evaluation:
    lists = {query: [1000 * query + (query >= right)] for query in range(len(ANSWERS))}
    evaluation = submit(release, model, lists).evaluation
    assert evaluation is not None
    return evaluation


def test_no_difference_is_of_items_whose_scores_are_hidden(tmp_path: Path) -> None:
    """Recall@20 counts the queries of up to 20 answers: ten with one, and a single one with three.
    The difference of all less that of the ten would be the score of the single one."""
    release = open_release(tmp_path)
    first, second = enter(release, "One", 12), enter(release, "Two", 4)
    shown = {
        metric: {one.slice for one in compare_evaluations(release, metric, first, second)}
        for metric in ("recall@20", "mrr")
    }
    for metric, slices in shown.items():
        scored = {one.slice for one in first.scores.filter(metric=metric)}
        assert slices == scored
    assert "answers-1" not in shown["recall@20"] and "all" in shown["recall@20"]
