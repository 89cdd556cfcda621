"""Texts that a model scores from 1 to 5, as the questions of a study in which experts rate them."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from backend.benchmarks.questionnaire import MAX_ID, MAX_TEXT_LENGTH
from backend.common.errors import DomainError
from backend.evaluation.judging.score_files import TextToScore
from backend.llm.call_keys import json_text
from backend.tracks.judge_tasks import SCORE_TASKS
from backend.validation.faults import Fault

MOST_RATED = 2_000
FACTS, ANSWERS = "Facts of the graph:", "Expected answers:"
SCALES = {
    "faithfulness": {
        "question": "How truly does the text render the facts?",
        "low": "Almost no statement follows from the facts",
        "high": "Every statement follows from the facts",
    },
    "comprehensiveness": {
        "question": "How much of what matters in the facts does the text cover?",
        "low": "Next to nothing",
        "high": "Nearly all entities, relations and chains that matter",
    },
    "relevance": {
        "question": "How well does the text fit the expected answers?",
        "low": "Nothing it names is among or near them",
        "high": "What it names is among them or closely related",
    },
}
assert SCALES.keys() == SCORE_TASKS.keys()


def qid_of(row: TextToScore) -> int:
    """Identifies the text with its question and material: a judge's score and experts' ratings
    belong together only if they are of the same ones."""
    item = row.item
    content = json_text([row.id, item.question, item.text, [*item.material]])
    digest = sha256(content.encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big") % MAX_ID + 1


def sample_entries(
    rows: Sequence[TextToScore], kinds: Sequence[str], count: int, seed: int
) -> list[dict[str, Any]]:
    """Entries of a questionnaire for `create_study ratings`: so many texts, all equally likely.

    In random order, so that the rated part of an unfinished study is a random one too. Raises
    DomainError for more than MOST_RATED texts, or for texts that an expert could not read whole.
    """
    if not 1 <= count <= MOST_RATED:
        message = f"The number of texts is out of range. Use 1 to {MOST_RATED:,}."
        raise DomainError(message, code="invalid_texts")
    order = np.random.default_rng([seed, 1]).permutation(len(rows))[:count].tolist()
    chosen = [rows[at] for at in order]
    faults = [fault for row in chosen for fault in _list_faults(row, kinds)]
    if faults:
        message = "Experts could not read these texts whole. Shorten them and judge them again."
        raise DomainError(message, code="texts_too_long", faults=faults)
    return [
        {
            "question_number": number,
            "qid": qid_of(row),
            "category": "",
            "text": row.item.text,
            "details": describe_material(row, kinds),
            "scales": [{"name": kind, **SCALES[kind]} for kind in kinds],
        }
        for number, row in enumerate(chosen, start=1)
    ]


def describe_material(row: TextToScore, kinds: Sequence[str]) -> str:
    """What the judge read beside the text, in the same order."""
    title = ANSWERS if [*kinds] == ["relevance"] else FACTS
    lines = [title, *row.item.material] if row.item.material else []
    question = [f"Question: {row.item.question}"] if row.item.question else []
    return "\n".join([*question, *lines])


def _list_faults(row: TextToScore, kinds: Sequence[str]) -> list[Fault]:
    lengths = {"text": len(row.item.text), "material": len(describe_material(row, kinds))}
    expected = f"at most {MAX_TEXT_LENGTH:,} characters"
    faults = [
        Fault(f"{row.id}, {name}", f"It has {length:,} characters.", "too_long", expected)
        for name, length in lengths.items()
        if length > MAX_TEXT_LENGTH
    ]
    if not row.item.text.strip():
        faults.append(Fault(f"{row.id}, text", "An empty text cannot be rated.", "empty", "a text"))
    return faults
