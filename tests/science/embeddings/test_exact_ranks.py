"""Exact filtered ranks beside loops over all entities in Python."""

from itertools import product

import numpy as np
import pytest

from backend.science.embeddings import exact_ranks as module
from backend.science.embeddings.exact_ranks import Known, RankSpans, RankSummary, exact_ranks
from backend.science.embeddings.triple_models import (
    TRIPLE_MODELS,
    AdagradTable,
    Triples,
    TripleVectors,
)
from backend.science.embeddings.triple_ranks import rank_triples

NOTHING = np.empty(0, np.int64)


def spans_by_loops(
    scores: np.ndarray, answers: np.ndarray, known: list[set[int]]
) -> list[tuple[int, int, int]]:
    """scores [n, V]; known answers are not ranked, but for the answer itself."""
    result = []
    for line, answer, left_out in zip(scores, answers.tolist(), known, strict=True):
        ranked = [v for v in range(len(line)) if v == answer or v not in left_out]
        above = sum(line[v] > line[answer] for v in ranked)
        equal = sum(line[v] == line[answer] for v in ranked)
        result.append((above + 1, above + equal, len(ranked)))
    return result


def rows_of(spans: RankSpans) -> list[tuple[int, int, int]]:
    columns = (spans.best.tolist(), spans.worst.tolist(), spans.candidates.tolist())
    return [*zip(*columns, strict=True)]


@pytest.mark.parametrize("blocks", [(1_024, 4_096), (7, 50)])
def test_ranks_with_many_ties_are_those_of_loops(
    blocks: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small whole numbers have exact products; some biases differ by less than float32 has."""
    monkeypatch.setattr(module, "QUERY_BLOCK", blocks[0])
    monkeypatch.setattr(module, "ENTITY_BLOCK", blocks[1])
    rng = np.random.default_rng(3)
    vectors = rng.integers(-2, 3, (203, 4)).astype(np.float32)
    queries = rng.integers(-2, 3, (31, 4)).astype(np.float32)
    biases = rng.integers(0, 3, 203) + rng.integers(0, 2, 203) * 2.0**-30
    answers = rng.integers(0, 203, 31)
    known = [set(rng.integers(0, 203, 9).tolist()) | {answer} for answer in answers[:20].tolist()]
    known += [set() for _ in range(11)]
    pairs = np.array([(at, v) for at, left_out in enumerate(known) for v in left_out])
    repeated = np.concatenate([pairs, pairs[::3]])
    filtered = Known.of_keys(np.arange(31), repeated[:, 0], repeated[:, 1])
    scores = queries.astype(np.float64) @ vectors.T.astype(np.float64) + biases
    result = exact_ranks(queries, answers, filtered, vectors, biases)
    expected = spans_by_loops(scores, answers, known)
    assert rows_of(result) == expected
    assert sum(worst > best for best, worst, _ in expected) > 5


@pytest.mark.parametrize("name", sorted(TRIPLE_MODELS))
def test_both_ends_of_triples_are_ranked_by_the_score_of_the_model(name: str) -> None:
    rng = np.random.default_rng(4)
    tables = [AdagradTable(rng.normal(size=(n, 8)).astype(np.float32)) for n in (90, 3)]
    vectors = TripleVectors(TRIPLE_MODELS[name], *tables)
    drawn = np.stack([rng.integers(0, one, 400) for one in (90, 3, 90)], axis=1)
    known = set(map(tuple, drawn.tolist()))
    triples, every = (Triples(*drawn[:count].T) for count in (25, 400))
    exact = TripleVectors(
        vectors.model, *(AdagradTable(one.values.astype(np.float64)) for one in tables)
    )

    def scores_of(rows: list[tuple[int, int, int]]) -> np.ndarray:
        return exact.scores(Triples(*np.array(rows).T)).reshape(25, 90)

    tested = [*map(tuple, drawn[:25].tolist())]
    tails = scores_of([(h, r, v) for (h, r, _), v in product(tested, range(90))])
    heads = scores_of([(v, r, t) for (_, r, t), v in product(tested, range(90))])
    known_tails = [{v for v in range(90) if (h, r, v) in known} for h, r, _ in tested]
    known_heads = [{v for v in range(90) if (v, r, t) in known} for _, r, t in tested]
    expected = spans_by_loops(tails, drawn[:25, 2], known_tails)
    expected += spans_by_loops(heads, drawn[:25, 0], known_heads)
    assert rows_of(rank_triples(vectors, triples, every)) == expected


def test_a_summary_has_mid_ranks_the_span_of_ties_and_what_chance_expects() -> None:
    spans = RankSpans(np.array([1, 1, 4]), np.array([1, 3, 4]), np.array([11, 11, 11]))
    result = RankSummary.of(spans)
    assert result.n == 3
    assert result.mrr == pytest.approx((1 + 1 / 2 + 1 / 4) / 3)
    assert (result.low, result.high) == pytest.approx(
        ((1 + 1 / 3 + 1 / 4) / 3, (1 + 1 + 1 / 4) / 3)
    )
    assert (result.hit1, result.hit3, result.hit10) == pytest.approx((1 / 3, 2 / 3, 1))
    assert result.adjusted_mean_rank == pytest.approx(1 - (4 / 3) / 5)
    nobody = np.zeros(2, np.int64)
    constant = exact_ranks(
        np.ones((2, 3), np.float32),
        np.array([0, 8]),
        Known(nobody, nobody, NOTHING),
        np.ones((9, 3), np.float32),
    )
    assert RankSummary.of(constant).adjusted_mean_rank == 0
    assert RankSummary.of(RankSpans(NOTHING, NOTHING, NOTHING)).mrr is None


def test_numbers_that_are_not_finite_and_unknown_entities_are_rejected() -> None:
    vectors, known = np.ones((5, 2), np.float32), Known(np.zeros(1, int), np.zeros(1, int), NOTHING)
    broken = vectors.copy()
    broken[3, 1] = np.nan
    with pytest.raises(ValueError, match="finite"):
        exact_ranks(vectors[:1], np.array([0]), known, broken)
    with pytest.raises(IndexError, match="0 to 4"):
        exact_ranks(vectors[:1], np.array([5]), known, vectors)
    with pytest.raises(ValueError, match="width"):
        exact_ranks(vectors[:2], np.array([0]), known, vectors)
