"""What a task needs of a release before it can request an answer to an item."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from backend.evaluation.runs.context_request import AddContext, ContextRequest, ContextSource
from backend.evaluation.runs.entity_definitions import EntityDefinitions
from backend.evaluation.runs.graph_schema_text import GraphSchemas
from backend.evaluation.runs.link_chains import LinkChains
from backend.evaluation.runs.pair_papers import PairPapers
from backend.evaluation.runs.rerank_candidates import RerankCandidates
from backend.evaluation.runs.walked_graph import WalkedGraph
from backend.tracks.model_tasks import NO_CONTEXT, ContextKind, TaskContext

SOURCES: Mapping[ContextKind, type[ContextSource]] = {
    ContextKind.LINK_CHAINS: LinkChains,
    ContextKind.PAPERS: PairPapers,
    ContextKind.CANDIDATES: RerankCandidates,
    ContextKind.GRAPH_SCHEMA: GraphSchemas,
    ContextKind.WALKED_GRAPH: WalkedGraph,
    ContextKind.DEFINITIONS: EntityDefinitions,
}


def find_missing_context(request: ContextRequest, needs: Collection[ContextKind]) -> str:
    """Why a task with these needs cannot be run for the release; empty where it can."""
    reasons = (SOURCES[kind].find_missing(request) for kind in sorted(needs))
    return next((one for one in reasons if one), "")


def open_context(
    request: ContextRequest, needs: Collection[ContextKind]
) -> Callable[[Any], TaskContext]:
    """The context of an item. Equal requests and items have equal contexts."""
    adders: list[AddContext] = [SOURCES[kind](request).add_to for kind in sorted(needs)]

    def look_up(item: Any) -> TaskContext:
        context = NO_CONTEXT
        for add in adders:
            context = add(context, item)
        return context

    return look_up
