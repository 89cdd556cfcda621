"""Held-out links: which, beside what, and whether a good and a bad embedding are told apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from backend.science.artefact import ArtefactRefused, open_artefact
from backend.science.embeddings.embed import Plan, embed
from backend.science.embeddings.evaluation import Trial, auc, distances, evaluate, trial_of
from backend.science.embeddings.splitting import split_edges
from backend.science.embeddings.undirected import undirected
from backend.science.embeddings.vectors import open_embedding
from tests.science.embeddings.graphs import matrix, planted, random_multigraph
from tests.science.multigraphs import Multigraph

GRAPH = planted(5)


def trial(graph: Multigraph, seed: int = 0, share: float = 0.1) -> Trial:
    held_out = split_edges(*graph.sides(), seed=seed, share=share)
    seen = undirected(*graph.sides(), without=held_out)
    return trial_of(*graph.sides(), graph.types_of(), seen, held_out, seed=seed)


def hub_graph(seed: int, count: int = 600, edges: int = 5000) -> Multigraph:
    """Links fall on an entity in proportion to its weight, and to nothing else."""
    chance = np.random.default_rng(seed)
    weights = 1 / np.arange(1, count + 1) ** 0.8
    ends = chance.choice(count, (edges, 2), p=weights / weights.sum())
    triples = tuple(sorted((int(a), 0, int(b)) for a, b in ends if a != b))
    return Multigraph(tuple(np.zeros(count, int).tolist()), (False,), triples)


@pytest.mark.parametrize("seed", range(5))
def test_held_out_pairs_are_linked_are_whole_and_leave_every_entity_a_link(seed: int) -> None:
    graph = random_multigraph(seed)
    pairs = split_edges(*graph.sides(), seed=seed, share=0.3)
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
    assert len(split_edges(*star.sides(), seed=1, share=1)) == 0


def test_a_share_is_a_share() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        split_edges(*GRAPH.sides(), seed=1, share=1.1)
    assert len(split_edges(*GRAPH.sides(), seed=1, share=0.5, most=7)) == 7


def test_replacements_are_what_they_are_called() -> None:
    graph = random_multigraph(3, 200, 2000)
    found, links = trial(graph), matrix(graph)
    kept, replaced = found.pairs.T
    for name, others in found.replacements.items():
        there = others >= 0
        assert there.mean() > 0.95, name
        assert not links[kept[there], others[there]].any() and (others != kept).all()
        assert links[others[there]].any(axis=1).all()
    types, same = graph.types_of(), found.replacements["same_type"]
    assert (types[same[same >= 0]] == types[replaced[same >= 0]]).all()
    near = found.replacements["degree_matched"]
    off = np.abs(found.degrees[near] - found.degrees[replaced])[near >= 0]
    assert np.median(off) <= 3
    assert len(np.unique(found.replacements["uniform"])) > 50


@given(
    arrays(np.float64, 9, elements=st.integers(0, 4).map(float)),
    arrays(np.float64, 9, elements=st.integers(0, 4).map(float)),
)
def test_an_auc_is_the_share_of_pairs_in_order(one: np.ndarray, other: np.ndarray) -> None:
    wins = [(a > b) + 0.5 * (a == b) for a in one for b in other]
    found = auc(one, other)
    assert found.value == pytest.approx(np.mean(wins))
    assert found.value is not None and found.low is not None and found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Normal scores a distance apart, with a part that both of a pair share."""
    chance, inside, truth = np.random.default_rng(6), 0, 0.7602499389065233
    for _ in range(400):
        shared, own = chance.standard_normal((2, 150)), chance.standard_normal(150)
        found = auc(shared[0] + own + np.sqrt(2), shared[1] + own)
        assert found.low is not None and found.high is not None
        inside += found.low <= truth <= found.high
    assert 0.91 <= inside / 400 <= 0.98


def test_without_pairs_there_is_no_auc_and_of_one_no_interval() -> None:
    assert auc(np.empty(0), np.empty(0)).value is None
    assert auc(np.ones(1), np.zeros(1)) == auc(np.ones(1), np.zeros(1))
    assert auc(np.ones(1), np.zeros(1)).low is None


