"""A graph in memory, as baselines read it, with what a test gives it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from backend.runtime.cancellation import CancellationToken
from backend.science.bidirectional_csr import BidirectionalCsr
from backend.science.retrieval.text_pieces import TextPieces
from backend.science.rns.candidates import Candidates
from backend.science.transition.marginal import solve_marginal
from backend.science.transition.pairwise import pairwise_transitions
from backend.science.transition.transition_model import TransitionModel
from backend.tracks.baseline_tasks import Links, Numbers, Vectors
from backend.tracks.metrics import Floats
from backend.tracks.named_graphs import NamedGraph
from tests.science.multigraphs import Multigraph


@dataclass
class MemoryGraph:
    """edges: (source, relation, target) of entities that are named by their numbers as text."""

    count: int
    edges: Sequence[tuple[int, str, int]] = ()
    documents: Sequence[str] = ()
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    queries: Vectors = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    type_names: Sequence[str] = ()

    @property
    def keys(self) -> Sequence[int | str | None]:
        return range(self.count)

    @property
    def named(self) -> NamedGraph:
        raise NotImplementedError

    def find_number(self, identifier: str) -> int:
        return int(identifier) if int(identifier) < self.count else -1

    def reach(self, start: int, metapath: str, *, by_relation: bool) -> Numbers:
        raise NotImplementedError("its entities have no types")

    def names_of(self, numbers: Numbers) -> Sequence[str]:
        return [str(number) for number in numbers.tolist()]

    def public(self, pairs: Numbers) -> list[tuple[int, str, int]]:
        hidden = {frozenset(pair) for pair in pairs.tolist()}
        return [edge for edge in self.edges if frozenset((edge[0], edge[2])) not in hidden]

    def links_without(self, pairs: Numbers) -> Links:
        dense = np.zeros((self.count, self.count))
        for source, _, target in self.public(pairs):
            dense[source, target] = dense[target, source] = 1
        return csr_array(dense)

    def relation_degrees(self, relation: str, pairs: Numbers) -> tuple[Numbers, Numbers]:
        outgoing, incoming = np.zeros(self.count, np.int64), np.zeros(self.count, np.int64)
        for source, name, target in self.public(pairs):
            if name == relation:
                outgoing[source] += 1
                incoming[target] += 1
        return outgoing, incoming

    def propagation_vectors(
        self,
        pairs: Numbers,
        seed: int,
        stop: CancellationToken | None = None,
        checkpoint: Path | None = None,
    ) -> Vectors:
        return self.vectors

    @property
    def relation_names(self) -> Sequence[str]:
        return sorted({relation for _, relation, _ in self.edges})

    @cached_property
    def multigraph(self) -> Multigraph:
        numbers = {name: at for at, name in enumerate(self.relation_names)}
        edges = sorted((source, numbers[name], target) for source, name, target in self.edges)
        return Multigraph((0,) * self.count, (False,) * max(1, len(numbers)), tuple(edges))

    @property
    def steps(self) -> BidirectionalCsr:
        return self.multigraph.links()

    @property
    def types(self) -> NDArray[np.integer[Any]]:
        names = sorted(set(self.type_names))
        return np.array([names.index(name) for name in self.type_names], np.int64)

    def type_name(self, number: int) -> str:
        return self.type_names[number]

    def identifier(self, number: int) -> str:
        return str(number)

    @property
    def transition_model(self) -> TransitionModel:
        return TransitionModel.of(*self.multigraph.sides())

    def rns_candidates(self, existing: Sequence[int], added: Sequence[int]) -> Candidates:
        model, chosen = self.transition_model, np.array([*existing, *added], np.int64)
        vectors = np.random.default_rng(1).normal(size=(self.count, 4))[chosen]
        return Candidates(
            pairwise_transitions(model, chosen),
            solve_marginal(model).values[chosen],
            vectors,
            np.ones(len(chosen), np.bool_),
        )

    def texts(self) -> Sequence[str]:
        return self.documents

    def text_vectors(self, queries: Sequence[str]) -> tuple[Vectors, Vectors]:
        return self.vectors, self.queries

    def meaning_scores(self, queries: Sequence[str], *, is_chunked: bool) -> Iterator[Floats]:
        """A piece has one component of the vector, so that the best one is the largest product."""
        for query in self.queries:
            products = self.vectors * query
            yield (products.max(axis=1) if is_chunked else products.sum(axis=1)).astype(np.float64)

    def meaning_pieces(self, *, is_chunked: bool) -> TextPieces:
        """One vector for each entity."""
        return TextPieces(self.vectors, np.arange(self.count))

    def meaning_vectors(self, queries: Sequence[str]) -> Vectors:
        """Queries are written as the numbers of the given vectors."""
        return self.queries[[int(query.split()[-1]) for query in queries]]


def random_links(count: int, seed: int) -> "tuple[Links, nx.Graph[int]]":
    graph = nx.gnp_random_graph(count, 0.2, seed=seed)
    return csr_array(nx.to_numpy_array(graph, nodelist=range(count))), graph
