"""Simulated entries: noisy copies of the answers, the better the higher the skill."""

from collections.abc import Sequence

from backend.evaluation.simulated_entries import (
    SIMULATED_MODELS,
    SimulatedModel,
    simulate_labels,
    simulate_rankings,
)
from backend.tracks.stark_rows import QueryAnswer, QueryItem
from backend.tracks.truthhypo.track import PairAnswer, PairItem

LABELS = ("inhibits", "no_relation", "treats")
PAIRS = [PairItem(str(at), "y", "Drug", "Gene", "Drug & Gene", "?", LABELS) for at in range(500)]
PAIR_ANSWERS = [PairAnswer(LABELS[at % 3]) for at in range(500)]
QUERIES = [QueryItem(at, "?") for at in range(200)]
QUERY_ANSWERS = [QueryAnswer((at, at + 1000)) for at in range(200)]


def accuracy(model: SimulatedModel, seed: int = 1) -> float:
    rows = list(simulate_labels(model, PAIRS, PAIR_ANSWERS, seed))
    right = sum(row["label"] == one.label for row, one in zip(rows, PAIR_ANSWERS, strict=True))
    return float(right / len(rows))


def rankings(model: SimulatedModel) -> list[Sequence[int]]:
    rows = simulate_rankings(model, QUERIES, QUERY_ANSWERS, range(2000), 1)
    return [row["pred_rank"] for row in rows]


def test_labels_are_the_more_often_right_the_higher_the_skill() -> None:
    best, *_, worst = SIMULATED_MODELS
    assert accuracy(best) > 0.9
    assert accuracy(worst) < 0.3
    assert accuracy(best) == accuracy(best)
    assert accuracy(worst) != accuracy(worst, seed=2)


def test_answers_are_ranked_the_higher_the_skill_and_no_entity_twice() -> None:
    best, *_, worst = SIMULATED_MODELS
    first = {
        model.suffix: sum(
            ranked[0] in answer.answer_ids
            for ranked, answer in zip(rankings(model), QUERY_ANSWERS, strict=True)
        )
        for model in (best, worst)
    }
    assert first[best.suffix] > 2 * first[worst.suffix] > 0
    assert all(len(set(ranked)) == len(ranked) <= 50 for ranked in rankings(best))
