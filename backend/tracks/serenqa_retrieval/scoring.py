"""Hit, F1 and executability of one question, and the metrics over them."""

from collections.abc import Mapping, Sequence
from functools import partial

from backend.tracks.metrics import share_metric
from backend.tracks.serenqa_retrieval.rows import (
    FULL,
    GoldAnswer,
    QueryOutput,
    QuestionAnswer,
    QuestionItem,
    RetrievalPrediction,
)

COMPONENTS = 4
HIT, F1, EXECUTED, ITEMS = range(COMPONENTS)


metric = partial(
    share_metric,
    below=[ITEMS],
    components=COMPONENTS,
    unit="percent",
    section="SerenQA, section 6.1",
    ties="Sets cannot tie: a repeated entity counts once.",
)


def gold_answers(item: QuestionItem, answer: QuestionAnswer) -> Sequence[GoldAnswer]:
    if item.graph == FULL:
        return answer.answers
    split = answer.partitions.get(item.graph)
    gold = {*split.existing, *split.judged} if split is not None else set()
    return [one for one in answer.answers if one.id in gold]


def returned_set(prediction: RetrievalPrediction | QueryOutput | None) -> set[str] | None:
    """None if nothing was executed."""
    if prediction is None:
        return None
    if isinstance(prediction, RetrievalPrediction) and prediction.cypher is not None:
        raise ValueError("the query of a prediction is run before it is scored")
    return None if prediction.answers is None else set(prediction.answers)


def score_sets(gold: Sequence[GoldAnswer], returned: set[str] | None) -> Sequence[float]:
    """Hit, F1 and whether it was executed, of one question."""
    if returned is None:
        return 0.0, 0.0, 0.0, 1.0
    numbers: Mapping[str, int] = {
        text: number for number, one in enumerate(gold) for text in (*one.spellings, one.id)
    }
    right = len({numbers[text] for text in returned if text in numbers})
    wrong = sum(text not in numbers for text in returned)
    return right / len(gold), 2 * right / (len(gold) + right + wrong), 1.0, 1.0
