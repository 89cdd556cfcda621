"""Make the masked graphs of a release."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from backend.benchmarks.job_kinds.release_graph import release_graph_request
from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.release_graph_lookup import (
    get_release_graph_or_raise,
    needed_methods,
    offered_methods,
)
from backend.benchmarks.release_graphs import reason_in_words
from backend.benchmarks.rns.jobs import run_or_raise
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.common.pluralize import pluralize


class Command(JsonCommand):
    help = (
        "Make the release's graph without the edges that reveal serendipitous answers: no such "
        "answer is found by its question's pattern, and every existing one is. Questions that "
        "conflict are left out and named. Without --method: those that the items are scored on, "
        "or of the partition that they are of."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("release", metavar="RELEASE", help="its address")
        parser.add_argument(
            "--method",
            metavar="METHOD",
            help="llm, expert or rns; surroundings: the part of a large graph that queries run on",
        )

    def run(self, options: dict[str, Any]) -> Output:
        release = Release.objects.filter(slug=options["release"]).first()
        if release is None:
            raise NotFound(f"There is no release '{options['release']}'.")
        methods = [options["method"]] if options["method"] else sorted(needed_methods(release))
        methods = methods or [*offered_methods(release)]
        if not methods:
            line = f"There is nothing to mask: {release.track} has no masked graphs."
            return {"release": release.slug, "graphs": []}, [line]
        graphs = []
        for method in methods:
            run_or_raise(release_graph_request(None, release, method))
            graphs.append(get_release_graph_or_raise(release, method))
        payload = {
            "release": release.slug,
            "graphs": [release_graph_payload(one) for one in graphs],
        }
        return payload, [line for one in graphs for line in _lines(one)]


def release_graph_payload(graph: ReleaseGraph) -> dict[str, Any]:
    return {
        "method": graph.method,
        "graph": graph.version.graph.slug,
        "snapshot": graph.version.snapshot,
        "removed_edges": graph.removed_edges,
        "later_edges": graph.later_edges,
        "undated_edges": graph.undated_edges,
        "included": graph.included,
        "excluded": graph.excluded,
    }


def _lines(graph: ReleaseGraph) -> Iterator[str]:
    questions = pluralize(len(graph.included), "question")
    edges = pluralize(graph.removed_edges, "edge")
    yield f"'{graph.version.graph.slug}': {edges} removed for {questions}, by {graph.method}."
    if graph.later_edges is not None and graph.undated_edges is not None:
        later = pluralize(graph.later_edges, "edge")
        yield f"Left out by the cut-off: {later} first seen later, {graph.undated_edges:,} undated."
    for id_, why in graph.excluded.items():
        yield f"Left out: {id_}: {reason_in_words(why, names_others=True)}."
