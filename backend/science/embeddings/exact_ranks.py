"""The exact rank of an answer among all entities, of scores that are products of vectors.

    score(i, v) = q_i · e_v + b_v,     rank_i = 1 + |{v : score(i, v) > score(i, answer_i)}|

over all entities v but the other known answers of the query (filtered; Bordes et al., 2013). With
ties a rank is a span from best to worst, and its middle is the mid-rank. Ranks are those of float64
scores, summed in the order of the dimensions: blocks of float32 products decide all entities whose
distance from the answer exceeds the rounding error, and the few others are scored again. Memory is
that of a block, whatever the numbers of queries and entities; the vectors may be a memory map.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import core_count, parts_between, run_in_threads

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
QUERY_BLOCK, ENTITY_BLOCK = 1_024, 4_096
ROUNDING = 2.0**-24  # of float32, relative


class Known(NamedTuple):
    """Query i has the known answers entities[starts[i]] up to entities[ends[i]], each once."""

    starts: Longs
    ends: Longs
    entities: Longs

    @classmethod
    def of_keys(cls, queries: Longs, keys: Longs, entities: Longs) -> Known:
        """Of each query's key, those that stand beside it; repeated ones count once."""
        order = np.lexsort((entities, keys))
        keys, entities = keys[order], entities[order]
        is_first = np.ones(len(keys), dtype=np.bool_)
        is_first[1:] = (keys[1:] != keys[:-1]) | (entities[1:] != entities[:-1])
        keys = keys[is_first]
        starts, ends = (np.searchsorted(keys, queries, side) for side in ("left", "right"))
        return cls(starts, ends, entities[is_first].astype(np.int64))


@dataclass(frozen=True, slots=True)
class RankSpans:
    """int64 [n] each: first and last rank of the answer among its ties, and how many entities it
    is ranked with, itself included."""

    best: Longs
    worst: Longs
    candidates: Longs

    @property
    def middle(self) -> Floats:
        return (self.best + self.worst) / 2


@dataclass(frozen=True, slots=True)
class RankSummary:
    """Of n mid-ranks r: the mean of 1 ÷ r, the share at most 1, 3 and 10, and 1 - (mean r - 1) ÷
    (mean of its expectation by chance - 1), which depends on no number of entities (Berrendorf et
    al., 2020). low, high: the mean of 1 ÷ r if ties come before the answer, or after it. None
    without ranks; the adjusted one also where nothing is ranked with any answer."""

    n: int
    mrr: float | None = None
    low: float | None = None
    high: float | None = None
    hit1: float | None = None
    hit3: float | None = None
    hit10: float | None = None
    adjusted_mean_rank: float | None = None

    @classmethod
    def of(cls, spans: RankSpans) -> RankSummary:
        middle, n = spans.middle, len(spans.best)
        if n == 0:
            return cls(0)
        by_chance = float((spans.candidates - 1).mean()) / 2
        return cls(
            n,
            mrr=float((1 / middle).mean()),
            low=float((1 / spans.worst).mean()),
            high=float((1 / spans.best).mean()),
            hit1=float((middle <= 1).mean()),
            hit3=float((middle <= 3).mean()),
            hit10=float((middle <= 10).mean()),
            adjusted_mean_rank=1 - float((middle - 1).mean()) / by_chance if by_chance else None,
        )


def exact_ranks(
    queries: Vectors,
    answers: Longs,
    known: Known,
    vectors: Vectors,
    biases: Floats | None = None,
    *,
    stop: CancellationToken | None = None,
) -> RankSpans:
    """Of n queries [n, d] with an answer each among the entities [V, d] with biases [V].

    known: entities that are not ranked; the answer is ranked even if it is one of them. Raises
    ValueError for other shapes or numbers that are not finite, IndexError for unknown entities,
    Cancelled.
    """
    count, shape = len(vectors), (len(answers), vectors.shape[1])
    if queries.shape != shape or len(known.starts) != len(answers):
        raise ValueError("each query has a vector of the entities' width, an answer and its known")
    for numbers in (answers, known.entities):
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < count:
            raise IndexError(f"entities are numbered from 0 to {count - 1}")
    biases = np.zeros(count) if biases is None else biases
    work = RankWork(np.ascontiguousarray(queries, np.float32), answers, known, vectors, biases)
    for first in range(0, count, ENTITY_BLOCK):
        work.count_block(first, min(first + ENTITY_BLOCK, count), stop)
    return work.finish()


