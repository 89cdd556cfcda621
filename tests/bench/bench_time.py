"""Exact filtered ranks, importance of links and epochs of trained models, each beside a peer.

The peers are numpy's product of the same blocks, with which every rank begins; scipy's products;
and steps of training in plain numpy (PyKEEN and torch are not installed here). GRAPH=ck ranks 2,000
tails among 15 million entities, whose vectors are a file of 3.7 GiB.
"""

import os
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from backend.science.embeddings.exact_ranks import (
    ENTITY_BLOCK,
    QUERY_BLOCK,
    Known,
    Vectors,
    exact_ranks,
)
from backend.science.embeddings.triple_models import (
    EPSILON,
    TRIPLE_MODELS,
    EndReplacer,
    Triples,
    TripleSettings,
    TripleVectors,
    epoch_batches,
)
from backend.science.embeddings.triple_training import train_triples
from backend.science.importance.betweenness import edge_betweenness
from backend.science.importance.dated_links import DatedLinks, Floats, Longs, dated_links
from backend.science.importance.eigenvector import eigenvector_change
from backend.science.importance.integrated_gradients import integrated_gradients
from backend.science.importance.jaccard import second_order_jaccard
from backend.science.importance.link_network import LinkNetwork, NetworkWeights
from tests.bench.bench_graphs import CK
from tests.bench.figures import Figure, bench, run_size
from tests.bench.synthetic import FALL, SEED

MIB = 2**20
HETIONET, WIDTH = 47_031, 64
ROUNDS = 3
TAILS = {"tiny": 200, "small": 4_000, "full": 20_000}
GRAPHS = {"tiny": [(1_000, 5_000)], "small": [(10_000, 50_000)]}
LARGE_GRAPHS = [(100_000, 500_000), (1_000_000, 5_000_000)]
LATER, NETWORK_WIDTH = 10_000, 16
PEER_PAIRS, PEER_STEPS, SOURCES = 500, 50, 50
TRAINED = {"tiny": 2_000, "small": 20_000, "full": 100_000}


@bench("science.time.ranks")
def ranks() -> Iterator[Figure]:
    if os.environ.get("GRAPH") == "ck":
        with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH")) as scratch:
            yield from rank(stored_vectors(Path(scratch) / "vectors", CK[0]), 2_000, rounds=1)
    else:
        rng = np.random.default_rng(SEED)
        vectors = rng.standard_normal((HETIONET, WIDTH), np.float32)
        yield from rank(vectors, TAILS[run_size()], rounds=ROUNDS)


def stored_vectors(path: Path, count: int) -> Vectors:
    """Of a file, so that they need not fit into memory."""
    stored = np.memmap(path, np.float32, "w+", shape=(count, WIDTH))
    rng = np.random.default_rng(SEED)
    for first in range(0, count, 1 << 18):
        part = stored[first : first + (1 << 18)]
        part[:] = rng.standard_normal(part.shape, np.float32)
    stored.flush()
    return stored


def rank(vectors: Vectors, tails: int, *, rounds: int) -> Iterator[Figure]:
    """With biases, as TransE has them; each query has 20 known answers."""
    rng = np.random.default_rng(SEED + 1)
    count = len(vectors)
    queries = rng.standard_normal((tails, WIDTH), np.float32)
    answers, biases = rng.integers(0, count, tails), rng.standard_normal(count)
    others = rng.integers(0, count, 20 * tails)

    def find(most: int) -> None:
        places = np.arange(most) * 20
        known = Known(places, places + 20, others)
        exact_ranks(queries[:most], answers[:most], known, vectors, biases)

    if rounds > 1:
        find(8)  # compiles
    pairs = [
        (timed(lambda: find(tails)), timed(lambda: multiply_blocks(queries, vectors)))
        for _ in range(rounds)
    ]
    ours, bare = (min(one) for one in zip(*pairs, strict=True))
    size = f"{tails:,} tails among {count:,} entities, {WIDTH} numbers each"
    peer = "numpy.matmul of the same blocks"
    yield Figure("science.time.ranks", ours, "s", "lower", peer, bare, size, SEED, 1.5)
    if rounds > 1:
        tracemalloc.start()
        find(tails)
        most = tracemalloc.get_traced_memory()[1] / MIB
        tracemalloc.stop()
        yield Figure("science.time.ranks.memory", most, "MiB", "lower", size=size, seed=SEED)


