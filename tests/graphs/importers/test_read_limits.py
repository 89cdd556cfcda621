"""Files without content are refused early, and reading can be cancelled or timed out."""

import collections
import csv
import gzip
from pathlib import Path

import pytest

from backend.graphs.importers.common.drop_report import DropReport, TooManyDropped
from backend.graphs.importers.common.input_files import FileRefused, ReadLimits
from backend.graphs.importers.common.read_time_limit import ReadTimeLimit
from backend.graphs.importers.registry import open_source
from backend.runtime.cancellation import CancellationToken, Cancelled
from tests.graphs.importers.factories import node_rows, open_files, write_files, write_zip

ENTITIES = "id,name,type\nMESH:D1,one,Drug\nMESH:D2,two,Disease\n"
EDGES = "source,relation,target\nMESH:D1,treats,MESH:D2\n"


@pytest.mark.parametrize("name", ["entities.csv", "entities.tsv"])
def test_a_file_of_blank_lines_is_refused_before_its_end(tmp_path: Path, name: str) -> None:
    entities = ENTITIES.replace(",", "\t") if name.endswith(".tsv") else ENTITIES
    files = {name: entities + "\n" * 400_000, "edges.csv": EDGES}
    graph = open_source([write_zip(tmp_path / "graph.zip", files)])
    with pytest.raises(FileRefused) as refused:
        node_rows(graph)
    assert refused.value.code == "blank_lines"
    assert "100,0" in refused.value.detail


def test_blank_lines_between_all_rows_are_allowed(tmp_path: Path) -> None:
    rows = "".join(f"MESH:D{number},name,Drug\n\n" for number in range(120_000))
    graph = open_files(tmp_path, {"entities.csv": ENTITIES + rows, "edges.csv": EDGES})
    assert len(node_rows(graph)) == 120_002


def test_a_quotation_mark_that_never_closes_ends_the_reading_early(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    limit = csv.field_size_limit(2**30)  # as other readers of the process may have left it
    request.addfinalizer(lambda: csv.field_size_limit(limit))
    text = ENTITIES + '"' + "a\n" * 2_300_000
    write_files(tmp_path, {"edges.csv": EDGES})
    (tmp_path / "entities.csv.gz").write_bytes(gzip.compress(text.encode()))
    report = DropReport()
    rows = report.count_rows("nodes", open_source([tmp_path]).source.nodes())
    with pytest.raises(TooManyDropped, match="100,000 of the first 100,002 rows"):
        collections.deque(rows, maxlen=0)
    assert report.dropped["nodes"] == 100_000


def test_an_object_of_endless_keys_is_refused(tmp_path: Path) -> None:
    keys = "".join(f', "k{number}": 1' for number in range(20_000))
    text = '{"directed": true, "multigraph": true, "nodes": [], "edges": []' + keys + "}"
    with pytest.raises(FileRefused, match="more than 10,000 keys"):
        node_rows(open_files(tmp_path, {"graph.json": text}))


def test_reading_ends_after_a_cancellation_and_after_a_time_limit(tmp_path: Path) -> None:
    rows = "".join(f"MESH:D{number},name,Drug\n" for number in range(200_000))
    folder = write_files(tmp_path, {"entities.csv": ENTITIES + rows, "edges.csv": EDGES})
    token = CancellationToken()
    graph = open_source([folder], limits=ReadLimits(check=ReadTimeLimit(token).check))
    nodes = graph.source.nodes()
    next(nodes)
    token.cancel()
    with pytest.raises(Cancelled):
        list(nodes)
    late = ReadTimeLimit(CancellationToken(), time_limit_s=-1)
    with pytest.raises(FileRefused) as refused:
        open_source([folder], limits=ReadLimits(check=late.check))
    assert refused.value.code == "time"
