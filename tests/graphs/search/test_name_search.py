"""Results for a name, a part of one, or a misspelt one."""

from itertools import product
from pathlib import Path

import pytest

from backend.graphs.search import query
from backend.graphs.source_records import NodeRow
from tests.graphs.search.factories import Searched

ROWS = [
    NodeRow("MONDO:0005148", "Disease", "type 2 diabetes mellitus", ("T2DM", "Diabetes, adult")),
    NodeRow("DRUGBANK:DB00945", "Drug", "Aspirin", ("ASA", "Acetylsalicylic acid")),
    NodeRow("MONDO:0005147", "Disease", "type 1 diabetes mellitus", ("T1DM",)),
    NodeRow("DRUGBANK:DB00331", "Drug", "Metformin", ("Glucophage",), ("CHEBI:6801",)),
    NodeRow("DRUGBANK:DB99999", "Drug", "Aspirin lysine"),
    NodeRow("HGNC:5992", "Gene", "ASA", ("Nothing of the drug",)),
    NodeRow("HGNC:6018", "Gene", "IL-6", ("Interleukin-6",)),
    NodeRow("MONDO:0005011", "Disease", "Crohn's disease", ("Morbus Crohn",)),
    NodeRow("HGNC:11892", "Gene", "TNF-\u03b1"),
    NodeRow("X:1", "Drug", "Beta-blocker"),
    NodeRow("HGNC:HGNC:77", "Gene", "Doubled"),
    NodeRow("X:2", "Drug", "Łódź Straße"),
    NodeRow("X:3", "Drug", "++"),
    NodeRow("X:4", "Drug", "CYP2D6 blocker"),
    NodeRow("X:5", "Drug", "CYP2D7 blocker"),
]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    return Searched.of(tmp_path_factory.mktemp("names"), ROWS)


def test_exact_names_come_before_exact_synonyms_and_both_before_prefixes(
    searched: Searched,
) -> None:
    assert searched.met("asa")[:2] == [("name", "ASA"), ("synonym", "ASA")]
    assert searched.met("aspirin") == [("name", "Aspirin"), ("prefix", "Aspirin lysine")]


def test_an_exact_synonym_comes_before_a_name_prefix(tmp_path: Path) -> None:
    rows = [
        NodeRow("A:1", "Drug", "Glucophage forte"),
        NodeRow("A:2", "Drug", "Metformin", ("Glucophage",)),
    ]
    assert Searched.of(tmp_path, rows).identifiers("glucophage") == ["A:2", "A:1"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("DRUGBANK:DB00945", "DRUGBANK:DB00945"),
        ("drugbank:db00945", "DRUGBANK:DB00945"),
        ("DB00945", "DRUGBANK:DB00945"),
        ("CHEBI:6801", "DRUGBANK:DB00331"),
        ("hgnc:77", "HGNC:HGNC:77"),
        ("HGNC:HGNC:77", "HGNC:HGNC:77"),
    ],
)
def test_an_identifier_matches_in_any_case_with_or_without_scheme(
    searched: Searched, text: str, first: str
) -> None:
    assert searched.identifiers(text)[0] == first
    assert searched.met(text)[0][0] == "identifier"


def test_an_identifier_of_another_scheme_does_not_match(searched: Searched) -> None:
    assert searched.identifiers("PUBCHEM:DB00945") == []


def test_an_identifier_matches_by_prefix(searched: Searched) -> None:
    assert searched.identifiers("DB009") == ["DRUGBANK:DB00945"]
    assert searched.identifiers("drugbank:DB00") == ["DRUGBANK:DB00945", "DRUGBANK:DB00331"]


def test_prefix_matches_are_sorted_by_descending_degree(searched: Searched) -> None:
    assert searched.identifiers("type")[:2] == ["MONDO:0005148", "MONDO:0005147"]


