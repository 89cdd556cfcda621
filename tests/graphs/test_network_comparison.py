"""Networks side by side, beside networkx on the same links."""

import io
import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient
from scipy.stats import spearmanr

from backend.graphs.models import Graph
from backend.graphs.network_comparison import FEW, MOST_HUBS, PRINTED_HUBS
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.personas import make_person

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/network-comparison"
ENTITIES, EDGES = 120, 400


def make_edges(seed: int, first: int) -> list[EdgeRow]:
    """Edges of two relations among entities from `first` on, some twice, turned or loops; one of
    them is a hub."""
    draw = np.random.default_rng(seed)
    edges = []
    for _ in range(EDGES):
        one, other = (int(it) for it in draw.integers(first, first + ENTITIES - 10, 2))
        if draw.random() < 0.2:
            one = first
        year = int(draw.integers(1990, 2000)) if draw.random() < 0.9 else None
        edges.append(EdgeRow(f"X:{one}", "ab"[draw.integers(2)], f"X:{other}", first_year=year))
    return edges


def serve(name: str, edges: list[EdgeRow], first: int) -> str:
    nodes: list[NodeRow | MalformedRow] = [
        NodeRow(f"X:{one}", "Gene", "Patients" if one == first else f"Gene {one}")
        for one in range(first, first + ENTITIES)
    ]
    return make_graph(name, rows=SourceRows(nodes, [*edges])).slug


def network_of(edges: list[EdgeRow]) -> "nx.Graph[str]":
    network: nx.Graph[str] = nx.Graph()
    network.add_edges_from((it.source, it.target) for it in edges if it.source != it.target)
    return network


@pytest.fixture
def worlds() -> dict[str, list[EdgeRow]]:
    edges = {"mined": make_edges(1, 0), "curated": make_edges(2, 60)}
    return {serve(name, rows, rows_first(name)): rows for name, rows in edges.items()}


def rows_first(name: str) -> int:
    return {"mined": 0, "curated": 60}[name]


def compare(visitor: APIClient, *slugs: str) -> Any:
    return visitor.get(ADDRESS, {"graph": slugs}).json()


def test_degrees_and_hubs_are_those_of_networkx(
    visitor: APIClient, worlds: dict[str, list[EdgeRow]]
) -> None:
    page = compare(visitor, *worlds)
    networks = [network_of(edges) for edges in worlds.values()]
    for stated, network in zip(page["networks"], networks, strict=True):
        degrees = sorted((degree for _, degree in network.degree), reverse=True)
        assert (stated["entities"], stated["links"]) == (len(degrees), network.number_of_edges())
        assert stated["mean"] == pytest.approx(np.mean(degrees), abs=1e-9)
        assert stated["median"] == np.median(degrees)
        few = max(1, round(len(degrees) * FEW))
        assert stated["few_share"] == pytest.approx(sum(degrees[:few]) / sum(degrees), abs=1e-9)
        for one in stated["bins"]:
            assert one["entities"] == sum(one["low"] <= it <= one["high"] for it in degrees)
        place = page["networks"].index(stated)
        assert [hub["degrees"][place] for hub in stated["hubs"]] == degrees[:MOST_HUBS]
        for hub in stated["hubs"]:
            for given, other in zip(hub["degrees"], networks, strict=True):
                assert (given or 0) == (other.degree[hub["id"]] if hub["id"] in other else 0)
            assert hub["is_printed"] == (hub["name"] == "Patients")
    assert page["networks"][0]["hubs"][0]["is_printed"]
    absent = [hub["degrees"][1] is None for hub in page["networks"][0]["hubs"]]
    assert any(absent) and not all(absent)


def test_what_two_networks_share_is_what_sets_of_pairs_share(
    visitor: APIClient, worlds: dict[str, list[EdgeRow]]
) -> None:
    [shared] = compare(visitor, *worlds)["shared"]
    one, other = (network_of(edges) for edges in worlds.values())
    both = sorted({*one} & {*other})
    links = {frozenset(it) for it in one.edges} & {frozenset(it) for it in other.edges}
    assert (shared["entities"], shared["links"]) == (len(both), len(links))
    assert len(links) > 3
    assert shared["of_one"] == pytest.approx(len(links) / one.number_of_edges(), abs=1e-9)
    assert shared["of_other"] == pytest.approx(len(links) / other.number_of_edges(), abs=1e-9)
    ranks = spearmanr([one.degree[it] for it in both], [other.degree[it] for it in both])
    assert shared["correlation"] == pytest.approx(ranks.statistic, abs=1e-9)


def test_links_until_a_year_are_counted_by_their_first_edge(
    visitor: APIClient, worlds: dict[str, list[EdgeRow]]
) -> None:
    page = compare(visitor, *worlds)
    for stated, edges in zip(page["networks"], worlds.values(), strict=True):
        first: dict[frozenset[str], int] = {}
        for it in edges:
            if it.first_year and it.source != it.target:
                ends = frozenset((it.source, it.target))
                first[ends] = min(it.first_year, first.get(ends, 9_999))
        assert [one["year"] for one in stated["years"]] == sorted({*first.values()})
        for one in stated["years"]:
            assert one["links"] == sum(year <= one["year"] for year in first.values())
        assert stated["undated"] == stated["links"] - len(first) > 0


@pytest.mark.parametrize("slugs", [(), ("mined",), ("mined", "mined"), ("mined",) * 5])
def test_fewer_than_two_or_equal_graphs_are_refused(
    visitor: APIClient, worlds: dict[str, list[EdgeRow]], slugs: tuple[str, ...]
) -> None:
    answer = visitor.get(ADDRESS, {"graph": slugs})
    assert (answer.status_code, answer.json()["code"]) == (422, "networks")


def test_a_private_graph_is_compared_by_its_owner_alone(
    visitor: APIClient, worlds: dict[str, list[EdgeRow]]
) -> None:
    assert len(compare(visitor, *worlds)["networks"]) == 2
    owner = make_person("ada").user
    Graph.objects.filter(slug="curated").update(visibility=Graph.Visibility.PRIVATE, owner=owner)
    assert visitor.get(ADDRESS, {"graph": [*worlds]}).status_code == 404


def test_the_command_prints_the_same_figures(
    visitor: APIClient, worlds: dict[str, list[EdgeRow]]
) -> None:
    out = io.StringIO()
    call_command("compare_networks", *worlds, "--json", stdout=out)
    assert json.loads(out.getvalue()) == compare(visitor, *worlds)
    lines = io.StringIO()
    call_command("compare_networks", *worlds, stdout=lines)
    assert "1. Patients (Gene): " in lines.getvalue()
    assert "a hub of the text-mined network in Figure 5" in lines.getvalue()
    assert "degrees correlate by" in lines.getvalue()


def test_the_hubs_of_figure_5_are_those_that_the_paper_prints(tmp_path: Path) -> None:
    assert len(PRINTED_HUBS) == 15
    assert {"patients", "pharmaceutical preparations"} <= PRINTED_HUBS
    assert all(name == name.casefold() for name in PRINTED_HUBS)
