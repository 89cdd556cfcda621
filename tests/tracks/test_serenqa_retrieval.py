"""Retrieval: sets of entities against a slow count by hand, and what odd files are worth."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.cypher.query_validation import MAX_QUERY_LENGTH
from backend.tracks.item_table import Source
from backend.tracks.serenqa import SOURCE_EXAMPLE, read_serenqa
from backend.tracks.serenqa_retrieval.rows import (
    AnswerSplit,
    GoldAnswer,
    QueryOutput,
    QuestionAnswer,
    QuestionItem,
    RetrievalPrediction,
)
from backend.tracks.serenqa_retrieval.track import TRACK
from tests.tracks.releases import Release, json_lines

QUESTION = json.loads(SOURCE_EXAMPLE)[0]
UNKNOWN_ANSWER = {"serendipity_set": {"list": ["X"]}, "exact_matches": {"list": []}}
NEGATED = {"start": 0, "end": 1, "friendly_name": "treats", "negated": 1}
NEGATED_QUERY = {
    "nodes": [
        *QUESTION["graph_query"]["nodes"],
        {**QUESTION["graph_query"]["nodes"][0], "nid": 2, "question_node": 0},
    ],
    "edges": [*QUESTION["graph_query"]["edges"], {**NEGATED, "end": 2}],
}
DANGLING = {"start": 0, "end": 5, "friendly_name": "treats"}


def make_release(gold: Sequence[Sequence[str]], *, existing: int | None = None) -> Release:
    """A question for each list of answers; on a masked graph, the first `existing` are gold."""
    items = [
        QuestionItem(str(at), f"Question {at}", "2.1", "two-hop", "expert" if existing else "full")
        for at in range(len(gold))
    ]
    answers = [
        QuestionAnswer(
            tuple(GoldAnswer(one, ("Disease",), (f"DOID:{one}",)) for one in ids),
            {},
            {"expert": AnswerSplit(tuple(ids[existing or 0 :]), tuple(ids[: existing or 0]))},
        )
        for ids in gold
    ]
    return Release(TRACK, items, answers)


def answer(*lists: Sequence[str]) -> list[dict[str, Any]]:
    return [{"question_id": str(at), "answers": list(ids)} for at, ids in enumerate(lists)]


def values(hit: float, f1: float, executability: float) -> Any:
    return pytest.approx({"hit": hit, "f1": f1, "executability": executability})


def test_hand_cases() -> None:
    release = make_release([["1", "2", "3", "4"]])
    assert release.score(answer(["1", "2"])) == values(50, 200 / 3, 100)
    assert release.score(answer(["1", "9"])) == values(25, 100 / 3, 100)
    assert release.score(answer([])) == values(0, 0, 100)


def test_a_missing_prediction_is_worth_nothing() -> None:
    assert make_release([["1"], ["2"]]).score(answer(["1"])) == values(50, 50, 50)


def test_an_answer_counts_once_however_it_is_spelled() -> None:
    release = make_release([["1", "2"]])
    assert release.score(answer(["1", "DOID:1", "1", "DOID:2"])) == values(100, 100, 100)
    assert release.score([{"question_id": 0, "answers": [1, 2]}]) == values(100, 100, 100)


def test_only_existing_answers_are_gold_on_a_masked_graph() -> None:
    release = make_release([["1", "2", "3"]], existing=2)
    assert release.score(answer(["1", "2"])) == values(100, 100, 100)
    assert release.score(answer(["1", "2", "3"])) == values(100, 80, 100)


def test_a_question_that_the_masked_graph_leaves_out_is_in_no_metric() -> None:
    release = make_release([["1"], ["2"]], existing=1)
    release.answers = [release.answers[0], TRACK.leave_out(release.answers[1])]
    assert release.score(answer(["1"], ["9"])) == values(100, 100, 100)
    components = TRACK.score(release.items, release.answers, [None, None])
    assert np.isnan(TRACK.item_values(components)["f1"]).tolist() == [False, True]


def test_a_query_that_was_not_executed_is_worth_nothing() -> None:
    release = make_release([["1"], ["2"]])
    outputs = [QueryOutput("0", ("DOID:1",)), QueryOutput("1", None)]
    components = TRACK.score(release.items, release.answers, outputs)
    assert components.tolist() == [[1, 1, 1, 1], [0, 0, 0, 1]]
    unscored = RetrievalPrediction("0", None, "RETURN 1")
    with pytest.raises(ValueError, match="before it is scored"):
        TRACK.score(release.items[:1], release.answers[:1], [unscored])


@given(
    gold=st.sets(st.integers(0, 12), min_size=1),
    returned=st.lists(st.tuples(st.integers(0, 16), st.booleans())),
)
def test_scores_equal_those_of_sets_of_entities(
    gold: set[int], returned: list[tuple[int, bool]]
) -> None:
    release = make_release([[str(one) for one in sorted(gold)]])
    named = [f"DOID:{one}" if one in gold and is_curie else str(one) for one, is_curie in returned]
    entities = {one for one, _ in returned}
    both = len(gold & entities)
    precision = both / len(entities) if entities else 0.0
    recall = both / len(gold)
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    assert release.score(answer(named)) == values(100 * recall, 100 * f1, 100)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"question_id": "0"}, "one_of_two"),
        ({"question_id": "0", "answers": ["1"], "cypher": "RETURN 1"}, "one_of_two"),
        ({"question_id": "0", "answers": "1"}, "wrong_type"),
        ({"question_id": "0", "answers": ["\u0000"]}, "bad_character"),
        ({"question_id": "0", "answers": [None]}, "wrong_type"),
        ({"question_id": "7", "answers": ["1"]}, "unknown_item"),
        ({"question_id": "0", "answers": ["1"], "executed": True}, "unknown_field"),
    ],
)
def test_a_faulty_row_is_reported(row: dict[str, Any], code: str) -> None:
    (fault,) = make_release([["1"]]).check(json_lines([row])).faults.listed
    assert fault.code == code


def test_a_field_spelt_with_escapes_is_the_same_field() -> None:
    release = make_release([["1"], ["2"]])
    text = r'{"question_id": "0", "cypher": "RETURN 1", "\u0063ypher": "RETURN 2"}'
    (fault,) = release.check(text.encode()).faults.listed
    assert (fault.line, fault.code) == (1, "repeated_field")
    once = r'{"question_id": "0", "\u0061nswers": ["1"]}'
    assert release.check(once.encode()).faults.listed == []


@pytest.mark.parametrize("others", ["", '{"question_id": "1", "answers": ["1"]}\n'])
@pytest.mark.parametrize("field", ['"cypher": "RETURN 1"', '"answers": ["1"]'])
def test_a_field_that_may_be_left_out_is_given_once(field: str, others: str) -> None:
    """Or the last one would count; also where a line without it makes up for the number."""
    release = make_release([["1"], ["2"]])
    text = f'{{"question_id": "0", {field}, {field}}}\n{others}'
    (fault,) = release.check(text.encode()).faults.listed
    assert (fault.line, fault.code) == (1, "repeated_field")


def test_equal_sets_have_equal_digests_and_queries_keep_their_text() -> None:
    release = make_release([["1"]])
    digests = {
        release.check(json_lines(answer(ids))).digest
        for ids in (["1", "2"], ["2", "1"], ["2", "1", "2"])
    }
    assert len(digests) == 1


def read(*files: object) -> Source[QuestionItem, QuestionAnswer]:
    source: Source[QuestionItem, QuestionAnswer] = Source()
    for number, content in enumerate(files):
        TRACK.read_source(io.BytesIO(json.dumps(content).encode()), f"{number}.json", source)
    return source


def test_questions_and_partitions_are_joined_in_any_order_of_files() -> None:
    question = {name: value for name, value in QUESTION.items() if name != "expert"}
    partition = {"qid": QUESTION["qid"], "expert": QUESTION["expert"]}
    for files in ([[QUESTION]], [[question], [partition]], [[partition], [question]]):
        source = read(*files)
        assert source.faults.total == 0
        (item,), (gold,) = source.items, source.answers
        assert (item.question_id, item.pattern, item.shape) == ("1", "1.2", "one-hop")
        assert gold.partitions["expert"] == AnswerSplit(("DB00002",), ("DB00001",))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"question": ""}, "empty"),
        ({"answer": []}, "empty"),
        ({"answer": [QUESTION["answer"][0]] * 2}, "repeated"),
        ({"graph_query": None, "expert": None}, "missing_field"),
        ({"graph_query": {**QUESTION["graph_query"], "edges": []}}, "invalid"),
        ({"expert": UNKNOWN_ANSWER}, "no_answer"),
        ({"graph_query": {**QUESTION["graph_query"], "edges": [DANGLING]}}, "no_node"),
        ({"graph_query": {**QUESTION["graph_query"], "edges": [NEGATED]}}, "no_leaf"),
        ({"graph_query": NEGATED_QUERY}, "no_pattern"),
    ],
)  # fmt: skip
def test_faults_of_source_files_are_named(change: dict[str, Any], code: str) -> None:
    faults = read([{**QUESTION, **change}]).faults.listed
    assert code in {one.code for one in faults}


def test_a_repeated_question_is_a_fault() -> None:
    assert read([QUESTION, QUESTION]).faults.listed[0].code == "duplicate_item"


def test_paths_and_numbers_of_partitions_are_read() -> None:
    split = {**QUESTION["expert"], "explore_queries": {"paths": ["a--b--c"], "questions": None}}
    source: Source[Any, Any] = Source()
    content = json.dumps([{**QUESTION, "sscore": split}]).encode()
    (question,) = read_serenqa(io.BytesIO(content), "a.json", source)
    assert question.partitions["rns"].paths == ("a--b--c",)
    assert set(question.partitions) == {"expert", "rns"}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "empty_query"),
        (" \n\t", "empty_query"),
        ("MATCH (n)\0 RETURN n", "query_not_text"),
        ("x" * (MAX_QUERY_LENGTH + 1), "too_long"),
    ],
)
def test_a_query_that_cannot_run_is_a_fault_at_its_line(query: str, code: str) -> None:
    rows = [
        {"question_id": "0", "cypher": "x" * MAX_QUERY_LENGTH},
        {"question_id": "1", "cypher": query},
    ]
    checked = make_release([["1"], ["2"]]).check(json_lines(rows))
    assert [(one.line, one.field, one.code) for one in checked.faults.listed] == [
        (2, "cypher", code)
    ]
