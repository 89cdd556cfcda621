"""A study of hypothesis pairs, with models, arms and scores that no expert may learn."""

import io
import json
from typing import Any

from annotation.judge_answers import ImportedJudge, import_judge
from annotation.models import Action, Assignment
from annotation.responses import ResponseWrite, write_response
from backend.benchmarks.questionnaire import SourceFile
from backend.studies.models import Study
from tests.annotation.personas import Cast, make_cast_of_kind

MODELS = ("Canary-Model-7Q", "Canary-Model-9Z")
ARMS = ("canary-arm-graph", "canary-arm-nothing")
SCORES = (0.271828125, 0.314159375)
SECRETS = (*MODELS, *ARMS, *map(str, SCORES), "as_listed", "swapped")
JUDGE, RATIONALE = "Canary-Judge-5K", "canary-rationale-31415"
ORDERS = ("as_listed", "swapped")


def pair_entry(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "question_number": number,
        "qid": number - 1,
        "text": f"How does aspirin act on case {number}?",
        "category": "Chemical and disease",
        "background": f"Background of case {number}.\n",
        "hypotheses": [hypothesis_entry(number, place) for place in range(2)],
        **changes,
    }


def hypothesis_entry(number: int, place: int, **changes: Any) -> dict[str, Any]:
    name = ("First", "Second")[place]
    return {
        "hypothesis": f"{name} hypothesis of case {number}.",
        "rationale": f"{name} rationale. It has 2 sentences, e.g. This one.",
        "model": MODELS[place],
        "arm": ARMS[place],
        "score": SCORES[place],
        **changes,
    }


def pair_file(*entries: dict[str, Any]) -> list[SourceFile]:
    return [SourceFile("batch1.json", json.dumps(entries).encode())]


def make_pair_cast(pairs: int = 4) -> Cast:
    files = pair_file(*(pair_entry(number) for number in range(1, pairs + 1)))
    return make_cast_of_kind("hypothesis_pairs", files)


def pair_answer(choice: str | None, because: tuple[str, int] | None = None) -> dict[str, Any]:
    mark = because and {"id": because[0], "sentence": because[1]}
    return {"choice": choice, "because": mark, "comment": ""}


def choose(
    assignment: Assignment,
    choice: str,
    because: tuple[str, int] | None = None,
    *,
    version: int = 0,
) -> None:
    """Submit a choice by side, as the expert of the assignment."""
    write = ResponseWrite(
        version=version,
        action=Action.SUBMIT,
        outcome=choice.removesuffix("_much"),
        payload=pair_answer(choice, because),
    )
    write_response(actor=assignment.expert, assignment_id=assignment.id, write=write)


def prefer(assignment: Assignment, place: int, much: bool = False, *, version: int = 0) -> None:
    """Choose the first (0) or second (1) hypothesis of the file, on whichever side it is."""
    is_left = (place == 0) == (assignment.arms["side"] == "as_listed")
    choose(assignment, ("a" if is_left else "b") + ("_much" if much else ""), version=version)


def judged(qid: int, as_listed: str, swapped: str) -> list[dict[str, Any]]:
    """Lines of a model judge's file: choices by side, in both orders."""
    choices = zip(ORDERS, (as_listed, swapped), strict=True)
    return [
        {"qid": qid, "order": order, "choice": choice, "rationale": RATIONALE}
        for order, choice in choices
    ]


def lines(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def load_judge(cast: Cast, *rows: dict[str, Any], name: str = JUDGE) -> ImportedJudge:
    file = io.BytesIO(lines(*rows))
    return import_judge(actor=cast.coordinator, study_id=cast.study.id, name=name, file=file)


def close(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
