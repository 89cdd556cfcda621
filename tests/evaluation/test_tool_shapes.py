"""Which entity a tool takes for an identifier: one that means several is refused with their ids."""

from pathlib import Path

import pytest

from backend.common.errors import DomainError
from backend.evaluation.tools.shapes import entity_number_or_raise
from backend.graphs.graph_access import OpenGraph
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import NodeRow
from tests.graphs.snapshots.sources import SourceRows

# In the order of types, CORUM:9 comes before the entity whose identifier is '9' itself.
NODES = [
    NodeRow("CORUM:9", "Complex", "Complex 9"),
    NodeRow("9", "Drug", "Drug 9"),
    NodeRow("CORUM:10", "Complex", "Complex 10"),
    NodeRow("DOID:10", "Disease", "Disease 10"),
    NodeRow("DOID:11", "Disease", "Disease 11"),
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenGraph:
    folder: Path = tmp_path_factory.mktemp("shapes")
    snapshot = open_snapshot(build_snapshot(SourceRows([*NODES], []), folder).path)
    return OpenGraph(Graph(), Version(), snapshot, is_pinned=True)


@pytest.mark.parametrize(
    ("text", "expected"), [("9", "9"), ("11", "DOID:11"), ("doid:10", "DOID:10")]
)
def test_an_identifier_of_the_graph_means_itself(
    opened: OpenGraph, text: str, expected: str
) -> None:
    number = entity_number_or_raise(opened, text)
    assert opened.snapshot.entity_summary(number).id == expected


def test_an_identifier_of_several_entities_names_them(opened: OpenGraph) -> None:
    with pytest.raises(DomainError) as refused:
        entity_number_or_raise(opened, "10")
    assert (refused.value.status, refused.value.code) == (422, "ambiguous_entity")
    assert "CORUM:10" in refused.value.detail
    assert "DOID:10" in refused.value.detail


@pytest.mark.parametrize("text", ["12", "DOID:9", "DOID:12"])
def test_an_identifier_of_no_entity_is_not_replaced_by_another(
    opened: OpenGraph, text: str
) -> None:
    with pytest.raises(DomainError) as refused:
        entity_number_or_raise(opened, text)
    assert (refused.value.status, refused.value.code) == (404, "no_entity")
