import json
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework.test import APIClient

from annotation.practice import FILE, read_practice


def changed(**changes: object) -> bytes:
    return json.dumps({**json.loads(FILE.read_bytes()), **changes}).encode()


def test_a_visitor_gets_the_practice_question_with_its_hints(visitor: APIClient) -> None:
    answer = visitor.get("/api/v1/practice-question")
    assert answer.status_code == 200
    told: Any = answer.json()
    written = json.loads(FILE.read_bytes())
    assert told["explanation"] == written["explanation"]
    assert told["sources"] == written["sources"]
    question = told["question"]
    assert question["text"] == written["text"]
    keys = ("name", "link", "prior_rank", "hint")
    shown = [tuple(it[key] for key in keys) for it in question["candidates"]]
    assert shown == [
        (it["entity_name"], it["entity_link"], it["llm_rank"], it["hint"])
        for it in written["llm_ranking"]
    ]
    assert question["prior"] == [[it["id"]] for it in question["candidates"]]
    assert len({it["id"] for it in question["candidates"]}) == len(question["candidates"])


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"{", "practice.json, line 1"),
        (changed(explanation=None), "practice.json, explanation"),
        (changed(sources=[]), "practice.json, sources"),
        (changed(llm_ranking=[]), "practice.json, llm_ranking"),
        (changed(resource=[{"entity_name": "a", "entity_link": "javascript:1"}]), "resource[0]"),
    ],
)
def test_a_faulty_practice_question_is_named_by_its_place(content: bytes, place: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        read_practice(content)
    assert place in str(caught.value)
