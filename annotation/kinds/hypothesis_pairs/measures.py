"""Agreement between experts who compared the same pairs, and which hypothesis they prefer.

Answers are those to the pair as its file lists it: 'a' is the first hypothesis.
"""

from collections.abc import Sequence
from itertools import combinations

from annotation.kinds.base import Payload
from annotation.kinds.item_measures import average_measures, list_measures, mean_of
from annotation.kinds.measures import Measure
from backend.science.optional_statistic import Statistic

GRADES = {"a_much": 2, "a": 1, "tie": 0, "b": -1, "b_much": -2}
"""In favour of a. 'Both bad' is no grade."""
MAX_DISTANCE = 4
FIRST_SHARE = "first_share"

LABELS = {
    "same_verdict": "Same verdict",
    "grade_closeness": "Closeness of grades",
    FIRST_SHARE: "First in the file preferred",
}


def verdict_of(choice: str) -> str:
    """The choice without 'much'."""
    return choice.removesuffix("_much")


def measure_pair(answers: Sequence[Payload]) -> dict[str, Statistic]:
    """The measures of one pair.

    same_verdict: the share of pairs of experts with the same verdict. grade_closeness: the mean of
    1 - |g - h| / 4 over pairs of experts with grades g and h; 'both bad' is left out. first_share:
    of the answers that prefer one hypothesis, those that prefer the first.
    """
    choices = [one["choice"] for one in answers]
    verdicts = [verdict_of(one) for one in choices]
    grades = [GRADES[one] for one in choices if one in GRADES]
    return {
        "same_verdict": mean_of([one == two for one, two in combinations(verdicts, 2)]),
        "grade_closeness": mean_of(
            [1 - abs(one - two) / MAX_DISTANCE for one, two in combinations(grades, 2)]
        ),
        FIRST_SHARE: mean_of([one == "a" for one in verdicts if one in ("a", "b")]),
    }


def measure_pairs(pairs: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
    """Means over the pairs that have a value, with bootstrap intervals over pairs."""
    return average_measures([measure_pair(answers) for answers in pairs], LABELS, seed=seed)


def list_pair_measures(answers: Sequence[Payload]) -> list[Measure]:
    return list_measures(measure_pair(answers), LABELS)
