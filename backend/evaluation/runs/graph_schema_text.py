"""The schema of the graph that queries run on, as its query engine names it."""

from dataclasses import replace
from typing import Any

from backend.benchmarks.release_graph_lookup import may_send_queries, queried_version
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.runs.context_request import ContextRequest, ContextSource
from backend.graphs.cypher.label_names import make_labels, make_relation_names
from backend.graphs.cypher.schema import EDGE_COLUMNS, ENTITY_COLUMNS
from backend.graphs.edge_kinds import list_edge_kinds
from backend.graphs.graph_access import OpenGraph, open_version_snapshot
from backend.graphs.models import Version
from backend.tracks.model_tasks import TaskContext
from backend.tracks.prompt_text import RelationKind, describe_schema

MOST_KINDS = 300


class GraphSchemas(ContextSource):
    """Of the masked graph for items that are about that."""

    def __init__(self, request: ContextRequest) -> None:
        super().__init__(request)
        self._texts: dict[str, str] = {}

    @classmethod
    def find_missing(cls, request: ContextRequest) -> str:
        """Prompts of dev items are public, so the graph must be open to visitors."""
        if may_send_queries(None, request.release):
            return ""
        return "The release has no graph that everybody's queries can run on."

    def add_to(self, context: TaskContext, item: Any) -> TaskContext:
        method = get_track_or_raise(self.request.release.track).masked_by(item)
        if method not in self._texts:
            version = queried_version(self.request.release, method)
            until = self.request.cutoff
            self._texts[method] = "" if version is None else describe_graph(version, until)
        return replace(context, graph_schema=self._texts[method])


def describe_graph(version: Version, until: int | None = None) -> str:
    """Its labels and the commonest kinds of edges, of those known at a PMID or year."""
    snapshot = open_version_snapshot(version)
    opened = OpenGraph(version.graph, version, snapshot, is_pinned=True, until=until)
    labels = make_labels(snapshot.types)
    label_of = dict(zip(snapshot.types, labels, strict=True))
    relations = [one.name for one in snapshot.relations]
    name_of = dict(zip(relations, make_relation_names(relations, labels), strict=True))
    info_of = {one.name: one for one in snapshot.relations}
    kinds = [
        RelationKind(
            name_of[one.relation],
            label_of[one.source],
            label_of[one.target],
            info_of[one.relation].forward,
            is_symmetric=info_of[one.relation].symmetric,
        )
        for one in list_edge_kinds(opened)
    ]
    return describe_schema(labels, kinds[:MOST_KINDS], ENTITY_COLUMNS, [*EDGE_COLUMNS])
