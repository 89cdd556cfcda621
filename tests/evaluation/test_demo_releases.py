"""The demo's releases: boards with rows at the first start, and nothing new at the second."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.benchmarks.models import Model, Release
from backend.evaluation.demo import (
    LoadedRelease,
    has_background_demo,
    load_demo_releases,
    request_background_demo,
)
from backend.evaluation.demo_sources import BACKGROUND_DEMO
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.simulated_entries import SIMULATED_MODELS
from backend.graphs.demo import load_demo_graph
from backend.jobs.models import JobState
from backend.leaderboard.models import Standing
from backend.tracks.registry import load_tracks

pytestmark = pytest.mark.django_db


@pytest.fixture
def load(
    run_queued_tasks: Callable[[], list[str]], django_capture_on_commit_callbacks: Any
) -> Callable[[], list[LoadedRelease]]:
    version, _ = load_demo_graph()

    def load_and_score() -> list[LoadedRelease]:
        with django_capture_on_commit_callbacks(execute=True):
            loaded = load_demo_releases(version)
        for _ in ("baselines and scores", "scores of baselines"):
            with django_capture_on_commit_callbacks(execute=True):
                run_queued_tasks()
        run_queued_tasks()  # boards
        return loaded

    return load_and_score


def test_boards_have_simulated_entries_that_are_marked(
    load: Callable[[], list[LoadedRelease]], client: Any
) -> None:
    for loaded in load():
        release = loaded.release
        assert (release.state, release.is_demo, loaded.is_new) == ("open", True, True)
        assert all((release.licence, release.citation, release.data_card, release.terms))
        standing = Standing.objects.filter(release=release, split="test").latest("pk")
        rows = [row.content for row in standing.rows.order_by("position")]
        simulated = [row for row in rows if row["is_simulated"]]
        assert len(simulated) == len(SIMULATED_MODELS) == 12
        assert all(row["model"]["name"].startswith("Simulated ") for row in simulated)
        assert all(row["cost_usd"] and row["latency_s"] for row in simulated)
        assert len({(row["rank"]["best"], row["rank"]["worst"]) for row in simulated}) >= 6


def test_boards_of_both_splits_have_the_baselines(
    load: Callable[[], list[LoadedRelease]],
) -> None:
    load()
    loaded = {one.release.track: one for one in load()}
    assert {track: one.entries for track, one in loaded.items()} == {
        "truthhypo": 12 + 2 * 7,
        "stark-prime": 12 + 2 * 4,
    }
    for one in loaded.values():
        for split in ("dev", "test"):
            standing = Standing.objects.filter(release=one.release, split=split).latest("pk")
            rows = [row.content for row in standing.rows.all()]
            baselines = [row for row in rows if row["provenance"] == "baseline"]
            assert len(baselines) == len(load_tracks()[one.release.track].baselines)
            assert not any(row["is_simulated"] for row in baselines)


def test_loading_again_changes_nothing(load: Callable[[], list[LoadedRelease]]) -> None:
    def everything() -> list[Any]:
        models = (Release, Model, Submission, Evaluation, Standing)
        return [list(model.objects.order_by("pk").values()) for model in models]

    first = load()
    before = everything()
    second = load()
    assert [one.release for one in second] == [one.release for one in first]
    assert not any(one.is_new for one in second)
    assert everything() == before


def test_a_worker_makes_the_releases_that_take_longer(
    run_queued_tasks: Callable[[], list[str]], django_capture_on_commit_callbacks: Any
) -> None:
    version, _ = load_demo_graph()
    with django_capture_on_commit_callbacks(execute=True):
        job = request_background_demo(version)
    assert not has_background_demo(version.pk)
    for _ in ("releases", "baselines and scores", "scores of baselines", "boards"):
        with django_capture_on_commit_callbacks(execute=True):
            run_queued_tasks()
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED, job.error
    releases = {one.track: one for one in Release.objects.filter(is_demo=True)}
    assert {track: one.state for track, one in releases.items()} == dict.fromkeys(
        ("serenqa-retrieval", "serenqa-exploration", "biohopr"), "open"
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
    queries = [row for row in boards["serenqa-retrieval"] if row["is_simulated"]]
    executed = [row["scores"]["executability all"][0] for row in queries]
    assert max(executed) > 90 > 60 > min(executed)  # they are queries, some of which fail
    (graph,) = releases["serenqa-retrieval"].graphs.all()
    assert graph.method == "rns"
    assert graph.removed_edges > 0

    assert has_background_demo(version.pk)
    before = list(Release.objects.values()), Submission.objects.count()
    assert request_background_demo(version) == job
    load_demo_releases(version, BACKGROUND_DEMO)
    assert (list(Release.objects.values()), Submission.objects.count()) == before