@pytest.mark.parametrize(
    "text", ["type 2 diab", "diab 2", "DIABETES type 2", "mellit 2 typ", "adult diab"]
)
def test_word_prefixes_match_in_any_order(searched: Searched, text: str) -> None:
    assert searched.identifiers(text) == ["MONDO:0005148"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("il6", "HGNC:6018"),
        ("il-6", "HGNC:6018"),
        ("IL 6", "HGNC:6018"),
        ("tnf alpha", "HGNC:11892"),
        ("TNF\u03b1", "HGNC:11892"),
        ("crohns", "MONDO:0005011"),
        ("Crohn\u2019s Disease", "MONDO:0005011"),
        ("betablocker", "X:1"),
        ("beta blocker", "X:1"),
        ("lodz strasse", "X:2"),
        ("ŁÓDŹ", "X:2"),
    ],
)
def test_case_accents_hyphens_and_greek_letters_make_no_difference(
    searched: Searched, text: str, expected: str
) -> None:
    assert expected in searched.identifiers(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("asprin", "DRUGBANK:DB00945"),  # a letter less
        ("asspirin", "DRUGBANK:DB00945"),  # a letter more
        ("aspirim", "DRUGBANK:DB00945"),  # another letter
        ("apsirin", "DRUGBANK:DB00945"),  # two exchanged
        ("metfromni", "DRUGBANK:DB00331"),  # two slips in a long word
        ("metofr", "DRUGBANK:DB00331"),  # a slip before the word is whole
        ("type 2 dibetes", "MONDO:0005148"),
        ("acetylsalicilic acid", "DRUGBANK:DB00945"),
        ("morbus crhon", "MONDO:0005011"),
    ],
)
def test_a_typo_still_matches(searched: Searched, text: str, expected: str) -> None:
    assert searched.identifiers(text)[0] == expected
    assert searched.met(text)[0][0] == "typo"


def test_two_typos_in_a_short_word_do_not_match(searched: Searched) -> None:
    assert searched.identifiers("aspyrjn lysine") == []


def test_words_with_digits_are_never_matched_fuzzily(searched: Searched) -> None:
    assert searched.identifiers("cyp2d8 blocker") == []
    assert searched.identifiers("type 3 diabetes") == []


def test_an_entity_is_returned_once_even_if_several_names_match(searched: Searched) -> None:
    assert searched.identifiers("t").count("MONDO:0005148") == 1


def test_results_are_filtered_by_type_but_all_types_are_counted(searched: Searched) -> None:
    assert searched.identifiers("a", types=["Gene"]) == ["HGNC:5992", "HGNC:11892"]


def test_the_limit_is_respected(searched: Searched) -> None:
    assert len(searched.hits("d", limit=3)) == 3


def test_a_name_without_letters_is_found_by_identifier_only(searched: Searched) -> None:
    assert searched.identifiers("++") == []
    assert searched.identifiers("X:3") == ["X:3"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "%",
        "_",
        "\\",
        "%%%",
        "a\0b",
        "\u202e",
        "\u200f\u200e",
        "\ud800",
        ":",
        "::",
        "'; --",
    ],
)
def test_an_empty_query_finds_nothing(searched: Searched, text: str) -> None:
    assert searched.identifiers(text) == []


def test_bidirectional_control_characters_are_ignored(searched: Searched) -> None:
    assert searched.identifiers("\u202easp\u200birin\u202c")[0] == "DRUGBANK:DB00945"


@pytest.mark.parametrize("text", ["x" * 10_000, "a " * 5_000, "é" * 5_000, ":" * 10_000])
def test_a_long_query_is_answered(searched: Searched, text: str) -> None:
    assert len(searched.hits(text)) <= 20


def test_without_a_word_index_names_prefixes_and_identifiers_match(
    tmp_path: Path,
) -> None:
    searched = Searched.of(tmp_path, ROWS, most_terms=3)
    assert searched.lexicon.words is None
    assert searched.identifiers("type 2")[0] == "MONDO:0005148"
    assert searched.identifiers("diabetes 2") == []
    assert searched.identifiers("DB00945") == ["DRUGBANK:DB00945"]
    assert searched.met("asa") == [("name", "ASA"), ("synonym", "ASA")]


def test_an_empty_graph_has_no_results(tmp_path: Path) -> None:
    assert Searched.of(tmp_path, []).identifiers("aspirin") == []


def test_a_cached_result_depends_on_graph_types_and_limit(
    searched: Searched, tmp_path: Path
) -> None:
    other = Searched.of(tmp_path, [NodeRow("A:1", "Drug", "asbestos"), NodeRow("A:2", "Drug", "b")])
    drugs = frozenset({searched.snapshot.types.index("Drug")})
    questions = list(product((searched, other), ("a", "as", "il-", "b"), (1, 5), (None, drugs)))
    for one, request, limit, types in questions * 2:
        parts = (one.snapshot, one.lexicon, request, limit, types)
        cached = query.search_names_cached(*parts, min_matches=1, max_answers=3)
        assert cached == query.search_names(*parts)


@pytest.mark.parametrize(("text", "is_cached"), [("a", True), ("metformin", False)])
def test_only_queries_with_many_matches_are_cached(
    searched: Searched, text: str, is_cached: bool
) -> None:
    first, again = (
        query.search_names_cached(searched.snapshot, searched.lexicon, text, 5, None, min_matches=2)
        for _ in range(2)
    )
    assert first == again and (first is again) is is_cached
