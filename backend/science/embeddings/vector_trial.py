"""What a model with a vector for each entity predicts of held-out links, beside models of triples.

Held-out pairs and their replacements are those of `triple_trial`. A pair is scored by the cosine of
its two vectors; its second end is ranked among all entities that are not linked to the first.
"""

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.science.adjacency import Adjacency
from backend.science.embeddings.evaluation import evaluate
from backend.science.embeddings.link_ranks import rank_held_out
from backend.science.embeddings.triple_trial import TripleQuality, TripleTrial
from backend.science.embeddings.vector_models import VectorModel


def measure_vectors(
    trial: TripleTrial,
    sides: tuple[Adjacency, Adjacency],
    model: VectorModel,
    seed: int,
    *,
    uses_types: bool = True,
    stop: CancellationToken | None = None,
) -> TripleQuality:
    """sides: forward and reverse, of which the trial was drawn. ranks: of an end of each pair."""
    vectors = model(trial.graph, trial.types if uses_types else None, seed, stop)
    aucs = evaluate(trial.trial, np.arange(len(vectors)), vectors)
    ranks = rank_held_out(trial.trial, *sides, vectors, stop).embedding
    return TripleQuality(aucs, ranks)
