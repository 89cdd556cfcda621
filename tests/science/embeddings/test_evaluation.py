"""Selection and scoring of held-out links, for good and bad embeddings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from backend.runtime.array_store.artifacts import (
    open_artifact,
)
from backend.runtime.array_store.errors import InvalidArrayStore
from backend.science.embeddings.embed import EmbeddingPlan, compute_embedding
from backend.science.embeddings.embedding_store import open_embedding
from backend.science.embeddings.evaluation import (
    LinkTrial,
    compute_auc,
    distances,
    draw_trial,
    evaluate,
)
from backend.science.embeddings.holdout import hold_out_edges
from backend.science.embeddings.link_ranks import rank_held_out
from backend.science.embeddings.undirected_graph import undirected_graph
from tests.science.embeddings.graphs import matrix, planted, random_multigraph
from tests.science.multigraphs import Multigraph

GRAPH = planted(5)


def trial(graph: Multigraph, seed: int = 0, share: float = 0.1) -> LinkTrial:
    held_out = hold_out_edges(*graph.sides(), seed=seed, share=share)
    observed = undirected_graph(*graph.sides(), without=held_out)
    return draw_trial(*graph.sides(), graph.types_of(), observed, held_out, seed=seed)


def hub_graph(seed: int, count: int = 600, edges: int = 5000) -> Multigraph:
    """Links fall on an entity in proportion to its weight, and to nothing else."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, count + 1) ** 0.8
    ends = rng.choice(count, (edges, 2), p=weights / weights.sum())
    triples = tuple(sorted((int(a), 0, int(b)) for a, b in ends if a != b))
    return Multigraph(tuple(np.zeros(count, int).tolist()), (False,), triples)


@pytest.mark.parametrize("seed", range(5))
def test_held_out_pairs_are_linked_complete_and_leave_every_entity_a_link(seed: int) -> None:
    graph = random_multigraph(seed)
    pairs = hold_out_edges(*graph.sides(), seed=seed, share=0.3)
    before, after = matrix(graph), matrix(graph, pairs)
    assert 20 < len(pairs) <= 0.3 * len(graph.edges)
    assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs)
    for one, other in pairs:
        assert one != other and before[one, other] > 0 and after[one, other] == 0
    for one in (before, after):
        np.fill_diagonal(one, 0)
    assert np.array_equal(before.any(axis=1), after.any(axis=1))


def test_no_pair_is_held_out_of_a_tree() -> None:
    star = Multigraph((0,) * 5, (False,), tuple((0, 0, leaf) for leaf in range(1, 5)))
    assert len(hold_out_edges(*star.sides(), seed=1, share=1)) == 0


def test_a_share_outside_0_to_1_is_rejected() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        hold_out_edges(*GRAPH.sides(), seed=1, share=1.1)
    assert len(hold_out_edges(*GRAPH.sides(), seed=1, share=0.5, most=7)) == 7


def test_replacements_match_their_kind() -> None:
    graph = random_multigraph(3, 200, 2000)
    result, links = trial(graph), matrix(graph)
    output, replaced = result.pairs.T
    for name, others in result.replacements.items():
        existing = others >= 0
        assert existing.mean() > 0.95, name
        assert not links[output[existing], others[existing]].any() and (others != output).all()
        assert links[others[existing]].any(axis=1).all()
    types, same = graph.types_of(), result.replacements["same_type"]
    assert (types[same[same >= 0]] == types[replaced[same >= 0]]).all()
    near = result.replacements["degree_matched"]
    off = np.abs(result.degrees[near] - result.degrees[replaced])[near >= 0]
    assert np.median(off) <= 3
    assert len(np.unique(result.replacements["uniform"])) > 50


@given(
    arrays(np.float64, 9, elements=st.integers(0, 4).map(float)),
    arrays(np.float64, 9, elements=st.integers(0, 4).map(float)),
)
def test_an_auc_is_the_share_of_pairs_in_order(one: np.ndarray, other: np.ndarray) -> None:
    wins = [(a > b) + 0.5 * (a == b) for a in one for b in other]
    result = compute_auc(one, other)
    assert result.value == pytest.approx(np.mean(wins))
    assert result.value is not None and result.low is not None and result.high is not None
    assert 0 <= result.low <= result.value <= result.high <= 1


def test_interval_coverage_matches_its_level() -> None:
    """Normal scores a distance apart, with a part that both of a pair share."""
    rng, inside, truth = np.random.default_rng(6), 0, 0.7602499389065233
    for _ in range(400):
        shared, own = rng.standard_normal((2, 150)), rng.standard_normal(150)
        result = compute_auc(shared[0] + own + np.sqrt(2), shared[1] + own)
        assert result.low is not None and result.high is not None
        inside += result.low <= truth <= result.high
    assert 0.91 <= inside / 400 <= 0.98


def test_without_pairs_there_is_no_auc_and_of_one_no_interval() -> None:
    assert compute_auc(np.empty(0), np.empty(0)).value is None
    assert compute_auc(np.ones(1), np.zeros(1)) == compute_auc(np.ones(1), np.zeros(1))
    assert compute_auc(np.ones(1), np.zeros(1)).low is None


def test_a_distance_is_half_that_of_the_vectors_and_orthogonal_to_none() -> None:
    rng = np.random.default_rng(1)
    two = rng.standard_normal((2, 50, 16))
    two /= np.linalg.norm(two, axis=2, keepdims=True)
    expected = np.linalg.norm(two[0] - two[1], axis=1) / 2
    assert np.allclose(distances(*two.astype(np.float32)), expected, atol=1e-6)
    nothing = np.zeros((50, 16), np.float32)
    assert np.allclose(distances(nothing, two[0].astype(np.float32)), 0.5**0.5)