class RankWork:
    """Counts of the entities above each answer, and of those equal to it, itself included."""

    def __init__(
        self, queries: Vectors, answers: Longs, known: Known, vectors: Vectors, biases: Floats
    ) -> None:
        self.queries, self.answers, self.known = queries, answers, known
        self.vectors, self.biases = vectors, biases
        self.lengths = row_lengths(queries)
        if not (np.isfinite(self.lengths).all() and np.isfinite(biases).all()):
            raise ValueError("vectors and biases must be finite")
        self.scores = np.empty(len(answers))
        score_answers(queries, vectors, biases, answers, self.scores)
        self.above, self.equal = (np.zeros(len(answers), np.int64) for _ in range(2))
        self.product = np.empty((min(QUERY_BLOCK, max(len(answers), 1)), ENTITY_BLOCK), np.float32)

    def count_block(self, first: int, last: int, stop: CancellationToken | None) -> None:
        """Add the entities first to last to the counts of all queries."""
        part, biases = np.ascontiguousarray(self.vectors[first:last]), self.biases[first:last]
        longest = float(row_lengths(part).max())
        if not np.isfinite(longest):
            raise ValueError("vectors and biases must be finite")
        error = self.lengths * longest + float(np.abs(biases).max())
        slack = ROUNDING * (part.shape[1] + 4) * error
        low = np.nextafter((self.scores - slack).astype(np.float32), np.float32(-np.inf))
        high = np.nextafter((self.scores + slack).astype(np.float32), np.float32(np.inf))
        added = biases.astype(np.float32)
        for start in range(0, len(self.queries), QUERY_BLOCK):
            end = min(start + QUERY_BLOCK, len(self.queries))
            product = self.product[: end - start, : last - first]
            np.matmul(self.queries[start:end], part.T, out=product)

            def count(one: int, other: int, start: int = start, scores: Vectors = product) -> None:
                at = slice(start + one, start + other)
                count_around(
                    *(scores[one:other], added, low[at], high[at], self.queries[at], part),
                    *(biases, self.scores[at], self.above[at], self.equal[at]),
                )

            run_in_threads(count, parts_of(end - start), stop)

    def finish(self) -> RankSpans:
        left_out = np.zeros(len(self.answers), np.int64)
        subtract_known(
            *(self.queries, self.vectors, self.biases, self.answers, *self.known),
            *(self.scores, self.above, self.equal, left_out),
        )
        best = self.above + 1
        return RankSpans(best, self.above + self.equal, len(self.vectors) - left_out)


def row_lengths(rows: Vectors) -> Floats:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64)))


def parts_of(count: int) -> list[tuple[int, int]]:
    """One for each core: rows are independent, and smaller parts would cost more than they save."""
    return parts_between(np.linspace(0, count, core_count() + 1).astype(int).tolist())


@jit_compile
def exact_score(query: Vectors, entity: Vectors, bias: float) -> float:
    total = bias
    for at in range(len(query)):
        total += np.float64(query[at]) * np.float64(entity[at])
    return total


@jit_compile
def score_answers(
    queries: Vectors, vectors: Vectors, biases: Floats, answers: Longs, out: Floats
) -> None:
    for at in range(len(answers)):
        entity = answers[at]
        out[at] = exact_score(queries[at], vectors[entity], biases[entity])


@jit_compile
def count_around(
    scores: Vectors,
    added: Vectors,
    low: Vectors,
    high: Vectors,
    queries: Vectors,
    vectors: Vectors,
    biases: Floats,
    exact: Floats,
    above: Longs,
    equal: Longs,
) -> None:
    """The first loop of a query has no branch; the second, rare one scores those between again."""
    for row in range(len(scores)):
        line, least, most = scores[row], low[row], high[row]
        over, near = np.int32(0), np.int32(0)
        for at in range(len(added)):
            score = line[at] + added[at]
            over += np.int32(score > most)
            near += np.int32(score >= least)
        above[row] += over
        if near > over:
            for at in range(len(added)):
                score = line[at] + added[at]
                if least <= score <= most:
                    value = exact_score(queries[row], vectors[at], biases[at])
                    above[row] += value > exact[row]
                    equal[row] += value == exact[row]


@jit_compile
def subtract_known(
    queries: Vectors,
    vectors: Vectors,
    biases: Floats,
    answers: Longs,
    starts: Longs,
    ends: Longs,
    entities: Longs,
    exact: Floats,
    above: Longs,
    equal: Longs,
    left_out: Longs,
) -> None:
    for row in range(len(answers)):
        for place in range(starts[row], ends[row]):
            entity = entities[place]
            if entity != answers[row]:
                value = exact_score(queries[row], vectors[entity], biases[entity])
                above[row] -= value > exact[row]
                equal[row] -= value == exact[row]
                left_out[row] += 1
