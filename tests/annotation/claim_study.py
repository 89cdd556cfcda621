"""A study of claims, with a judge's model, arm and verdict that no expert may learn."""

import json
from collections.abc import Sequence
from typing import Any

from annotation.models import Action, Assignment
from annotation.responses import ResponseWrite, write_response
from backend.benchmarks.questionnaire import SourceFile
from tests.annotation.personas import Cast, make_cast_of_kind

SECRETS = ("Canary-Judge-7Q", "canary-arm-graph", "canary-verdict-refuted")

JsonMark = dict[str, str | int | None]


def claim_entry(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "question_number": number,
        "qid": number - 1,
        "text": f"Claim of case {number}.",
        "category": "Chemical and gene",
        "documents": [document_entry("d1"), document_entry("d2", text="Nothing, e.g. Here.\n")],
        "edges": [
            {"source": "Aspirin", "relation": "inhibits", "target": "PTGS2", "origin": "A graph"}
        ],
        **dict(zip(("model", "arm", "verdict"), SECRETS, strict=True)),
        **changes,
    }


def document_entry(name: str, **changes: Any) -> dict[str, Any]:
    text = "It does, cf. Fig. 1. By 0.5 mg. It ends."
    return {"id": name, "title": f"Title {name}", "text": text, "source": "A paper", **changes}


def claim_file(*entries: dict[str, Any]) -> list[SourceFile]:
    return [SourceFile("batch1.json", json.dumps(entries).encode())]


def make_claim_cast(*entries: dict[str, Any]) -> Cast:
    return make_cast_of_kind("claims", claim_file(*(entries or map(claim_entry, range(1, 5)))))


def sentence(document: str, number: int) -> JsonMark:
    return {"document": document, "number": number}


def edge(number: int) -> JsonMark:
    return {"document": None, "number": number}


def claim_answer(verdict: str | None, *because: JsonMark) -> dict[str, Any]:
    return {"verdict": verdict, "because": list(because), "comment": ""}


def decide(assignment: Assignment, verdict: str, because: Sequence[JsonMark] = ()) -> None:
    """Submit a verdict as the expert of the assignment."""
    write = ResponseWrite(
        version=0, action=Action.SUBMIT, outcome=verdict, payload=claim_answer(verdict, *because)
    )
    write_response(actor=assignment.expert, assignment_id=assignment.id, write=write)