@pytest.mark.parametrize("method", ["propagation", "gcn"])
def test_planted_groups_are_recovered(method: str, tmp_path: Path) -> None:
    plan = EmbeddingPlan("gcn" if method == "gcn" else "propagation", dimensions=16, share=0.1)
    created = compute_embedding(
        *GRAPH.sides(), GRAPH.types_of(), tmp_path / "made", plan, source="a"
    )
    assert len(created.facts["held_out"]) == 3
    for reported in created.facts["held_out"]:
        assert reported["n"] > 300 and reported["left_out"] < 10
        assert reported["embedding"]["low"] > 0.9, reported
        assert reported["degree_product"]["value"] < 0.6
    ranks = created.facts["ranks"]
    assert ranks["embedding"]["n"] == ranks["degree_product"]["n"] > 300
    assert ranks["embedding"]["mrr"] > 3 * ranks["degree_product"]["mrr"]
    assert abs(ranks["degree_product"]["adjusted_mean_rank"]) < 0.2
    assert ranks["embedding"]["adjusted_mean_rank"] > 0.7


def test_held_out_links_are_ranked_among_all_that_are_not_linked() -> None:
    graph = random_multigraph(3, 80, 500)
    drawn, links = trial(graph), matrix(graph)
    vectors = np.random.default_rng(1).standard_normal((80, 4)).astype(np.float32)
    vectors[::9] = 0
    ranks = []
    for fixed, answer in drawn.pairs:
        scores = vectors.astype(np.float64) @ vectors[fixed].astype(np.float64)
        others = [v for v in range(80) if v not in (fixed, answer) and not links[fixed, v]]
        gaps = scores[others] - scores[answer]
        ranks.append(1 + (gaps > 1e-12).sum() + (np.abs(gaps) <= 1e-12).sum() / 2)
    result = rank_held_out(drawn, *graph.sides(), vectors)
    assert result.embedding.mrr == pytest.approx(np.mean(1 / np.array(ranks)))
    assert result.embedding.n == len(ranks) > 20


def test_a_random_embedding_scores_badly_and_degrees_score_well() -> None:
    graph = hub_graph(1)
    result = trial(graph, share=0.2)
    vectors = np.random.default_rng(1).standard_normal((600, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    results = {one.negatives: one for one in evaluate(result, np.arange(600), vectors)}
    for one in results.values():
        assert one.embedding.low is not None and one.embedding.high is not None
        assert one.embedding.low < 0.5 < one.embedding.high
    uniform, matched = results["uniform"].degree_product, results["degree_matched"].degree_product
    assert uniform.low is not None and uniform.low > 0.65
    assert matched.value is not None and abs(matched.value - 0.5) < 0.03


def test_evaluating_a_subset_of_vectors_gives_the_same_aucs() -> None:
    result = trial(GRAPH)
    vectors = np.random.default_rng(2).standard_normal((640, 16)).astype(np.float32)
    some = result.entities()
    assert len(some) < 640
    assert evaluate(result, some, vectors[some]) == evaluate(result, np.arange(640), vectors)


@pytest.mark.parametrize("method", ["propagation", "gcn"])
def test_held_out_links_do_not_influence_the_embedding(method: str, tmp_path: Path) -> None:
    """A graph that never had those links gives the same bytes."""
    plan = EmbeddingPlan(
        "gcn" if method == "gcn" else "propagation", dimensions=16, share=0.1, epochs=3
    )
    created = compute_embedding(
        *GRAPH.sides(), GRAPH.types_of(), tmp_path / "one", plan, source="a"
    )
    hidden = {frozenset(p) for p in hold_out_edges(*GRAPH.sides(), seed=0, share=0.1).tolist()}
    edges = tuple(edge for edge in GRAPH.edges if frozenset(edge[::2]) not in hidden)
    less = Multigraph(GRAPH.types, GRAPH.symmetric, edges)
    bare = replace(plan, share=0.0)
    other = compute_embedding(*less.sides(), less.types_of(), tmp_path / "two", bare, source="a")
    assert created.vectors.tobytes() == other.vectors.tobytes()
    assert other.facts["held_out"][0]["embedding"]["value"] is None


def test_an_embedding_is_deterministic_and_round_trips(tmp_path: Path) -> None:
    graph = random_multigraph(1)
    plan = EmbeddingPlan(dimensions=16)
    one = compute_embedding(*graph.sides(), graph.types_of(), tmp_path / "one", plan, source="a")
    compute_embedding(*graph.sides(), graph.types_of(), tmp_path / "two", plan, source="a")
    digests = [open_artifact(tmp_path / name).digest for name in ("one", "two")]
    assert digests[0] == digests[1]
    result = open_embedding(tmp_path / "one", source="a")
    assert np.array_equal(result.vectors, one.vectors) and not result.vectors.flags.writeable
    assert result.facts["parameters"]["dimensions"] == 16
    assert result.facts["without_vector"] == 3
    assert not result.vectors_of(np.array([59])).any() and not result.has_vector[59]
    with pytest.raises(IndexError):
        result.vectors_of(np.array([60]))
    with pytest.raises(InvalidArrayStore):
        open_embedding(tmp_path / "one", source="b")
