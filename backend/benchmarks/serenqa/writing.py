"""SerenQA's files, written so that they are valid JSON and are read again without a notice.

A record that was read is written as its file had it, unknown fields and ways of writing numbers
included. One that is made here has every field of appendix A.3, in its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.benchmarks.patterns.cypher import cypher_of
from backend.benchmarks.patterns.parsing import graph_query_of
from backend.benchmarks.patterns.shapes import Pattern
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.reading import Faults
from backend.benchmarks.serenqa.reading import read_serenqa
from backend.benchmarks.serenqa.records import (
    FILE_WORDS,
    TYPE_NUMBERS,
    Answer,
    SerenQAInvalid,
    Split,
)
from backend.benchmarks.serenqa.strict import json_text
from backend.graphs.neighbourhood import EntityRef
from backend.graphs.paths import ExplainedPath

JOINT = "--"
NAMELESS = "None"


@dataclass(frozen=True)
class NewQuestion:
    """A question of ours, for a file of theirs."""

    qid: int
    text: str
    answers: Sequence[Answer]
    pattern: Pattern
    category: str


def question_object(question: NewQuestion) -> dict[str, object]:
    pattern = question.pattern
    if pattern.type not in TYPE_NUMBERS:
        raise ValueError(f"The pattern of question {question.qid} is none of the nine types.")
    return {
        "qid": question.qid,
        "question": question.text,
        "answer": [
            {"answer_type": "Entity", "answer_argument": one.id, "entity_name": one.name}
            for one in question.answers
        ],
        "function": "none",
        "commonness": 0.0,
        "num_node": len(pattern.nodes),
        "num_edge": len(pattern.edges),
        "graph_query": graph_query_of(pattern),
        "pattern_type": TYPE_NUMBERS[pattern.type],
        "category": question.category,
        "cypher": cypher_of(pattern, by="name"),
    }


def partitions_object(qid: object, text: str, splits: Iterable[Split]) -> dict[str, object]:
    """The partitions of one question, each under its file's word for the method. qid: a whole
    number, or text where the question's own file has text."""
    record: dict[str, object] = {"qid": qid, "question": text}
    for split in splits:
        record[FILE_WORDS[split.method]] = {
            "serendipity_set": {"list": [*split.serendipity], "description": None},
            "explore_queries": {"paths": [*split.paths], "questions": [*split.questions]},
            "partition": split.split,
            "exact_matches": {"list": [*split.existing], "description": None},
        }
    return record


def written(records: Sequence[Mapping[str, object]], name: str = "questions.json") -> bytes:
    """A file of these records. Raises SerenQAInvalid if it could not be read again as it is."""
    content = (json_text(records) + "\n").encode()
    if not records:
        return content
    read = read_serenqa([SourceFile(name, content)])
    if read.notices:
        faults = Faults()
        for notice in read.notices:
            faults.add(name, notice)
        raise SerenQAInvalid.of(faults)
    return content


def path_notation(path: ExplainedPath, identifiers: Mapping[int, str] | None = None) -> str:
    """A path as A.3 prints it: P07900--ACTS_ON--NOS2:Protein--BELONGS_TO_PROTEIN--P29474.

    The ends by their identifiers (by number in `identifiers`, where the file has others than the
    graph), what lies between by name and type. The notation does not say which way an edge runs.
    """
    first, *between, last = path.entities
    known = identifiers or {}
    parts = [known.get(first.number, first.id)]
    for step, entity in zip(path.steps, between, strict=False):
        parts += [step.relation, _named(entity)]
    return JOINT.join([*parts, path.steps[-1].relation, known.get(last.number, last.id)])


def _named(entity: EntityRef) -> str:
    return f"{entity.name or NAMELESS}:{entity.type}"
