"""The model tasks of a release: how many items each covers, and what it lacks here."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.release_graph_lookup import used_graphs
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import Conflict, NotFound
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.contexts import find_missing_context
from backend.evaluation.runs.run_items import select_items
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.task_settings import list_settings
from backend.runtime.lru_cache import LruCache
from backend.tracks.model_tasks import AnyTrackTask, TrackTask
from backend.tracks.registry import load_model_tasks

NO_SETTINGS = RunSettings()
COUNTS_AT_ONCE = 4_000
_covered: LruCache[int] = LruCache(COUNTS_AT_ONCE)


@dataclass(frozen=True)
class OfferedTask:
    """items: that it covers. unavailable_reason: empty where the task can be run."""

    task: AnyTrackTask
    items: int
    unavailable_reason: str

    @property
    def settings(self) -> Sequence[str]:
        return list_settings(self.task)

    @property
    def is_available(self) -> bool:
        return not self.unavailable_reason


def list_tasks(release: Release) -> Sequence[OfferedTask]:
    tasks = load_model_tasks(get_track_or_raise(release.track))
    total, graphs = release.items.count(), used_graphs(release)
    return [offer_task(release, one, total=total, graphs=graphs) for one in tasks.values()]


def offer_task(
    release: Release,
    task: AnyTrackTask,
    settings: RunSettings = NO_SETTINGS,
    *,
    total: int | None = None,
    graphs: Sequence[ReleaseGraph] | None = None,
) -> OfferedTask:
    """total: of the items of the release; graphs: its masked ones; where they are known."""
    total = release.items.count() if total is None else total
    items = count_covered(release, task, total, used_graphs(release) if graphs is None else graphs)
    reason = find_missing_context(ContextRequest(release, settings), task.needs)
    if not items:
        reason = "The release has no items of this task."
    return OfferedTask(task, items, reason)


def count_covered(
    release: Release, task: AnyTrackTask, total: int, graphs: Sequence[ReleaseGraph]
) -> int:
    """Of those that count in a metric. Items never change, so they are read once for its graphs."""
    if not graphs and type(task).covers is TrackTask.covers:
        return total
    key = (release.pk, task.name, *(one.pk for one in graphs))
    return _covered.get_or_create(key, lambda: len(select_items(release, task, NO_SETTINGS).items))


def get_task_or_raise(release: Release, name: str) -> AnyTrackTask:
    """Raises NotFound."""
    tasks = load_model_tasks(get_track_or_raise(release.track))
    if name not in tasks:
        known = ", ".join(tasks) or "none"
        message = f"The release has no task '{name}'. It has: {known}."
        raise NotFound(message, code="unknown_task")
    return tasks[name]


def require_available(release: Release, task: AnyTrackTask, settings: RunSettings) -> None:
    """Raises Conflict."""
    reason = offer_task(release, task, settings).unavailable_reason
    if reason:
        raise Conflict(reason, code="task_unavailable")
