"""What is computed once per snapshot, as folders beside it that go when it goes.

The name of a folder is that of the snapshot, then what it holds and a digest of how it was made:
whatever was made otherwise lies beside it. Small graphs are worked off where they are asked for;
of large ones a job or a command has to be asked first.
"""

from __future__ import annotations

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

from backend.benchmarks.serendipity.kept import Kept
from backend.benchmarks.serendipity.options import Method, Options, precision_for
from backend.common.errors import DomainError
from backend.graphs.snapshots.format import texts_of
from backend.graphs.snapshots.opening import Snapshot
from backend.science.artefact import MANIFEST, Artefact, ArtefactRefused, open_artefact, writing
from backend.science.checkpoint import Checkpoint
from backend.science.embeddings.embed import Plan, embed
from backend.science.embeddings.vectors import Embedding, open_embedding
from backend.science.stopping import Stop
from backend.science.transition.kept import asked_for, keep_marginal, kept_marginal
from backend.science.transition.marginal import Marginal
from backend.science.transition.model import TransitionModel
from backend.science.transition.parameters import NotConverged
from backend.science.transition.weights import link_weights, strengths_of

logger = logging.getLogger(__name__)

AT_ONCE = 500_000  # entities and edges that are worked off while somebody waits
TOLERANCE = 1e-9
KEPT_OPEN = 8
WEIGHTS = "weights"
Kind = Literal["transition", "embedding"]
Progress = Callable[[str, float], None]  # what is being done, and the share of it that is
Opened = TypeVar("Opened", Marginal, Embedding, Artefact)


class NotComputed(DomainError):
    """A large graph's artefact is not there yet."""

    code = "not_computed"
    status = HTTPStatus.CONFLICT


def silent(_doing: str, _share: float) -> None:
    """Nobody listens."""


def digest_of(parameters: Mapping[str, Any]) -> str:
    """Names the parameters in a folder's name."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:16]


def folder_of(snapshot: Snapshot, kind: str, parameters: Mapping[str, Any]) -> Path:
    name = f"{snapshot.path.name}.rns-{kind}-{digest_of(parameters)}"
    return snapshot.path.with_name(name)


def is_small(snapshot: Snapshot) -> bool:
    return snapshot.entity_count + snapshot.edge_count <= AT_ONCE


def require_small(snapshot: Snapshot, kind: Kind) -> None:
    if not is_small(snapshot):
        command = {"transition": "transition", "embedding": "embed"}[kind]
        raise NotComputed(
            f"This graph is large, and its {kind} is not there: it was not computed yet, or its "
            "files were damaged. An administrator or coordinator can start that, or "
            f"'manage.py {command}' does it.",
            data={"kind": kind, "command": f"manage.py {command} {snapshot.path.name}"},
        )


def marginal_folder(snapshot: Snapshot, options: Options) -> Path:
    return folder_of(snapshot, "marginal", {**options.of_walk(), "tolerance": TOLERANCE})


def open_marginal(snapshot: Snapshot, options: Options, stop: Stop | None = None) -> Marginal:
    """From the disk; else computed now if the graph is small. Raises NotComputed."""
    found = marginal_there(snapshot, options)
    if found is None:
        require_small(snapshot, "transition")
        compute_marginal(snapshot, options, stop=stop)
        found = marginal_there(snapshot, options)
    if found is None:
        raise ArtefactRefused(marginal_folder(snapshot, options), "it was removed meanwhile")
    return found


def marginal_there(snapshot: Snapshot, options: Options) -> Marginal | None:
    folder = marginal_folder(snapshot, options)
    return _if_whole(
        folder,
        _marginals,
        lambda: kept_marginal(
            folder,
            snapshot.id,
            options.walk(),
            entity_count=snapshot.entity_count,
            weights=weights_digest(snapshot, options),
        ),
    )


def compute_marginal(
    snapshot: Snapshot,
    options: Options,
    *,
    checkpoint: Path | None = None,
    progress: Progress = silent,
    stop: Stop | None = None,
) -> Path:
    """The same bytes for the same graph and options; what is there and whole is left alone.

    checkpoint: a folder for what is done, which goes once the marginal is there.
    """
    folder = marginal_folder(snapshot, options)
    if marginal_there(snapshot, options) is not None:
        return folder
    model = model_of(snapshot, options, stop)
    weights = weights_digest(snapshot, options)
    steps = checkpoint_of(checkpoint, snapshot, options, weights) if checkpoint else None
    try:
        found = model.marginal(
            tolerance=TOLERANCE,
            progress=lambda share: progress("solving for the marginal", share),
            stop=stop,
            checkpoint=steps,
        )
    except NotConverged as error:
        raise DomainError(str(error), code=error.code, data={"error": error.error}) from error
    keep_marginal(folder, snapshot.id, options.walk(), found, weights=weights)
    if steps is not None:
        steps.remove()
    return folder


def checkpoint_of(
    folder: Path, snapshot: Snapshot, options: Options, weights: str | None
) -> Checkpoint:
    """weights: a digest of the edges' weights, where they count."""
    told = {**asked_for(options.walk(), weights), "tolerance": TOLERANCE}
    return Checkpoint(folder, "marginal-checkpoint", snapshot.id, told)


