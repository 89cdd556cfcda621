"""Scored questions as arrays of an artefact, and back: of one chunk of work, or of a whole set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.serendipity.scoring import Scored
from backend.science.artefact import Artefact
from backend.science.rns.measures import Measured

Arrays = dict[str, NDArray[Any]]
Left = Mapping[str, str]  # the file's id of a question, and why it has no score


def packed(questions: Sequence[Scored], left_out: Left) -> tuple[Arrays, dict[str, Any]]:
    """Arrays, and facts about each question in the order given."""
    arrays: Arrays = {
        "order": _joined([np.array(one.order, np.int32) for one in questions], np.int32),
        "bars": _joined([_columns(one.bars) for one in questions], np.float64, 3),
        "sets": _joined([one.splits.splits.ravel() for one in questions], np.int16),
        "values": _joined([_columns(one.splits) for one in questions], np.float64, 3),
    }
    told = [
        {
            "id": one.file_id,
            "candidates": len(one.order),
            "size": one.size,
            "count": one.count,
            "exact": one.exact,
            "splits": len(one.splits.splits),
            "errors": [one.bars.error, one.splits.error],
            "best": list(one.best),
            "how": one.how,
            "evaluated": one.evaluated,
        }
        for one in questions
    ]
    return arrays, {"questions": told, "left_out": dict(left_out)}


def unpacked(artefact: Artefact, only: str | None = None) -> dict[str, Scored]:
    """By the file's id, in their order; or one of them alone, if it is there."""
    told, arrays = artefact.facts["questions"], artefact.arrays
    per_question = _borders([one["candidates"] for one in told])
    per_set = _borders([one["splits"] * one["size"] for one in told])
    per_split = _borders([one["splits"] for one in told])
    found = {}
    for one, some, sets, splits in zip(told, per_question, per_set, per_split, strict=True):
        if only is not None and one["id"] != only:
            continue
        count, errors = one["candidates"], one["errors"]
        singles = np.arange(count, dtype=np.int64)[:, None]
        chosen = arrays["sets"][sets].astype(np.int64).reshape(-1, one["size"])
        found[one["id"]] = Scored(
            one["id"],
            tuple(arrays["order"][some].tolist()),
            one["size"],
            one["count"],
            one["exact"],
            _measured(count, singles, arrays["bars"][some], errors[0]),
            _measured(count, chosen, arrays["values"][splits], errors[1]),
            tuple(one["best"]),
            one["how"],
            one["evaluated"],
        )
    return found


def _columns(measured: Measured) -> NDArray[np.float64]:
    return np.stack([measured.relevance, measured.mutual_information, measured.surprise], axis=1)


def _measured(
    count: int, splits: NDArray[np.int64], values: NDArray[np.float64], error: float
) -> Measured:
    relevance, information, surprise = (np.ascontiguousarray(values[:, n]) for n in range(3))
    return Measured(count, splits, relevance, information, surprise, error)


def _joined(
    parts: Sequence[NDArray[Any]], kind: type[np.generic], width: int | None = None
) -> NDArray[Any]:
    shape = (0,) if width is None else (0, width)
    return np.concatenate([np.empty(shape, kind), *parts]).astype(kind)


def _borders(counts: Sequence[int]) -> list[slice]:
    ends = np.concatenate([[0], np.cumsum(counts)]).astype(int).tolist()
    return [slice(first, last) for first, last in pairwise(ends)]
