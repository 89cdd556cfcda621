"""Errors of pydantic as faults."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from backend.validation.row_files.faults import RowFaultList, shorten


@dataclass
class First:
    kind: Literal["first"]


@dataclass
class Second:
    kind: Literal["second"]


def test_what_was_expected_is_in_the_words_of_json_files() -> None:
    faults = RowFaultList()
    try:
        TypeAdapter(tuple[dict[str, int], ...]).validate_python({"a": 1})
    except ValidationError as error:
        faults.add_errors(1, error, lambda: "")
    assert [fault.expected for fault in faults.listed] == ["a list"]


def test_braces_of_the_file_in_a_message_are_no_template() -> None:
    """The message of an unknown tag repeats it; plugins may have such schemas."""
    adapter = TypeAdapter(Annotated[First | Second, Field(discriminator="kind")])
    faults = RowFaultList()
    try:
        adapter.validate_python({"kind": "{secret}{0}"})
    except ValidationError as error:
        faults.add_errors(1, error, lambda: "")
    assert [fault.line for fault in faults.listed] == [1]
    assert "{secret}{0}" in faults.listed[0].expected


def test_spaces_around_a_given_text_are_seen() -> None:
    assert [shorten(text) for text in ("treats", "treats ", "\tno relation")] == [
        "treats",
        '"treats "',
        '"\\tno relation"',
    ]
