"""How far experts agree on each scale, and how often they rate it positively."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal
from uuid import UUID

from annotation.kinds.base import Payload
from annotation.kinds.item_measures import average_measures, list_measures, mean_of
from annotation.kinds.measures import Measure, measure_of
from backend.science.judgements.alpha import krippendorff_alpha
from backend.science.judgements.ratings import MIDDLE, Rate, rating_rates
from backend.science.judgements.tables import Judgement, JudgementTable
from backend.science.optional_statistic import Statistic

Verdict = Literal["positive", "tie", "negative"]
ExpertAnswers = Mapping[UUID, Payload]

MAX_DISTANCE = 4
LABELS = {"same_verdict": "Same verdict", "closeness": "Closeness of levels"}
RATE_LABELS: Mapping[Rate, str] = {
    "positive": "positive (4 and 5)",
    "tie": "tie (3)",
    "negative": "negative (1 and 2)",
    "non_negative": "positive or tie",
}
RATED_AS: Mapping[Rate, Collection[int]] = {
    "positive": (4, 5),
    "tie": (3,),
    "negative": (1, 2),
    "non_negative": (3, 4, 5),
}
"""The levels of each rate."""


def verdict_of(level: int) -> Verdict:
    """Positive 4 and 5, tie 3, negative 1 and 2, as in STaRK's Table 5."""
    if level == MIDDLE:
        return "tie"
    return "positive" if level > MIDDLE else "negative"


def list_item_measures(answers: Sequence[Payload]) -> list[Measure]:
    return list_measures(measure_item(answers), LABELS)


def measure_item(answers: Sequence[Payload]) -> dict[str, Statistic]:
    """Of all pairs of experts on all scales that both rated.

    same_verdict: the share of pairs with the same verdict. closeness: the mean of 1 - |g - h| / 4
    over their levels g and h.
    """
    pairs = [pair for levels in _levels_by_scale(answers) for pair in combinations(levels, 2)]
    return {
        "same_verdict": mean_of([verdict_of(g) == verdict_of(h) for g, h in pairs]),
        "closeness": mean_of([1 - abs(g - h) / MAX_DISTANCE for g, h in pairs]),
    }


def measure_ratings(items: Sequence[ExpertAnswers], *, seed: int) -> list[Measure]:
    """Means of the items' measures, then for each scale alpha and the rates.

    alpha is Krippendorff's at ordinal level; its interval and those of the rates resample experts
    and items.
    """
    by_item = [measure_item(list(answers.values())) for answers in items]
    return [
        *average_measures(by_item, LABELS, seed=seed),
        *(
            measure
            for scale in list_scales(items)
            for measure in _measure_scale(items, scale, seed)
        ),
    ]


def list_scales(items: Sequence[ExpertAnswers]) -> list[str]:
    """All scales that were rated, by name: items may have different ones."""
    return sorted({name for answers in items for one in answers.values() for name in one["levels"]})


def _measure_scale(items: Sequence[ExpertAnswers], scale: str, seed: int) -> Iterator[Measure]:
    table = JudgementTable.of(_judgements(items, scale)).values
    alpha = krippendorff_alpha(table, level="ordinal", seed=seed)
    yield measure_of(f"{scale}.alpha", f"{scale}: ordinal alpha", alpha)
    for rate, one in rating_rates(table, seed=seed).items():
        yield measure_of(f"{scale}.{rate}", f"{scale}: {RATE_LABELS[rate]}", one.clustered)


def _judgements(items: Sequence[ExpertAnswers], scale: str) -> Iterator[Judgement]:
    for place, answers in enumerate(items):
        for expert, payload in answers.items():
            level = payload["levels"].get(scale)
            if level is not None:
                yield f"{place:06}", str(expert), float(level)


def _levels_by_scale(answers: Sequence[Payload]) -> Iterator[list[int]]:
    for scale in answers[0]["levels"] if answers else ():
        levels = (one["levels"][scale] for one in answers)
        yield [level for level in levels if level is not None]
