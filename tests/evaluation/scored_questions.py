"""A set of six questions, and two models of a scripted server that score its candidates."""

import json
import re
from typing import Any

QUESTIONS, CANDIDATES = 6, 10
MODELS = ("first", "second")
REQUESTS = QUESTIONS * len(MODELS)
NUMBER = re.compile(r"treats disease (\d+)")


def make_question_set(name: str, owner: Any) -> Any:
    """Needs Django."""
    from backend.benchmarks.models import QuestionSet

    questions = QuestionSet.objects.create(name=name, created_by=owner)
    for number in range(1, QUESTIONS + 1):
        question = questions.questions.create(
            file_id=f"q{number}", number=number, text=f"Which drug treats disease {number}?"
        )
        for position in range(CANDIDATES):
            question.candidates.create(
                position=position, name=f"Drug {position}", prior_rank=position + 1
            )
    return questions


def number_of(body: dict[str, Any]) -> int:
    """Of the request: a model and a question."""
    match = NUMBER.search(body["messages"][1]["content"])
    assert match is not None
    return QUESTIONS * MODELS.index(body["model"]) + int(match[1]) - 1


def scores_of(model: str) -> dict[str, float]:
    """The second model turns the order of the first around, and has other numbers."""
    places = range(CANDIDATES)
    first = {f"c{one + 1}": float(one) for one in places}
    return first if model == MODELS[0] else {key: 19.5 - value for key, value in first.items()}


def answer(number: int, body: dict[str, Any]) -> str:
    return json.dumps({"scores": scores_of(body["model"])})
