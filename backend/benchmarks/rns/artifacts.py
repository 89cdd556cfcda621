"""Artifacts computed once per snapshot, in folders beside it that are deleted with it.

A folder is named after the snapshot, the kind of artifact and a digest of its parameters. For small
graphs they are computed on demand; for large graphs a job or a command has to compute them.
"""

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from django.conf import settings

from backend.benchmarks.rns.options import EmbeddingMethod, RnsOptions, row_precision
from backend.common.errors import DomainError
from backend.graphs.snapshots.format import string_array
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.array_store.artifacts import MANIFEST, Artifact, artifact_writer, open_artifact
from backend.runtime.array_store.errors import InvalidArrayStore
from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint
from backend.runtime.lru_cache import LruCache
from backend.science.embeddings.embed import EmbeddingPlan, compute_embedding
from backend.science.embeddings.embedding_store import Embedding, open_embedding
from backend.science.transition.edge_weights import level_strengths, link_weights
from backend.science.transition.marginal import Marginal, solve_marginal
from backend.science.transition.marginal_store import (
    load_marginal,
    marginal_parameters,
    save_marginal,
)
from backend.science.transition.parameters import NotConverged
from backend.science.transition.transition_model import TransitionModel

logger = logging.getLogger(__name__)

TOLERANCE = 1e-9
CACHE_SIZE = 8
WEIGHTS = "weights"
SCORES, SPLITS = "scores", "splits"
ArtifactKind = Literal["transition", "embedding"]
ProgressCallback = Callable[[str, float], None]  # phase, and share of the work done
Loaded = TypeVar("Loaded", Marginal, Embedding, Artifact)


class NotComputed(DomainError):
    code = "not_computed"
    status = HTTPStatus.CONFLICT


def ignore_progress(_phase: str, _share: float) -> None:
    pass


def parameters_digest(parameters: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:16]


def artifact_folder(snapshot: Snapshot, kind: str, parameters: Mapping[str, Any]) -> Path:
    name = f"{snapshot.path.name}.rns-{kind}-{parameters_digest(parameters)}"
    return snapshot.path.with_name(name)


def is_small(snapshot: Snapshot) -> bool:
    return snapshot.entity_count + snapshot.edge_count <= settings.RNS_COMPUTED_IN_REQUEST


def require_small(snapshot: Snapshot, kind: ArtifactKind) -> None:
    if not is_small(snapshot):
        command = {"transition": "transition", "embedding": "embed"}[kind]
        raise NotComputed(
            f"This graph is large, and its {kind} is not there: it was not computed yet, or its "
            "files were damaged. An administrator or coordinator can start that, or "
            f"'manage.py {command}' does it.",
            data={"kind": kind, "command": f"manage.py {command} {snapshot.path.name}"},
        )


def _open_or_compute(
    kind: ArtifactKind,
    snapshot: Snapshot,
    load: Callable[[], Loaded | None],
    compute: Callable[[], Path],
) -> Loaded:
    result = load()
    if result is None:
        require_small(snapshot, kind)
        folder = compute()
        result = load()
        if result is None:
            raise InvalidArrayStore(folder, "it was removed meanwhile")
    return result


def marginal_folder(snapshot: Snapshot, options: RnsOptions) -> Path:
    return artifact_folder(snapshot, "marginal", {**options.walk_json(), "tolerance": TOLERANCE})


def open_marginal(
    snapshot: Snapshot, options: RnsOptions, stop: CancellationToken | None = None
) -> Marginal:
    """Load it from disk, or compute it if the graph is small. Raises NotComputed."""
    return _open_or_compute(
        "transition",
        snapshot,
        lambda: load_marginal_or_none(snapshot, options),
        lambda: compute_marginal(snapshot, options, stop=stop),
    )


