"""When an edge was first seen: shown on the edge, and a cut-off of neighbours, paths and walks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rest_framework.test import APIClient

from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows

pytestmark = pytest.mark.django_db
NODES = [NodeRow(f"X:{name}", "Thing", name) for name in "ABCD"]


def dated_rows(unit: str = "first_pmid") -> SourceRows:
    """A leads to D over B (early and late) and over C (undated at first)."""
    dates = {"AB": 10, "BD": 30, "AC": None, "CD": 20}
    edges = [
        EdgeRow(
            f"X:{ends[0]}",
            "leads to",
            f"X:{ends[1]}",
            first_pmid=date if unit == "first_pmid" else None,
            first_year=date if unit == "first_year" else None,
        )
        for ends, date in dates.items()
    ]
    return SourceRows([*NODES], [*edges])


@pytest.fixture
def graph(visitor: APIClient) -> APIClient:
    make_graph("Dated", rows=dated_rows())
    return visitor


def get(client: APIClient, rest: str, status: int = 200) -> dict[str, object]:
    answer = client.get(f"/api/v1/graphs/dated/{rest}".rstrip("/"))
    assert answer.status_code == status, answer.content
    body: dict[str, object] = answer.json()
    return body


def names(page: dict[str, object]) -> list[str]:
    results = page["results"]
    assert isinstance(results, list)
    return sorted(one["entity"]["name"] for one in results)


def test_neighbours_until_a_date_leave_out_undated_edges_and_count_them(graph: APIClient) -> None:
    page = get(graph, "entities/X:A/neighbours")
    assert (names(page), page["undated"]) == (["B", "C"], None)
    page = get(graph, "entities/X:A/neighbours?first_seen_until=10")
    assert (names(page), page["count"], page["undated"]) == (["B"], 1, 1)
    page = get(graph, "entities/X:A/neighbours?first_seen_until=9&relation=leads to")
    assert (names(page), page["count"], page["undated"]) == ([], 0, 1)
    page = get(graph, "entities/X:D/neighbours?outgoing=false&first_seen_until=20")
    assert (names(page), page["undated"]) == (["C"], 0)


def test_pages_under_a_cutoff_follow_each_other(graph: APIClient) -> None:
    rest = "entities/X:D/neighbours?outgoing=false&first_seen_until=30&limit=1"
    first = get(graph, rest)
    second = get(graph, f"{rest}&cursor={first['next']}")
    assert sorted(names(first) + names(second)) == ["B", "C"] and second["next"] is None


def test_paths_until_a_date_use_earlier_edges_alone(graph: APIClient) -> None:
    ends = "paths?from=X:A&to=X:D&hops=2"
    everything = get(graph, ends)
    assert (everything["total"], everything["undated"]) == (2, None)
    late = get(graph, f"{ends}&first_seen_until=30")
    assert (late["total"], late["undated"]) == (1, 1)
    early = get(graph, f"{ends}&first_seen_until=29")
    assert (early["total"], early["paths"], early["undated"]) == (0, [], 1)


def test_a_walk_until_a_date_ends_where_no_earlier_edge_leads_on(graph: APIClient) -> None:
    walk = get(graph, "walk?from=X:C&steps=5&seed=1&first_seen_until=19")
    assert (walk["steps"], walk["ended"], walk["undated"]) == ([], True, 1)


def test_an_edge_shows_the_article_in_which_it_was_first_seen(graph: APIClient) -> None:
    page = get(graph, "entities/X:B/neighbours?outgoing=false")
    results = page["results"]
    assert isinstance(results, list)
    assert results[0]["evidence"]["first_seen"] == {
        "unit": "pmid",
        "value": 10,
        "url": "https://pubmed.ncbi.nlm.nih.gov/10/",
        "source": "",
    }


def test_a_year_has_no_page(visitor: APIClient) -> None:
    rows = dated_rows("first_year")
    first, *others = rows.edge_rows
    assert isinstance(first, EdgeRow)
    rows.edge_rows[:] = [replace(first, date_source="synthetic"), *others]
    make_graph("Dated", rows=rows)
    page = get(visitor, "entities/X:B/neighbours?outgoing=false&first_seen_until=10")
    results = page["results"]
    assert isinstance(results, list)
    expected = {"unit": "year", "value": 10, "url": None, "source": "synthetic"}
    assert results[0]["evidence"]["first_seen"] == expected


@pytest.mark.parametrize("value", ["0", "-1", "x", "4294967296", "1e3"])
@pytest.mark.parametrize(
    "rest", ["entities/X:A/neighbours?", "paths?from=X:A&to=X:D&", "walk?from=X:A&"]
)
def test_a_cutoff_is_a_whole_number(graph: APIClient, rest: str, value: str) -> None:
    get(graph, f"{rest}first_seen_until={value}", 422)


@pytest.mark.parametrize(
    "rest", ["entities/X:A/neighbours?", "paths?from=X:A&to=X:D&", "walk?from=X:A&"]
)
def test_a_graph_without_dates_has_no_cutoff(visitor: APIClient, rest: str) -> None:
    make_graph("Dated", rows=SourceRows([*NODES], [EdgeRow("X:A", "leads to", "X:B")]))
    assert get(visitor, f"{rest}first_seen_until=5", 422)["code"] == "no_dates"


@pytest.mark.parametrize("number", ["NCT01234567", "NCT:NCT01234567", "CLINICALTRIALS:NCT01234567"])
def test_the_number_of_a_trial_leads_to_its_page(visitor: APIClient, number: str) -> None:
    edge = EdgeRow("X:A", "leads to", "X:B", publications=(number, "pmid:7"))
    make_graph("Dated", rows=SourceRows([*NODES], [edge]))
    results = get(visitor, "entities/X:A/neighbours")["results"]
    assert isinstance(results, list)
    assert results[0]["evidence"]["publications"] == [
        {"curie": number, "url": "https://clinicaltrials.gov/study/NCT01234567"},
        {"curie": "pmid:7", "url": "https://pubmed.ncbi.nlm.nih.gov/7/"},
    ]


def test_a_subgraph_until_a_date_has_earlier_edges_alone(graph: APIClient) -> None:
    def edges(**more: object) -> tuple[object, object]:
        body = {"ids": [f"X:{name}" for name in "ABCD"], **more}
        answer = graph.post("/api/v1/graphs/dated/subgraph", body, format="json")
        assert answer.status_code == 200, answer.content
        graph_part = answer.json()
        return graph_part["total"], graph_part["undated"]

    assert edges() == (4, None)
    assert edges(first_seen_until=20) == (2, 1)
    assert edges(first_seen_until=9) == (0, 1)


@pytest.mark.parametrize("unit", ["pmid", "year"])
def test_a_graph_states_how_its_edges_are_dated(visitor: APIClient, unit: str) -> None:
    make_graph("Dated", rows=dated_rows(f"first_{unit}"))
    graph = get(visitor, "")
    assert (graph["date_unit"], graph["date_range"]) == (unit, [10, 30])


def test_a_graph_without_dates_states_no_unit(visitor: APIClient) -> None:
    make_graph("Dated", rows=SourceRows([*NODES], [EdgeRow("X:A", "leads to", "X:B")]))
    graph = get(visitor, "")
    assert (graph["date_unit"], graph["date_range"]) == (None, None)


def test_the_history_of_an_entity_counts_its_edges_by_year_and_what_states_it(
    visitor: APIClient,
) -> None:
    def edge(target: str, year: int | None, source: str = "") -> EdgeRow:
        return EdgeRow("X:A", "leads to", target, first_year=year, date_source=source)

    edges = [
        *(edge("X:B", 1999, "a label"), edge("X:C", 1999), edge("X:A", 2004, "synthetic")),
        *(edge("X:D", None), EdgeRow("X:D", "leads to", "X:A", first_year=1999)),
    ]
    make_graph("Dated", rows=SourceRows([*NODES], [*edges]))
    history = get(visitor, "entities/X:A/history")
    assert (history["years"], history["undated"]) == (
        [
            {"year": 1999, "source": "", "count": 2},
            {"year": 1999, "source": "a label", "count": 1},
            {"year": 2004, "source": "synthetic", "count": 1},
        ],
        1,
    )
    get(visitor, "entities/X:NO/history", 404)


def test_the_history_by_pmid_or_without_dates_has_no_years(visitor: APIClient) -> None:
    make_graph("Dated", rows=dated_rows("first_pmid"))
    history = get(visitor, "entities/X:A/history")
    assert (history["years"], history["undated"]) == ([], 2)
