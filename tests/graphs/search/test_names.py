"""What a person gets who types a name, part of one, or one with a slip."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from backend.graphs.rows import NodeRow
from backend.graphs.search import asking, building
from backend.graphs.search.lexicon import Lexicon
from backend.graphs.snapshots.opening import Snapshot
from tests.graphs.search.making import Searched

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


def test_an_exact_name_comes_before_an_exact_synonym_and_both_before_beginnings(
    searched: Searched,
) -> None:
    assert searched.met("asa")[:2] == [("name", "ASA"), ("synonym", "ASA")]
    assert searched.met("aspirin") == [("name", "Aspirin"), ("prefix", "Aspirin lysine")]


def test_an_exact_synonym_comes_before_a_name_that_only_begins_so(tmp_path: Path) -> None:
    rows = [
        NodeRow("A:1", "Drug", "Glucophage forte"),
        NodeRow("A:2", "Drug", "Metformin", ("Glucophage",)),
    ]
    assert Searched.of(tmp_path, rows).found("glucophage") == ["A:2", "A:1"]


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("DRUGBANK:DB00945", "DRUGBANK:DB00945"),
        ("drugbank:db00945", "DRUGBANK:DB00945"),
        ("DB00945", "DRUGBANK:DB00945"),
        ("CHEBI:6801", "DRUGBANK:DB00331"),
        ("hgnc:77", "HGNC:HGNC:77"),
        ("HGNC:HGNC:77", "HGNC:HGNC:77"),
    ],
)
def test_an_identifier_is_met_in_any_case_with_its_scheme_or_without(
    searched: Searched, asked: str, first: str
) -> None:
    assert searched.found(asked)[0] == first
    assert searched.met(asked)[0][0] == "identifier"


def test_an_identifier_of_another_scheme_is_not_met(searched: Searched) -> None:
    assert searched.found("PUBCHEM:DB00945") == []


def test_an_identifier_is_met_by_its_beginning(searched: Searched) -> None:
    assert searched.found("DB009") == ["DRUGBANK:DB00945"]
    assert searched.found("drugbank:DB00") == ["DRUGBANK:DB00945", "DRUGBANK:DB00331"]


def test_beginnings_come_by_falling_degree(searched: Searched) -> None:
    assert searched.found("type")[:2] == ["MONDO:0005148", "MONDO:0005147"]


@pytest.mark.parametrize(
    "asked", ["type 2 diab", "diab 2", "DIABETES type 2", "mellit 2 typ", "adult diab"]
)
def test_words_are_met_by_their_beginnings_in_any_order(searched: Searched, asked: str) -> None:
    assert searched.found(asked) == ["MONDO:0005148"]


@pytest.mark.parametrize(
    ("asked", "expected"),
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
    searched: Searched, asked: str, expected: str
) -> None:
    assert expected in searched.found(asked)


@pytest.mark.parametrize(
    ("asked", "expected"),
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
def test_a_typo_still_finds_it(searched: Searched, asked: str, expected: str) -> None:
    assert searched.found(asked)[0] == expected
    assert searched.met(asked)[0][0] == "typo"


def test_two_slips_in_a_short_word_are_too_many(searched: Searched) -> None:
    assert searched.found("aspyrjn lysine") == []


def test_numbers_are_never_taken_for_mistyped_ones(searched: Searched) -> None:
    assert searched.found("cyp2d8 blocker") == []
    assert searched.found("type 3 diabetes") == []


def test_an_entity_is_there_once_however_many_of_its_names_are_met(searched: Searched) -> None:
    assert searched.found("t").count("MONDO:0005148") == 1


def test_only_types_that_are_wanted_come_but_all_are_counted(searched: Searched) -> None:
    assert searched.found("a", types=["Gene"]) == ["HGNC:5992", "HGNC:11892"]


def test_no_more_come_than_are_wanted(searched: Searched) -> None:
    assert len(searched.hits("d", limit=3)) == 3


def test_a_name_without_letters_leads_nowhere_but_its_identifier_does(searched: Searched) -> None:
    assert searched.found("++") == []
    assert searched.found("X:3") == ["X:3"]


@pytest.mark.parametrize(
    "asked",
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
def test_what_has_nothing_to_look_for_finds_nothing(searched: Searched, asked: str) -> None:
    assert searched.found(asked) == []


def test_marks_that_turn_the_text_around_do_not_hide_a_name(searched: Searched) -> None:
    assert searched.found("\u202easp\u200birin\u202c")[0] == "DRUGBANK:DB00945"


@pytest.mark.parametrize("asked", ["x" * 10_000, "a " * 5_000, "é" * 5_000, ":" * 10_000])
def test_a_long_question_is_answered(searched: Searched, asked: str) -> None:
    assert len(searched.hits(asked)) <= 20


def test_a_graph_of_too_many_names_is_searched_by_whole_names_and_identifiers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "MOST_TERMS_WITH_WORDS", 3)
    searched = Searched.of(tmp_path, ROWS)
    assert searched.lexicon.words is None
    assert searched.found("type 2")[0] == "MONDO:0005148"
    assert searched.found("diabetes 2") == []
    assert searched.found("DB00945") == ["DRUGBANK:DB00945"]
    assert searched.met("asa") == [("name", "ASA"), ("synonym", "ASA")]


def test_an_empty_graph_has_nothing_to_find(tmp_path: Path) -> None:
    assert Searched.of(tmp_path, []).found("aspirin") == []


def test_what_meets_many_is_kept_for_its_graph_types_and_size_alone(
    searched: Searched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Searched.of(tmp_path, [NodeRow("A:1", "Drug", "asbestos"), NodeRow("A:2", "Drug", "b")])
    monkeypatch.setattr(asking, "KEPT", 3)
    monkeypatch.setattr(asking, "MANY", 1)
    drugs = frozenset({searched.snapshot.types.index("Drug")})
    questions = list(product((searched, other), ("a", "as", "il-", "b"), (1, 5), (None, drugs)))
    for one, asked, limit, types in questions * 2:
        parts = (one.snapshot, one.lexicon, asked, limit, types)
        assert asking.kept_by_names(*parts) == asking.by_names(*parts)


def test_only_what_meets_many_is_kept(searched: Searched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MANY", 2)
    asked: list[str] = []
    by_names = asking.by_names

    def told(snapshot: Snapshot, lexicon: Lexicon, text: str, *more: Any) -> asking.Answer:
        asked.append(text)
        return by_names(snapshot, lexicon, text, *more)

    monkeypatch.setattr(asking, "by_names", told)
    for text in ("a", "metformin", "a", "metformin"):
        asking.kept_by_names(searched.snapshot, searched.lexicon, text, 5, None)
    assert asked == ["a", "metformin", "metformin"]
