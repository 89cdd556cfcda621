"""Vectors of a planted graph: held-out links are above chance and degrees, and never trained on."""

import numpy as np
import pytest

from backend.science.embeddings.triple_trial import TripleTrial
from backend.science.embeddings.vector_models import VECTOR_MODELS
from backend.science.embeddings.vector_trial import measure_vectors
from tests.science.embeddings.graphs import planted

GRAPH = planted(5)


@pytest.mark.parametrize("name", sorted(VECTOR_MODELS))
def test_a_model_that_learns_groups_is_above_degrees_and_chance(name: str) -> None:
    sides = GRAPH.sides()
    trial = TripleTrial.draw(*sides, GRAPH.types_of(), seed=0, share=0.1)
    quality = measure_vectors(trial, sides, VECTOR_MODELS[name], 0)
    for one in quality.aucs:
        assert one.n > 100 and one.embedding.low is not None
        assert one.embedding.low > 0.6 > (one.degree_product.value or 0), one
    assert quality.ranks.n == len(trial.trial.pairs)
    assert (quality.ranks.adjusted_mean_rank or 0) > 0.2


@pytest.mark.parametrize("name", ["node2vec", "gcn"])
def test_types_change_the_training_and_the_seed_repeats_it(name: str) -> None:
    trial = TripleTrial.draw(*GRAPH.sides(), GRAPH.types_of(), seed=0, share=0.1)
    model = VECTOR_MODELS[name]
    first = model(trial.graph, trial.types, 1)
    assert model(trial.graph, trial.types, 1).tobytes() == first.tobytes()
    assert not np.array_equal(model(trial.graph, None, 1), first)
    assert np.allclose(np.linalg.norm(first, axis=1), trial.graph.degrees() > 0, atol=1e-5)


def test_the_graph_of_a_trial_has_no_held_out_link() -> None:
    trial = TripleTrial.draw(*GRAPH.sides(), GRAPH.types_of(), seed=0, share=0.1)
    hidden = {frozenset(pair) for pair in trial.trial.pairs.tolist()}
    offsets, neighbours = trial.graph.offsets, trial.graph.neighbours
    sources = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    links = {frozenset(pair) for pair in zip(sources.tolist(), neighbours.tolist(), strict=True)}
    assert len(hidden) > 100 and not hidden & links
