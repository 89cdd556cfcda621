"""The tracks of this installation, by slug."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from backend.runtime.discovery import discover_modules
from backend.tracks.base import AnyTrack
from backend.tracks.baseline_tasks import Baseline, Training
from backend.tracks.model_tasks import AnyTrackTask

PACKAGE, GROUP = __name__.rpartition(".")[0], "tracks"


@cache
def load_tracks() -> Mapping[str, AnyTrack]:
    modules = discover_modules(PACKAGE, group=GROUP, entry="track")
    tracks: list[AnyTrack] = [module.TRACK for module in modules]
    return {track.slug: track for track in tracks}


def load_baselines(track: AnyTrack) -> Mapping[str, Baseline[Any, Any, Any]]:
    """Those that the track declares, of the module `baselines` beside its own."""
    if not track.baselines:
        return {}
    folder = type(track).__module__.rpartition(".")[0]
    baselines: Mapping[str, Baseline[Any, Any, Any]]
    baselines = import_module(f"{folder}.baselines").BASELINES
    return {name: baselines[name] for name in (*track.baselines, *track.further_baselines)}


def load_trainings(track: AnyTrack) -> Mapping[str, Training[Any, Any]]:
    """Of its baselines that train a model which is stored, in the same module."""
    folder = type(track).__module__.rpartition(".")[0]
    names = load_baselines(track)
    trainings = getattr(import_module(f"{folder}.baselines"), "TRAININGS", {}) if names else {}
    return {name: training for name, training in trainings.items() if name in names}


def load_model_tasks(track: AnyTrack) -> Mapping[str, AnyTrackTask]:
    """Of the module `model_tasks` beside the track's own; empty if the track has none."""
    if not track.model_tasks:
        return {}
    folder = type(track).__module__.rpartition(".")[0]
    tasks: list[AnyTrackTask] = import_module(f"{folder}.model_tasks").MODEL_TASKS
    return {task.name: task for task in tasks}
