"""Measures as plain JSON, the same for the command, the API and files."""

from __future__ import annotations

from typing import Any

from backend.benchmarks.serendipity.basis import Basis
from backend.benchmarks.serendipity.measuring import Measures
from backend.benchmarks.serendipity.options import Options, precision_for
from backend.benchmarks.serendipity.percentile import Percentiles
from backend.graphs.neighbourhood import EntityRef, entity_ref
from backend.science.embeddings.vectors import Embedding
from backend.science.rns.measures import Measured, Score, Weights

Body = dict[str, Any]


def body_of_measures(basis: Basis, found: Measures, weights: Weights) -> Body:
    """The keys of the score come first, as `manage.py rns` prints them."""
    return {
        **body_of_score(found.score),
        "weights": body_of_weights(weights),
        "entities": [
            {
                **body_of_entity(entity_ref(basis.snapshot, number)),
                "set": "existing" if place < found.existing else "serendipity",
                "embedded": bool(found.candidates.embedded[place]),
                "marginal": float(found.candidates.marginal[place]),
            }
            for place, number in enumerate(found.entities)
        ],
        "p3": found.candidates.transition.tolist(),
        "marginal": found.candidates.marginal.tolist(),
        "bars": bars_of(basis, found, weights),
        "marginal_error": basis.marginal.error,
        "parameters": body_of_parameters(basis.options, basis.model.entity_count),
        "embedding": body_of_embedding(basis.embedding),
    }


def bars_of(basis: Basis, found: Measures, weights: Weights) -> list[Body]:
    totals = found.bars.totals(weights).tolist()
    return [
        {
            "id": basis.snapshot.entity(number).id,
            **body_of_bar(found.bars, place),
            "total": totals[place],
        }
        for place, number in enumerate(found.entities)
    ]


def body_of_score(score: Score) -> Body:
    return {
        "relevance": score.relevance,
        "novelty": score.novelty,
        "mutual_information": score.mutual_information,
        "surprise": score.surprise,
        "surprise_error": score.error,
        "total": score.total,
    }


def body_of_bar(bars: Measured, place: int) -> Body:
    information = float(bars.mutual_information[place])
    return {
        "relevance": float(bars.relevance[place]),
        "novelty": 1 - information,
        "mutual_information": information,
        "surprise": float(bars.surprise[place]),
    }


def body_of_weights(weights: Weights) -> Body:
    alpha, beta, gamma = weights.values
    return {"relevance": alpha, "novelty": beta, "surprise": gamma}


def body_of_entity(entity: EntityRef) -> Body:
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "degree": entity.degree,
    }


def body_of_parameters(options: Options, entities: int) -> Body:
    """Every choice, those of the walk and those of the measures."""
    return {**options.as_json(), "precision": precision_for(entities)}


def body_of_percentiles(found: Percentiles) -> Body:
    parts = ("relevance", "novelty", "surprise", "total")
    return {"draws": found.draws, **{one: getattr(found, one).percentile for one in parts}}


def body_of_embedding(embedding: Embedding) -> Body:
    """How it was made, and what it is worth on links that it never saw."""
    facts = embedding.facts
    return {
        "method": facts["parameters"]["method"],
        "dimensions": facts["parameters"]["dimensions"],
        "without_vector": facts["without_vector"],
        "aucs": [dict(one) for one in facts["held_out"]],
    }
