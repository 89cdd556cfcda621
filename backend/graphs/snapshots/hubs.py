"""Counts per relation of entities with very many entries, so that none of them is counted anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.format import HUB
from backend.graphs.snapshots.mapping import map_array, release
from backend.graphs.snapshots.nodes import Numbering
from backend.graphs.snapshots.strings import starts_of
from backend.graphs.snapshots.writing import FolderWriter
from backend.science.pages import count_relations

CELLS = 1 << 22


def write_hubs(
    writer: FolderWriter,
    folder: Path,
    out_degree: NDArray[np.int64],
    in_degree: NDArray[np.int64],
    numbering: Numbering,
    relations: int,
) -> None:
    """For each hub its relations, outgoing ones last, with their counts: a sparse table.

    Entities are numbered by falling degree, so the hubs are the first ones.
    """
    hubs = int(np.count_nonzero(out_degree + in_degree > HUB))
    sides = []
    for name, degree in (("reverse", in_degree), ("forward", out_degree)):
        codes = map_array(folder / f"{name}.relations", writer.files[f"{name}.relations"])
        sides.append((starts_of(degree[numbering.order[:hubs]]), codes))
    step = max(1, CELLS // max(2 * relations, 1))
    sizes = [append_counts(writer, np.empty((0, 2, relations), np.int64))]
    for first in range(0, hubs, step):
        counts = np.zeros((min(step, hubs - first), 2, relations), np.int64)
        for way, (bounds, codes) in enumerate(sides):
            count_relations(bounds[first : first + len(counts) + 1], codes, counts[:, way])
        sizes.append(append_counts(writer, counts))
    for _, codes in sides:
        release(codes)
    writer.append("hubs.offsets", starts_of(np.concatenate(sizes)))
    writer.finish()


def append_counts(writer: FolderWriter, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Write what is not zero in counts [hubs, ways, relations]; how many that is for each hub."""
    hub, way, relation = np.nonzero(counts)
    writer.append("hubs.relations", relation)
    writer.append("hubs.outgoing", way)
    writer.append("hubs.counts", counts[hub, way, relation])
    return np.bincount(hub, minlength=len(counts))
