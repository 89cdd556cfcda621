"""Whatever a model sends, an answer is valid for the track, or a fault with a code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.tracks.model_answers import (
    bounded_schema,
    read_answer,
)
from backend.tracks.model_tasks import AnyModelTask, OutputFault
from backend.tracks.registry import load_tracks
from backend.tracks.serenqa_ensemble import ENSEMBLE_TASK
from tests.tracks.model_task_examples import context_of, covered_items, every_task
from tests.tracks.releases import Release

TASKS = every_task()
RECORDED = Path(__file__).parent / "model_answers"
FIELDS = ["answer", "answers", "label", "rationale", "ranking", "cypher", "scores", "c1", "Label"]
ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["no_relation", "17", "4", 31, "aspirin", "MATCH (n) RETURN n", "</think>"]),
)
TREES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
FRAMES = [
    "{}",
    "```json\n{}\n```",
    "<think>{}</think>",
    "Here: {} and {}",
    "{}</think>{}",
    "{",
    "- {}",
]
LABELS = st.sampled_from(["no_relation", "positive_correlate", "not", "17", "1.", "\n", "?", ", "])


def read_or_fault(task: AnyModelTask, text: str) -> Any:
    """The prediction, which the track takes; None after a fault."""
    item, context = covered_items(task)[0], context_of(task)
    try:
        prediction = read_answer(task, item, text, context).prediction
    except OutputFault as fault:
        return check_fault(fault)
    if task is ENSEMBLE_TASK:
        assert len(prediction.scores) == len(context.candidates)
    else:
        check_row(task, item, prediction)
    return prediction


def check_fault(fault: OutputFault) -> None:
    assert fault.code.isidentifier()
    assert str(fault).isprintable() and len(str(fault)) < 400


def check_row(task: AnyModelTask, item: Any, prediction: Any) -> None:
    track = load_tracks()[task.track]
    content = track.prediction_list.dump_json([prediction])[1:-1]
    checked = Release(track, [item], []).check(content)
    assert [one.message for one in checked.faults.listed] == []
    assert checked.coverage() == 1


@pytest.mark.parametrize("name", [*TASKS])
@given(tree=TREES, frame=st.sampled_from(FRAMES), cut=st.integers(0, 12))
@settings(max_examples=60)
def test_any_json_is_a_valid_row_or_a_fault(name: str, tree: Any, frame: str, cut: int) -> None:
    text = frame.replace("{}", json.dumps(tree))
    read_or_fault(TASKS[name], text[: len(text) - cut])


@pytest.mark.parametrize("name", [*TASKS])
@given(words=st.lists(st.text(max_size=12) | LABELS, max_size=8))
@settings(max_examples=60)
def test_any_text_is_a_valid_row_or_a_fault(name: str, words: list[str]) -> None:
    read_or_fault(TASKS[name], " ".join(words))


@pytest.mark.parametrize("name", [*TASKS])
def test_a_bounded_schema_bounds_every_text_and_list_and_nothing_else(name: str) -> None:
    task = TASKS[name]
    item, context = covered_items(task)[0], context_of(task)
    schema, bounded = task.schema_for(item, context), bounded_schema(task, item, context)
    texts = [one for one in walk(bounded) if one["type"] == "string" and "enum" not in one]
    assert all(one["maxLength"] == task.longest_text for one in texts)
    lists = [one for one in walk(bounded) if one["type"] == "array"]
    assert all(one["maxItems"] in {4, 50} for one in lists)
    for one in walk(bounded):
        one.pop("maxLength", None)
        one.pop("maxItems", None)
    assert bounded == schema


def walk(field: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield field
    for inner in [*field.get("properties", {}).values(), *filter(None, [field.get("items")])]:
        yield from walk(inner)


def recorded() -> list[dict[str, Any]]:
    return [
        answer
        for file in sorted(RECORDED.glob("*.json"))
        for answer in json.loads(file.read_text(encoding="utf-8"))["answers"]
    ]


@pytest.mark.parametrize("answer", recorded(), ids=lambda one: f"{one['task']}-{one['request']}")
def test_answers_of_a_real_model_are_read_as_a_person_reads_them(answer: dict[str, Any]) -> None:
    task, expected = TASKS[answer["task"]], dict(answer["expected"])
    item = covered_items(task)[answer["item"]]
    if "fault" in expected:
        with pytest.raises(OutputFault) as caught:
            read_answer(task, item, answer["text"], context_of(task))
        assert caught.value.code == expected["fault"]
        return
    read = read_answer(task, item, answer["text"], context_of(task))
    assert read.reading == expected.pop("reading")
    assert {name: getattr(read.prediction, name) for name in expected} == expected


def test_a_recording_states_its_model_server_and_date() -> None:
    files = sorted(RECORDED.glob("*.json"))
    assert files
    for file in files:
        source = json.loads(file.read_text(encoding="utf-8"))["source"]
        assert all(source[name] for name in ("model", "server", "date", "sampling"))


def test_no_answer_of_the_recorded_model_under_a_bounded_schema_is_cut_off() -> None:
    bounded = [one for one in recorded() if one["request"] == "bounded schema"]
    assert bounded
    assert {one["finish_reason"] for one in bounded} == {"stop"}
