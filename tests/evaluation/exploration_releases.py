"""Releases of the exploration track on the demo graph."""

import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.graphs.demo import load_demo_graph
from backend.graphs.graph_access import open_version_snapshot
from tests.evaluation.masked_release import MaskedRelease, triples
from tests.evaluation.serenqa_files import demo_questions, partitions

Triple = tuple[str, str, str]


def make_exploration_release(
    folder: Path,
    track: str = "serenqa-exploration",
    *,
    questions: slice = slice(None),
    slug: str = "exploration",
) -> MaskedRelease:
    """Of the experts' partition of all or some questions, with its masked graph.

    Ground-truth paths have one step where the existing and the hidden answer share an edge of the
    masked graph.
    """
    base = load_demo_graph()[0]
    chosen = demo_questions()[questions]
    source, splits = folder / "questions.json", folder / "partitions.json"
    source.write_text(json.dumps(chosen))
    rows = partitions(chosen)
    add_paths(rows, triples(base))
    splits.write_text(json.dumps(rows))
    request = ReleaseRequest(
        track=track,
        name=slug,
        slug=slug,
        graph_version=base,
        partition="expert",
        test_share=0.5,
    )
    release = make_release(actor=None, request=request, files=[source, splits])
    call_command("release_graph", release.slug, "--method", "expert", "--json")
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    masked = ReleaseGraph.objects.get(release=release, method="expert").version
    return MaskedRelease(release, base, masked, sorted(triples(base) - triples(masked)))


def add_paths(rows: list[dict[str, Any]], known: set[Triple]) -> None:
    """Direct links, and paths of two steps over a neighbour, in the file's way to write them."""
    names, edges = node_names(), edges_by_end(known)
    for row in rows:
        part = row["expert"]
        paths = []
        for root in part["exact_matches"]["list"]:
            for hidden in part["serendipity_set"]["list"]:
                paths += two_steps(root, hidden, edges, names)
        part["explore_queries"] = {"paths": paths[:20], "questions": []}


def edges_by_end(known: set[Triple]) -> dict[str, list[Triple]]:
    """The edges at each entity, sorted."""
    result: dict[str, list[Triple]] = {}
    for edge in sorted(known):
        for end in {edge[0], edge[2]}:
            result.setdefault(end, []).append(edge)
    return result


def node_names() -> dict[str, tuple[str, str]]:
    snapshot = open_version_snapshot(load_demo_graph()[0])
    summaries = (snapshot.entity_summary(one) for one in range(snapshot.entity_count))
    return {one.id: (one.name, one.type) for one in summaries}


def two_steps(
    root: str,
    hidden: str,
    edges: dict[str, list[Triple]],
    names: dict[str, tuple[str, str]],
) -> list[str]:
    near = {}
    for source, relation, target in edges.get(hidden, []):
        near[target if source == hidden else source] = relation
    paths = []
    for source, relation, target in edges.get(root, []):
        other = target if source == root else source
        if other in near and other not in (root, hidden):
            name, type_ = names[other]
            paths.append(f"{root}--{relation}--{name}:{type_}--{near[other]}--{hidden}")
    return paths