def test_a_distance_is_half_that_of_the_vectors_and_orthogonal_to_none() -> None:
    chance = np.random.default_rng(1)
    two = chance.standard_normal((2, 50, 16))
    two /= np.linalg.norm(two, axis=2, keepdims=True)
    wanted = np.linalg.norm(two[0] - two[1], axis=1) / 2
    assert np.allclose(distances(*two.astype(np.float32)), wanted, atol=1e-6)
    nothing = np.zeros((50, 16), np.float32)
    assert np.allclose(distances(nothing, two[0].astype(np.float32)), 0.5**0.5)


@pytest.mark.parametrize("method", ["propagation", "gcn"])
def test_planted_groups_are_found(method: str, tmp_path: Path) -> None:
    plan = Plan("gcn" if method == "gcn" else "propagation", dimensions=16, share=0.1)
    made = embed(*GRAPH.sides(), GRAPH.types_of(), tmp_path / "made", plan, source="a")
    assert len(made.facts["held_out"]) == 3
    for told in made.facts["held_out"]:
        assert told["n"] > 300 and told["left_out"] < 10
        assert told["embedding"]["low"] > 0.9, told
        assert told["degree_product"]["value"] < 0.6


def test_a_random_embedding_is_seen_to_be_bad_and_the_degrees_to_be_good() -> None:
    graph = hub_graph(1)
    found = trial(graph, share=0.2)
    vectors = np.random.default_rng(1).standard_normal((600, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    results = {one.negatives: one for one in evaluate(found, np.arange(600), vectors)}
    for one in results.values():
        assert one.embedding.low is not None and one.embedding.high is not None
        assert one.embedding.low < 0.5 < one.embedding.high
    uniform, matched = results["uniform"].degree_product, results["degree_matched"].degree_product
    assert uniform.low is not None and uniform.low > 0.65
    assert matched.value is not None and abs(matched.value - 0.5) < 0.03


def test_vectors_of_some_are_judged_as_those_of_all() -> None:
    found = trial(GRAPH)
    vectors = np.random.default_rng(2).standard_normal((640, 16)).astype(np.float32)
    some = found.entities()
    assert len(some) < 640
    assert evaluate(found, some, vectors[some]) == evaluate(found, np.arange(640), vectors)


@pytest.mark.parametrize("method", ["propagation", "gcn"])
def test_what_was_held_out_was_never_seen(method: str, tmp_path: Path) -> None:
    """The same bytes come out of a graph that never had those links."""
    plan = Plan("gcn" if method == "gcn" else "propagation", dimensions=16, share=0.1, epochs=3)
    made = embed(*GRAPH.sides(), GRAPH.types_of(), tmp_path / "one", plan, source="a")
    hidden = {frozenset(p) for p in split_edges(*GRAPH.sides(), seed=0, share=0.1).tolist()}
    edges = tuple(edge for edge in GRAPH.edges if frozenset(edge[::2]) not in hidden)
    less = Multigraph(GRAPH.types, GRAPH.symmetric, edges)
    bare = replace(plan, share=0.0)
    other = embed(*less.sides(), less.types_of(), tmp_path / "two", bare, source="a")
    assert made.vectors.tobytes() == other.vectors.tobytes()
    assert other.facts["held_out"][0]["embedding"]["value"] is None


def test_an_embedding_is_the_same_bytes_again_and_is_opened_as_written(tmp_path: Path) -> None:
    graph = random_multigraph(1)
    plan = Plan(dimensions=16)
    one = embed(*graph.sides(), graph.types_of(), tmp_path / "one", plan, source="a")
    embed(*graph.sides(), graph.types_of(), tmp_path / "two", plan, source="a")
    digests = [open_artefact(tmp_path / name).digest for name in ("one", "two")]
    assert digests[0] == digests[1]
    found = open_embedding(tmp_path / "one", source="a")
    assert np.array_equal(found.vectors, one.vectors) and not found.vectors.flags.writeable
    assert found.facts["parameters"]["dimensions"] == 16
    assert found.facts["without_vector"] == 3
    assert not found.of(np.array([59])).any() and not found.has[59]
    with pytest.raises(IndexError):
        found.of(np.array([60]))
    with pytest.raises(ArtefactRefused):
        open_embedding(tmp_path / "one", source="b")
