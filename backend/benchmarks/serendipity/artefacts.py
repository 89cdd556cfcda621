"""What is computed once per snapshot, as folders beside it that go when it goes.

The name of a folder is that of the snapshot, then what it holds and a digest of how it was made:
whatever was made otherwise lies beside it. Small graphs are worked off where they are asked for;
of large ones a job or a command has to be asked first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.serendipity.kept import Kept
from backend.benchmarks.serendipity.options import Options, precision_for
from backend.common.errors import DomainError
from backend.graphs.snapshots.opening import Snapshot
from backend.science.artefact import Artefact, ArtefactRefused, open_artefact, write_artefact
from backend.science.stopping import Stop
from backend.science.transition.model import TransitionModel
from backend.science.transition.parameters import NotConverged

AT_ONCE = 500_000  # entities and edges that are worked off while somebody waits
TOLERANCE = 1e-9
KEPT_OPEN = 8
TRANSITION = "transition"
Kind = Literal["transition", "embedding"]
Progress = Callable[[str, float], None]  # what is being done, and the share of it that is


class NotComputed(DomainError):
    """A large graph's artefact is not there yet."""

    code = "not_computed"
    status = HTTPStatus.CONFLICT


@dataclass(frozen=True, slots=True)
class Marginal:
    """The chance of every entity [V], and a bound on its L1 error."""

    values: NDArray[np.float64]
    error: float


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
            f"This graph is large, and its {kind} has not been computed yet. An administrator or "
            f"coordinator can start that, or 'manage.py {command}' does it.",
            data={"kind": kind, "command": f"manage.py {command} {snapshot.path.name}"},
        )


def parameters_of_marginal(options: Options) -> dict[str, Any]:
    """All that the marginal depends on, besides the graph; rows' precision is not among it."""
    told = options.walk().as_json()
    del told["precision"]
    return {**told, "tolerance": TOLERANCE}


def marginal_folder(snapshot: Snapshot, options: Options) -> Path:
    return folder_of(snapshot, TRANSITION, parameters_of_marginal(options))


def open_marginal(snapshot: Snapshot, options: Options, stop: Stop | None = None) -> Marginal:
    """From the disk; else computed now if the graph is small. Raises NotComputed."""
    folder = marginal_folder(snapshot, options)
    found = opened(folder, TRANSITION, snapshot)
    if found is None:
        require_small(snapshot, "transition")
        compute_marginal(snapshot, options, stop=stop)
        found = opened_or_raise(folder, TRANSITION, snapshot)
    return Marginal(found.arrays["marginal"], float(found.facts["error"]))


def compute_marginal(
    snapshot: Snapshot, options: Options, *, progress: Progress = silent, stop: Stop | None = None
) -> Path:
    """The same bytes for the same graph and options; what is there and whole is left alone."""
    folder = marginal_folder(snapshot, options)
    if opened(folder, TRANSITION, snapshot) is not None:
        return folder
    model = model_of(snapshot, options, stop)
    try:
        found = model.marginal(
            tolerance=TOLERANCE,
            progress=lambda share: progress("solving for the marginal", share),
            stop=stop,
        )
    except NotConverged as error:
        raise DomainError(str(error), code=error.code, data={"error": error.error}) from error
    facts = {"error": found.error, "method": found.method, "products": found.products}
    parameters, arrays = parameters_of_marginal(options), {"marginal": found.values}
    write_artefact(folder, TRANSITION, snapshot.id, parameters, arrays, facts)
    return folder


def model_of(snapshot: Snapshot, options: Options, stop: Stop | None = None) -> TransitionModel:
    """Kept in this process: it takes 8 bytes and a look at the degree of each entity."""
    walk = options.walk(precision_for(snapshot.entity_count))
    return _models.get(
        (str(snapshot.path), walk),
        lambda: TransitionModel.of(snapshot.forward, snapshot.reverse, walk, stop=stop),
    )


def opened(folder: Path, kind: str, snapshot: Snapshot) -> Artefact | None:
    """None where it is not there, or not whole: it is then made anew."""
    try:
        return opened_or_raise(folder, kind, snapshot)
    except ArtefactRefused:
        return None


def opened_or_raise(folder: Path, kind: str, snapshot: Snapshot) -> Artefact:
    """Checksums are read once by each process."""
    try:
        state = (folder / "manifest.json").stat()
    except OSError as error:
        raise ArtefactRefused(folder, "it is missing") from error
    return _artefacts.get(
        (str(folder), state.st_ino, state.st_mtime_ns),
        lambda: open_artefact(folder, kind=kind, source=snapshot.id),
    )


_models: Kept[TransitionModel] = Kept(KEPT_OPEN)
_artefacts: Kept[Artefact] = Kept(KEPT_OPEN)
