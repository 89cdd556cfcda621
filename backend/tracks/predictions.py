"""Checks a file of predictions against the items of a release, digests it and scores it."""

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any, BinaryIO

from backend.tracks.base import Track
from backend.tracks.item_table import Answer, Item, ItemTable, Prediction
from backend.tracks.prediction_check import (
    UNKNOWN_ITEM,
    CheckedPredictions,
    Execute,
    PredictionCheck,
)
from backend.tracks.prediction_digests import CanonicalRows, OrderedRows, RowDigest, RowsOutOfOrder
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.limits import MEGABYTE, ReadLimits
from backend.validation.row_files.reader import read_rows


def check_predictions(
    track: Track[Item, Answer, Prediction],
    file: BinaryIO,
    name: str,
    items: ItemTable[Item],
    *,
    answers: Sequence[Answer] | None = None,
    limits: ReadLimits | None = None,
    is_rescored: bool = False,
    execute: Execute | None = None,
) -> CheckedPredictions:
    """Read the file in bounded memory: every fault, the digest and, with answers, the scores.

    Where reading costs more than scoring, the file is first read in the hope that its rows are in
    the order of the items: then no copy of them is needed. At the first that is not, it is read
    again from its beginning.

    The name states format and compression.
    execute: runs the queries of predictions before they are scored.
    is_rescored: the file was accepted before. Rows that are not accepted any more count as missing:
        of items that were withdrawn since, or refused by a later version of the track.
    """
    if is_rescored:
        limits = limits or ReadLimits()
        limits = replace(limits, faults=limits.rows + 1)

    def check_rows(canonical: RowDigest) -> CheckedPredictions:
        check = PredictionCheck(
            track, items, answers, canonical, is_rescored=is_rescored, execute=execute
        )
        with closing(read_rows(file, name, track.prediction_rows, check.faults, limits)) as batches:
            for rows in batches:
                check.add(rows)
        return check.finish()

    if track.list_scoring is not None and execute is None and file.seekable():
        start = file.tell()
        with suppress(RowsOutOfOrder):
            return check_rows(OrderedRows())
        file.seek(start)
    with tempfile.SpooledTemporaryFile(max_size=MEGABYTE) as spool:
        return check_rows(CanonicalRows(spool, len(items.items)))


def name_other_split(
    track: Track[Item, Any, Any],
    faults: RowFaultList,
    others: Iterable[tuple[str, Sequence[Item]]],
) -> None:
    """Let a fault of an unknown item name the split that has it.

    others: the other splits with their items; they are read only if there is such a fault.
    """
    unknown = {one.item for one in faults.listed if one.code == UNKNOWN_ITEM}
    if not unknown:
        return
    splits = {track.key_text(item): split for split, items in others for item in items}
    faults.listed = [
        replace(one, message=f"This item is in the {splits[one.item]} split.")
        if one.code == UNKNOWN_ITEM and one.item in splits
        else one
        for one in faults.listed
    ]