def multiply_blocks(queries: Vectors, vectors: Vectors) -> None:
    """Whole, the product of Hetionet's size would take 3.5 GiB."""
    product = np.empty((QUERY_BLOCK, ENTITY_BLOCK), np.float32)
    for first in range(0, len(vectors), ENTITY_BLOCK):
        part = np.ascontiguousarray(vectors[first : first + ENTITY_BLOCK])
        for start in range(0, len(queries), QUERY_BLOCK):
            rows = queries[start : start + QUERY_BLOCK]
            np.matmul(rows, part.T, out=product[: len(rows), : len(part)])


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


@dataclass(frozen=True)
class DatedWorld:
    """Links with hubs; the last of them are of the year 2, the others of the year 1."""

    links: DatedLinks
    later: Longs

    @classmethod
    def draw(cls, count: int, links: int) -> "DatedWorld":
        rng = np.random.default_rng(SEED)
        bounds = np.cumsum((np.arange(count) + 1.0) ** -FALL)
        drawn = np.searchsorted(bounds, rng.random((links, 2)) * bounds[-1])
        every = dated_links(drawn, np.ones(links, np.int64), count)
        later = np.sort(rng.choice(len(every.pairs), min(LATER, links // 5), replace=False))
        years = every.years.copy()
        years[later] = 2
        return cls(dated_links(every.pairs, years, count), every.pairs[later])


@bench("science.time.importance")
def importance() -> Iterator[Figure]:
    """Of the later links; scipy's share of them is scaled up to all."""
    for count, links in GRAPHS.get(run_size(), LARGE_GRAPHS):
        world = DatedWorld.draw(count, links)
        size = f"{count:,} entities, {len(world.links.pairs):,} links, {len(world.later):,} later"
        figure = partial(seconds_figure, size=size)
        paths_of(DatedWorld.draw(100, 300))  # compiles
        yield figure("jaccard", *measure_jaccard(world))
        yield figure("integrated_gradients", *measure_gradients(world))
        yield figure("eigenvector_change", timed(partial(change_of, world)))
        yield figure(f"betweenness.{SOURCES}_sources", timed(partial(paths_of, world)))


def seconds_figure(
    name: str, ours: float, theirs: float | None = None, peer: str = "", *, size: str
) -> Figure:
    return Figure(f"science.time.importance.{name}", ours, "s", "lower", peer, theirs, size, SEED)


def measure_jaccard(world: DatedWorld) -> tuple[float, float, str]:
    rows = world.links.until(1)
    second_order_jaccard(rows, world.later[:8])  # compiles
    matrix = world.links.matrix(1)
    some = world.later[:PEER_PAIRS]
    values: list[Floats] = []
    theirs = timed(lambda: values.append(jaccard_by_products(matrix, some)))
    ours = timed(lambda: values.append(second_order_jaccard(rows, world.later)))
    if np.abs(values[0] - values[1][: len(some)]).max() > 1e-9:
        raise AssertionError("The two disagree.")
    scaled = theirs * len(world.later) / len(some)
    return ours, scaled, f"scipy.sparse, from {len(some)} pairs"


def jaccard_by_products(matrix: csr_array[np.float64], pairs: Longs) -> Floats:
    result = []
    for first in range(0, len(pairs), 50):
        ends = [matrix[pairs[first : first + 50, side]] @ matrix for side in (0, 1)]
        for one in ends:
            one.data[:] = 1
        common: Floats = np.asarray(ends[0].multiply(ends[1]).sum(axis=1), np.float64)
        either = np.asarray((ends[0] + ends[1]).sum(axis=1)) - common
        result.append(np.divide(common, either, out=np.zeros_like(common), where=either > 0))
    return np.concatenate(result)


def measure_gradients(world: DatedWorld) -> tuple[float, float, str]:
    """The closed form beside a step of a numerical path, times 50."""
    rng = np.random.default_rng(SEED)
    shapes = ((world.links.count, NETWORK_WIDTH), *[(NETWORK_WIDTH,) * 2] * 2)
    weights = NetworkWeights(*(rng.standard_normal(shape) for shape in shapes))
    network = LinkNetwork.of(world.links.matrix(1), weights, has_loops=False)
    old = world.links.pairs[world.links.years == 1]
    network.link_gradients(world.later[:8], old[:8])  # compiles
    ours = timed(lambda: integrated_gradients(network, world.later, old))
    step = timed(lambda: network.link_gradients(world.later, old, 0.5))
    return ours, step * PEER_STEPS, f"{PEER_STEPS} steps of scipy.sparse, from one"


def change_of(world: DatedWorld) -> Floats:
    return eigenvector_change(world.links.matrix(1), world.links.matrix(2), world.later)


def paths_of(world: DatedWorld) -> object:
    rows, ends = world.links.until(1), np.unique(world.later)
    return edge_betweenness(rows, len(world.links.pairs), ends, sample=SOURCES, seed=SEED)


@bench("science.time.epochs")
def epochs() -> Iterator[Figure]:
    """An epoch of each model, beside the same steps over all rows of the tables."""
    count = TRAINED[run_size()]
    rng = np.random.default_rng(SEED)
    entities = max(count // 4, 100)
    drawn = [rng.integers(0, size, count) for size in (entities, 24, entities)]
    triples, types = Triples(*drawn), np.zeros(entities, np.int64)
    settings = TripleSettings(dimensions=WIDTH, epochs=1, negatives=8)
    size = f"{count:,} triples, {entities:,} entities, {WIDTH} numbers, 8 negatives"
    for name, model in TRIPLE_MODELS.items():
        trained: list[Vectors] = []

        def ours(trained: list[Vectors] = trained, model: Any = model) -> None:
            vectors = train_triples(model, triples, types, 24, settings)
            trained.append(vectors.entities.values)

        def theirs(trained: list[Vectors] = trained, model: Any = model) -> None:
            trained.append(train_densely(model, triples, types, settings))

        seconds, peers = timed(ours), timed(theirs)
        apart = np.abs(trained[0] - trained[1]) > 1e-2
        if apart.mean() > 0.01:  # Adagrad's first step has the sign of a slope, however small
            raise AssertionError(f"The two trainings of {name} disagree.")
        figure = f"science.time.epochs.{name}"
        yield Figure(figure, seconds, "s", "lower", "plain numpy", peers, size, SEED)


def train_densely(
    model: Any, triples: Triples, types: Longs, settings: TripleSettings
) -> NDArray[np.float32]:
    """With slopes of every row, and numpy's unbuffered sums."""
    rng = np.random.default_rng([settings.seed, 3])
    vectors = TripleVectors.random(model, (len(types), 24), settings.dimensions, rng)
    replacer = EndReplacer(types)
    for true in epoch_batches(triples, settings, rng):
        replaced = replacer.replace(true, settings.negatives, rng)
        both = Triples(*(np.concatenate(pair) for pair in zip(true, replaced, strict=True)))
        parts, count = vectors.parts(both), len(true.heads)
        score, is_true = model.score(parts), np.arange(len(both.heads)) < count
        pull = np.where(is_true, -1 / (1 + np.exp(score)), 1 / (1 + np.exp(-score)))
        pull = np.where(is_true, pull, pull / settings.negatives).astype(np.float32)[:, None]
        by = model.slopes(parts)
        for table, rows in (
            (vectors.entities, ((both.heads, by.head), (both.tails, by.tail))),
            (vectors.relations, ((both.relations, by.relation),)),
        ):
            slopes = np.zeros_like(table.values)
            touched = np.zeros((len(slopes), 1), np.float32)
            for numbers, values in rows:
                np.add.at(slopes, numbers, pull * values)
                touched[numbers] = 1
            slopes += settings.decay * touched * table.values
            table.squares += slopes * slopes
            table.values -= settings.rate * slopes / (np.sqrt(table.squares) + EPSILON)
    return vectors.entities.values
