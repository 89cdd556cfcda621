"""Baselines of the tracks: predictions that are computed here and submitted like any other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_graph_lookup import walked_version
from backend.benchmarks.split_rows import load_answers
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.bounds import require_seed
from backend.common.errors import Conflict, DomainError
from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.models import Provenance, Submission, SubmissionState
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.release_items import load_items
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.masked_versions import known_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.dated_view import DatedView
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.runtime.cancellation import CancellationToken
from backend.tracks.baseline_tasks import BaselineTask, Card, NoGraph, TooFewQuestions
from backend.tracks.registry import load_baselines, load_trainings

BASELINES = "baselines"  # kind of job
MAX_YEAR = 9_999  # a later cut-off is a PMID
ORGANISATION = "Serendib"
UNTYPED = "-untyped"
Chosen = TypeVar("Chosen")
TITLES = {
    "adamic-adar": "Adamic-Adar",
    "transe": "TransE",
    "distmult": "DistMult",
    "complex": "ComplEx",
    "hole": "HolE",
    "node2vec": "node2vec",
    "gcn": "GCN",
    "bm25": "BM25",
    "bm25-and-vectors": "BM25 and vectors",
    "vss": "VSS",
    "multi-vss": "Multi-VSS",
    "hybrid": "BM25 and VSS",
    "retriever": "trained retriever",
    "reasoner": "graph reasoner",
}


@contextmanager
def open_baselines(
    release: Release,
    *,
    is_local: bool = False,
    checkpoint: Path | None = None,
    stop: CancellationToken | None = None,
) -> Iterator[BaselineRuns]:
    """With the release's graph as it was known at the cut-off, whose files end with the block.

    checkpoint: a folder, from which an interrupted training goes on.
    """
    version, cutoff = walked_version(release), release.cutoff
    if version is None:
        yield BaselineRuns(release, None, None, is_local, checkpoint, stop)
        return
    with known_snapshot(version, cutoff) as snapshot:
        view = None if cutoff is None else DatedView(snapshot, cutoff)
        graph = SnapshotGraph(version, view, snapshot)
        yield BaselineRuns(release, version, graph, is_local, checkpoint, stop)


@dataclass
class BaselineRuns:
    """Baselines of one release, which share its items and its graph; see `open_baselines`."""

    release: Release
    version: Version | None
    graph: SnapshotGraph | None
    is_local: bool = False
    checkpoint: Path | None = None
    stop: CancellationToken | None = None
    _items: dict[str, Any] = field(default_factory=dict, init=False)
    _spent: dict[tuple[str, int], tuple[float, int]] = field(default_factory=dict, init=False)
    _scores: dict[int, dict[object, dict[str, float]]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.track = get_track_or_raise(self.release.track)
        self._items = {split: load_items(self.release, split).table.items for split in ReleaseSplit}

    @property
    def splits(self) -> list[ReleaseSplit]:
        return [split for split in ReleaseSplit if self._items[split]]

    def run(self, name: str, split: ReleaseSplit, seed: int = 0) -> tuple[Submission, Job]:
        """Predict a split and submit the file. Equal predictions are submitted once.

        Raises DomainError for an unknown baseline or where it lacks a graph.
        """
        require_seed(seed)
        started = time.perf_counter()
        rows = list(self.predict(name, split, seed))
        seconds = self._latency(name, seed, time.perf_counter() - started, len(rows))
        model = get_or_create_baseline(name)
        text = b"".join(rows)
        file = store_predictions(text, f"{model.slug}-{split}.jsonl")
        new = NewSubmission(
            release=self.release,
            model=model,
            split=split,
            declared={"latency_s": float(f"{seconds:.2g}"), "method": self._method(seed)}
            | self._knowledge(),
            provenance=Provenance.BASELINE,
        )
        return submit_predictions(actor=None, new=new, file=file, is_local=self.is_local)

    def _latency(self, name: str, seed: int, seconds: float, rows: int) -> float:
        """Seconds an item over the splits so far: scores of all may be of the first alone."""
        before = self._spent.get((name, seed), (0.0, 0))
        total, count = before[0] + seconds, before[1] + rows
        self._spent[name, seed] = total, count
        return total / max(count, 1)

    def _knowledge(self) -> dict[str, int]:
        """The year until which it sees the graph, where that is dated by years."""
        cutoff = self.release.cutoff
        return {} if cutoff is None or cutoff > MAX_YEAR else {"knowledge_until": cutoff}

    def _method(self, seed: int) -> str:
        if self.version is None:
            return f"Seed {seed}."
        return f"Seed {seed}. Graph: {self.version.graph.name}, version {self.version.number}."

    def predict(self, name: str, split: ReleaseSplit, seed: int) -> Iterator[bytes]:
        """Predictions as JSON lines. The same seed gives the same lines."""
        baseline = choose(load_baselines(self.track), name, self.track.slug, "baseline")
        adapter = TypeAdapter(self.track.prediction_schema)
        with stated_needs():
            for row in baseline(self._task(name, split, seed)):
                yield adapter.dump_json(row) + b"\n"

    def train(self, name: str, seed: int) -> Card:
        """Train the model of a baseline on the dev split and store it, unless it is there.

        Returns its data, settings and metrics. Raises DomainError as `run` does.
        """
        require_seed(seed)
        training = choose(load_trainings(self.track), name, self.track.slug, "trained baseline")
        with stated_needs():
            return training(self._task(name, ReleaseSplit.DEV, seed))

    def _task(self, name: str, split: ReleaseSplit, seed: int) -> BaselineTask[Any, Any]:
        return BaselineTask(
            items=self._items[split],
            all_items=[item for items in self._items.values() for item in items],
            dev_items=self._items[ReleaseSplit.DEV],
            dev_answers=load_answers(self.release, ReleaseSplit.DEV),
            graph=self.graph,
            seed=seed,
            checkpoint=self.checkpoint and self.checkpoint / name,
            models=None if self.version is None else models_folder(self.version),
            stop=self.stop,
            scores=self._scores.setdefault(seed, {}),
        )


def choose(named: Mapping[str, Chosen], name: str, track: str, kind: str) -> Chosen:
    if name not in named:
        message = f"The track {track} has no {kind} '{name}'. It has: {', '.join(named) or 'none'}."
        raise DomainError(message, code="unknown_baseline")
    return named[name]


@contextmanager
def stated_needs() -> Iterator[None]:
    try:
        yield
    except NoGraph as error:
        message = "This baseline needs a graph. Make the release with one."
        raise DomainError(message, code="release_without_graph") from error
    except TooFewQuestions as error:
        message = (
            "The dev split has too few questions to train on. Make a release with a larger one."
        )
        raise DomainError(message, code="too_few_questions") from error


def models_folder(version: Version) -> Path:
    """Of models that are trained on releases of this graph, and deleted with it."""
    path = open_version_snapshot(version).path
    return path.with_name(f"{path.name}.models")


def list_missing_baselines(release: Release) -> list[tuple[str, ReleaseSplit]]:
    """Baselines of the track that have no entry for a split with items."""
    track = get_track_or_raise(release.track)
    splits = [split for split in ReleaseSplit if release.items.filter(split=split).exists()]
    return [
        (name, split)
        for name in track.baselines
        for split in splits
        if not has_entry(release, baseline_title(name), split)
    ]


def has_entry(release: Release, model: str, split: str) -> bool:
    """Whether a model of this name has one that did not fail."""
    rows = Submission.objects.filter(release=release, model__name=model, split=split)
    return rows.exclude(state=SubmissionState.FAILED).exists()


def request_baselines(release: Release) -> None:
    """Queue the job that runs the missing ones, unless it waits or runs."""
    parameters = {"release": str(release.pk)}
    active = Job.objects.active().filter(kind=BASELINES, parameters=parameters)
    if list_missing_baselines(release) and not active.exists():
        request = JobRequest(BASELINES, parameters, subjects=[release.subject])
        request_job(owner=None, request=request)


def baseline_title(name: str) -> str:
    plain = name.removesuffix(UNTYPED)
    title = TITLES.get(plain, plain.replace("-", " "))
    return f"Baseline: {title}{' without types' if plain != name else ''}"


def get_or_create_baseline(name: str) -> Model:
    """The model of a baseline, over all tracks. Raises Conflict if someone else has its name."""
    title = baseline_title(name)
    model = Model.objects.filter(name__iexact=title).first()
    if model is None:
        return register_model(actor=None, name=title, organisation=ORGANISATION, is_baseline=True)
    if not model.is_baseline:
        raise Conflict(f"There is a model named '{title}' that is no baseline. Rename it first.")
    return model
