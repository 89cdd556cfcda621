"""The marginal of a graph as a stored artifact, memory-mapped by its readers."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from backend.runtime.array_store.artifacts import (
    MANIFEST,
    Artifact,
    open_artifact,
    write_artifact,
)
from backend.runtime.array_store.errors import InvalidArrayStore
from backend.science.transition.marginal import Marginal
from backend.science.transition.parameters import Parameters

KIND = "marginal"


def marginal_parameters(parameters: Parameters, weights: str | None) -> dict[str, Any]:
    """What a marginal depends on: the edge weights, but not the precision of whole rows."""
    body = asdict(parameters)
    del body["precision"]
    return {**body, "weights": weights}


def save_marginal(
    into: Path,
    source: str,
    parameters: Parameters,
    out: Marginal,
    *,
    weights: str | None = None,
) -> Artifact:
    """source: a digest of the graph; weights: a digest of its edge weights, if they count."""
    facts = {"error": out.error, "method": out.method, "products": out.products}
    stored_parameters = marginal_parameters(parameters, weights)
    return write_artifact(into, KIND, source, stored_parameters, {"values": out.values}, facts)


def load_marginal(
    path: Path,
    source: str,
    parameters: Parameters,
    *,
    entity_count: int,
    weights: str | None = None,
    checksums: bool = True,
) -> Marginal:
    """The stored marginal, memory-mapped. Raises InvalidArrayStore for one of other parameters."""
    stored_parameters = marginal_parameters(parameters, weights)
    artifact = open_artifact(
        path, kind=KIND, source=source, parameters=stored_parameters, checksums=checksums
    )
    values = artifact.arrays.get("values", np.empty(0))
    if values.shape != (entity_count,) or values.dtype != np.float64:
        raise InvalidArrayStore(path / MANIFEST, f"it is not of {entity_count:,} entities")
    facts = artifact.facts
    return Marginal(values, facts["error"], facts["method"], facts["products"])
