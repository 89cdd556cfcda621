"""The demo's questions with partitions made for the tests, as files. Without Django."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DEMO_QUESTIONS = Path(__file__).resolve().parents[2] / "fixtures/demo/questions/questions.json"

Question = Mapping[str, Any]


def demo_questions() -> list[Question]:
    questions: list[Question] = json.loads(DEMO_QUESTIONS.read_text())
    return questions


def answer_ids(question: Question) -> list[str]:
    return [one["answer_argument"] for one in question["answer"]]


def split_answers(question: Question, step: int) -> Mapping[str, Any]:
    """A fifth of the answers, at least one, is serendipitous: those from place `step` on."""
    ids = answer_ids(question)
    first = step % len(ids)
    hidden = [*ids, *ids][first : first + max(1, len(ids) // 5)]
    existing = [one for one in ids if one not in hidden]
    return {"serendipity_set": {"list": hidden}, "exact_matches": {"list": existing}}


def partitions(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Different ones by experts, by RNS and by a model, of questions with two answers or more."""
    return [
        {
            "qid": one["qid"],
            "expert": split_answers(one, 0),
            "sscore": split_answers(one, 1),
            "llm": split_answers(one, 2),
        }
        for one in questions
        if len(one["answer"]) > 1
    ]
