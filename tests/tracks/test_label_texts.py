"""Which label a text names: only where one reading is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.tracks.label_texts import find_only_label, match_label

LABELS = ("negative_correlate", "no_relation", "positive_correlate")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("positive_correlate", "positive_correlate"),
        ("**Positive correlate**", "positive_correlate"),
        ("I expect positive_correlate. The gene rises with the drug.", "positive_correlate"),
        ("The drug is not toxic. My answer: positive-correlate.", "positive_correlate"),
        ("No relation.", "no_relation"),
        ("label: NO_RELATION", "no_relation"),
        ("My answer is positive_correlate. I am sure: positive_correlate!", "positive_correlate"),
    ],
)
def test_the_only_label_that_is_asserted_is_the_answer(text: str, label: str) -> None:
    assert find_only_label(text, LABELS) == label


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot answer this question.",
        "It is not positive_correlate.",
        "It isn't positive_correlate.",
        "It isn\u2019t positive_correlate.",
        "positive_correlate is unlikely",
        "positive_correlate can be excluded",
        "Is it positive_correlate?",
        "It might be positive_correlate.",
        "positive_correlate rather than anything else",
        "positive_correlate or negative_correlate",
        "I chose positive_correlate over no_relation.",
        "The answer is positive_correlate. It is not positive_correlate.",
        "unpositive_correlated",
        "YES",
        "Ce n'est pas positive_correlate.",
        "Es ist nicht positive_correlate.",
        "No es positive_correlate.",
        "Это не positive_correlate.",
        "不是 positive_correlate",
        "positive_correlateではない",
        "positive_correlate 아니",
        "x" * 5_000 + " positive_correlate",
    ],
)
def test_a_denied_doubted_or_second_label_leaves_no_answer(text: str) -> None:
    assert find_only_label(text, LABELS) is None


def test_a_label_inside_a_longer_one_is_not_named_by_it() -> None:
    labels = ("inhibit", "inhibit expression", "no_relation")
    assert find_only_label("inhibit expression", labels) == "inhibit expression"
    assert find_only_label("inhibit, or inhibit expression", labels) is None


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("no_relation", "no_relation"),
        ("No Relation", "no_relation"),
        ("no-relation.", "no_relation"),
        ("none", None),
        ("", None),
        ("positive", None),
    ],
)
def test_spelling_of_a_label_may_differ_in_case_and_signs(text: str, label: str | None) -> None:
    assert match_label(text, LABELS) == label


def test_a_spelling_of_two_labels_is_neither() -> None:
    assert match_label("No Relation", ("no_relation", "no-relation")) is None
    assert match_label("no-relation", ("no_relation", "no-relation")) == "no-relation"


@given(st.text(max_size=300), st.lists(st.text(max_size=12), max_size=4))
def test_any_text_and_labels_are_read(text: str, labels: list[str]) -> None:
    assert find_only_label(text, labels) in {None, *labels}
    assert match_label(text, labels) in {None, *labels}
