"""The demo's releases: boards with rows at the first start, and nothing new at the second."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import TestCase
from pytest_django.plugin import DjangoDbBlocker

from backend.benchmarks.models import Model, Release
from backend.benchmarks.releases import compute_release_digest, freeze_items
from backend.evaluation.demo import LoadedRelease, has_background_demo, load_demo_releases
from backend.evaluation.demo_sources import DEMO
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.simulated_entries import SIMULATED_MODELS
from backend.graphs.models import Version
from backend.leaderboard.models import Standing
from backend.tracks.registry import load_tracks
from tests.queue_worker import queue_worker

pytestmark = pytest.mark.django_db


def load_and_score(graph: Version) -> list[LoadedRelease]:
    with queue_worker() as run_queued_tasks:
        with TestCase.captureOnCommitCallbacks(execute=True):
            loaded = load_demo_releases(graph)
        for _ in ("baselines and scores", "scores of baselines"):
            with TestCase.captureOnCommitCallbacks(execute=True):
                run_queued_tasks()
        run_queued_tasks()  # boards
    return loaded


@pytest.fixture(scope="module")
def loaded_module(
    demo_graph_module: int, django_db_blocker: DjangoDbBlocker
) -> Iterator[list[LoadedRelease]]:
    """In a transaction of its own: tests without it have no release."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield load_and_score(Version.objects.get(pk=demo_graph_module))
        transaction.set_rollback(True)


@pytest.fixture
def loaded(loaded_module: list[LoadedRelease], db: None) -> list[LoadedRelease]:
    return loaded_module


def test_boards_have_simulated_entries_that_are_marked(
    loaded: list[LoadedRelease], demo_graph: Version
) -> None:
    assert not has_background_demo(demo_graph.pk)  # a worker makes the others
    for one in loaded:
        release = one.release
        assert (release.state, release.is_demo, one.is_new) == ("open", True, True)
        assert all((release.licence, release.citation, release.data_card, release.terms))
        standing = Standing.objects.filter(release=release, split="test").latest("pk")
        rows = [row.content for row in standing.rows.order_by("position")]
        simulated = [row for row in rows if row["is_simulated"]]
        assert len(simulated) == len(SIMULATED_MODELS) == 12
        assert all(row["model"]["name"].startswith("Simulated ") for row in simulated)
        assert all(row["cost_usd"] and row["latency_s"] for row in simulated)
        assert len({(row["rank"]["best"], row["rank"]["worst"]) for row in simulated}) >= 6


def test_boards_of_both_splits_have_the_baselines(
    loaded: list[LoadedRelease], demo_graph: Version
) -> None:
    again = {one.release.track: one for one in load_and_score(demo_graph)}
    assert {track: one.entries for track, one in again.items()} == {
        "truthhypo": 12 + 2 * 7,
        "stark-prime": 12 + 2 * 4,
    }
    for one in again.values():
        for split in ("dev", "test"):
            standing = Standing.objects.filter(release=one.release, split=split).latest("pk")
            rows = [row.content for row in standing.rows.all()]
            baselines = [row for row in rows if row["provenance"] == "baseline"]
            assert len(baselines) == len(load_tracks()[one.release.track].baselines)
            assert not any(row["is_simulated"] for row in baselines)


def test_loading_again_changes_nothing(loaded: list[LoadedRelease], demo_graph: Version) -> None:
    def everything() -> list[Any]:
        models = (Release, Model, Submission, Evaluation, Standing)
        return [list(model.objects.order_by("pk").values()) for model in models]

    before = everything()
    second = load_and_score(demo_graph)
    assert [one.release for one in second] == [one.release for one in loaded]
    assert not any(one.is_new for one in second)
    assert everything() == before


def test_a_demo_that_was_stored_in_the_order_of_its_files_is_not_made_anew(
    loaded: list[LoadedRelease], demo_graph: Version, tmp_path: Path
) -> None:
    for demo in DEMO:
        items = freeze_items(demo.request(demo_graph), demo.write_sources(demo_graph, tmp_path))
        digest = compute_release_digest(demo.track, items, is_demo=True)
        Release.objects.filter(track=demo.track).update(digest=digest)
    assert not any(one.is_new for one in load_demo_releases(demo_graph))
