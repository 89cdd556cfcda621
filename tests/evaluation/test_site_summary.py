"""What the front page shows of the data: all of it public, none of it named before its date."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.kinds.registry import study_kinds
from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.graphs.importers.registry import open_source
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.leaderboard import site_summary
from backend.leaderboard.site_summary import compute_summary
from tests.benchmarks.rns.factories import make_version
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.graphs.importers.factories import write_files
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_summary_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_summary, "_latest", None)


def test_only_public_graphs_are_counted_and_searched() -> None:
    make_version(visibility=Graph.Visibility.PRIVATE, seed=2)
    empty = compute_summary()
    assert (empty.counts.graphs, empty.counts.entities, empty.graph) == (0, 0, "")
    public = make_version()
    filled = compute_summary()
    assert (filled.counts.graphs, filled.graph) == (1, public.graph.slug)
    assert (filled.counts.entities, filled.counts.edges) == (public.entities, public.edges)
    assert filled.examples == ()  # it has none of the entities of the practice questions


def test_examples_are_of_the_demo_where_the_largest_graph_has_none(tmp_path: Path) -> None:
    [first, *_] = [one for kind in study_kinds().values() for one in kind.practice_examples()]
    entities = [f"{id_},{name},Thing" for name, id_ in (first.answer, first.topic)]
    edge = f"{first.answer[1]},links,{first.topic[1]}"
    files = {
        "entities.csv": "\n".join(["id,name,type", *entities, ""]),
        "edges.csv": f"source,relation,target\n{edge}\n",
    }
    source = open_source([write_files(tmp_path, files)]).source
    result = build_snapshot(source, Path(settings.SNAPSHOTS))
    demo = Graph.objects.create(name="Demo", slug="demo", is_demo=True, visibility="public")
    Version.objects.create(
        graph=demo,
        snapshot=result.path.name,
        number=1,
        entities=2,
        edges=1,
        ready_at=timezone.now(),
    )
    larger = make_version()
    summary = compute_summary()
    assert summary.graph == larger.graph.slug
    assert [(one.graph, one.source.id) for one in summary.examples] == [("demo", first.answer[1])]


def test_without_boards_the_printed_tables_are_shown(visitor: APIClient) -> None:
    answer = visitor.get("/api/v1/site-summary")
    assert "public" in answer["Cache-Control"]
    tracks: list[dict[str, Any]] = answer.json()["tracks"]
    assert [one["track"] for one in tracks] == [
        *("serenqa-retrieval", "serenqa-reasoning", "serenqa-exploration"),
    ]
    assert tracks == visitor.get("/api/v1/leaderboards").json()["results"][:3]
    assert tracks[0]["evaluated"] is None
    values = [entry["value"] for entry in tracks[0]["printed"]["best"]]
    assert len(values) == 3 and values == sorted(values, reverse=True)


def test_an_evaluated_board_comes_first_with_intervals_and_without_hidden_names(
    researcher: Person,
    release: Release,
    submit_and_score: Callable[..., Any],
) -> None:
    for name, wrong, declared in (
        ("open", 30, {}),
        ("hidden", 0, {"anonymous_until": "2099-01-01T00:00:00Z"}),
        ("sampled", 0, {"sample": "10 %"}),
    ):
        model = register_model(actor=researcher.user, name=name, organisation="Lab")
        lines = prediction_lines(range(60), wrong=range(wrong))
        submit_and_score(researcher.browser, form(lines, model=model.slug, **declared))
    first, *others = compute_summary().tracks
    board = first.main
    assert board and (first.track, board.title) == ("truthhypo", release.name)
    assert [one.name for one in board.best] == [None, "open"]
    assert all(
        one.low is not None and one.high is not None and one.low <= one.value <= one.high
        for one in board.best
    )
    assert "truthhypo" not in {one.track for one in others}


def test_it_is_computed_once_a_minute(
    visitor: APIClient, django_assert_num_queries: Callable[[int], Any]
) -> None:
    visitor.get("/api/v1/site-summary")
    with django_assert_num_queries(0):
        visitor.get("/api/v1/site-summary")
