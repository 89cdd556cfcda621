import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.search.normalization import MAX_LENGTH, compounds, normalize, scheme_and_rest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Type-2  Diabetes", "type 2 diabetes"),
        ("\u03b2-Blocker", "beta blocker"),
        ("Crohn\u2019s Disease", "crohns disease"),
        ("Caf\u00e9 Cafe\u0301", "cafe cafe"),
        ("\u0141\u00f3d\u017a Stra\u00dfe \u00d8rsted", "lodz strasse orsted"),
        ("H\u2082O", "h2o"),
        ("\u202eabc\u200b\u00add", "abcd"),
        ("a\0b\ud800c", "a b c"),
        ("\u7cd6\u5c3f\u75c5", "\u7cd6\u5c3f\u75c5"),
        ("+-%_\\", ""),
        ("", ""),
    ],
)
def test_typed_text_and_source_text_have_one_normal_form(text: str, expected: str) -> None:
    assert normalize(text) == expected


@given(st.text())
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


@given(st.text(max_size=50))
def test_case_makes_no_difference(text: str) -> None:
    assert normalize(text.upper().lower()) == normalize(text.upper())


def test_only_the_start_of_a_long_name_is_indexed() -> None:
    assert len(normalize("a" * 1_000_000)) == MAX_LENGTH


def test_words_joined_by_hyphens_are_one_word_too() -> None:
    assert compounds("IL-6 and TNF-alpha") == ["il6", "tnfalpha"]
    assert compounds("no hyphen") == []


def test_an_identifier_is_a_scheme_and_the_rest() -> None:
    assert scheme_and_rest("DRUGBANK:DB00945") == ("drugbank", "db00945")
    assert scheme_and_rest("HGNC:HGNC:77") == ("hgnc", "hgnc:77")
    assert scheme_and_rest(" DB00945 ") == ("", "db00945")
