"""Scores of ranked ids, as arrays: the places of the answers in each list."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.tracks.metrics import Floats
from backend.validation.row_files.number_lists import NumberLists

MOST_ANSWERS_OF_RECALL = 20
COMPONENTS = 6
HIT_1, HIT_5, RECALL_20, RECIPROCAL_PLACE, WITHIN_RECALL, ITEMS = range(COMPONENTS)


def number_texts(lists: Iterable[Sequence[int | str]]) -> Mapping[str, int]:
    """A negative number for each text."""
    ids = [*chain.from_iterable(lists)]
    if str not in set(map(type, ids)):
        return {}
    texts = dict.fromkeys(id_ for id_ in ids if isinstance(id_, str))
    return {text: -number for number, text in enumerate(texts, start=1)}


def to_arrays(lists: Sequence[Sequence[int | str]], texts: Mapping[str, int]) -> NumberLists:
    counts = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    ids: Iterator[Any] = chain.from_iterable(lists)
    ids = (texts[id_] if isinstance(id_, str) else id_ for id_ in ids) if texts else ids
    return NumberLists(counts, np.fromiter(ids, dtype=np.int64, count=int(counts.sum())))


def answer_arrays(lists: Sequence[Sequence[int | str]]) -> NumberLists:
    """As `to_arrays` with the numbers of its own texts; quicker for numbers alone."""
    ids = np.array([*chain.from_iterable(lists)])
    if ids.dtype != np.int64:
        return to_arrays(lists, number_texts(lists))
    return NumberLists(np.fromiter(map(len, lists), dtype=np.int64, count=len(lists)), ids)


def score_matrix(answers: NumberLists, ranked: NDArray[np.int64]) -> Floats:
    """The components of each row of a matrix of ids, which ends in fillers."""
    components = np.zeros((len(ranked), COMPONENTS))
    components[:, ITEMS] = 1
    components[:, WITHIN_RECALL] = answers.counts <= MOST_ANSWERS_OF_RECALL
    rows, places, weights = find_answers(answers, ranked)
    hit, at = np.unique(rows, return_index=True)
    first = places[at]
    is_within = places < 20
    within = np.bincount(rows[is_within], weights[is_within], minlength=len(ranked))
    components[hit, HIT_1] = first < 1
    components[hit, HIT_5] = first < 5
    components[:, RECALL_20] = components[:, WITHIN_RECALL] * within / answers.counts
    components[hit, RECIPROCAL_PLACE] = 1 / (first + 1)
    return components


def find_answers(
    answers: NumberLists, ranked: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Row and place of each answer that is listed, in order, and how often the row has it."""
    if not len(ranked):
        return (np.zeros(0, dtype=np.int64),) * 3
    starts = np.cumsum(answers.counts) - answers.counts
    low = np.minimum.reduceat(answers.ids, starts)[:, None]
    high = np.maximum.reduceat(answers.ids, starts)[:, None]
    has_one = bool((low == high).all())
    is_near = ranked == low if has_one else (ranked >= low) & (ranked <= high)
    rows, places = np.divmod(np.flatnonzero(is_near), ranked.shape[1])  # quicker than nonzero
    if has_one:
        return rows, places, answers.counts[rows]
    ids = ranked[rows, places]
    known, numbers = np.unique(answers.ids, return_inverse=True)
    pairs = np.repeat(np.arange(len(ranked)), answers.counts) * len(known) + numbers
    pairs, counts = np.unique(pairs, return_counts=True)
    numbers = np.searchsorted(known, ids)
    at = np.minimum(np.searchsorted(pairs, rows * len(known) + numbers), len(pairs) - 1)
    is_answer = (known[numbers] == ids) & (pairs[at] == rows * len(known) + numbers)
    return rows[is_answer], places[is_answer], counts[at[is_answer]]
