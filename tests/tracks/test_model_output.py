"""JSON objects in what models really send; nothing is guessed, and nothing breaks the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.validation.model_output import (
    MOST_CHARACTERS,
    OutputUnreadable,
    read_objects,
)

PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{<◁"), max_size=40)
SIGNS = st.text(st.sampled_from("ab{}[]\"'\\, :\n"), max_size=12)
NAMES = st.text("abcdefgh", min_size=1, max_size=6)
VALUES = st.one_of(
    st.text(max_size=20),
    SIGNS,
    st.integers(-10_000, 10_000),
    st.lists(st.text(max_size=10) | SIGNS, max_size=5),
)
OBJECTS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=5)
BROKEN = st.text(st.sampled_from("{}[]\"':,\\ \nab1-.`<>/think"), max_size=200)


def values(text: str) -> list[dict[str, Any]]:
    return [one.value for one in read_objects(text)]


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ('{"label": "a"}', "json"),
        ('\ufeff {"label": "a"}\n', "json"),
        ('```json\n{"label": "a"}\n```', "extracted"),
        ('Sure! Here is the JSON:\n\n{"label": "a"}\n\nI hope this helps.', "extracted"),
        ('<think>Perhaps {"label": "b"}?</think>\n{"label": "a"}', "extracted"),
        ('Perhaps {"label": "b"}? </think>{"label": "a"}', "extracted"),
        ('<THINKING>{"label": "b"}</THINKING>{"label": "a"}', "extracted"),
        ('◁think▷{"label": "b"}◁/think▷{"label": "a"}', "extracted"),
        ('<think>a <think> tag</think>{"label": "a"}', "extracted"),
        ('{"label": "a"}<think>was that right? {"label": "b"}', "extracted"),
        (
            '<|channel|>analysis<|message|>{"label": "b"}<|end|>'
            '<|start|>assistant<|channel|>final<|message|>{"label": "a"}',
            "extracted",
        ),
        ("{'label': 'a'}", "repaired"),
        ("{label: a}", "repaired"),
        ('{"label": "a",}', "repaired"),
        ('{"label": "a" // the only one\n}', "repaired"),
        ('```json\n{"label": "a"\n```', "repaired"),
        ('{"label": "a", "rationale": "it is cut here and', "repaired"),
        ('{"label": "a", "score": 1', "repaired"),
        ("{'label': 'a', 'rationale': 'it is cut", "repaired"),
        ('{"label": "a", "rationale"', "repaired"),
    ],
)
def test_the_object_is_found_whatever_stands_around_it(text: str, reading: str) -> None:
    (only,) = read_objects(text)
    assert only.value["label"] == "a"
    assert only.reading == reading


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("<think>done</think>", "empty"),
        ("<think>I wonder", "unfinished_thinking"),
        ("I am sorry, I cannot help with that.", "no_object"),
        ('["a", "b"]', "no_object"),
        ('{"label": "pos', "broken_object"),
        ("{'label': 'pos", "broken_object"),
        ('{"label": ', "broken_object"),
        ('{"score": 1', "broken_object"),
        ('{"label": "a", "label": "b"}', "repeated_field"),
        ("{'label': 'a', 'label': 'b'}", "repeated_field"),
        ('{"label": "a"}' + " " * MOST_CHARACTERS, "too_long"),
        ('{"a":' * 1_000 + "1" + "}" * 1_000, "broken_object"),
        ("{" * 100_000, "broken_object"),
        ('{"a":[' * 30_000, "broken_object"),
        ('{"a": "' + "\\" * 100_001, "broken_object"),
        ('{"a": ' + "9" * 5_000, "broken_object"),
        ("{'label': 'a', 'other': {\"label\": \"b\"}}", "repeated_field"),
    ],
)
def test_what_is_no_object_has_a_code(text: str, code: str) -> None:
    with pytest.raises(OutputUnreadable) as caught:
        read_objects(text)
    assert caught.value.code == code


def test_an_object_that_repeats_a_field_with_the_same_value_is_read() -> None:
    assert values('{"label": "a", "label": "a"}') == [{"label": "a"}]


def test_objects_are_outermost_and_in_order() -> None:
    text = '[{"a": {"b": 1}}, {"a": 2}] and {"a": 3}'
    assert values(text) == [{"a": {"b": 1}}, {"a": 2}, {"a": 3}]


def test_an_object_inside_a_broken_one_is_not_read_as_the_answer() -> None:
    text = "{'rationale': 'a', 'other': {\"label\": \"b\"}}"
    assert values(text) == [{"rationale": "a", "other": {"label": "b"}}]


def test_braces_inside_strings_of_a_broken_object_do_not_end_it() -> None:
    assert values('{"rationale": "it uses } here", "label": "a",}')[0]["label"] == "a"


@given(OBJECTS, PLAIN, PLAIN, st.booleans(), st.booleans())
def test_any_object_survives_text_around_it(
    value: dict[str, Any], before: str, behind: str, is_fenced: bool, has_thoughts: bool
) -> None:
    text = json.dumps(value)
    text = f"```json\n{text}\n```" if is_fenced else text
    thoughts = "<think>{}{</think>" if has_thoughts else ""
    assert values(f"{thoughts}{before}\n{text}\n{behind}") == [value]


@given(OBJECTS, st.data())
@example({"a": "\\", "b": ["x", "yz"]}, None)
def test_a_cut_object_has_only_values_of_the_whole_one(value: dict[str, Any], data: Any) -> None:
    text = json.dumps(value)
    places = range(len(text)) if data is None else [data.draw(st.integers(0, len(text) - 1))]
    for place in places:
        try:
            (cut,) = values(text[:place])
        except OutputUnreadable:
            continue
        for name, given_value in cut.items():
            if isinstance(given_value, list):
                assert given_value == value[name][: len(given_value)]
            else:
                assert given_value == value[name]


@given(BROKEN | st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        objects = read_objects(text)
    except OutputUnreadable:
        return
    assert objects and all(isinstance(one.value, dict) for one in objects)
