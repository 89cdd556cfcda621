"""Exact ranks of both ends of triples among all entities, by a trained model."""

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.science.embeddings.exact_ranks import Known, RankSpans, exact_ranks
from backend.science.embeddings.triple_models import Triples, TripleVectors


def rank_triples(
    vectors: TripleVectors,
    triples: Triples,
    known: Triples,
    *,
    stop: CancellationToken | None = None,
) -> RankSpans:
    """[2 n]: first of the tails of n triples among all (head, relation, entity), then of the heads
    among all (entity, relation, tail).

    known: all true triples until the date of the evaluation, those of the training with them; an
    entity that makes one is not ranked. Raises IndexError for unknown entities or relations.
    """
    entities, relations = vectors.entities.values, vectors.relations.values
    for numbers in (triples.relations, known.relations):
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < len(relations):
            raise IndexError(f"relations are numbered from 0 to {len(relations) - 1}")
    biases = vectors.model.biases(entities).astype(np.float64)
    sides = []
    for of_heads in (False, True):
        near, answers = (triples.heads, triples.tails)[:: -1 if of_heads else 1]
        beside, others = (known.heads, known.tails)[:: -1 if of_heads else 1]
        sides.append(
            exact_ranks(
                vectors.model.queries(vectors.parts(triples), of_heads=of_heads),
                answers,
                Known.of_keys(
                    near * len(relations) + triples.relations,
                    beside * len(relations) + known.relations,
                    others,
                ),
                entities,
                biases,
                stop=stop,
            )
        )
    tails, heads = sides
    return RankSpans(
        np.concatenate([tails.best, heads.best]),
        np.concatenate([tails.worst, heads.worst]),
        np.concatenate([tails.candidates, heads.candidates]),
    )
