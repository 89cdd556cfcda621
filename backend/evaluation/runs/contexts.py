"""What a task needs of a release before it asks about an item."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from backend.benchmarks.models import Release
from backend.tracks.model_tasks import NO_CONTEXT, ContextKind, TaskContext

# Adds one kind of context to what is known about an item.
AddContext = Callable[[TaskContext, Any], TaskContext]
# Makes the function for a release, once for a run.
ContextSource = Callable[[Release], AddContext]

SOURCES: Mapping[ContextKind, ContextSource] = {}
NAMES = {
    ContextKind.LINK_CHAINS: "link chains of a graph",
    ContextKind.PAPERS: "papers",
    ContextKind.CANDIDATES: "candidates of a search",
    ContextKind.GRAPH_SCHEMA: "the schema of a graph",
}


def find_missing_context(release: Release, needs: Collection[ContextKind]) -> str:
    """Why a task with these needs cannot be run for the release; empty where it can."""
    for kind in sorted(needs):
        if kind not in SOURCES:
            return f"This installation cannot provide {NAMES[kind]}."
    return ""


def open_context(release: Release, needs: Collection[ContextKind]) -> Callable[[Any], TaskContext]:
    """The context of an item. Equal releases and items have equal contexts."""
    adders = [SOURCES[kind](release) for kind in sorted(needs)]

    def look_up(item: Any) -> TaskContext:
        context = NO_CONTEXT
        for add in adders:
            context = add(context, item)
        return context

    return look_up
