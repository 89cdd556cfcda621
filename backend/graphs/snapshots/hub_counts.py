"""Stored entry counts per relation of high-degree entities."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.format import MIN_HUB_DEGREE
from backend.graphs.snapshots.node_builder import Numbering
from backend.graphs.snapshots.string_array import offsets_from_lengths
from backend.runtime.array_store.array_files import map_array
from backend.runtime.array_store.memory_map import release_pages
from backend.runtime.array_store.raw_folder import RawFolderWriter
from backend.science.adjacency import count_relations

MAX_CELLS = 1 << 22
Offsets = Mapping[str, NDArray[np.int64]]


def write_hubs(
    writer: RawFolderWriter,
    folder: Path,
    out_degree: NDArray[np.int64],
    in_degree: NDArray[np.int64],
    numbering: Numbering,
    relations: int,
) -> None:
    """Entities are numbered by descending degree, so the hubs come first."""
    hubs = int(np.count_nonzero(out_degree + in_degree > MIN_HUB_DEGREE))
    first = numbering.order[:hubs]
    bounds = {"reverse": in_degree[first], "forward": out_degree[first]}
    write_counts(
        writer,
        folder,
        {side: offsets_from_lengths(degrees) for side, degrees in bounds.items()},
        relations,
    )


def write_counts(writer: RawFolderWriter, folder: Path, offsets: Offsets, relations: int) -> None:
    """For each hub its relations, incoming before outgoing, with their counts, as a sparse table.

    offsets: of the first entries of either side, one for each hub and one more.
    """
    sides = []
    for name in ("reverse", "forward"):
        codes = map_array(folder / f"{name}.relations", writer.files[f"{name}.relations"])
        sides.append((offsets[name], codes))
    hubs = len(offsets["forward"]) - 1
    step = max(1, MAX_CELLS // max(2 * relations, 1))
    sizes = [append_counts(writer, np.empty((0, 2, relations), np.int64))]
    for first in range(0, hubs, step):
        counts = np.zeros((min(step, hubs - first), 2, relations), np.int64)
        for way, (bounds, codes) in enumerate(sides):
            count_relations(bounds[first : first + len(counts) + 1], codes, counts[:, way])
        sizes.append(append_counts(writer, counts))
    for _, codes in sides:
        release_pages(codes)
    writer.append("hubs.offsets", offsets_from_lengths(np.concatenate(sizes)))
    writer.finish()


def append_counts(writer: RawFolderWriter, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Write the nonzero elements of counts [hubs, ways, relations]; return their number per hub."""
    hub, way, relation = np.nonzero(counts)
    writer.append("hubs.relations", relation)
    writer.append("hubs.outgoing", way)
    writer.append("hubs.counts", counts[hub, way, relation])
    return np.bincount(hub, minlength=len(counts))