def load_marginal_or_none(snapshot: Snapshot, options: RnsOptions) -> Marginal | None:
    folder = marginal_folder(snapshot, options)
    return _open_if_valid(
        folder,
        _marginals,
        lambda: load_marginal(
            folder,
            snapshot.id,
            options.walk_parameters(),
            entity_count=snapshot.entity_count,
            weights=weights_digest(snapshot, options),
        ),
    )


def compute_marginal(
    snapshot: Snapshot,
    options: RnsOptions,
    *,
    checkpoint: Path | None = None,
    progress: ProgressCallback = ignore_progress,
    stop: CancellationToken | None = None,
) -> Path:
    """Compute the marginal unless a valid one exists. Deterministic for a graph and options.

    checkpoint: a folder for intermediate results, removed at the end.
    """
    folder = marginal_folder(snapshot, options)
    if load_marginal_or_none(snapshot, options) is not None:
        return folder
    model = transition_model(snapshot, options, stop)
    weights = weights_digest(snapshot, options)
    steps = marginal_checkpoint(checkpoint, snapshot, options, weights) if checkpoint else None
    try:
        result = solve_marginal(
            model,
            tolerance=TOLERANCE,
            progress=lambda share: progress("solving for the marginal", share),
            stop=stop,
            checkpoint=steps,
        )
    except NotConverged as error:
        raise DomainError(str(error), code=error.code, data={"error": error.error}) from error
    save_marginal(folder, snapshot.id, options.walk_parameters(), result, weights=weights)
    if steps is not None:
        steps.remove()
    return folder


def marginal_checkpoint(
    folder: Path, snapshot: Snapshot, options: RnsOptions, weights: str | None
) -> Checkpoint:
    """weights: digest of the edge weights, if they are used."""
    summary = {**marginal_parameters(options.walk_parameters(), weights), "tolerance": TOLERANCE}
    return Checkpoint(folder, "marginal-checkpoint", snapshot.id, summary)


def transition_model(
    snapshot: Snapshot, options: RnsOptions, stop: CancellationToken | None = None
) -> TransitionModel:
    """Cached in this process: takes 8 bytes per entity and a scan of the degrees."""
    walk = options.walk_parameters(row_precision(snapshot.entity_count))
    forward, reverse = snapshot.forward, snapshot.reverse

    def make() -> TransitionModel:
        artifact = open_weights(snapshot) if options.weighted else None
        weights = artifact.arrays["weights"] if artifact else None
        return TransitionModel.of(forward, reverse, walk, weights=weights, stop=stop)

    return _models.get_or_create((str(snapshot.path), walk), make)


def weights_digest(snapshot: Snapshot, options: RnsOptions) -> str | None:
    return open_weights(snapshot).digest if options.weighted else None


def open_weights(snapshot: Snapshot) -> Artifact:
    """One weight per edge, from its score, p-value and evidence level."""
    folder = artifact_folder(snapshot, WEIGHTS, {})
    result = load_artifact_or_none(folder, WEIGHTS, snapshot.id)
    if result is None:
        _write_weights(snapshot, folder)
        result = open_artifact(folder, kind=WEIGHTS, source=snapshot.id)
    return result


def _write_weights(snapshot: Snapshot, folder: Path) -> None:
    arrays = snapshot.arrays
    levels, names = arrays.get("edge.level"), string_array(arrays, "levels")
    summary = [name.decode(errors="replace") for name in names] if names is not None else []
    weights = link_weights(
        snapshot.forward.relations,
        scores=arrays.get("edge.score"),
        p_values=arrays.get("edge.p_value"),
        levels=levels,
        strengths=None if levels is None else level_strengths(summary),
    )
    with artifact_writer(folder, WEIGHTS, snapshot.id, {}) as writer:
        writer.add("weights", np.asarray(weights))


def vectors_folder(snapshot: Snapshot, method: EmbeddingMethod) -> Path:
    return artifact_folder(snapshot, "embedding", asdict(EmbeddingPlan(method)))


