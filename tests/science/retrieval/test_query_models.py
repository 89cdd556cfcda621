"""The head of a search and the reasoner on it: slopes by finite differences, what they learn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.runtime.checkpoint import Checkpoint
from backend.science.retrieval.dense_head import (
    DenseHead,
    HeadSettings,
    TrainingQuery,
    apply_head,
)
from backend.science.retrieval.graph_reasoner import (
    GraphReasoner,
    QueryGraph,
    ReasonerSettings,
    run_graph,
)
from backend.science.retrieval.query_training import (
    QueryModel,
    QueryTrainingSettings,
    list_loss,
    train_queries,
)
from backend.science.retrieval.text_pieces import TextPieces

WIDTH, ENTITIES = 6, 40


def unit_rows(rng: np.random.Generator, count: int, width: int = WIDTH) -> Any:
    rows = rng.normal(size=(count, width))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def random_pieces(seed: int) -> TextPieces:
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, ENTITIES)
    return TextPieces(unit_rows(rng, int(counts.sum())), np.cumsum(counts) - counts)


def random_head(seed: int, **settings: Any) -> DenseHead:
    rng = np.random.default_rng(seed)
    queries = []
    for vector in unit_rows(rng, 12):
        chosen = rng.permutation(ENTITIES)
        queries.append(TrainingQuery(vector, chosen[:2], chosen[2:9]))
    return DenseHead(queries, random_pieces(seed), HeadSettings(rank=3, **settings))


def random_graph(rng: np.random.Generator, true: Any = (0, 2)) -> QueryGraph:
    nodes, links = 9, 20
    return QueryGraph(
        query=unit_rows(rng, 1)[0],
        vectors=unit_rows(rng, nodes),
        relevances=rng.normal(size=nodes),
        types=rng.integers(0, 3, nodes),
        scores=rng.normal(size=5) * 0.05,
        sources=rng.integers(0, nodes, links),
        targets=rng.integers(0, nodes - 1, links),  # the last node has no link into it
        relations=rng.integers(0, 4, links),
        true=np.array(true),
    )


def random_reasoner(seed: int) -> GraphReasoner:
    rng = np.random.default_rng(seed)
    graphs = [random_graph(rng) for _ in range(12)]
    return GraphReasoner(graphs, WIDTH, 3, 4, ReasonerSettings(hidden=5))


MODELS: dict[str, Callable[[int], QueryModel]] = {"head": random_head, "reasoner": random_reasoner}
each_model = pytest.mark.parametrize("name", sorted(MODELS))


@each_model
@pytest.mark.parametrize("query", range(3))
def test_slopes_are_those_of_finite_differences(name: str, query: int) -> None:
    model, rng = MODELS[name](3), np.random.default_rng(8)
    weights = {
        key: value + 0.3 * rng.normal(size=value.shape) for key, value in model.initial(rng).items()
    }
    computed = model.loss(weights, query, np.random.default_rng(5)).slopes
    assert computed.keys() == weights.keys()
    for key, value in weights.items():
        for at in np.ndindex(value.shape):
            ends = []
            for change in (-1e-6, 2e-6):
                value[at] += change
                ends.append(model.loss(weights, query, np.random.default_rng(5)).value)
            value[at] -= 1e-6
            expected = (ends[1] - ends[0]) / 2e-6
            assert computed[key][at] == pytest.approx(expected, abs=2e-6, rel=1e-5), (key, at)


def test_the_loss_of_a_list_does_not_set_true_answers_against_each_other() -> None:
    loss = list_loss(np.array([1.0, 9.0, 0.0, 0.0]), 2)
    each = [np.log(np.exp(one) + 2) - one for one in (1.0, 9.0)]
    assert loss.value == pytest.approx(np.mean(each))
    assert loss.slopes[1] == pytest.approx(0, abs=1e-3)
    assert loss.slopes.sum() == pytest.approx(0)


def test_the_loss_of_a_list_stands_far_scores_and_needs_no_other_answer() -> None:
    far = list_loss(np.array([-2_000.0, 0.0, 1_000.0]), 2)
    assert far.value == pytest.approx(2_000)
    assert far.slopes == pytest.approx([-0.5, -0.5, 1])
    alone = list_loss(np.array([3.0]), 1)
    assert alone.value == 0 and alone.slopes.tolist() == [0]


@pytest.mark.parametrize("seed", range(4))
def test_the_best_piece_of_some_entities_is_that_of_a_loop(seed: int) -> None:
    pieces, rng = random_pieces(seed), np.random.default_rng(seed)
    query, chosen = unit_rows(rng, 1)[0], rng.permutation(ENTITIES)[:10]
    best = pieces.best_rows(chosen, query)
    ends = [*pieces.starts.tolist()[1:], len(pieces.vectors)]
    for entity, score, row in zip(chosen.tolist(), best.scores, best.rows.tolist(), strict=True):
        own = range(int(pieces.starts[entity]), ends[entity])
        products = [float(pieces.vectors[one] @ query) for one in own]
        assert row == own[int(np.argmax(products))]
        assert score == pytest.approx(max(products))
        assert score == pytest.approx(pieces.best_products(query)[entity])


def test_an_untrained_head_leaves_queries_as_they_are() -> None:
    model = random_head(1)
    weights = model.initial(np.random.default_rng(0))
    queries = np.stack([one.vector for one in model.queries])
    assert np.allclose(apply_head(weights, queries), queries)


def test_an_untrained_reasoner_keeps_the_order_of_the_search() -> None:
    model = random_reasoner(1)
    weights = model.initial(np.random.default_rng(0))
    for graph in model.graphs:
        assert np.allclose(run_graph(weights, graph).scores, graph.scores / 0.05)


def test_a_head_finds_what_a_turned_query_means() -> None:
    """Queries are their answers' vectors after a rotation: new queries are answered by it alone."""
    rng = np.random.default_rng(2)
    texts = unit_rows(rng, 300, 16)
    turned, _ = np.linalg.qr(rng.normal(size=(16, 16)))
    queries = texts @ turned
    pieces = TextPieces(texts, np.arange(300))
    trained = [
        TrainingQuery(
            queries[one], np.array([one]), rng.permutation(np.delete(np.arange(300), one))[:20]
        )
        for one in range(200)
    ]
    model = DenseHead(trained, pieces, HeadSettings(rank=16))
    state = train_queries(model, QueryTrainingSettings(epochs=40, rate=0.01))
    before = np.argmax(queries[200:] @ texts.T, axis=1) == np.arange(200, 300)
    after = np.argmax(apply_head(state.values, queries[200:]) @ texts.T, axis=1)
    assert before.mean() < 0.1 < 0.8 < (after == np.arange(200, 300)).mean()
    assert state.losses[-1] < state.losses[0] / 2


