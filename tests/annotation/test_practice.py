import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework.test import APIClient

from annotation.kinds.ranking.practice import PRACTICE_FILE, parse_practice, practice_questions
from annotation.kinds.registry import study_kinds
from backend.benchmarks.rns.options import RnsOptions, parse_weights
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.benchmarks.rns.set_scoring import measure_sets
from backend.graphs.demo import DEMO_FOLDER
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot


def changed(**changes: object) -> bytes:
    first, *others = json.loads(PRACTICE_FILE.read_bytes())
    return json.dumps([{**first, **changes}, *others]).encode()


def test_a_visitor_gets_the_practice_questions_with_hints_and_rns(visitor: APIClient) -> None:
    answer = visitor.get("/api/v1/practice-questions")
    assert answer.status_code == 200
    assert "public" in answer["Cache-Control"]
    listed: Any = answer.json()["results"]
    written = json.loads(PRACTICE_FILE.read_bytes())
    assert len(listed) == len(written) == 5
    for body, source in zip(listed, written, strict=True):
        assert body["explanation"] == source["explanation"]
        assert body["sources"] == source["sources"]
        question = body["item"]
        assert question["text"] == source["text"]
        keys = ("name", "link", "prior_rank", "hint", "rns")
        shown = [tuple(it[key] for key in keys) for it in question["candidates"]]
        assert shown == [
            (it["entity_name"], it["entity_link"], it["llm_rank"], it["hint"], it["rns"])
            for it in source["llm_ranking"]
        ]
        assert question["prior"] == [[it["id"]] for it in question["candidates"]]
        names = {it["id"]: it["name"] for it in question["candidates"]}
        assert len(names) == len(question["candidates"])
        assert names[body["published"]] == source["published"]


def test_the_core_gets_the_questions_from_the_kind() -> None:
    examples = [one for kind in study_kinds().values() for one in kind.practice_examples()]
    assert [one.text for one in examples] == [one.text for one in practice_questions()]
    assert examples[1].answer == ("Sildenafil", "DRUGBANK:DB00203")
    assert examples[1].topic == ("pulmonary hypertension", "DOID:6432")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"{", "practice.json, line 1"),
        (b"[]", "practice.json, questions"),
        (changed(explanation=None), "practice.json, questions[0].explanation"),
        (changed(sources=[]), "practice.json, questions[0].sources"),
        (changed(llm_ranking=[]), "practice.json, questions[0].llm_ranking"),
        (changed(llm_ranking=[{"rns": {"relevance": 2}}]), "llm_ranking[0].rns.relevance"),
        (changed(topic={}), "questions[0].topic.entity_name"),
        (changed(resource=[{"entity_name": "a", "entity_link": "javascript:1"}]), "resource[0]"),
    ],
)
def test_a_faulty_practice_question_is_named_by_its_place(content: bytes, place: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        parse_practice(content)
    assert place in str(caught.value)


def test_rns_is_that_of_the_demo_graph(tmp_path: Path) -> None:
    snapshot = open_snapshot(build_snapshot(open_source([DEMO_FOLDER]).source, tmp_path).path)
    basis = open_scoring_context(snapshot, RnsOptions.parse({}))
    for question in practice_questions():
        numbers = snapshot.find_numbers([one.entity_id for one in question.candidates]).tolist()
        topic = snapshot.find_number(question.topic.entity_id)
        assert min(numbers) >= 0 and topic is not None
        bars = measure_sets(basis, numbers[:-1], numbers[-1:], parse_weights(None)).bars
        written = [
            (one.rns.relevance, one.rns.novelty, one.rns.surprise) for one in question.candidates
        ]
        assert np.allclose(bars.parts, written, atol=1e-4)
