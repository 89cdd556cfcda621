"""The marginal of a graph as an artefact: found once, mapped by whoever needs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from backend.science.artefact import (
    MANIFEST,
    Artefact,
    ArtefactRefused,
    open_artefact,
    write_artefact,
)
from backend.science.transition.marginal import Marginal
from backend.science.transition.parameters import Parameters

KIND = "marginal"


def asked_for(parameters: Parameters, weights: str | None) -> dict[str, Any]:
    """What a marginal depends on: not on the precision of whole rows, but on the weights."""
    told = parameters.as_json()
    del told["precision"]
    return {**told, "weights": weights}


def keep_marginal(
    into: Path,
    source: str,
    parameters: Parameters,
    found: Marginal,
    *,
    weights: str | None = None,
) -> Artefact:
    """source: a digest of the graph; weights: one of its edges' weights, where they count."""
    facts = {"error": found.error, "method": found.method, "products": found.products}
    told = asked_for(parameters, weights)
    return write_artefact(into, KIND, source, told, {"values": found.values}, facts)


def kept_marginal(
    path: Path,
    source: str,
    parameters: Parameters,
    *,
    entity_count: int,
    weights: str | None = None,
    checksums: bool = True,
) -> Marginal:
    """The marginal that is kept there, memory-mapped. Raises ArtefactRefused for another one."""
    told = asked_for(parameters, weights)
    kept = open_artefact(path, kind=KIND, source=source, parameters=told, checksums=checksums)
    values = kept.arrays.get("values", np.empty(0))
    if values.shape != (entity_count,) or values.dtype != np.float64:
        raise ArtefactRefused(path / MANIFEST, f"it is not of {entity_count:,} entities")
    facts = kept.facts
    return Marginal(values, facts["error"], facts["method"], facts["products"])
