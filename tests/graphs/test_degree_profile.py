"""Degrees, hubs and years of a graph, beside a count over its edges one by one."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from backend.graphs.degree_profile import MOST_HUBS, measure_profile
from backend.graphs.models import Graph
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.personas import make_person

ENTITIES = 30
ends = st.integers(0, ENTITIES - 4)  # the last ones stay without edges
years = st.none() | st.integers(1, 9_999) | st.sampled_from([1999, 2000])


def build(folder: Path, edges: list[EdgeRow]) -> Snapshot:
    nodes = [NodeRow(f"X:{one}", "Gene", f"Gene {one}") for one in range(ENTITIES)]
    return open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), folder).path)


@settings(max_examples=25)  # each builds a snapshot
@given(st.lists(st.tuples(ends, ends, st.sampled_from("ab"), years), max_size=60))
def test_a_profile_is_what_counting_edge_by_edge_gives(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[int, int, str, int | None]],
) -> None:
    edges = [EdgeRow(f"X:{one}", by, f"X:{other}", first_year=at) for one, other, by, at in rows]
    graph = build(tmp_path_factory.mktemp("graph"), edges)
    profile = measure_profile(graph)
    stored = [graph.edge(number) for number in graph.edge_numbers()]
    degrees: Counter[str] = Counter({f"X:{one}": 0 for one in range(ENTITIES)})
    for edge in stored:
        degrees[graph.entity_summary(edge.source).id] += 1
        degrees[graph.entity_summary(edge.target).id] += 1
    values = [*degrees.values()]
    assert (profile.entities, profile.edges) == (ENTITIES, len(stored))
    assert profile.isolated == values.count(0) > 0
    assert profile.mean == pytest.approx(np.mean(values))
    assert profile.median == np.median(values)
    highest = sorted(filter(None, values), reverse=True)[:MOST_HUBS]
    assert [one.degree for one in profile.hubs] == highest
    assert all(degrees[one.id] == one.degree for one in profile.hubs)
    share = sum(one.degree for one in profile.hubs) / (2 * len(stored)) if stored else 0
    assert profile.hub_share == pytest.approx(share)
    for one in profile.bins:
        assert one.entities == sum(one.low <= value <= one.high for value in values)
    assert sum(one.entities for one in profile.bins) == ENTITIES - profile.isolated
    assert [one.low for one in profile.bins] == [2**at for at in range(len(profile.bins))]
    dated = Counter(edge.first_year for edge in stored if edge.first_year)
    assert {one.year: one.edges for one in profile.years} == dated
    assert [one.year for one in profile.years] == sorted(dated)
    assert profile.undated == len(stored) - dated.total()


def test_pmids_are_no_years(tmp_path: Path) -> None:
    graph = build(tmp_path, [EdgeRow("X:1", "a", "X:2", first_pmid=123)])
    assert (measure_profile(graph).years, measure_profile(graph).undated) == ([], 1)


@pytest.mark.django_db
def test_the_profile_of_a_public_graph_is_for_all_and_of_a_private_one_for_its_owner(
    visitor: APIClient,
) -> None:
    address = f"/api/v1/graphs/{make_graph().slug}/profile"
    hub = visitor.get(address).json()["hubs"][0]
    assert (hub["name"], hub["degree"]) == ("TP53", 1_204)
    Graph.objects.update(visibility=Graph.Visibility.PRIVATE, owner=make_person("ada").user)
    assert visitor.get(address).status_code == 404
