"""Edges of an entity by the year in which they were first seen."""

from typing import Any

import numpy as np

from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.format import string_array
from backend.graphs.snapshots.snapshot import Snapshot


def history_payload(snapshot: Snapshot, number: int) -> dict[str, Any]:
    """An edge of the entity with itself counts once."""
    sides = [snapshot.row(number, outgoing=way).edge_ids() for way in (True, False)]
    edges = np.unique(np.concatenate(sides))
    dates = get_edge_dates(snapshot)
    if dates is None or dates.unit != "year":
        return {"years": [], "undated": len(edges)}
    years = dates.values[edges]
    codes = snapshot.arrays.get("edge.date_source")
    sources = np.zeros(len(edges), np.int64) if codes is None else codes[edges].astype(np.int64)
    texts = string_array(snapshot.arrays, "date_sources")
    names = [] if texts is None else [texts[at].decode() for at in range(len(texts))]
    pairs, counts = np.unique(
        np.column_stack([years, sources])[years > 0], axis=0, return_counts=True
    )
    return {
        "years": [
            {
                "year": year,
                "source": names[source] if names else "",
                "count": count,
            }
            for (year, source), count in zip(pairs.tolist(), counts.tolist(), strict=True)
        ],
        "undated": int((years == 0).sum()),
    }
