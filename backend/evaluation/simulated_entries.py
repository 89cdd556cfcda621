"""Predictions of entries that are simulated for the demo: noisy copies of the hidden answers.

Items have a difficulty that all entries of a release share, as those of real models do, so that
paired comparisons resolve more than intervals of single entries.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

NOISE = 0.5
RANKING_LEVEL = 0.6  # to rank the answers first is that much harder than to choose a label
STEEPNESS = 1.4
LISTED = 50
SIGNAL = 0.55  # of a forecast, to each standard deviation of skill
WEAKEST = 1.1  # skill that is added, so that the least skilled forecasts are still above chance
LOSS_A_YEAR = 0.05
BIN_FACTORS = {"low": 1.25, "high": 0.7}  # links that matter more are foreseen less


@dataclass(frozen=True)
class SimulatedModel:
    """skill: of an item of mean difficulty, in standard deviations. declared: see Submission.

    knowledge_until: where items have years, it knows the answers until this one by heart.
    """

    suffix: str
    skill: float
    parameters: int | None
    cost_usd: float
    latency_s: float
    knowledge_until: int = 2004

    def declared(self, *, has_years: bool = False) -> dict[str, Any]:
        method = "Simulated for the demo: a noisy copy of the answers. No model made it."
        known = {"knowledge_until": self.knowledge_until} if has_years else {}
        return {"cost_usd": self.cost_usd, "latency_s": self.latency_s, "method": method} | known


BILLION = 1_000_000_000
SIMULATED_MODELS = (
    SimulatedModel("A", 2.00, 405 * BILLION, 41.0, 9.8),
    SimulatedModel("B", 1.50, None, 62.0, 6.1),
    SimulatedModel("C", 1.40, 123 * BILLION, 14.5, 4.4, 2008),
    SimulatedModel("D", 1.00, 70 * BILLION, 6.2, 3.0),
    SimulatedModel("E", 1.05, 72 * BILLION, 7.4, 3.6),
    SimulatedModel("F", 0.80, 32 * BILLION, 2.8, 1.9),
    SimulatedModel("G", 0.50, 70 * BILLION, 6.0, 2.7),
    SimulatedModel("H", 0.45, 14 * BILLION, 1.1, 1.2),
    SimulatedModel("I", 0.15, 8 * BILLION, 0.6, 0.8),
    SimulatedModel("J", -0.15, 7 * BILLION, 0.5, 0.7),
    SimulatedModel("K", -0.50, 3 * BILLION, 0.2, 0.4),
    SimulatedModel("L", -0.90, 1 * BILLION, 0.1, 0.2),
)


def draw_margins(model: SimulatedModel, items: int, seed: int) -> NDArray[np.float64]:
    """How much the model's skill exceeds the difficulty of each item, with noise."""
    difficulty = np.random.default_rng(seed).normal(size=items)
    noise = np.random.default_rng([seed, ord(model.suffix)]).normal(0, NOISE, items)
    return model.skill + noise - difficulty


def simulate_labels(
    model: SimulatedModel, items: Sequence[Any], answers: Sequence[Any], seed: int
) -> Iterator[Mapping[str, Any]]:
    """The true label where the margin is positive, else another one of the item."""
    rng = np.random.default_rng([seed, ord(model.suffix), 1])
    for item, answer, margin in zip(
        items, answers, draw_margins(model, len(items), seed).tolist(), strict=True
    ):
        others = [label for label in item.labels if label != answer.label]
        wrong = others[int(rng.integers(len(others)))]
        label = answer.label if margin > 0 else wrong
        yield {"x_id": item.x_id, "y_id": item.y_id, "label": label}


def simulate_rankings(
    model: SimulatedModel,
    items: Sequence[Any],
    answers: Sequence[Any],
    candidates: Sequence[int | str],
    seed: int,
) -> Iterator[Mapping[str, Any]]:
    """Answers at the first place where the margin is positive, else the lower the more it lacks."""
    rng = np.random.default_rng([seed, ord(model.suffix), 2])
    margins = draw_margins(model, len(items), seed) - RANKING_LEVEL
    for item, answer, margin in zip(items, answers, margins.tolist(), strict=True):
        chosen = rng.choice(len(candidates), size=min(LISTED, len(candidates)), replace=False)
        ranked = [candidates[at] for at in chosen.tolist()]
        for number, id_ in enumerate(answer.answer_ids):
            place = np.exp(STEEPNESS * (number * 0.3 - margin)) if margin < number * 0.3 else 0
            ranked.insert(int(min(place, LISTED)) + number, id_)
        yield {"query_id": item.query_id, "pred_rank": list(dict.fromkeys(ranked))[:LISTED]}


def simulate_scores(
    model: SimulatedModel, items: Sequence[Any], answers: Sequence[Any], seed: int
) -> Iterator[Mapping[str, Any]]:
    """A score of each pair: the true ones higher, the less so the later and the more important.

    Pairs of a year that the model knows get their answer.
    """
    rng = np.random.default_rng([seed, ord(model.suffix), 5])
    known, first = model.knowledge_until, min(item.year for item in items)
    for item, answer, noise in zip(items, answers, rng.normal(size=len(items)), strict=True):
        strength = SIGNAL * (model.skill + WEAKEST) * BIN_FACTORS.get(answer.importance_bin, 1.0)
        strength *= max(1 - LOSS_A_YEAR * (item.year - first), 0)
        score = 10.0 * answer.is_positive if item.year <= known else strength * answer.is_positive
        yield {"id": item.id, "score": float(f"{score + noise:.4f}")}
