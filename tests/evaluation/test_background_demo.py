"""The demo's releases that a worker makes after the first page is there."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.benchmarks.models import Release
from backend.evaluation.demo import (
    has_background_demo,
    load_demo_releases,
    request_background_demo,
)
from backend.evaluation.demo_sources import BACKGROUND_DEMO
from backend.evaluation.models import Submission
from backend.graphs.models import Version
from backend.jobs.models import JobState
from backend.leaderboard.models import AFTER_CUTOFF, Standing
from backend.leaderboard.overview import list_overview
from backend.tracks.registry import load_tracks

pytestmark = pytest.mark.django_db


def test_a_worker_makes_the_releases_that_take_longer(
    demo_graph: Version,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = request_background_demo(demo_graph)
    assert not has_background_demo(demo_graph.pk)
    for _ in ("releases", "baselines and scores", "scores of baselines", "boards"):
        with django_capture_on_commit_callbacks(execute=True):
            run_queued_tasks()
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED, job.error
    releases = {one.track: one for one in Release.objects.filter(is_demo=True)}
    assert {track: one.state for track, one in releases.items()} == dict.fromkeys(
        ("serenqa-retrieval", "serenqa-exploration", "biohopr", "dyport"), "open"
    )
    boards = {
        track: [row.content for row in Standing.objects.filter(release=one).latest("pk").rows.all()]
        for track, one in releases.items()
    }
    for track, rows in boards.items():
        simulated = [row for row in rows if row["is_simulated"]]
        assert len(simulated) == (6 if track == "serenqa-retrieval" else 12)
        baselines = [row for row in rows if row["provenance"] == "baseline"]
        assert len(baselines) == len(load_tracks()[track].baselines)
    # Baselines stand in their place among the best three.
    best = {one.track: one.evaluated for one in list_overview()}
    for track, rows in boards.items():
        shown = best[track]
        assert shown is not None
        assert [one.submission for one in shown.best] == [row["submission"] for row in rows[:3]]
    assert any(row["provenance"] == "baseline" for rows in boards.values() for row in rows[:3])
    queries = [row for row in boards["serenqa-retrieval"] if row["is_simulated"]]
    executed = [row["scores"]["executability all"][0] for row in queries]
    assert max(executed) > 90 > 60 > min(executed)  # they are queries, some of which fail
    forecasts = {row["model"]["name"][-1]: row for row in boards["dyport"] if row["is_simulated"]}
    # One knows the links until 2008, the others none of them.
    assert {row["knowledge_until"] for row in forecasts.values()} == {2004, 2008}
    known, later = (forecasts["C"]["scores"][f"roc_auc {name}"] for name in ("2008", AFTER_CUTOFF))
    assert known[0] > 0.99
    assert later == forecasts["C"]["scores"]["roc_auc 2009 and later"]
    assert later[0] < forecasts["A"]["scores"][f"roc_auc {AFTER_CUTOFF}"][0] < 0.95
    assert (
        forecasts["A"]["scores"][f"roc_auc {AFTER_CUTOFF}"]
        == forecasts["A"]["scores"]["roc_auc all"]
    )
    for track in ("serenqa-retrieval", "serenqa-exploration"):
        (graph,) = releases[track].graphs.all()
        assert graph.method == "rns"
        assert graph.removed_edges > 0

    assert has_background_demo(demo_graph.pk)
    before = list(Release.objects.values()), Submission.objects.count()
    assert request_background_demo(demo_graph) == job
    load_demo_releases(demo_graph, BACKGROUND_DEMO)
    assert (list(Release.objects.values()), Submission.objects.count()) == before

    # An earlier version opened the release of walks without its masked graph.
    releases["serenqa-exploration"].graphs.all().delete()
    assert not has_background_demo(demo_graph.pk)
    load_demo_releases(demo_graph, BACKGROUND_DEMO)
    assert has_background_demo(demo_graph.pk)
