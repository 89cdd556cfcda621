"""For whom contexts are looked up, and the graph that they may show."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.release_graph_lookup import ReleaseGraphMissing, walked_version
from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.release_items import load_items
from backend.evaluation.runs.run_settings import RunSettings
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.dated_view import DatedView, get_edge_dates
from backend.graphs.snapshots.snapshot import Snapshot
from backend.tracks.model_tasks import TaskContext

AddContext = Callable[[TaskContext, Any], TaskContext]


@dataclass(frozen=True)
class ContextRequest:
    release: Release
    settings: RunSettings

    @cached_property
    def version(self) -> Version | None:
        """The graph that baselines read too. Raises ReleaseGraphMissing."""
        return walked_version(self.release)

    @cached_property
    def snapshot(self) -> Snapshot:
        assert self.version is not None
        return open_version_snapshot(self.version)

    @cached_property
    def view(self) -> Snapshot | DatedView:
        """Under the cut-off: without later edges and those without a date. Raises NoDates."""
        return self.snapshot if self.cutoff is None else DatedView(self.snapshot, self.cutoff)

    @cached_property
    def graph(self) -> SnapshotGraph:
        """By its names; the whole graph, without a cut-off."""
        assert self.version is not None
        return SnapshotGraph(self.version)

    @property
    def cutoff(self) -> int | None:
        return self.release.earlier_cutoff(self.settings.cutoff)

    @property
    def date_unit(self) -> str | None:
        dates = None if self.version is None else get_edge_dates(self.snapshot)
        return dates.unit if dates else None

    @cached_property
    def all_items(self) -> list[Any]:
        return [
            item for split in ReleaseSplit for item in load_items(self.release, split).table.items
        ]


class ContextSource(ABC):
    """Looks up one kind of context; made once for a run."""

    def __init__(self, request: ContextRequest) -> None:
        self.request = request

    @classmethod
    @abstractmethod
    def find_missing(cls, request: ContextRequest) -> str:
        """Why this cannot be looked up for the release; empty where it can."""

    @abstractmethod
    def add_to(self, context: TaskContext, item: Any) -> TaskContext: ...


def missing_graph(request: ContextRequest) -> str:
    try:
        has_graph = request.version is not None
    except ReleaseGraphMissing as error:
        return error.detail
    return "" if has_graph else "The release has no graph, which this task needs."
