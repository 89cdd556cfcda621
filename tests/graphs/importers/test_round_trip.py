"""From files to a snapshot: what the importers give is what the builder keeps."""

import json
import os
import random
from pathlib import Path

import pytest

from backend.graphs.exporters.base import ExportedGraph, Provenance
from backend.graphs.exporters.registry import graph_exporters
from backend.graphs.import_report import ImportReport
from backend.graphs.importers.common.drop_report import (
    TooManyDropped,
)
from backend.graphs.importers.common.input_files import FileRefused
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from tests.graphs.importers.factories import edge_rows, node_rows, open_files, write_files
from tests.graphs.importers.optimuskg_files import consolidated
from tests.graphs.importers.test_ckg import FILES as CKG
from tests.graphs.importers.test_hetionet import EDGES, JSON, NODES
from tests.graphs.importers.test_primekg import DISEASES, DRUGS, GROUPS, KG

ABOUT = Provenance("graph", "snapshot")
GRAPHS: dict[str, dict[str, str | bytes]] = {
    "hetionet": {"nodes.tsv": NODES, "edges.sif": EDGES},
    "hetionet-json": {"hetionet.json": json.dumps(JSON)},
    "primekg": {
        "kg.csv": KG,
        "drug_features.csv": DRUGS,
        "disease_features.csv": DISEASES,
        "kg_grouped_diseases_bert_map.csv": GROUPS,
    },
    "ckg": CKG,
    "optimuskg": consolidated(),
    "dated": {
        "entities.csv": "id,name,type\nX:1,one,Drug\nX:2,two,Disease\n",
        "edges.csv": "source,relation,target,first_year,date_source\n"
        "X:1,treats,X:2,1999,a label\nX:2,follows,X:1,2001,synthetic\nX:1,worsens,X:2,,\n",
    },
}


def left_in(folder: Path) -> list[str]:
    """The files in a folder of snapshots, but for the lock that its builders take."""
    names = [path.name for path in folder.rglob("*") if path.is_file()]
    return [name for name in names if name != ".lock"]


@pytest.mark.parametrize("name", [name for name in graph_exporters() if name != "graphml"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_a_graph_that_was_exported_and_imported_is_the_same_snapshot(
    tmp_path: Path, graph: str, name: str
) -> None:
    first = open_files(tmp_path / "files", GRAPHS[graph])
    relations = first.source.relations
    exported = ExportedGraph(node_rows(first), edge_rows(first), ABOUT, relations)
    path = tmp_path / f"again{graph_exporters()[name].suffix}"
    path.write_bytes(b"".join(graph_exporters()[name].write(exported)))
    again = open_source([path])
    built = build_snapshot(first.source, tmp_path / "snapshots")
    rebuilt = build_snapshot(again.source, tmp_path / "snapshots")
    assert built.entities == rebuilt.entities > 0
    assert built.edges == rebuilt.edges > 0
    if name in {"csv", "json"}:
        assert built.id == rebuilt.id


def test_both_rows_of_primekgs_edges_fold_into_one(tmp_path: Path) -> None:
    built = build_snapshot(
        open_files(tmp_path / "files", GRAPHS["primekg"]).source, tmp_path / "out"
    )
    assert (built.entities, built.edges, built.report.folded_rows) == (8, 7, 7)
    assert not built.report.dropped_rows


def test_unknown_ends_and_repeated_entities_are_reported(tmp_path: Path) -> None:
    files = {
        "entities.csv": "id,name,type\nA:1,one,T\nA:1,uno,T\nA:2,two,T\nA:3\n",
        "edges.csv": "source,relation,target\nA:1,r,A:2\nA:1,r,A:404\nA:1,r,A:2\n",
    }
    built = build_snapshot(open_files(tmp_path / "files", files).source, tmp_path / "out")
    assert (built.entities, built.edges, built.report.folded_rows) == (2, 1, 1)
    assert built.report.conflicts.total() == 1
    assert built.report.dropped_rows.total() == 2
    assert {fault.file for fault in built.report.faults} >= {"entities.csv"}


def test_a_file_that_is_cut_off_leaves_no_snapshot(tmp_path: Path) -> None:
    rows = "".join(f"MESH:D{i},name {i * 7919 % 10_007},Drug\n" for i in range(50_000))
    folder = write_files(
        tmp_path / "files",
        {
            "entities.csv.gz": "id,name,type\n" + rows,
            "edges.csv": "source,relation,target\nMESH:D1,r,MESH:D2\n",
        },
    )
    whole = (folder / "entities.csv.gz").read_bytes()
    (folder / "entities.csv.gz").write_bytes(whole[:-1_000])
    with pytest.raises(FileRefused):
        build_snapshot(open_source([folder]).source, tmp_path / "out")
    assert left_in(tmp_path / "out") == []


def test_a_source_that_drops_too_much_is_refused_while_it_is_read(tmp_path: Path) -> None:
    files = {
        "entities.csv": "id,name,type\nA:1,one,T\n" + "broken\n" * 50,
        "edges.csv": "source,relation,target\nA:1,r,A:1\n",
    }
    watched = ImportReport(open_files(tmp_path / "files", files))
    with pytest.raises(TooManyDropped) as refused:
        build_snapshot(watched, tmp_path / "out")
    assert len(refused.value.faults) == 50
    assert left_in(tmp_path / "out") == []


@pytest.mark.skipif("SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder")
def test_the_published_sample_of_hetionet_becomes_one_snapshot_in_any_order(tmp_path: Path) -> None:
    folder = Path(os.environ["SERENDIB_DATA"]) / "hetionet"
    first = open_source([folder])
    built = build_snapshot(first.source, tmp_path / "out")
    assert (built.entities, built.edges + built.report.folded_rows) == (47_031, 99_676)
    assert not built.report.dropped_rows
    nodes, edges = node_rows(first), edge_rows(first)
    random.Random(4).shuffle(nodes)  # noqa: S311  # any order will do, the same one each time
    random.Random(5).shuffle(edges)  # noqa: S311  the same
    shuffled = ExportedGraph(nodes, edges, ABOUT, first.source.relations)
    path = tmp_path / "shuffled.csv.zip"
    path.write_bytes(b"".join(graph_exporters()["csv"].write(shuffled)))
    assert build_snapshot(open_source([path]).source, tmp_path / "again").id == built.id
    snapshot = open_snapshot(built.path)
    aspirin = snapshot.find_number("DRUGBANK:DB00945")
    assert aspirin is not None
    assert snapshot.entity(aspirin).name == "Acetylsalicylic acid"
