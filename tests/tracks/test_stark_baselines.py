"""Baselines of STaRK beside BM25 as its formula reads, and beside hand cases."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from backend.tracks.baseline_tasks import BaselineTask
from backend.tracks.stark_baselines import BASELINES, fuse_rankings
from backend.tracks.stark_rows import QueryAnswer, QueryItem, RankedPrediction
from tests.tracks.baseline_graphs import MemoryGraph

WORDS = ("migraine", "kinase", "asthma", "foxglove", "receptor", "blocks", "heart", "lung")
K1, B = 1.5, 0.75


def random_texts(seed: int, count: int = 30) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, size=int(rng.integers(0, 12)))) for _ in range(count)]


def naive_bm25(query: str, texts: Sequence[str]) -> list[float]:
    """Σ idf(w) · f / (f + k1 (1 - b + b |d| / mean)), idf = ln(1 + (N - n + ½) / (n + ½))."""
    documents = [text.split() for text in texts]
    mean = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        score = 0.0
        for word in query.split():
            n = sum(word in other for other in documents)
            idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
            f = document.count(word)
            score += idf * f / (f + K1 * (1 - B + B * len(document) / mean))
        scores.append(score)
    return scores


def predict(
    name: str, graph: MemoryGraph, queries: Sequence[str], seed: int = 0
) -> list[RankedPrediction]:
    items = [QueryItem(number, query) for number, query in enumerate(queries)]
    task = BaselineTask[QueryItem, QueryAnswer](items, items, [], [], graph, seed)
    return list(BASELINES[name](task))


@pytest.mark.parametrize("seed", range(8))
def test_bm25_ranks_as_its_formula_does(seed: int) -> None:
    texts = random_texts(seed)
    queries = ["migraine kinase", "foxglove", "heart lung receptor blocks"]
    for query, prediction in zip(
        queries, predict("bm25", MemoryGraph(30, documents=texts), queries), strict=True
    ):
        scores = naive_bm25(query, texts)
        ranked = [scores[int(entity)] for entity in prediction.pred_rank]
        assert ranked == pytest.approx(sorted((one for one in scores if one > 0), reverse=True))


def test_equal_texts_are_ordered_by_number_and_those_without_a_word_are_not_listed() -> None:
    texts = ["asthma drug", "heart drug", "The asthma drug", "asthma drug"]
    (prediction,) = predict("bm25", MemoryGraph(4, documents=texts), ["What is asthma?"])
    assert prediction.pred_rank == [0, 2, 3]


def test_a_query_without_a_known_word_lists_nothing() -> None:
    (prediction,) = predict("bm25", MemoryGraph(2, documents=["asthma", "heart"]), ["tsetse"])
    assert prediction.pred_rank == []


def test_vectors_are_ranked_by_their_cosine() -> None:
    vectors = np.array([[0, 1], [1, 0], [0.6, 0.8], [-1, 0]], np.float32)
    graph = MemoryGraph(4, vectors=vectors, queries=np.array([[1, 0]], np.float32))
    (prediction,) = predict("vectors", graph, ["?"])
    assert prediction.pred_rank == [1, 2]


def test_vss_ranks_by_the_whole_text_and_multi_vss_by_its_best_piece() -> None:
    vectors = np.array([[0.5, 0.5], [0.9, 0], [0.3, 0.4], [-1, 0]], np.float32)
    graph = MemoryGraph(4, vectors=vectors, queries=np.array([[1, 1]], np.float32))
    (whole,) = predict("vss", graph, ["?"])
    assert whole.pred_rank == [0, 1, 2]
    (pieces,) = predict("multi-vss", graph, ["?"])
    assert pieces.pred_rank == [1, 0, 2]


@pytest.mark.parametrize(
    ("name", "parts"),
    [("bm25-and-vectors", ("bm25", "vectors")), ("hybrid", ("bm25", "vss"))],
)
def test_a_fused_baseline_is_the_fusion_of_its_parts(name: str, parts: tuple[str, str]) -> None:
    texts = random_texts(1)
    vectors = np.random.default_rng(0).normal(size=(30, 4)).astype(np.float32)
    graph = MemoryGraph(30, documents=texts, vectors=vectors, queries=vectors[:1])
    lists = [np.array(predict(part, graph, ["heart lung"])[0].pred_rank) for part in parts]
    (prediction,) = predict(name, graph, ["heart lung"])
    assert prediction.pred_rank == fuse_rankings(lists).tolist()


def test_fusion_adds_reciprocal_places() -> None:
    fused = fuse_rankings([np.array([7, 3, 5]), np.array([5, 9, 7])])
    # 7: 1/61 + 1/63, 5: 1/63 + 1/61, 3 and 9: 1/62 each
    assert fused.tolist() == [5, 7, 3, 9]


def test_random_lists_depend_on_the_seed_alone_and_name_no_entity_twice() -> None:
    graph = MemoryGraph(150)
    first = predict("random", graph, ["a", "b"], seed=1)
    assert predict("random", graph, ["a", "b"], seed=1) == first
    assert predict("random", graph, ["a", "b"], seed=2) != first
    assert [len(set(one.pred_rank)) for one in first] == [100, 100]
