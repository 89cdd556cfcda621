"""Peers of the transition model: a bare loop, networkx, scipy and networkit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import networkit
import networkx as nx
import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import run_in_threads
from backend.science.transition.kernels import CsrSide
from backend.science.transition.transition_model import TransitionModel, incoming_sides

Floats = NDArray[np.float64]


def gather(model: TransitionModel, x: Floats) -> float:
    """What no product with P1 can do without: a number fetched for every entry, in its order."""
    total = 0.0
    for side in incoming_sides(model.parameters, model.forward, model.reverse):
        total += sum(run_in_threads(partial(gather_part, side, x), model.parts))
    return total


@jit_compile
def gather_part(side: CsrSide, x: Floats, first: int, last: int) -> float:
    total = 0.0
    for place in range(np.uint64(side.offsets[first]), np.uint64(side.offsets[last])):
        total += x[np.uint32(side.neighbours[place])]
    return total


class Materialised:
    """scipy, with P3 as a matrix; both ways, dangling stays."""

    name = "scipy, P3 as a matrix"

    def __init__(self, graph: Snapshot) -> None:
        one = transition_matrix(graph)
        two = one @ one
        self.three = ((one + 2 * two + 3 * (two @ one)) / 6).tocsr()
        self.turned = self.three.T.tocsr()

    def marginal(self, tolerance: float) -> Floats:
        count = self.three.shape[0]
        p, step = np.full(count, 1 / count), 1.0
        while step > tolerance * 0.15 / 0.85:
            new = 0.85 * (self.turned @ p) + 0.15 / count
            p, step = new, float(np.abs(new - p).sum())
        return p

    def block(self, candidates: Sequence[int]) -> Floats:
        result: Floats = self.three[list(candidates)][:, list(candidates)].toarray()
        return result


def transition_matrix(graph: Snapshot) -> sparse.csr_array:
    sources, targets = ends_of(graph)
    count = graph.entity_count
    links = sparse.coo_array((np.ones(len(sources)), (sources, targets)), (count, count)).tocsr()
    links = links + links.T - sparse.diags_array(links.diagonal())
    degrees: Floats = links.sum(axis=1)
    stays = sparse.diags_array((degrees == 0).astype(np.float64))
    scaled = sparse.diags_array(1 / np.where(degrees > 0, degrees, 1)) @ links
    return (scaled + stays).tocsr()


def ends_of(graph: Snapshot) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    forward = graph.forward
    return np.repeat(np.arange(graph.entity_count), forward.degrees()), forward.neighbours


class Dictionaries:
    """networkx, as its own pagerank was written: dictionaries, an edge at a time."""

    name = "networkx, dictionaries"

    def __init__(self, graph: Snapshot) -> None:
        self.graph: nx.MultiGraph = nx.MultiGraph()
        self.graph.add_nodes_from(range(graph.entity_count))
        sources, targets = ends_of(graph)
        self.graph.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
        self.links = {
            u: {v: len(keys) for v, keys in to.items()} for u, to in self.graph.adj.items()
        }

    def step(self, x: dict[int, float]) -> dict[int, float]:
        result: dict[int, float] = {}
        for entity, value in x.items():
            links = self.links[entity]
            total = sum(links.values())
            if not total:
                result[entity] = result.get(entity, 0) + value
            for other, count in links.items():
                result[other] = result.get(other, 0) + value * count / total
        return result

    def three(self, x: dict[int, float]) -> dict[int, float]:
        result: dict[int, float] = {}
        for hop in (1, 2, 3):
            x = self.step(x)
            for entity, value in x.items():
                result[entity] = result.get(entity, 0) + hop / 6 * value
        return result

    def marginal(self, tolerance: float) -> Floats:
        count = len(self.links)
        p, step = dict.fromkeys(self.links, 1 / count), 1.0
        while step > tolerance * 0.15 / 0.85:
            walked = self.three(p)
            new = {entity: 0.85 * walked.get(entity, 0) + 0.15 / count for entity in self.links}
            step = sum(abs(new[entity] - p[entity]) for entity in new)
            p = new
        return np.array([p[entity] for entity in range(count)])

    def block(self, candidates: Sequence[int]) -> Floats:
        rows = [self.three({one: 1.0}) for one in candidates]
        return np.array([[row.get(other, 0) for other in candidates] for row in rows])


class Networkit:
    """Its PageRank: one hop, from source to target, entities without links go anywhere."""

    name = "networkit"

    def __init__(self, graph: Snapshot) -> None:
        sources, targets = ends_of(graph)
        ends = (sources.astype(np.uint64), targets.astype(np.uint64))
        self.graph = networkit.GraphFromCoo(ends, n=graph.entity_count, directed=True)

    def ranks(self, tolerance: float) -> Floats:
        handling = networkit.centrality.SinkHandling.DistributeSinks
        result = networkit.centrality.PageRank(
            self.graph, damp=0.85, tol=tolerance * 0.15 / 0.85, distributeSinks=handling
        )
        result.norm = networkit.centrality.Norm.l1norm
        result.run()
        return np.array(result.scores())
