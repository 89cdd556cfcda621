"""Made-up files of SerenQA: a question of two answers and more, with partitions and paths."""

import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backend.tracks.base import AnyTrack
from backend.tracks.item_table import Source

Json = dict[str, Any]


def question(qid: int | str, answers: Sequence[str], type_: str = "Protein") -> Json:
    return {
        "qid": qid,
        "question": f"Which proteins answer {qid}?",
        "answer": [{"answer_argument": one, "entity_name": f"Name of {one}"} for one in answers],
        "graph_query": {
            "nodes": [
                {"nid": 0, "node_type": "class", "id": type_, "class": type_, "question_node": 1},
                {
                    "nid": 1,
                    "node_type": "entity",
                    "id": "DOID:0110447",
                    "class": "Disease",
                    "question_node": 0,
                },
            ],
            "edges": [{"start": 0, "end": 1, "friendly_name": "ASSOCIATED_WITH"}],
        },
    }


def split(
    serendipity: Sequence[str],
    existing: Sequence[str],
    paths: Sequence[str] = (),
    questions: Sequence[str] = (),
) -> Json:
    return {
        "serendipity_set": {"list": list(serendipity), "description": None},
        "explore_queries": {"paths": list(paths), "questions": list(questions)},
        "partition": "test",
        "exact_matches": {"list": list(existing), "description": None},
    }


def partitions(qid: int | str, **splits: Json) -> Json:
    return {"qid": qid, "question": f"Which proteins answer {qid}?", **splits}


def read(
    track: AnyTrack,
    *files: Sequence[Mapping[str, Any]],
    spell: Callable[[str, str], Sequence[str] | None] = lambda identifier, type_: (),
) -> Source[Any, Any]:
    """The files in this order, and what they give together."""
    source: Source[Any, Any] = Source()
    for number, records in enumerate(files):
        track.read_source(io.BytesIO(json.dumps(records).encode()), f"{number}.json", source)
    if not source.faults.total:
        track.complete_source(source, spell)
    return source
