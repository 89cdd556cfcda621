"""What an identifier means in a graph where numbers of two schemes are alike."""

from pathlib import Path
from typing import Any

import pytest

from backend.graphs.entity_lookup import (
    find_entity,
    find_identifier,
    find_identifiers,
    find_numbers,
    find_numbers_of_each,
    is_any_known,
)
from backend.graphs.importers.identifier_variants import identifier_variants
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import NodeRow
from tests.graphs.snapshots.sources import SourceRows

NODES = [
    NodeRow("DRUGBANK:DB9", "Drug", "Drug 9"),
    NodeRow("DOID:9", "Disease", "Disease 9"),
    NodeRow("DOID:10", "Disease", "Disease 10"),
    NodeRow("CORUM:9", "Complex", "Complex 9"),
    NodeRow("GO:0000011", "Biological_process", "Process 11"),
    NodeRow("12", "Complex", "Complex 12"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder: Path = tmp_path_factory.mktemp("lookup")
    return open_snapshot(build_snapshot(SourceRows([*NODES], []), folder).path)


@pytest.mark.parametrize(
    ("text", "types", "expected"),
    [
        ("9", ["Disease"], "DOID:9"),
        ("9", ["Complex"], "CORUM:9"),
        ("9", ["Drug"], None),
        ("DB9", ["Drug"], "DRUGBANK:DB9"),
        ("drugbank:DB9", ["Drug"], "DRUGBANK:DB9"),
        ("DOID:9", ["Drug"], None),
        ("DOID:9", ["Drug", "disease"], "DOID:9"),
        ("GO:0000011", ["biological process"], "GO:0000011"),
        ("12", ["Complex"], "12"),
        ("12", ["Disease"], None),
        ("DOID:9", [], "DOID:9"),
        ("doid:9", [], "DOID:9"),
        ("DOID:99", [], None),
        ("12", [], "12"),
        ("10", [], "DOID:10"),
        ("9", [], None),
        ("DB9", [], "DRUGBANK:DB9"),
        ("", [], None),
    ],
)
def test_an_identifier_is_that_of_an_entity_of_its_type(
    graph: Snapshot, text: str, types: list[str], expected: str | None
) -> None:
    number = find_entity(graph, text, types)
    assert (None if number is None else graph.entity(number).id) == expected
    assert find_identifier(graph, text, types) == (expected or text)
    assert find_identifiers(graph, [text, "x"], types) == {text: expected or text, "x": "x"}
    assert find_numbers_of_each(graph, [text], types) == {text: find_numbers(graph, text, types)}


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("Biological_process", "GO:0000011"),
        ("Biological process", "GO:0000011"),
        ("biological_process", "GO:0000011"),
        ("disease", "DOID:0000011"),
        ("Ailment", None),
    ],
)
def test_a_type_has_its_prefix_however_it_is_written(type_: str, expected: str | None) -> None:
    variants = ["0000011", expected] if expected else ["0000011"]
    assert identifier_variants("0000011", type_) == variants


def test_graphs_that_write_types_otherwise_are_found_too(tmp_path: Path) -> None:
    nodes = [
        NodeRow("GO:0000011", "Biological process", "Process 11"),
        NodeRow("DOID:9", "disease", "Disease 9"),
    ]
    graph = open_snapshot(build_snapshot(SourceRows([*nodes], []), tmp_path).path)
    assert find_identifier(graph, "0000011", ["biological_process"]) == "GO:0000011"
    assert find_identifier(graph, "9", ["Disease"]) == "DOID:9"
    assert find_identifier(graph, "9") == "DOID:9"


def test_a_number_without_a_type_means_one_entity_of_each(graph: Snapshot) -> None:
    meant = {graph.entity(number).id for number in find_numbers(graph, "9")}
    assert meant == {"DOID:9", "CORUM:9"}


@pytest.mark.parametrize("count", [0, 1, 20, 21, 220, 500])
def test_whether_any_is_known_is_that_of_looking_up_each(graph: Snapshot, count: int) -> None:
    texts = [f"NONE:{number}" for number in range(count)]
    assert not is_any_known(graph, texts)
    for place in {0, 19, 20, 219, count - 1} & {*range(count)}:
        one_known = [*texts[:place], "12", *texts[place + 1 :]]
        assert any(find_numbers_of_each(graph, one_known).values())
        assert is_any_known(graph, one_known)


def test_nothing_is_looked_up_behind_a_known_identifier(
    graph: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    find = Snapshot.find_numbers

    def count(snapshot: Snapshot, identifiers: list[str]) -> Any:
        looked_up.extend(identifiers)
        return find(snapshot, identifiers)

    monkeypatch.setattr(Snapshot, "find_numbers", count)
    assert is_any_known(graph, ["12", *(f"NONE:{number}" for number in range(20_000))])
    assert 0 < len(looked_up) < 1_000
