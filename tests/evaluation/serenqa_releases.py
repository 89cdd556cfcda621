"""Releases of the demo's questions, with partitions made for the tests."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backend.benchmarks.demo import DEMO_QUESTIONS_FILE
from backend.benchmarks.models import Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.graphs.models import Version

Question = Mapping[str, Any]


def demo_questions() -> list[Question]:
    questions: list[Question] = json.loads(DEMO_QUESTIONS_FILE.read_text())
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
    """By experts and by RNS, different ones, of every question with two answers or more."""
    return [
        {"qid": one["qid"], "expert": split_answers(one, 0), "sscore": split_answers(one, 1)}
        for one in questions
        if len(one["answer"]) > 1
    ]


def make_serenqa_release(
    folder: Path, version: Version | None, *, slug: str = "retrieval", **fields: Any
) -> Release:
    """A draft of all 72 questions, or of those with a partition where it is masked."""
    questions = folder / "questions.json"
    questions.write_text(json.dumps(demo_questions()))
    splits = folder / "partitions.json"
    splits.write_text(json.dumps(partitions(demo_questions())))
    request = ReleaseRequest(
        track="serenqa-retrieval", name=slug, slug=slug, graph_version=version, **fields
    )
    return make_release(actor=None, request=request, files=[questions, splits])
