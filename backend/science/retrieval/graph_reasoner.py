"""Relevance of candidates to a query by messages along the links of their neighbourhoods.

After QA-GNN (Yasunaga et al., NAACL 2021): the query's vector stands beside a small graph of the
candidates and their neighbours; the relevance of every node to the query is a feature; messages
depend on relation and relevance. With the query's vector q [d], vectors X [n, d], relevances z [n]
and types t of the nodes, and links e from u to v of the relation r:

    H₀ = relu( (X P) ∘ (q P) + z c + T[t] )
    g_e = (q C) · R[r] + k_l z_u,    a_e = exp g_e / Σ exp g over the links into v
    M_v = Σ_e a_e (H[u] + R[r])
    H_{l+1} = relu( H_l S_l + M W_l + b_l )        for the layers l = 0, 1
    score = f · s + H_2 · w                        for the candidates, which are the first nodes

s is the score of the search that is reordered. w starts at 0 and f at 1 ÷ the search's temperature,
so that the untrained order is that of the search. A node without a link gets the message 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.science.retrieval.query_training import (
    Floats,
    QueryLoss,
    Weights,
    list_loss,
)
from backend.science.retrieval.text_pieces import Longs, Vectors

LAYERS = 2


@dataclass(frozen=True, slots=True)
class ReasonerSettings:
    """hidden: numbers of a node. neighbours: of a candidate that are read, the most relevant."""

    hidden: int = 16
    neighbours: int = 32
    temperature: float = 0.05

    def __post_init__(self) -> None:
        if self.hidden < 1 or self.neighbours < 0 or self.temperature <= 0:
            raise ValueError("a reasoner has numbers for each node and a temperature above 0")


@dataclass(frozen=True)
class QueryGraph:
    """The candidates of a query, with the nodes and links around them.

    vectors [n, d], relevances and types [n] of the nodes, of which the first are the candidates;
    scores [k] of these; sources, targets (places of nodes) and relations [e]. true: places of
    candidates that are true answers.
    """

    query: Vectors
    vectors: Vectors
    relevances: Floats
    types: Longs
    scores: Floats
    sources: Longs
    targets: Longs
    relations: Longs
    true: Longs


@dataclass(frozen=True)
class LayerState:
    """What a layer read and wrote, for its slopes."""

    before: Floats
    shares: Floats
    carried: Floats
    messages: Floats
    after: Floats


@dataclass(frozen=True)
class GraphState:
    start: Floats
    projected: Floats
    question: Floats
    gates: Floats
    layers: Sequence[LayerState]
    scores: Floats


@dataclass(frozen=True)
class GraphReasoner:
    """A `QueryModel` of graphs whose candidates have a true answer each."""

    graphs: Sequence[QueryGraph]
    width: int
    types: int
    relations: int
    settings: ReasonerSettings

    @property
    def query_count(self) -> int:
        return len(self.graphs)

    def initial(self, rng: np.random.Generator) -> Weights:
        hidden = self.settings.hidden
        wide, narrow = 1 / self.width**0.5, 1 / hidden**0.5
        weights = {
            "project": rng.normal(size=(self.width, hidden)) * wide * hidden**0.25,
            "relevance": rng.normal(size=hidden) * narrow,
            "type": rng.normal(size=(self.types, hidden)) * narrow,
            "question": rng.normal(size=(self.width, hidden)) * wide,
            "relation": rng.normal(size=(self.relations, hidden)) * narrow,
            "search": np.full(1, 1 / self.settings.temperature),
            "readout": np.zeros(hidden),
        }
        for layer in range(LAYERS):
            weights[f"stay.{layer}"] = np.eye(hidden)
            weights[f"message.{layer}"] = rng.normal(size=(hidden, hidden)) * narrow
            weights[f"bias.{layer}"] = np.zeros(hidden)
            weights[f"sharpness.{layer}"] = np.ones(1)
        return weights

    def loss(self, weights: Weights, query: int, rng: np.random.Generator) -> QueryLoss:
        graph = self.graphs[query]
        state = run_graph(weights, graph)
        others = np.setdiff1d(np.arange(len(graph.scores)), graph.true)
        order = np.concatenate([graph.true, others])
        loss = list_loss(state.scores[order], len(graph.true))
        by_scores = np.zeros_like(state.scores)
        by_scores[order] = loss.slopes
        return QueryLoss(loss.value, graph_slopes(weights, graph, state, by_scores))


def run_graph(weights: Weights, graph: QueryGraph) -> GraphState:
    vector = graph.query.astype(np.float64)
    projected = graph.vectors.astype(np.float64) @ weights["project"]
    question = vector @ weights["project"]
    start = np.maximum(
        projected * question
        + np.outer(graph.relevances, weights["relevance"])
        + weights["type"][graph.types],
        0,
    )
    gates = weights["relation"] @ (vector @ weights["question"])
    layers: list[LayerState] = []
    for layer in range(LAYERS):
        layers.append(
            run_layer(weights, graph, layer, layers[-1].after if layers else start, gates)
        )
    count = len(graph.scores)
    scores = weights["search"] * graph.scores + layers[-1].after[:count] @ weights["readout"]
    return GraphState(start, projected, question, gates, layers, scores)


def run_layer(
    weights: Weights, graph: QueryGraph, layer: int, before: Floats, gates: Floats
) -> LayerState:
    sharpness = weights[f"sharpness.{layer}"]
    logits = gates[graph.relations] + sharpness * graph.relevances[graph.sources]
    shares = softmax_by(graph.targets, logits, len(before))
    carried = before[graph.sources] + weights["relation"][graph.relations]
    messages = np.zeros_like(before)
    np.add.at(messages, graph.targets, shares[:, None] * carried)
    after = np.maximum(
        before @ weights[f"stay.{layer}"]
        + messages @ weights[f"message.{layer}"]
        + weights[f"bias.{layer}"],
        0,
    )
    return LayerState(before, shares, carried, messages, after)


def softmax_by(groups: Longs, logits: Floats, count: int) -> Floats:
    highest = np.full(count, -np.inf)
    np.maximum.at(highest, groups, logits)
    powers = np.exp(logits - highest[groups])
    result: Floats = powers / np.bincount(groups, powers, minlength=count)[groups]
    return result


def graph_slopes(
    weights: Weights, graph: QueryGraph, state: GraphState, by_scores: Floats
) -> Weights:
    """Slopes of every weight by those of the scores."""
    count, last = len(graph.scores), state.layers[-1].after
    slopes = {
        "search": np.array([by_scores @ graph.scores]),
        "readout": last[:count].T @ by_scores,
        "relation": np.zeros_like(weights["relation"]),
    }
    by_gates = np.zeros_like(state.gates)
    by_after = np.zeros_like(last)
    by_after[:count] = np.outer(by_scores, weights["readout"])
    for layer in reversed(range(LAYERS)):
        by_after = layer_slopes(weights, graph, layer, state, by_after, slopes, by_gates)
    vector = graph.query.astype(np.float64)
    slopes["relation"] += np.outer(by_gates, vector @ weights["question"])
    slopes["question"] = np.outer(vector, by_gates @ weights["relation"])
    return {**slopes, **start_slopes(weights, graph, state, by_after)}


def layer_slopes(
    weights: Weights,
    graph: QueryGraph,
    layer: int,
    state: GraphState,
    by_after: Floats,
    slopes: dict[str, Floats],
    by_gates: Floats,
) -> Floats:
    """Adds to `slopes` and `by_gates`; those by what the layer read are returned."""
    one = state.layers[layer]
    by_sum = by_after * (one.after > 0)
    slopes[f"stay.{layer}"] = one.before.T @ by_sum
    slopes[f"message.{layer}"] = one.messages.T @ by_sum
    slopes[f"bias.{layer}"] = by_sum.sum(axis=0)
    by_messages = (by_sum @ weights[f"message.{layer}"].T)[graph.targets]
    by_carried = one.shares[:, None] * by_messages
    by_shares = (by_messages * one.carried).sum(axis=1)
    means = np.bincount(graph.targets, one.shares * by_shares, minlength=len(one.before))
    by_logits = one.shares * (by_shares - means[graph.targets])
    slopes[f"sharpness.{layer}"] = np.array([by_logits @ graph.relevances[graph.sources]])
    np.add.at(by_gates, graph.relations, by_logits)
    np.add.at(slopes["relation"], graph.relations, by_carried)
    by_before: Floats = by_sum @ weights[f"stay.{layer}"].T
    np.add.at(by_before, graph.sources, by_carried)
    return by_before


def start_slopes(
    weights: Weights, graph: QueryGraph, state: GraphState, by_start: Floats
) -> Weights:
    by_sum = by_start * (state.start > 0)
    by_type = np.zeros_like(weights["type"])
    np.add.at(by_type, graph.types, by_sum)
    by_nodes = graph.vectors.astype(np.float64).T @ (by_sum * state.question)
    by_question = (by_sum * state.projected).sum(axis=0)
    return {
        "project": by_nodes + np.outer(graph.query.astype(np.float64), by_question),
        "relevance": graph.relevances @ by_sum,
        "type": by_type,
    }
