"""What the front page shows of the data: counts, examples, and the first models of three tracks.

Everything here is what a visitor may see, computed at most once a minute in each process.
"""

import time
from dataclasses import dataclass

from django.db.models import Sum

from annotation.kinds.registry import study_kinds
from backend.benchmarks.policies import public_questions
from backend.common.errors import DomainError
from backend.graphs.graph_access import open_graph
from backend.graphs.models import Version
from backend.graphs.policies import visible_graphs
from backend.leaderboard.model_results import present_standings
from backend.leaderboard.models import StandingRow
from backend.leaderboard.overview import TrackOverview, list_overview
from backend.leaderboard.published_results import load_published

VALID_SECONDS = 60
LISTED_TRACKS = 3
LISTED_EXAMPLES = 3


@dataclass(frozen=True)
class SiteCounts:
    """entities, edges: of the latest versions of public graphs. entries: evaluated, without
    simulated ones, and printed."""

    graphs: int
    entities: int
    edges: int
    questions: int
    entries: int


@dataclass(frozen=True)
class EntityLink:
    id: str
    name: str


@dataclass(frozen=True)
class ExamplePath:
    """A path that can be opened in the explorer: from an answer to what it answers."""

    graph: str
    source: EntityLink
    target: EntityLink


@dataclass(frozen=True)
class SiteSummary:
    """graph: the short name of the one to search in, empty where none is public. examples: of it,
    or of the demo where it has none."""

    counts: SiteCounts
    graph: str
    examples: tuple[ExamplePath, ...]
    tracks: tuple[TrackOverview, ...]


_latest: tuple[float, SiteSummary] | None = None


def get_summary() -> SiteSummary:
    global _latest
    now = time.monotonic()
    if _latest is None or now - _latest[0] > VALID_SECONDS:
        _latest = now, compute_summary()
    return _latest[1]


def compute_summary() -> SiteSummary:
    graphs = _public_graphs()
    # Tracks with a board of evaluated entries come first.
    tracks = sorted(list_overview(), key=lambda one: one.main is one.printed)
    main = graphs[0] if graphs else ""
    return SiteSummary(_count(), main, _examples(graphs), tuple(tracks[:LISTED_TRACKS]))


def _count() -> SiteCounts:
    graphs = visible_graphs(None)
    versions = Version.objects.ready().filter(graph__in=graphs)
    latest = versions.order_by("graph", "-number").distinct("graph").values("pk")
    sums = Version.objects.filter(pk__in=latest).aggregate(Sum("entities"), Sum("edges"))
    printed = sum(one.entry_count for one in load_published().tracks.values())
    rows = StandingRow.objects.filter(standing__in=present_standings())
    evaluated = rows.filter(content__is_simulated=False)
    return SiteCounts(
        graphs=graphs.count(),
        entities=sums["entities__sum"] or 0,
        edges=sums["edges__sum"] or 0,
        questions=public_questions().count(),
        entries=printed + evaluated.count(),
    )


def _public_graphs() -> list[str]:
    """The largest public graph that is not the demo, and the demo."""
    versions = Version.objects.ready().filter(graph__in=visible_graphs(None))
    largest = versions.order_by("graph__is_demo", "-entities", "pk").values_list("graph__slug")
    own, demo = largest.filter(graph__is_demo=False)[:1], largest.filter(graph__is_demo=True)[:1]
    return [slug for (slug,) in (*own, *demo)]


def _examples(graphs: list[str]) -> tuple[ExamplePath, ...]:
    """Of the practice questions, those whose entities the first graph with any of them has."""
    return next(filter(None, map(_graph_examples, graphs)), ())


def _graph_examples(graph: str) -> tuple[ExamplePath, ...]:
    try:
        snapshot = open_graph(None, graph).snapshot
    except DomainError:
        return ()
    questions = [one for kind in study_kinds().values() for one in kind.practice_examples()]
    paths = [
        ExamplePath(graph, _entity(one.answer), _entity(one.topic))
        for one in questions
        if all(snapshot.find_number(id_) is not None for _, id_ in (one.answer, one.topic))
    ]
    return tuple(paths[:LISTED_EXAMPLES])


def _entity(named: tuple[str, str]) -> EntityLink:
    name, id_ = named
    return EntityLink(id_, name)
