"""The baselines of SerenQA's exploration track, in seconds a root, at up to a million entities.

The walk with restarts stands beside scipy's product in the same iteration, the search by degree
beside scipy's breadth-first search. A peer that finds other numbers ends the run. Vectors and the
marginal of the RNS beam are made up: neither changes how long it takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from backend.runtime.lru_cache import LruCache
from backend.science.adjacency import Adjacency
from backend.science.bidirectional_csr import BidirectionalCsr, bidirectional_csr
from backend.science.breadth_first import find_surroundings
from backend.science.rns.candidates import Candidates
from backend.science.transition.added_entities import AddedTransitions
from backend.science.transition.restarts import restart_probabilities
from backend.science.transition.transition_model import TransitionModel
from backend.tracks.baseline_tasks import BaselineTask
from backend.tracks.registry import load_baselines, load_tracks
from backend.tracks.serenqa_roots import LEVELS, RootItem
from tests.bench.figures import Figure, Size, bench, run_size
from tests.bench.synthetic import RELATIONS, SEED, TYPES, Synthetic

SIZES: dict[Size, tuple[int, int]] = {
    "tiny": (2_000, 20_000),
    "small": (10_000, 100_000),
    "full": (1_000_000, 10_000_000),
}
ROOTS = 16
EXISTING = 4  # roots of one question, as many as the paper has in the mean
RESTART, TOLERANCE = 0.15, 1e-6


@dataclass(frozen=True, eq=False)
class BenchGraph:
    """The parts of a BaselineGraph that these baselines read."""

    forward: Adjacency
    reverse: Adjacency

    @classmethod
    def of(cls, entities: int, edges: int) -> BenchGraph:
        columns = [batch[:3] for batch in Synthetic(entities, edges).batches()]
        sources, relations, targets = (np.concatenate(part) for part in zip(*columns, strict=True))
        order = np.lexsort((targets, relations, sources))
        sources, relations, targets = sources[order], relations[order], targets[order]
        back = np.lexsort((sources, relations, targets))
        forward = side(sources, relations, targets, entities)
        reverse = side(targets[back], relations[back], sources[back], entities, back)
        return cls(forward, reverse)

    @cached_property
    def steps(self) -> BidirectionalCsr:
        return bidirectional_csr(self.forward, self.reverse)

    @cached_property
    def transition_model(self) -> TransitionModel:
        return TransitionModel.of(self.forward, self.reverse)

    @property
    def relation_names(self) -> Sequence[str]:
        return RELATIONS

    @cached_property
    def types(self) -> NDArray[np.integer[Any]]:
        return np.arange(self.forward.entity_count) % len(TYPES)

    def type_name(self, number: int) -> str:
        return TYPES[number % len(TYPES)]

    def identifier(self, number: int) -> str:
        return str(number)

    def find_number(self, identifier: str) -> int:
        return int(identifier)

    def rns_candidates(self, existing: Sequence[int], added: Sequence[int]) -> Candidates:
        chosen, count = np.array([*existing, *added], np.int64), self.forward.entity_count
        vectors = np.random.default_rng(SEED).normal(size=(len(chosen), 64))
        everywhere = np.ones(len(chosen), np.bool_)
        marginal = np.full(len(chosen), 1 / count)
        transitions = self._transitions_of(tuple(existing)).among(added)
        return Candidates(transitions, marginal, vectors, everywhere)

    def _transitions_of(self, existing: tuple[int, ...]) -> AddedTransitions:
        return self._transitions.get_or_create(
            existing, lambda: AddedTransitions(self.transition_model, existing)
        )

    @cached_property
    def _transitions(self) -> LruCache[AddedTransitions]:
        return LruCache(1)

    @cached_property
    def matrix(self) -> Any:
        """P1 transposed, as scipy holds it."""
        count = self.forward.entity_count
        shape, ones = (count, count), np.ones(self.forward.edge_count)
        links = csr_array((ones, self.forward.neighbours, self.forward.offsets), shape=shape)
        both: Any = csr_array(links + links.T - diags_array(links.diagonal()))
        totals: NDArray[np.float64] = np.asarray(both.sum(axis=1))
        stays = diags_array(np.where(totals == 0, 1.0, 0.0))
        return csr_array(diags_array(1 / np.maximum(totals, 1)) @ both + stays).T.tocsr()


def side(
    rows: NDArray[np.int64],
    relations: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    count: int,
    edges: NDArray[np.int64] | None = None,
) -> Adjacency:
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
    numbers = None if edges is None else edges.astype(np.int32)
    return Adjacency(
        offsets.astype(np.int64), neighbours.astype(np.int32), relations.astype(np.uint8), numbers
    )


@bench("tracks.serenqa_exploration")
def exploration() -> Iterator[Figure]:
    entities, edges = SIZES[run_size()]
    graph = BenchGraph.of(entities, edges)
    linked = np.flatnonzero(np.diff(graph.forward.offsets))
    roots = np.random.default_rng(SEED).choice(linked, ROOTS, replace=False).tolist()
    items = [
        RootItem(str(at // EXISTING), "expert", str(root), "?") for at, root in enumerate(roots)
    ]
    read: Any = graph  # the part of a BaselineGraph that is read
    nonzero = graph.matrix.nnz  # built before what is timed
    size = f"{entities:,} entities, {edges:,} edges, {nonzero:,} links, {ROOTS} roots"
    peers: dict[str, tuple[str, Callable[[], None]]] = {
        "degree": ("scipy.sparse, level by level", lambda: check_depths(graph, roots)),
        "random-walk": ("scipy.sparse, the same iteration", lambda: check_walks(graph, roots)),
    }
    for name, baseline in load_baselines(load_tracks()["serenqa-exploration"]).items():
        run(baseline, BaselineTask(items[:1], items, [], [], read, SEED))  # compiles
        task: BaselineTask[Any, Any] = BaselineTask(items, items, [], [], read, SEED)
        seconds = timed(partial(run, baseline, task))
        peer, check = peers.get(name, ("", None))
        other = None if check is None else timed(check) / ROOTS
        name = f"tracks.serenqa_exploration.{name.replace('-', '_')}"
        yield Figure(name, seconds / ROOTS, "s a root", "lower", peer, other, size, SEED)


def run(baseline: Callable[[Any], Iterable[object]], task: object) -> None:
    for _ in baseline(task):
        pass


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def check_walks(graph: BenchGraph, roots: Sequence[int]) -> None:
    """scipy's own iteration; of the first root it is compared with ours."""
    matrix = graph.matrix
    for at, root in enumerate(roots):
        p = np.zeros(graph.forward.entity_count)
        p[root] = 1
        step = 1.0
        while step * (1 - RESTART) / RESTART > TOLERANCE:
            new = (1 - RESTART) * (matrix @ p)
            new[root] += RESTART
            step, p = float(np.abs(new - p).sum()), new
        if at == 0:
            ((_, ours),) = restart_probabilities(graph.transition_model, [root])
            if np.abs(ours - p).sum() > 2 * TOLERANCE:
                raise AssertionError("The two disagree.")


def check_depths(graph: BenchGraph, roots: Sequence[int]) -> None:
    """Levels as products with the matrix of links; of the first root compared with ours."""
    matrix = graph.matrix
    for at, root in enumerate(roots):
        depths = np.full(graph.forward.entity_count, -1)
        depths[root] = 0
        for depth in range(1, LEVELS + 1):
            is_near = (depths >= 0).astype(np.float64)
            depths[((matrix @ is_near) > 0) & (depths < 0)] = depth
        if at == 0 and (find_surroundings(graph.steps, root, LEVELS).depths != depths).any():
            raise AssertionError("The two disagree.")
