"""Held-out triples of a planted graph: none is trained on, and groups are learnt beside degrees."""

import numpy as np

from backend.science.embeddings.triple_models import TRIPLE_MODELS, TripleSettings
from backend.science.embeddings.triple_trial import TripleTrial
from tests.science.embeddings.graphs import planted

GRAPH = planted(5)


def test_held_out_triples_are_those_of_the_pairs_and_never_trained_on() -> None:
    trial = TripleTrial.draw(*GRAPH.sides(), GRAPH.types_of(), seed=0, share=0.1)
    hidden = {frozenset(pair) for pair in trial.trial.pairs.tolist()}
    every = {(h, r, t) for h, r, t in GRAPH.edges if h != t}
    tested = {*zip(*(one.tolist() for one in trial.tested), strict=True)}
    training = {*zip(*(one.tolist() for one in trial.training), strict=True)}
    assert tested == {one for one in every if frozenset(one[::2]) in hidden}
    assert training == every - tested
    assert len(hidden) > 100
    places, is_forward = trial.first_edges()
    heads, tails = trial.tested.heads[places], trial.tested.tails[places]
    starts, ends = np.where(is_forward, heads, tails), np.where(is_forward, tails, heads)
    assert np.array_equal(np.stack([starts, ends], axis=1), trial.trial.pairs)


def test_a_model_that_learns_groups_is_above_degrees_and_chance() -> None:
    trial = TripleTrial.draw(*GRAPH.sides(), GRAPH.types_of(), seed=0, share=0.1)
    settings = TripleSettings(dimensions=16, epochs=15)
    model = TRIPLE_MODELS["distmult"]
    measured = [trial.measure(model, settings, uses_types=one) for one in (True, False)]
    for quality in measured:
        for one in quality.aucs:
            assert one.n > 100 and one.embedding.low is not None
            assert one.embedding.low > 0.6 > (one.degree_product.value or 0), one
        assert quality.ranks.n == 2 * len(trial.tested.heads)
        assert (quality.ranks.adjusted_mean_rank or 0) > 0.2
    assert measured[0] != measured[1]
