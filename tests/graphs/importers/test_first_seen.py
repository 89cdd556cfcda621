"""The column `first_seen` of edges, in every format that our own exports have."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.graphs.source_records import EdgeRow, MalformedRow
from tests.graphs.importers.factories import open_files

DATES: list[tuple[object, tuple[int | None, int | None]]] = [
    (1999, (None, 1999)),
    (9_999, (None, 9_999)),
    (10_000, (10_000, None)),
    (31_452_104, (31_452_104, None)),
    ("", (None, None)),
]
Fields = list[dict[str, object]]


def csv_files(edges: Fields) -> dict[str, str]:
    columns = ["source", "relation", "target", *dict.fromkeys(key for one in edges for key in one)]
    lines = [
        ["X:1", f"r{at}", "X:2", *(str(one.get(name, "")) for name in columns[3:])]
        for at, one in enumerate(edges)
    ]
    return {
        "entities.csv": "id,name,type\nX:1,one,Drug\nX:2,two,Disease\n",
        "edges.csv": "".join(",".join(line) + "\n" for line in [columns, *lines]),
    }


def kgx_files(edges: Fields) -> dict[str, str]:
    nodes = [{"id": "X:1", "category": "Drug"}, {"id": "X:2", "category": "Disease"}]
    rows = [
        {"id": str(at), "subject": "X:1", "predicate": f"r{at}", "object": "X:2", **one}
        for at, one in enumerate(edges)
    ]
    return {
        f"g_{name}.jsonl": "".join(f"{json.dumps(one)}\n" for one in records)
        for name, records in (("nodes", nodes), ("edges", rows))
    }


def node_link_files(edges: Fields) -> dict[str, str]:
    nodes = [{"id": one, "name": one, "type": "Drug"} for one in ("X:1", "X:2")]
    rows = [
        {"source": "X:1", "relation": f"r{at}", "target": "X:2", **one}
        for at, one in enumerate(edges)
    ]
    graph = {"directed": True, "multigraph": True, "graph": {}, "nodes": nodes, "edges": rows}
    return {"g.json": json.dumps(graph)}


FORMATS = {"csv": csv_files, "kgx": kgx_files, "json": node_link_files}


def read_edges(folder: Path, name: str, edges: Fields) -> list[EdgeRow | MalformedRow]:
    return list(open_files(folder, FORMATS[name](edges)).source.edges())


@pytest.mark.parametrize("name", FORMATS)
def test_first_seen_is_a_year_or_a_pmid_by_its_size(tmp_path: Path, name: str) -> None:
    given: Fields = [{"first_seen": value} for value, _ in DATES]
    rows: list[Any] = read_edges(tmp_path, name, given)
    assert [(one.first_pmid, one.first_year) for one in rows] == [dates for _, dates in DATES]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"first_seen": "soon"}, "soon"),
        ({"first_seen": 0}, "0 is not a whole number"),
        ({"first_seen": 1999.5}, "1999.5 is not a whole number"),
        ({"first_seen": 1999, "first_year": 1998}, "first_seen beside"),
        ({"first_seen": 31_452_104, "first_pmid": 5}, "first_seen beside"),
    ],
)
def test_another_value_is_a_fault_of_its_row(
    tmp_path: Path, name: str, fields: dict[str, object], detail: str
) -> None:
    (row,) = read_edges(tmp_path, name, [fields])
    assert isinstance(row, MalformedRow)
    assert (row.reason, detail in row.detail) == ("number", True)
