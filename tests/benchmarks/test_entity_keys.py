"""Predictions name entities by STaRK's node numbers where a graph has them."""

from backend.benchmarks.entity_keys import EntityKeys


def test_without_node_numbers_the_keys_are_identifiers() -> None:
    keys = EntityKeys.of_identifiers([("DRUGBANK:DB00945", "CHEBI:15365"), ("STARK:",), ("B",)])
    assert keys.keys == ["DRUGBANK:DB00945", "STARK:", "B"]
    assert keys.candidates == frozenset({"DRUGBANK:DB00945", "STARK:", "B"})


def test_node_numbers_are_found_among_cross_references() -> None:
    keys = EntityKeys.of_identifiers([("A", "X:1", "STARK:1"), ("STARK:0",)])
    assert keys.keys == [1, 0]
    assert keys.candidates == range(2)


def test_every_number_of_a_merged_entity_is_a_candidate_and_gaps_stay() -> None:
    keys = EntityKeys.of_identifiers([("A", "STARK:4", "STARK:7"), ("B",), ("C", "STARK:0")])
    assert keys.keys == [4, None, 0]
    assert keys.candidates == frozenset({0, 4, 7})


def test_identifiers_of_digits_have_the_form_in_which_predictions_are_scored() -> None:
    keys = EntityKeys.of_identifiers([("5716",), ("05716",), ("A",)])
    assert keys.keys == [5716, "05716", "A"]
    assert keys.candidates == frozenset[int | str]({5716, "05716", "A"})
