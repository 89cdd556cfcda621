"""Random multigraphs, and what networkx finds in them by trying everything."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency, check_length, check_offsets, check_range
from backend.science.bidirectional_csr import BidirectionalCsr, bidirectional_csr
from backend.science.path_answers import Metapath, Path, PathStep
from backend.science.paths import PathQuery

Triple = tuple[int, int, int]  # source, relation, target


@dataclass(frozen=True)
class Multigraph:
    """Edges as triples, sorted: an edge's number is its place. Types and symmetry by number."""

    types: tuple[int, ...]
    symmetric: tuple[bool, ...]
    edges: tuple[Triple, ...]

    def links(self, dates: Sequence[int] = (), until: int = 0) -> BidirectionalCsr:
        """dates: of the edges, for a cut-off."""
        return bidirectional_csr(*self.sides(), dates=np.array(dates, np.uint32), until=until)

    def sides(self) -> tuple[Adjacency, Adjacency]:
        columns = np.array(self.edges, np.int64).reshape(-1, 3).T
        sources, relations, targets = columns
        order = np.lexsort((np.arange(len(sources)), sources, relations, targets))
        forward = Adjacency(
            self.offsets(sources), targets.astype(np.int32), relations.astype(np.uint8)
        )
        back = Adjacency(
            self.offsets(targets),
            sources[order].astype(np.int32),
            relations[order].astype(np.uint8),
            order.astype(np.int32),
        )
        count = len(self.symmetric)
        check_adjacency(forward, count)
        check_adjacency(back, count)
        return forward, back

    def offsets(self, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        counts = np.bincount(ends, minlength=len(self.types))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def types_of(self) -> NDArray[np.uint8]:
        return np.array(self.types, np.uint8)

    def is_symmetric(self) -> NDArray[np.uint8]:
        return np.array(self.symmetric, np.uint8)

    def selected(self, edges: Iterable[int]) -> Multigraph:
        return Multigraph(self.types, self.symmetric, tuple(self.edges[one] for one in edges))

    def degree(self, number: int) -> int:
        return sum((one[0] == number) + (one[2] == number) for one in self.edges)

    def degree_along(self, number: int, step: PathStep) -> int:
        """Entries of the step's relation that leave an entity in the step's direction."""
        ends = [(0 if step.is_forward else 2)]
        if self.symmetric[step.relation]:
            ends = [0, 2]
        return sum(
            edge[1] == step.relation and edge[end] == number for edge in self.edges for end in ends
        )

    def undirected(self) -> nx.MultiGraph:
        graph = nx.MultiGraph()
        graph.add_nodes_from(range(len(self.types)))
        graph.add_edges_from((s, t, number) for number, (s, _, t) in enumerate(self.edges))
        return graph


@st.composite
def multigraphs(draw: st.DrawFn, entities: int = 8, edges: int = 24) -> Multigraph:
    """Parallel edges, self-loops, symmetric relations and entities without edges."""
    size = draw(st.integers(1, entities))
    symmetric = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    end, relation = st.integers(0, size - 1), st.integers(0, len(symmetric) - 1)
    triples = draw(st.lists(st.tuples(end, relation, end), max_size=edges))
    types = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    return Multigraph(tuple(types), tuple(symmetric), tuple(sorted(triples)))


def brute_paths(graph: Multigraph, question: PathQuery) -> Iterator[Path]:
    """All paths of a query, including hidden ones, by networkx, weighted by the formulas."""
    whole = graph.undirected()
    for source in set(question.sources):
        for target in set(question.targets) - {source}:
            for result in nx.all_simple_edge_paths(whole, source, target, cutoff=question.hops):
                path = weighed(graph, question, source, [number for _, _, number in result])
                if is_wanted(graph, question, path):
                    yield path


def weighed(graph: Multigraph, question: PathQuery, source: int, edges: list[int]) -> Path:
    entities, steps, factors = [source], list[PathStep](), list[float]()
    for number in edges:
        start, relation, end = graph.edges[number]
        along = start == entities[-1]
        current, existing = (start, end) if along else (end, start)
        step = PathStep(number, relation, along)
        if question.order == "probability":
            factors.append(1 / graph.degree(current))
        else:
            both = graph.degree_along(current, step)
            both *= graph.degree_along(existing, PathStep(number, relation, not along))
            factors.append(float(both) ** -question.damping)
        entities.append(existing)
        steps.append(step)
    return Path(math.prod(factors), tuple(entities), tuple(steps))


def is_wanted(graph: Multigraph, question: PathQuery, path: Path) -> bool:
    if question.relations is not None:
        return all(step.relation in question.relations for step in path.steps)
    if question.metapath is not None:
        kind = kind_of(graph, path)
        return (kind.types, kind.steps) == (question.metapath.types, question.metapath.steps)
    return True


def is_hidden(graph: Multigraph, question: PathQuery, path: Path) -> bool:
    if question.max_degree is None:
        return False
    return any(graph.degree(entity) > question.max_degree for entity in path.entities[1:-1])


def kind_of(graph: Multigraph, path: Path) -> Metapath:
    steps = [(one.relation, one.is_forward or graph.symmetric[one.relation]) for one in path.steps]
    return Metapath(tuple(graph.types[entity] for entity in path.entities), tuple(steps))


def kinds_of(graph: Multigraph, paths: list[Path]) -> Counter[Metapath]:
    return Counter(kind_of(graph, path) for path in paths)


def check_adjacency(side: Adjacency, relation_count: int) -> None:
    """Raise ValueError, which names the array, if a length or index is out of range."""
    check_offsets("offsets", side.offsets, side.edge_count)
    check_range("neighbours", side.neighbours, side.entity_count)
    check_length("relations", side.relations, side.edge_count)
    check_range("relations", side.relations, relation_count)
    if side.edges is not None:
        check_length("edges", side.edges, side.edge_count)
        check_range("edges", side.edges, side.edge_count)
