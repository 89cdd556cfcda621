"""OptimusKG's Parquet files: both layouts give one graph, and a hostile one gives a clear error."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from backend.graphs.importers.common.input_files import FileRefused, ReadLimits
from backend.graphs.importers.common.parquet_reader import MAX_SECONDS, worker_seconds
from backend.graphs.importers.common.read_time_limit import ReadTimeLimit
from backend.graphs.importers.optimuskg.vocabulary import (
    RELATIONS,
    make_identifier,
    make_publication,
)
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from backend.runtime.cancellation import CancellationToken
from tests.graphs.importers.factories import (
    drop_reasons,
    dropped_rows,
    edge_rows,
    node_rows,
    open_files,
    write_files,
)
from tests.graphs.importers.optimuskg_files import (
    EDGES,
    NODES,
    Row,
    as_parquet,
    by_type,
    consolidated,
)

ROOT = Path(__file__).resolve().parents[3]
NODE: Row = {"id": "MONDO_0007947", "label": "DIS", "properties": '{"name": "Marfan syndrome"}'}
EDGE: Row = {"from": "MONDO_0007947", "to": "HP_0001083", "relation": "PHENOTYPE_PRESENT"}


def test_entities_have_names_synonyms_cross_references_and_texts(tmp_path: Path) -> None:
    graph = open_files(tmp_path, consolidated())
    assert graph.format.name == "optimuskg"
    nodes = {row.id: row for row in node_rows(graph)}
    assert len(nodes) == 11
    assert nodes["CHEMBL.COMPOUND:CHEMBL941"] == NodeRow(
        "CHEMBL.COMPOUND:CHEMBL941",
        "Drug",
        "IMATINIB",
        ("Imatinib", "STI-571", "Gleevec"),
        (),
        (Section("Description", "A tyrosine kinase inhibitor.", "OPEN_TARGETS"),),
    )
    assert nodes["ENSEMBL:ENSG00000097007"] == NodeRow(
        "ENSEMBL:ENSG00000097007",
        "Gene",
        "ABL1",
        ("ABL proto-oncogene 1, non-receptor tyrosine kinase", "ABL"),
        ("HGNC:76", "Elsewhere:x9", "UniProtKB:P00519"),
        (Section("Function", "Tyrosine kinase.\nActs in cell division.", "OPEN_TARGETS, BGEE"),),
    )
    assert nodes["MONDO:0011996"].xrefs == ("OMIM:608232", "ICD10:C92.1", "UMLS:C0279543")
    assert nodes["CHEMBL.COMPOUND:CHEMBL1642"].name == "CHEMBL.COMPOUND:CHEMBL1642"


def test_edges_have_their_provenance(tmp_path: Path) -> None:
    edges = {row.relation: row for row in edge_rows(open_files(tmp_path, consolidated()))}
    assert edges["INDICATION"] == EdgeRow(
        "CHEMBL.COMPOUND:CHEMBL941",
        "INDICATION",
        "MONDO:0011996",
        evidence="OPEN_TARGETS (from CLINICAL_TRIALS, DAILY_MED)",
        level="phase 4",
        publications=("CLINICALTRIALS:NCT00006343", "setid 1"),
        line=edges["INDICATION"].line,
    )
    assert edges["INHIBITOR"].publications == ("PMID:8616716", "https://example.org/label.pdf")
    association = edges["ASSOCIATED_WITH"]
    assert (association.source, association.target) == ("ENSEMBL:ENSG00000166147", "MONDO:0007947")
    assert (association.score, association.first_year) == (0.875, 1991)
    assert edges["PHENOTYPE_PRESENT"].level == "PCS, TAS"
    assert edges["PHENOTYPE_PRESENT"].publications == ("PMID:20591885", "OMIM:154700")
    assert edges["EXPRESSION_PRESENT"].level == "gold quality"
    assert edges["INTERACTS_WITH"].publications == ("PMID:17431484",)
    assert (edges["IS_A"].source, edges["IS_A"].target) == ("GO:0006915", "GO:0012501")


def test_both_layouts_and_any_order_of_rows_are_one_snapshot(tmp_path: Path) -> None:
    """All that the tests above read of the consolidated files is part of a snapshot."""
    rng = np.random.default_rng(7)

    def shuffle(rows: Sequence[Any]) -> list[Any]:
        return [rows[at] for at in rng.permutation(len(rows))]

    shuffled = [
        {name: shuffle(rows) for name, rows in shuffle(files)}
        for files in ([*NODES.items()], [*EDGES.items()])
    ]
    layouts = {"all": consolidated(), "types": by_type(), "shuffled": consolidated(*shuffled)}
    built = {
        build_snapshot(open_files(tmp_path / name, files).source, tmp_path / "out").id
        for name, files in layouts.items()
    }
    assert len(built) == 1


def test_files_with_other_names_are_recognised_by_their_columns(tmp_path: Path) -> None:
    # Two of each: a process starts for every file, once for its columns and once for its rows.
    rows = dict([*islice(NODES.items(), 2), *islice(EDGES.items(), 2)])
    files = {f"{name}.parquet": as_parquet(listed) for name, listed in rows.items()}
    graph = open_files(tmp_path, {**files})
    counts = [sum(len(rows[name]) for name in islice(some, 2)) for some in (NODES, EDGES)]
    assert [len(node_rows(graph)), len(edge_rows(graph))] == counts and min(counts) > 1
    other = {"scores.parquet": as_parquet([{"a": 1}])}
    with pytest.raises(FileRefused, match=r"scores\.parquet has neither the columns"):
        open_files(tmp_path / "other", {**other})


def test_a_node_file_that_lacks_a_column_names_those_it_has(tmp_path: Path) -> None:
    nodes = as_parquet([{"id": "MONDO_1", "name": "x"}])
    graph = open_files(tmp_path, {"nodes.parquet": nodes, "edges.parquet": as_parquet([EDGE])})
    with pytest.raises(FileRefused, match=r"no column label\. It has: id, name"):
        node_rows(graph)


@pytest.mark.parametrize(
    ("raw", "curie"),
    [
        ("DB00945", "DRUGBANK:DB00945"),
        ("NCBIGene:672", "NCBIGene:672"),
        ("Orphanet_558", "ORPHANET:558"),
        ("R-HSA-109581", "REACT:R-HSA-109581"),
        ("CL_0000236", "CL:0000236"),
        ("MESH:D001151", "MESH:D001151"),
        ("OTAR_0000009", "OTAR:0000009"),
        ("name of a thing", "OPTIMUSKG:name of a thing"),
        ("", ""),
    ],
)
def test_an_identifier_becomes_a_curie(raw: str, curie: str) -> None:
    assert make_identifier(raw) == curie


@pytest.mark.parametrize(
    ("written", "publication"),
    [
        ("NCT00006343", "CLINICALTRIALS:NCT00006343"),
        ("NCT0000634", "NCT0000634"),
        ("8616716", "PMID:8616716"),
        ("pubmed:1", "PMID:1"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("https://clinicaltrials.gov/study/NCT00006343", "CLINICALTRIALS:NCT00006343"),
    ],
)
def test_a_reference_becomes_a_trial_an_article_or_stays_text(
    written: str, publication: str
) -> None:
    assert make_publication(written, is_article=True) == publication


def test_a_number_of_another_source_is_no_article() -> None:
    assert make_publication("8616716", is_article=False) == "8616716"


def test_every_relation_has_phrases_in_both_directions() -> None:
    assert len(RELATIONS) == 38
    assert all(info.forward and info.backward for info in RELATIONS.values())


NODE_FAULTS: list[tuple[Row, str]] = [
    ({"id": None}, "missing"),
    ({"label": None}, "missing"),
    ({"id": "x" * 501}, "too_long"),
    ({"id": "a\0b"}, "nul"),
    ({"properties": "[1]"}, "json"),
    ({"properties": "{"}, "json"),
    ({"properties": "[" * 100_000}, "json"),
    ({"properties": '{"name": 1}'}, "json"),
    ({"properties": '{"synonyms": {"a": 1}}'}, "json"),
    ({"properties": '{"synonyms": [["a"]]}'}, "json"),
    ({"properties": '{"sources": []}'}, ""),
    ({"properties": '{"sources": [1]}'}, "json"),
    ({"properties": '{"name": "\\ud800"}'}, "encoding"),
    ({"properties": json.dumps({"name": "x" * 5_000})}, "too_long"),
]


def test_a_faulty_node_is_dropped_with_its_file_row_and_reason(tmp_path: Path) -> None:
    rows = [{**NODE, **changes} for changes, _ in NODE_FAULTS]
    files = {"nodes.parquet": as_parquet(rows), "edges.parquet": as_parquet([EDGE])}
    assert drop_reasons(open_files(tmp_path, {**files})) == [
        ("nodes.parquet", row, reason)
        for row, (_, reason) in enumerate(NODE_FAULTS, start=1)
        if reason
    ]


EDGE_FAULTS = [
    ("{}", "", ""),
    ('{"evidence_score": "high"}', "number", "properties.evidence_score: high"),
    ('{"evidence_score": true}', "number", "properties.evidence_score: True"),
    ('{"evidence_score": NaN}', "number", "nan"),
    ('{"highest_clinical_trial_phase": 1%s}' % ("0" * 400), "number", "phase: 1000"),
    ('{"highest_clinical_trial_phase": -1e999}', "number", "phase: -inf"),
    ('{"evidence_score": 1%s}' % ("0" * 400), "number", "score: 1000"),
    ('{"year_initial": "long ago"}', "number", "long ago"),
    ('{"year_initial": "-5"}', "number", "-5"),
    ('{"references": [1]}', "json", "properties.references: 1"),
    (json.dumps({"references": ["x"] * 10_001}), "", ""),
    (json.dumps({"references": [str(n) for n in range(10_001)]}), "too_long", "10,003 items"),
]


def test_a_faulty_edge_is_dropped_with_the_name_of_the_property(tmp_path: Path) -> None:
    edges = as_parquet([{**EDGE, "properties": properties} for properties, _, _ in EDGE_FAULTS])
    rows = dropped_rows(
        open_files(tmp_path, {"nodes.parquet": as_parquet([NODE]), "edges.parquet": edges})
    )
    expected = [
        (row, reason, detail)
        for row, (_, reason, detail) in enumerate(EDGE_FAULTS, start=1)
        if reason
    ]
    assert [(row.line, row.reason) for row in rows] == [it[:2] for it in expected]
    assert all(it[2] in row.detail for row, it in zip(rows, expected, strict=True))


def test_bytes_that_are_no_text_drop_their_row_alone(tmp_path: Path) -> None:
    names = pa.array([b"MONDO_0007947", b"MONDO_\xff", b"HP_0001083"]).cast(pa.string(), safe=False)
    file = io.BytesIO()
    pq.write_table(pa.table({"id": names, "label": ["DIS", "DIS", "PHE"]}), file)
    graph = open_files(
        tmp_path, {"nodes.parquet": file.getvalue(), "edges.parquet": as_parquet([EDGE])}
    )
    assert drop_reasons(graph) == [("nodes.parquet", 2, "encoding")]
    assert len(node_rows(graph)) == 2


def whole(**columns: pa.Array) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def huge_text(kind: str) -> bytes:
    """A text of 20 MB, a thousand times; in a structure, where it cannot be measured before."""
    codes = pa.array([0] * 1_000, pa.int32())
    texts = pa.DictionaryArray.from_arrays(codes, ["x" * 20_000_000])
    ids, labels = pa.array(["MONDO_1"] * 1_000), pa.array(["DIS"] * 1_000)
    named = pa.StructArray.from_arrays([texts], ["name"])
    return whole(id=ids, label=labels, properties=named if kind == "structure" else texts)


def many_rows() -> bytes:
    """Twenty million equal rows in a few kilobytes."""
    file = io.BytesIO()
    codes = pa.array([0] * 4_000_000, pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, ["MONDO_1"])
    table = pa.table({"id": column, "label": column})
    with pq.ParquetWriter(file, table.schema, compression="zstd") as writer:
        for _ in range(5):
            writer.write_table(table, row_group_size=4_000_000)
    return file.getvalue()


def nested_deeply() -> bytes:
    value: object = "x"
    for _ in range(60):
        value = {"name": value}
    column = pa.array([value])
    return whole(id=pa.array(["MONDO_1"]), label=pa.array(["DIS"]), properties=column)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "text that is a number": (lambda: whole(id=pa.array([1]), label=pa.array(["a"])), "wrong_type"),
    "text that is a list": (
        lambda: whole(id=pa.array([["a"]]), label=pa.array(["a"])),
        "wrong_type",
    ),
    "text that is bytes": (
        lambda: whole(id=pa.array([b"a"]), label=pa.array(["a"])),
        "wrong_type",
    ),
    "properties that are numbers": (
        lambda: whole(id=pa.array(["a"]), label=pa.array(["a"]), properties=pa.array([1])),
        "wrong_type",
    ),
    "a member that is bytes": (
        lambda: whole(
            id=pa.array(["a"]), label=pa.array(["a"]), properties=pa.array([{"name": b"x"}])
        ),
        "wrong_type",
    ),
    "a column twice": (lambda: two_columns(), "not_parquet"),
    "huge texts": (lambda: huge_text("text"), "too_long"),
    "huge texts in a structure": (lambda: huge_text("structure"), "too_large"),
    "many rows": (many_rows, "too_large"),
    "a truncated file": (lambda: as_parquet([NODE])[:-20], "not_parquet"),
    "no footer": (lambda: b"PAR1" + b"\0" * 100, "not_parquet"),
    "only the mark": (lambda: b"PAR1", "not_parquet"),
    "a footer beyond the file": (
        lambda: b"PAR1" + b"\xff\xff\xff\x7f" + b"PAR1",
        "not_parquet",
    ),
}


def two_columns() -> bytes:
    file = io.BytesIO()
    columns = [pa.array(["a"]), pa.array(["b"]), pa.array(["c"])]
    pq.write_table(pa.Table.from_arrays(columns, names=["id", "id", "label"]), file)
    return file.getvalue()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_with_its_name(tmp_path: Path, name: str) -> None:
    write, code = HOSTILE[name]
    files = {"nodes.parquet": write(), "edges.parquet": as_parquet([EDGE])}
    limits = ReadLimits(expanded_floor=2_000_000, expanded_ratio=50)
    graph = open_files(tmp_path, {**files}, limits=limits)
    with pytest.raises(FileRefused) as refused:
        node_rows(graph)
    assert refused.value.code == code
    assert refused.value.detail.startswith("nodes.parquet")
    assert refused.value.faults[0].expected


def test_a_text_that_is_a_structure_of_structures_drops_its_row(tmp_path: Path) -> None:
    files = {"nodes.parquet": nested_deeply(), "edges.parquet": as_parquet([EDGE])}
    assert drop_reasons(open_files(tmp_path, {**files})) == [("nodes.parquet", 1, "json")]


def empty_groups(count: int) -> bytes:
    file = io.BytesIO()
    schema = pa.schema([("id", pa.string()), ("label", pa.string())])
    with pq.ParquetWriter(file, schema) as writer:
        for _ in range(count):
            writer.write_table(schema.empty_table())
    return file.getvalue()


def test_groups_without_rows_are_passed_over(tmp_path: Path) -> None:
    files = {"nodes.parquet": empty_groups(50), "edges.parquet": as_parquet([EDGE])}
    assert node_rows(open_files(tmp_path, {**files})) == []


def test_reading_stops_at_the_time_limit_though_no_row_comes(tmp_path: Path) -> None:
    files = {"nodes.parquet": empty_groups(30_000), "edges.parquet": as_parquet([EDGE])}
    limit = ReadTimeLimit(CancellationToken(), time_limit_s=0.02)
    limits = ReadLimits(check=limit.check, remaining_s=limit.remaining_s)
    with pytest.raises(FileRefused) as refused:
        node_rows(open_files(tmp_path, {**files}, limits=limits))
    assert refused.value.code == "time"


@pytest.mark.parametrize(
    ("remaining", "seconds"),
    [(None, MAX_SECONDS), (1e9, MAX_SECONDS), (99.5, 100), (0.2, 1), (-3.0, 1)],
)
def test_the_reading_process_gets_the_time_that_remains(
    remaining: float | None, seconds: int
) -> None:
    assert worker_seconds(ReadLimits(remaining_s=lambda: remaining)) == seconds
    assert worker_seconds(ReadLimits()) == MAX_SECONDS


def test_a_large_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    """Fifty thousand edges with properties of 4 kB are 200 MB, were they read at once."""
    padding = "p" * 4_000
    schema = pa.schema([(name, pa.string()) for name in ("from", "to", "relation", "properties")])
    with pq.ParquetWriter(tmp_path / "edges.parquet", schema) as writer:
        for start in range(0, 50_000, 2_500):
            rows = [
                {**EDGE, "properties": json.dumps({"structure_id": f"{start + number}{padding}"})}
                for number in range(2_500)
            ]
            writer.write_table(pa.Table.from_pylist(rows, schema))
    write_files(tmp_path, {"nodes.parquet": as_parquet([NODE])})
    program = (
        "import sys, resource, pathlib\n"
        "from backend.graphs.importers.registry import open_source\n"
        "graph = open_source([pathlib.Path(sys.argv[1])])\n"
        "next(graph.source.nodes()); next(graph.source.edges())\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "count = sum(1 for _ in graph.source.edges())\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(count, (after - before) // 1000)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    count, megabytes = map(int, done.stdout.split())
    assert count == 50_000
    assert megabytes < 100