def model_of(snapshot: Snapshot, options: Options, stop: Stop | None = None) -> TransitionModel:
    """Kept in this process: it takes 8 bytes and a look at the degree of each entity."""
    walk = options.walk(precision_for(snapshot.entity_count))
    forward, reverse = snapshot.forward, snapshot.reverse

    def make() -> TransitionModel:
        kept = open_weights(snapshot) if options.weighted else None
        weights = kept.arrays["weights"] if kept else None
        return TransitionModel.of(forward, reverse, walk, weights=weights, stop=stop)

    return _models.get((str(snapshot.path), walk), make)


def weights_digest(snapshot: Snapshot, options: Options) -> str | None:
    return open_weights(snapshot).digest if options.weighted else None


def open_weights(snapshot: Snapshot) -> Artefact:
    """One weight for each edge, from its score, p-value and level: in one pass, at any size."""
    folder = folder_of(snapshot, WEIGHTS, {})
    found = opened_artefact(folder, WEIGHTS, snapshot.id)
    if found is None:
        _write_weights(snapshot, folder)
        found = open_artefact(folder, kind=WEIGHTS, source=snapshot.id)
    return found


def _write_weights(snapshot: Snapshot, folder: Path) -> None:
    arrays = snapshot.arrays
    levels, names = arrays.get("edge.level"), texts_of(arrays, "levels")
    told = [name.decode(errors="replace") for name in names] if names is not None else []
    weights = link_weights(
        snapshot.forward.relations,
        scores=arrays.get("edge.score"),
        p_values=arrays.get("edge.p_value"),
        levels=levels,
        strengths=None if levels is None else strengths_of(told),
    )
    with writing(folder, WEIGHTS, snapshot.id, {}) as writer:
        writer.array("weights", np.asarray(weights))


def plan_of(method: Method) -> Plan:
    return Plan(method)


def vectors_folder(snapshot: Snapshot, method: Method) -> Path:
    return folder_of(snapshot, "embedding", asdict(plan_of(method)))


def open_vectors(snapshot: Snapshot, method: Method, stop: Stop | None = None) -> Embedding:
    """From the disk; else computed now if the graph is small. Raises NotComputed."""
    found = vectors_there(snapshot, method)
    if found is None:
        require_small(snapshot, "embedding")
        compute_vectors(snapshot, method, stop=stop)
        found = vectors_there(snapshot, method)
    if found is None:
        raise ArtefactRefused(vectors_folder(snapshot, method), "it was removed meanwhile")
    return found


def vectors_there(snapshot: Snapshot, method: Method) -> Embedding | None:
    folder = vectors_folder(snapshot, method)
    return _if_whole(folder, _embeddings, lambda: open_embedding(folder, source=snapshot.id))


def compute_vectors(
    snapshot: Snapshot,
    method: Method,
    *,
    checkpoint: Path | None = None,
    progress: Progress = silent,
    stop: Stop | None = None,
) -> Path:
    """The same bytes for the same graph and method; what is there and whole is left alone.

    checkpoint: a folder for what is done, which goes once the vectors are there.
    """
    folder = vectors_folder(snapshot, method)
    if vectors_there(snapshot, method) is not None:
        return folder
    try:
        embed(
            snapshot.forward,
            snapshot.reverse,
            snapshot.type_of,
            folder,
            plan_of(method),
            source=snapshot.id,
            checkpoint=checkpoint,
            progress=lambda doing, done, total: progress(
                doing, share_of(method, doing, done / max(total, 1))
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


def share_of(method: Method, doing: str, share: float) -> float:
    """A network begins where propagation ended, in about a tenth of its time."""
    if method == "propagation":
        return share
    return 0.1 + 0.9 * share if doing == "training" else 0.1 * share


def opened_artefact(folder: Path, kind: str, source: str) -> Artefact | None:
    """None where it is not there, damaged, or of something else."""

    def open_() -> Artefact:
        return open_artefact(folder, kind=kind, source=source)

    return _if_whole(folder, _artefacts, open_, kind, source)


def _if_whole(
    folder: Path, kept: Kept[Opened], open_: Callable[[], Opened], *also: str
) -> Opened | None:
    """None where it is not there, or damaged: it is then made anew.

    Checksums are read once by each process. also: what `open_` asks for besides.
    """
    try:
        state = (folder / MANIFEST).stat()
        return kept.get((str(folder), state.st_ino, state.st_mtime_ns, *also), open_)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ArtefactRefused as refused:
        logger.warning("%s It is computed again when it is asked for.", refused)
        return None


_models: Kept[TransitionModel] = Kept(KEPT_OPEN)
_marginals: Kept[Marginal] = Kept(KEPT_OPEN)
_embeddings: Kept[Embedding] = Kept(KEPT_OPEN)
_artefacts: Kept[Artefact] = Kept(KEPT_OPEN)
