"""TransE, DistMult, ComplEx and HolE: slopes by finite differences, and what they learn."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from backend.science.embeddings.triple_models import (
    MOST_SHOWN,
    TRIPLE_MODELS,
    AdagradTable,
    EndReplacer,
    Triples,
    TripleSettings,
    TripleVectors,
)
from backend.science.embeddings.triple_training import train_triples

GROUPS, EACH = 5, 24  # of sources, and as many of targets
SIDE = GROUPS * EACH
TYPES = np.repeat([0, 1], SIDE)
each_model = pytest.mark.parametrize("name", sorted(TRIPLE_MODELS))


def triples_of(pairs: NDArray[np.int64]) -> Triples:
    return Triples(pairs[:, 0], np.zeros(len(pairs), np.int64), pairs[:, 1])


def planted() -> tuple[Triples, NDArray[np.int64], NDArray[np.int64]]:
    """Sources point to a third of the targets of their own group: some pairs are held out, and as
    many of different groups stand against them. All entities have about the same degree."""
    rng = np.random.default_rng(5)
    sources, targets = np.divmod(np.arange(SIDE * SIDE), SIDE)
    is_own = sources // EACH == targets // EACH
    pairs = np.stack([sources, targets + SIDE], axis=1)
    own = rng.permutation(pairs[is_own])
    others = rng.permutation(pairs[~is_own])
    size = len(own) // 3
    return triples_of(own[:size]), own[size : size + 300], others[:300]


@each_model
def test_slopes_are_those_of_finite_differences(name: str) -> None:
    rng = np.random.default_rng(1)
    tables = [AdagradTable(rng.normal(size=(count, 6))) for count in (7, 3)]
    vectors = TripleVectors(TRIPLE_MODELS[name], *tables)
    true = Triples(np.array([0, 1, 1]), np.array([0, 1, 1]), np.array([1, 2, 5]))
    replaced = EndReplacer(np.zeros(7, np.int64)).replace(true, 2, rng)
    _, *slopes = vectors.loss_and_slopes(true, replaced)
    for table, (rows, computed) in zip(tables, slopes, strict=True):
        dense = np.zeros_like(table.values)
        dense[rows] = computed
        assert np.abs(dense).max() > 0.01
        for at in np.ndindex(dense.shape):
            losses = []
            for change in (-1e-5, 2e-5):
                table.values[at] += change
                losses.append(vectors.loss_and_slopes(true, replaced)[0])
            table.values[at] -= 1e-5
            assert (losses[1] - losses[0]) / 2e-5 == pytest.approx(dense[at], abs=1e-7)


@each_model
def test_groups_are_learnt_where_degrees_state_nothing(name: str) -> None:
    triples, true, false = planted()
    vectors = train_triples(TRIPLE_MODELS[name], triples, TYPES, 1, TripleSettings(seed=2))
    pairs, labels = np.concatenate([true, false]), np.repeat([1, 0], [len(true), len(false)])
    degrees = np.bincount(np.concatenate([triples.heads, triples.tails]), minlength=2 * SIDE)
    by_degree = roc_auc_score(labels, degrees[pairs].prod(axis=1))
    learnt = roc_auc_score(labels, vectors.scores(triples_of(pairs)))
    assert by_degree < 0.6
    assert learnt > 0.9


@each_model
def test_a_seed_repeats_all_bytes_and_another_does_not(name: str) -> None:
    triples, _, _ = planted()

    def train(seed: int) -> bytes:
        settings = TripleSettings(epochs=2, batch=100, seed=seed)
        vectors = train_triples(TRIPLE_MODELS[name], triples, TYPES, 1, settings)
        return vectors.entities.values.tobytes() + vectors.relations.values.tobytes()

    assert train(1) == train(1) != train(2)


def test_complex_alone_of_the_products_tells_directions_apart() -> None:
    ring = np.array(list(pairwise([*range(20), 0])))
    ring = np.concatenate([ring, [(one, (one + 2) % 20) for one in range(20)]])
    settings = TripleSettings(epochs=300, batch=10)

    def gap(name: str) -> Any:
        model = TRIPLE_MODELS[name]
        vectors = train_triples(model, triples_of(ring), np.zeros(20, np.int64), 1, settings)
        return np.mean(vectors.scores(triples_of(ring)) - vectors.scores(triples_of(ring[:, ::-1])))

    assert gap("complex") > 1
    assert gap("distmult") == pytest.approx(0, abs=1e-6)


def test_replaced_ends_keep_their_type_and_every_entity_of_it_is_drawn() -> None:
    types = np.array([1, 0, 1, 0, 0, 2])
    triples = Triples(np.array([0, 5]), np.array([3, 4]), np.array([1, 3]))
    drawn = EndReplacer(types).replace(triples, 500, np.random.default_rng(0))
    heads, tails = (np.tile(one, 500) for one in (triples.heads, triples.tails))
    assert np.array_equal(types[drawn.heads], types[heads])
    assert np.array_equal(types[drawn.tails], types[tails])
    assert np.array_equal(drawn.relations, np.tile(triples.relations, 500))
    assert ((drawn.heads == heads) | (drawn.tails == tails)).all()
    assert set(drawn.heads) == {0, 2, 5} and set(drawn.tails) == {1, 3, 4}


def test_the_steps_of_a_large_graph_are_bounded() -> None:
    settings = TripleSettings(epochs=60)
    assert [settings.epochs_for(count) for count in (0, 10, 10**5, 10**6, 10**8)] == [
        *(60, 60),
        MOST_SHOWN // 10**5,
        MOST_SHOWN // 10**6,
        1,
    ]
