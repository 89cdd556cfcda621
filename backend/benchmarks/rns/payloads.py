"""Measures as plain JSON, the same for the command, the API and files."""

from typing import Any

from backend.benchmarks.rns.options import RnsOptions, row_precision, weights_payload
from backend.benchmarks.rns.scoring_context import ScoringContext
from backend.benchmarks.rns.set_scoring import Percentiles, SetMeasures
from backend.graphs.entity_details import entity_summary
from backend.science.embeddings.embedding_store import Embedding
from backend.science.rns.measures import RnsScore, SplitScores, Weights

Payload = dict[str, Any]


def measures_payload(basis: ScoringContext, result: SetMeasures, weights: Weights) -> Payload:
    """The keys of the score come first, as `manage.py rns` prints them."""
    return {
        **score_payload(result.score),
        "weights": weights_payload(weights),
        "entities": [
            {
                **entity_summary(basis.snapshot, number),
                "set": "existing" if place < result.existing else "serendipity",
                "embedded": bool(result.candidates.has_embedding[place]),
                "marginal": float(result.candidates.marginal[place]),
            }
            for place, number in enumerate(result.entities)
        ],
        "p3": result.candidates.transition.tolist(),
        "marginal": result.candidates.marginal.tolist(),
        "bars": bar_payloads(basis, result, weights),
        "marginal_error": basis.marginal.error,
        "parameters": parameters_payload(basis.options, basis.model.entity_count),
        "embedding": embedding_payload(basis.embedding),
    }


def bar_payloads(basis: ScoringContext, result: SetMeasures, weights: Weights) -> list[Payload]:
    totals = result.bars.totals(weights).tolist()
    return [
        {
            "id": basis.snapshot.entity(number).id,
            **bar_payload(result.bars, place),
            "total": totals[place],
        }
        for place, number in enumerate(result.entities)
    ]


def score_payload(score: RnsScore) -> Payload:
    names = ("relevance", "novelty", "mutual_information", "surprise")
    parts = {name: getattr(score, name) for name in names}
    return {**parts, "surprise_error": score.error, "total": score.total}


def bar_payload(bars: SplitScores, place: int) -> Payload:
    information = float(bars.mutual_information[place])
    return {
        "relevance": float(bars.relevance[place]),
        "novelty": 1 - information,
        "mutual_information": information,
        "surprise": float(bars.surprise[place]),
    }


def parameters_payload(options: RnsOptions, entities: int) -> Payload:
    """Every choice, those of the walk and those of the measures."""
    return {**options.as_json(), "precision": row_precision(entities)}


def percentiles_payload(result: Percentiles) -> Payload:
    parts = ("relevance", "novelty", "surprise", "total")
    return {"draws": result.draws, **{one: getattr(result, one) for one in parts}}


def embedding_payload(embedding: Embedding) -> Payload:
    """How it was made, and what it is worth on links that it never saw."""
    facts = embedding.facts
    return {
        "method": facts["parameters"]["method"],
        "dimensions": facts["parameters"]["dimensions"],
        "without_vector": facts["without_vector"],
        "aucs": [dict(one) for one in facts["held_out"]],
        "ranks": facts.get("ranks"),  # embeddings of before November 2026 have none
    }
