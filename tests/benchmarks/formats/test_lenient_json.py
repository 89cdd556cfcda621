"""What people print is read as it is meant, and written again as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.benchmarks.formats.serenqa.lenient_json import MAX_NOTICES, parse_json_values
from backend.benchmarks.lossless_json import NumberLiteral, format_json, parse_number
from backend.validation.faults import FaultList


def read(text: str) -> tuple[list[Any], list[str], list[str]]:
    """The values, the notices, and the places of faults."""
    faults, notices = FaultList(), list[str]()
    nodes = parse_json_values("f.json", text.encode(), faults, notices.append)
    return [node.value for node in nodes], notices, [fault.place for fault in faults.listed]


VALUES = [{"a": [1, {}], "b": 'ä\n"\\ \u2028'}, {"c": None, "d": [True, False, -1.5, []]}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(VALUES),
        json.dumps(VALUES, indent=3, ensure_ascii=False),
        "\ufeff" + json.dumps(VALUES),
        "\n".join(json.dumps(value) for value in VALUES),
        "\r\n".join(json.dumps(value) for value in VALUES) + "\r\n\n",
    ],
)
def test_valid_json_and_json_lines_are_read_without_a_notice(text: str) -> None:
    assert read(text) == (VALUES, [], [])


@pytest.mark.parametrize(
    ("text", "values", "notices"),
    [
        ('[{"a": 1,}]', [{"a": 1}], 1),
        ('[{"a": [1, 2,],},]', [{"a": [1, 2]}], 3),
        ('[{"a": 1, {"a": 2}]', [{"a": 1}, {"a": 2}], 1),
        ('{"x": [{"a": 1, {"a": 2, }, {"a": 3}]}', [{"x": [{"a": 1}, {"a": 2}, {"a": 3}]}], 2),
        ('{"a": 1}\n\n{"a": 2}, {"a": 3}', [{"a": 1}, {"a": 2}, {"a": 3}], 1),
        ('[{"a": "line\nbreak",}]', [{"a": "line\nbreak"}], 1),
    ],
)
def test_what_is_printed_wrongly_is_read_as_it_is_meant(
    text: str, values: list[Any], notices: int
) -> None:
    result, output, faults = read(text)
    assert (result, faults) == (values, [])
    assert len(output) == notices


def test_a_notice_names_line_and_column() -> None:
    _, notices, _ = read('[\n  {"a": 1,\n  {"a": 2}\n]')
    assert notices == [
        "f.json, line 3, column 3: an object is not closed before the next one begins."
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[{"a": 1]', "f.json, line 1, column 9"),
        ('[{"a": 1, {"a": 2}', "f.json, line 1, column 19"),
        ('{"a": {"b": 1, {"c": 2}}}', "f.json, line 1, column 16"),
        ('[\n{"a" 1}]', "f.json, line 2, column 6"),
        ('["a', "f.json, line 1, column 2"),
        (r'["\x"]', "f.json, line 1, column 2"),
        ("[NaN]", "f.json, line 1, column 2"),
        ("[-Infinity]", "f.json, line 1, column 2"),
        ("[007]", "f.json, line 1, column 2"),
        ("[1,,2]", "f.json, line 1, column 4"),
        ("[,]", "f.json, line 1, column 2"),
        ("[" * 100_000, "f.json, line 1, column 62"),
        ('{"a":' * 100_000, "f.json, line 1, column 306"),
        ('{"a": 1}\n{"a" 2}\n{"a": 3}\n{,}', "f.json, line 2, column 6"),
    ],
)
def test_what_cannot_be_understood_is_a_fault_with_its_place(text: str, place: str) -> None:
    values, _, faults = read(text)
    assert faults[0].startswith(place)
    assert len(values) <= 2


def test_each_wrong_line_of_json_lines_is_told() -> None:
    values, _, faults = read('{"a": 1}\n{"a" 2}\n{"a": 3}\n{,}')
    assert values == [{"a": 1}, {"a": 3}]
    assert [place.split(", ")[1] for place in faults] == ["line 2", "line 4"]


def test_a_field_that_is_given_twice_is_a_fault_however_deep() -> None:
    _, _, faults = read('[{"a": [{"b": {"c": 1, "c": 2}}]}]')
    assert faults == ["f.json, a[0].b.c"]


def test_what_is_valid_but_very_deep_is_a_fault() -> None:
    _, _, faults = read("[" + '{"a":' * 100 + "1" + "}" * 100 + "]")
    assert faults == ["f.json"]


@pytest.mark.parametrize("text", ["0", "-7", "0.0", "1.5", "1e-07", "12345678901234567"])
def test_a_number_that_python_writes_the_same_is_a_plain_number(text: str) -> None:
    assert not isinstance(parse_number(text), NumberLiteral)
    assert format_json(parse_number(text)) == text


@pytest.mark.parametrize("text", ["-0", "1.50", "1E3", "1e999", "9" * 400, "0.1000"])
def test_any_other_number_keeps_how_it_is_written(text: str) -> None:
    assert format_json(parse_number(text)) == text
    ((value,), _, _) = read(f"[{text}]")
    assert format_json(value) == text


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None)),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=20,
)


@given(st.lists(st.dictionaries(st.text(), json_values, max_size=4), min_size=1, max_size=3))
def test_whatever_is_read_is_written_the_same(values: list[Any]) -> None:
    text = format_json(values)
    assert json.loads(text) == values
    result, notices, faults = read(text)
    assert (result, notices, faults) == (values, [], [])
    assert format_json(result) == text
    assert [list(value) for value in result] == [list(value) for value in values]


def test_half_of_a_surrogate_pair_is_written_by_its_number() -> None:
    assert format_json("a\ud800") == r'"a\ud800"'
    assert format_json("a\ud800").encode()
    assert read(r'[{"a": "\ud800"}]')[0] == [{"a": "\ud800"}]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no value of JSON"):
        format_json(value)


def test_a_file_of_slips_is_read_in_one_pass_and_the_first_of_them_are_told() -> None:
    """The place of each slip is counted from the file's beginning: of all of them it would be an
    afternoon's work."""
    many = 50_000
    result, notices, faults = read("[" + '{"a": 1,},\n' * many + "]")
    assert (len(result), faults) == (many, [])
    assert len(notices) == MAX_NOTICES
    assert notices[-1].endswith("line 200, column 8: a comma stands before a closing bracket.")
