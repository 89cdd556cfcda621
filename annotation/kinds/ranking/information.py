"""Expected information of one more order of a question's candidates."""

from collections.abc import Sequence

from annotation.kinds.base import Payload
from backend.benchmarks.models import Question
from backend.science.allocation import information_gain


def first_choice_information(
    questions: Sequence[Question], answers: Sequence[Sequence[Payload]]
) -> list[float]:
    """About the shares of experts who put each candidate first; candidates that tie there have an
    equal part of an expert's choice."""
    result = []
    for question, orders in zip(questions, answers, strict=True):
        counts = {str(one.id): 0.0 for one in question.candidates.all()}
        for payload in orders:
            first = payload["ranking"][0]
            for candidate in first:
                counts[candidate] += 1 / len(first)
        result.append(float(information_gain([list(counts.values())])[0]))
    return result