def linked_graph(rng: np.random.Generator, vectors: Any) -> QueryGraph:
    """The one candidate that the relation 1 joins with the entity of the query is true; another is
    joined by the relation 0. Their own vectors and scores are noise."""
    true, other = rng.permutation(4)[:2]
    sources, relations = np.array([4, 4]), np.array([1, 0])
    return QueryGraph(
        query=vectors[0],
        vectors=np.vstack([unit_rows(rng, 4, len(vectors[0])), vectors[:1]]),
        relevances=np.array([0, 0, 0, 0, 1.0]),
        types=np.zeros(5, np.int64),
        scores=rng.normal(size=4) * 0.01,
        sources=sources,
        targets=np.array([true, other]),
        relations=relations,
        true=np.array([true]),
    )


def test_a_reasoner_learns_which_relation_joins_answers_with_the_query() -> None:
    rng = np.random.default_rng(4)
    graphs = [linked_graph(rng, unit_rows(rng, 1, 12)) for _ in range(120)]
    model = GraphReasoner(graphs[:80], 12, 1, 2, ReasonerSettings(hidden=8))
    state = train_queries(model, QueryTrainingSettings(epochs=30, rate=0.01))
    hits = [
        int(np.argmax(run_graph(state.values, graph).scores)) == graph.true[0]
        for graph in graphs[80:]
    ]
    before = [int(np.argmax(graph.scores)) == graph.true[0] for graph in graphs[80:]]
    assert np.mean(before) < 0.5 < 0.95 < np.mean(hits)


class Interrupted(CancellationToken):
    """Cancels at the check of this number, and counts them."""

    def __init__(self, at: int = 10**9) -> None:
        super().__init__()
        self.at, self.checks = at, 0

    def raise_if_cancelled(self) -> None:
        self.checks += 1
        if self.checks >= self.at:
            self.cancel()
        super().raise_if_cancelled()


def trained_bytes(
    model: QueryModel, seed: int, stop: CancellationToken, folder: Path | None
) -> bytes:
    settings = QueryTrainingSettings(epochs=6, batch=4, seed=seed)
    steps = Checkpoint(folder, "test", "source", {"seed": seed}, interval_s=0) if folder else None
    state = train_queries(model, settings, checkpoint=steps, stop=stop)
    return b"".join(value.tobytes() for _, value in sorted(state.values.items()))


@each_model
def test_an_interrupted_training_goes_on_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    model, whole = MODELS[name](5), Interrupted()
    expected = trained_bytes(model, 1, whole, None)
    assert whole.checks == 18
    with pytest.raises(Cancelled):
        trained_bytes(model, 1, Interrupted(at=14), tmp_path)
    rest = Interrupted()
    assert trained_bytes(model, 1, rest, tmp_path) == expected
    assert rest.checks == 6
    assert trained_bytes(model, 2, Interrupted(), tmp_path) != expected


@each_model
def test_without_queries_a_model_is_untrained(name: str) -> None:
    model = MODELS[name](5)
    empty = (
        DenseHead([], model.pieces, model.settings)
        if isinstance(model, DenseHead)
        else GraphReasoner([], WIDTH, 3, 4, ReasonerSettings())
    )
    state = train_queries(empty, QueryTrainingSettings())
    assert state.epoch == 0 and state.losses == []