def open_vectors(
    snapshot: Snapshot, method: EmbeddingMethod, stop: CancellationToken | None = None
) -> Embedding:
    """Load them from disk, or compute them if the graph is small. Raises NotComputed."""
    return _open_or_compute(
        "embedding",
        snapshot,
        lambda: load_vectors_or_none(snapshot, method),
        lambda: compute_vectors(snapshot, method, stop=stop),
    )


def load_vectors_or_none(snapshot: Snapshot, method: EmbeddingMethod) -> Embedding | None:
    folder = vectors_folder(snapshot, method)
    return _open_if_valid(folder, _embeddings, lambda: open_embedding(folder, source=snapshot.id))


def compute_vectors(
    snapshot: Snapshot,
    method: EmbeddingMethod,
    *,
    checkpoint: Path | None = None,
    progress: ProgressCallback = ignore_progress,
    stop: CancellationToken | None = None,
) -> Path:
    """Compute the embedding unless a valid one exists. Deterministic for a graph and method.

    checkpoint: a folder for intermediate results, removed at the end.
    """
    folder = vectors_folder(snapshot, method)
    if load_vectors_or_none(snapshot, method) is not None:
        return folder
    try:
        compute_embedding(
            snapshot.forward,
            snapshot.reverse,
            snapshot.type_of,
            folder,
            EmbeddingPlan(method),
            source=snapshot.id,
            checkpoint=checkpoint,
            progress=lambda doing, done, total: progress(
                doing, embedding_share(method, doing, done / max(total, 1))
            ),
            stop=stop,
        )
    except ValueError as error:
        raise DomainError(
            f"This graph cannot be embedded: {error}.", code="not_embedded"
        ) from error
    if checkpoint is not None:
        shutil.rmtree(checkpoint, ignore_errors=True)
    return folder


def embedding_share(method: EmbeddingMethod, doing: str, share: float) -> float:
    """The network starts from the propagated vectors, which take about a tenth of the time."""
    if method == "propagation":
        return share
    return 0.1 + 0.9 * share if doing == "training" else 0.1 * share


def load_artifact_or_none(folder: Path, kind: str, source: str) -> Artifact | None:
    """None if it is missing, damaged, or of another snapshot."""

    def open_() -> Artifact:
        return open_artifact(folder, kind=kind, source=source)

    return _open_if_valid(folder, _artifacts, open_, kind, source)


def _open_if_valid(
    folder: Path, cache: LruCache[Loaded], open_: Callable[[], Loaded], *also: str
) -> Loaded | None:
    """None if it is missing or damaged, so that it is computed again.

    Each process verifies the checksums once. also: further parts of the cache key.
    """
    try:
        state = (folder / MANIFEST).stat()
        return cache.get_or_create((str(folder), state.st_ino, state.st_mtime_ns, *also), open_)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except InvalidArrayStore as refused:
        logger.warning("%s It is computed again when it is needed.", refused)
        return None


def splits_folder(snapshot: Snapshot, question_set: object, parameters: Mapping[str, Any]) -> Path:
    """question_set: its id."""
    return artifact_folder(snapshot, SPLITS, {"question_set": str(question_set), **parameters})


def load_splits_or_none(
    snapshot: Snapshot, question_set: object, parameters: Mapping[str, Any]
) -> Artifact | None:
    folder = splits_folder(snapshot, question_set, parameters)
    return load_artifact_or_none(folder, SPLITS, snapshot.id)


def scores_folder(snapshot: Snapshot, parameters: Mapping[str, Any]) -> Path:
    return artifact_folder(snapshot, SCORES, parameters)


_models: LruCache[TransitionModel] = LruCache(CACHE_SIZE)
_marginals: LruCache[Marginal] = LruCache(CACHE_SIZE)
_embeddings: LruCache[Embedding] = LruCache(CACHE_SIZE)
_artifacts: LruCache[Artifact] = LruCache(CACHE_SIZE)
