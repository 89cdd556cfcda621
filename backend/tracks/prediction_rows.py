"""The predictions of a stored file as objects, for what is read of them besides their scores."""

from typing import BinaryIO

import numpy as np

from backend.tracks.base import Track
from backend.tracks.item_table import Answer, Item, ItemTable, Prediction
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import read_rows


def read_prediction_rows(
    track: Track[Item, Answer, Prediction], file: BinaryIO, name: str, items: ItemTable[Item]
) -> list[Prediction | None]:
    """Normalized, one for each item, None where there is none.

    The file was accepted before. As when it is scored again, rows of items that were withdrawn
    since, and those that the track refuses now, are left out.
    """
    predictions: list[Prediction | None] = [None] * len(items.items)
    find = items.positions.get
    for rows in read_rows(file, name, track.prediction_rows, RowFaultList()):
        places = [find(track.key(row), -1) for row in rows.values]
        known = [
            (at, row)
            for at, row in zip(places, rows.values, strict=True)
            if at >= 0 and predictions[at] is None
        ]
        values = [row for _, row in known]
        positions = np.fromiter((at for at, _ in known), dtype=np.int64, count=len(known))
        refused = {index for index, _ in track.find_faults(items, positions, values)}
        accepted = [pair for index, pair in enumerate(known) if index not in refused]
        normal = track.normalize([row for _, row in accepted])
        for (at, _), one in zip(accepted, normal, strict=True):
            predictions[at] = one
    return predictions
