"""Reading JSON from what models send: never an error, and never another value than was sent."""

import json
import re
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.llm.calls import JsonMode
from backend.llm.replies import MAX_DEPTH, depth
from backend.llm.structured_output import (
    Unreadable,
    messages_for,
    read_value,
    request_options,
)
from backend.llm.tokens import estimate_tokens, most_prompt_tokens
from backend.tracks.model_tasks import Message
from backend.validation.model_output import read_objects
from tests.llm.factories import YesOrNo, make_request

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), VALUES, min_size=1), st.sampled_from(["", "\n", "  "]))
def test_strict_json_is_read_as_it_is(value: dict[str, Any], space: str) -> None:
    [parsed] = read_objects(space + json.dumps(value) + space)
    assert (parsed.value, parsed.reading) == (value, "json")


@given(
    st.sampled_from(["yes", "no"]), st.text(alphabet=st.characters(exclude_characters="{}[]`<>"))
)
def test_a_preamble_and_a_fence_change_nothing(answer: str, preamble: str) -> None:
    text = f"{preamble}\n```json\n{json.dumps({'answer': answer})}\n```\n{preamble}"
    assert read_value(make_request(), text)[0] == YesOrNo.model_validate({"answer": answer})


@given(st.text())
def test_any_text_is_read_or_unreadable(text: str) -> None:
    with suppress(Unreadable):
        assert isinstance(read_value(make_request(), text)[0], YesOrNo)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 5_000,
        '{"answer": ' + "9" * 10_000 + "}",
        "<think>" + "x" * 10_000,
        "{" * 1_000 + "}" * 1_000,
        '{"answer": "yes"' + " " * 10_000,
    ],
    ids=["lists", "objects", "number", "thinking", "braces", "spaces"],
)
def test_hostile_text_ends_in_a_value_or_unreadable(text: str) -> None:
    with suppress(Unreadable):
        read_value(make_request(), text)


def test_thinking_is_not_the_answer() -> None:
    text = '<think>{"answer": "no"}</think> {"answer": "yes"}'
    assert read_value(make_request(), text)[0] == YesOrNo(answer="yes")
    with pytest.raises(Unreadable):
        read_value(make_request(), '<think>{"answer": "yes"}')


def test_depth_stops_counting_at_the_limit() -> None:
    value: Any = []
    for _ in range(10 * MAX_DEPTH):
        value = [value]
    assert depth(value) == MAX_DEPTH + 1
    assert depth({"a": [1, {"b": 2}]}) == 4


def test_the_schema_is_in_the_request_once() -> None:
    request = make_request()
    for mode in JsonMode:
        sent = json.dumps([one.content for one in messages_for(request, mode)])
        is_in_request = mode in {JsonMode.SCHEMA, JsonMode.TOOL}
        assert ("YesOrNo" in sent) != is_in_request
        assert ("YesOrNo" in json.dumps(request_options(request, mode))) == is_in_request


@given(st.text(max_size=300))
def test_the_upper_bound_is_never_below_the_estimate_or_the_bytes(text: str) -> None:
    messages = [Message("user", text)]
    most = most_prompt_tokens(messages, None)
    assert most >= estimate_tokens(text)
    assert most >= len(text.encode("utf-8", "surrogatepass"))


# Also signs and digits of three and four bytes, a space of two, and a lone surrogate.
PIECES = st.sampled_from(
    [*"a 7{\n", "Bcd", "\u2026", "\xa0", "\u0969", "\U0001f600", "\U0001d7ce", "\ud800"]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_pieces_are_counted_as_one_after_the_other(text: str) -> None:
    count = 0
    for match in re.finditer(r"[ ]?[A-Za-z]+|[ ]?\d{1,3}|\s+|[^\sA-Za-z\d]", text):
        piece = match.group()
        if piece.isascii():
            count += 1 + max(0, len(piece.strip()) - 1) // 6
        else:
            count += max(1, len(piece.encode("utf-8", "surrogatepass")) // 2)
    assert estimate_tokens(text) == count


def test_the_estimate_is_near_what_tokenizers_of_english_count() -> None:
    # The usual rule for English: four characters, or three quarters of a word, a token.
    text = "Many words map to one token, but some don't: indivisible. Sequences of characters "
    text += "commonly found next to each other may be grouped."
    expected = len(text.split()) / 0.75
    assert 0.8 * expected <= estimate_tokens(text) <= 1.2 * expected
