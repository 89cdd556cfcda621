"""Hostile files: what is wrong is said with its line, what is right is read."""

import gzip
import time
import zipfile
from pathlib import Path

import pytest

from backend.graphs.importers.common.drop_report import EARLY_CHECK_ROWS, DropReport, TooManyDropped
from backend.graphs.importers.common.input_files import FileRefused, ReadLimits, find_input_files
from backend.graphs.importers.registry import open_source
from backend.graphs.source_records import MalformedRow, NodeRow
from tests.graphs.importers.factories import (
    COMPRESSIONS,
    drop_reasons,
    dropped_rows,
    edge_rows,
    node_rows,
    open_files,
    write_files,
    write_zip,
)

ENTITIES = "id,name,type\nMESH:D1,one,Drug\nMESH:D2,two,Disease\n"
EDGES = "source,relation,target\nMESH:D1,treats,MESH:D2\n"
GRAPH = {"entities.csv": ENTITIES, "edges.csv": EDGES}


def with_entities(text: str | bytes) -> dict[str, str | bytes]:
    return {"entities.csv": text, "edges.csv": EDGES}


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_compressed_file_is_read_whatever_its_compression(tmp_path: Path, suffix: str) -> None:
    graph = open_files(tmp_path, {f"{name}{suffix}": text for name, text in GRAPH.items()})
    assert len(node_rows(graph)) == 2
    assert len(edge_rows(graph)) == 1
    assert node_rows(graph) == node_rows(graph)


def test_an_archive_is_read_without_unpacking_it(tmp_path: Path) -> None:
    graph = open_source(
        [write_zip(tmp_path / "graph.zip", {f"deep/{k}": v for k, v in GRAPH.items()})]
    )
    assert [row.name for row in node_rows(graph)] == ["one", "two"]
    assert graph.used_files["graph.zip/deep/edges.csv"] == "edges"


def test_a_path_inside_an_archive_has_no_effect(tmp_path: Path) -> None:
    graph = open_source(
        [write_zip(tmp_path / "g.zip", {f"../../{k}": v for k, v in GRAPH.items()})]
    )
    assert len(node_rows(graph)) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["g.zip"]


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text(ENTITIES)
    folder = write_files(tmp_path / "graph", GRAPH)
    (folder / "more.csv").symlink_to(secret)
    assert {file.name for file in find_input_files([folder])} == {*GRAPH}


def test_a_truncated_file_is_refused_with_its_position(tmp_path: Path) -> None:
    rows = "".join(f"MESH:D{i},name {i},Drug\n" for i in range(50_000))
    whole = gzip.compress(f"id,name,type\n{rows}".encode())
    write_files(tmp_path, {"edges.csv": EDGES})
    (tmp_path / "entities.csv.gz").write_bytes(whole[: len(whole) // 2])
    graph = open_source([tmp_path])
    with pytest.raises(FileRefused) as refused:
        node_rows(graph)
    assert refused.value.code == "truncated"
    assert refused.value.detail.startswith("entities.csv.gz is truncated")
    assert "The last complete line was line" in refused.value.detail


def test_a_damaged_file_is_refused_by_name(tmp_path: Path) -> None:
    rows = "".join(f"MESH:D{i},name {i},Drug\n" for i in range(50_000))
    data = bytearray(gzip.compress(f"id,name,type\n{rows}".encode()))
    data[-6] ^= 0xFF
    write_files(tmp_path, {"edges.csv": EDGES})
    (tmp_path / "entities.csv.gz").write_bytes(data)
    with pytest.raises(FileRefused, match=r"entities\.csv\.gz is damaged"):
        node_rows(open_source([tmp_path]))


def test_an_archive_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "graph.zip", GRAPH)
    archive.write_bytes(archive.read_bytes()[:-30])
    with pytest.raises(FileRefused) as refused:
        open_source([archive])
    assert refused.value.code == "truncated"


@pytest.mark.parametrize("place", range(0, 220, 3))
def test_an_archive_of_which_any_byte_is_wrong_is_read_or_refused_by_name(
    tmp_path: Path, place: int
) -> None:
    path = write_zip(tmp_path / "g.zip", GRAPH)
    altered = bytearray(path.read_bytes())
    altered[place] ^= 0xFF
    path.write_bytes(altered)
    try:
        graph = open_source([path])
        outcome = f"g.zip gives {len(node_rows(graph))} and {len(edge_rows(graph))}"
    except FileRefused as refused:
        outcome = refused.detail
    assert "g.zip" in outcome


def test_an_archive_member_with_unknown_compression_is_refused_by_name(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "g.zip", GRAPH)
    packed = bytearray(path.read_bytes())
    packed[packed.index(b"PK\x01\x02") + 10] = 99  # the way of packing, in the list of entries
    path.write_bytes(packed)
    with pytest.raises(FileRefused, match=r"g\.zip/entities\.csv is damaged, or its compression"):
        open_source([path])


def test_the_list_of_an_archive_is_read_once_however_many_entries_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = {f"edges/{number}.csv": EDGES for number in range(200)}
    path, read = write_zip(tmp_path / "g.zip", {"entities.csv": ENTITIES, **parts}), []

    class Counted(zipfile.ZipFile):  # each opening reads the list, which shows nowhere else
        def __init__(self, file: Path) -> None:
            read.append(file)
            super().__init__(file)

    monkeypatch.setattr("backend.graphs.importers.common.input_files.zipfile.ZipFile", Counted)
    graph = open_source([path])
    assert graph.total_bytes == len(ENTITIES) + 200 * len(EDGES)
    assert len(edge_rows(graph)) == 200
    assert read == [path]


def test_a_locked_archive_is_refused(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "graph.zip", GRAPH)
    data = bytearray(archive.read_bytes())
    with zipfile.ZipFile(archive) as listing:
        at = listing.start_dir
    data[at + 8] |= 1
    archive.write_bytes(data)
    with pytest.raises(FileRefused, match="is encrypted"):
        open_source([archive])


@pytest.mark.parametrize("suffix", [".gz", ".zip"])
def test_a_small_decompression_bomb_is_stopped_while_it_is_read(
    tmp_path: Path, suffix: str
) -> None:
    bomb = ENTITIES + "MESH:D3,three,Drug\n" * 2_000_000
    if suffix == ".zip":
        paths = [write_zip(tmp_path / "graph.zip", {"entities.csv": bomb, "edges.csv": EDGES})]
    else:
        paths = [write_files(tmp_path, {"entities.csv.gz": bomb, "edges.csv": EDGES})]
    graph = open_source(paths, limits=ReadLimits(expanded_floor=2**20, expanded_ratio=20))
    with pytest.raises(FileRefused) as refused:
        node_rows(graph)
    assert refused.value.code == "too_large"


def test_many_small_bombs_share_the_limit_of_one(tmp_path: Path) -> None:
    swollen = "source,relation,target\n" + "MESH:D1,treats,MESH:D2\n" * 40_000
    bombs = {f"{number}.csv": swollen for number in range(8)}
    path = write_zip(tmp_path / "graph.zip", {"entities.csv": ENTITIES, **bombs})
    with pytest.raises(FileRefused, match="expands beyond the size allowed"):
        edge_rows(open_source([path], limits=ReadLimits(expanded_floor=2**20, expanded_ratio=20)))


def test_a_byte_order_mark_and_windows_line_ends_are_removed(
    tmp_path: Path,
) -> None:
    text = "\ufeff" + ENTITIES.replace("\n", "\r\n")
    graph = open_files(tmp_path, {"entities.csv": text, "edges.tsv": EDGES.replace(",", "\t")})
    assert [row.id for row in node_rows(graph)] == ["MESH:D1", "MESH:D2"]
    assert [row.type for row in node_rows(graph)] == ["Drug", "Disease"]


def test_another_encoding_is_named_by_its_line_and_the_rest_is_read(tmp_path: Path) -> None:
    graph = open_files(
        tmp_path, with_entities(ENTITIES.encode() + b"MESH:D3,caf\xe9,Drug\nMESH:D4,x,Y\n")
    )
    assert drop_reasons(graph) == [("entities.csv", 4, "encoding")]
    assert [row.id for row in node_rows(graph)] == ["MESH:D1", "MESH:D2", "MESH:D4"]


def test_utf_16_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match=r"entities\.csv is UTF-16\. Save it as UTF-8\."):
        open_files(tmp_path, with_entities(ENTITIES.encode("utf-16")))


def test_rows_that_break_the_table_are_counted_with_their_lines(tmp_path: Path) -> None:
    graph = open_files(
        tmp_path,
        with_entities(
            ENTITIES
            + "MESH:D3,three\n"
            + "MESH:D4,four,Drug,more\n"
            + ",nameless,Drug\n"
            + "MESH:D5,five,\n"
            + "MESH:D6,si\0x,Drug\n"
            + "MESH:D\t7,seven,Drug\n"
            + '"MESH:D8",eight"y,Drug\n'
        ),
    )
    assert drop_reasons(graph) == [
        ("entities.csv", 4, "columns"),
        ("entities.csv", 5, "columns"),
        ("entities.csv", 6, "missing"),
        ("entities.csv", 7, "missing"),
        ("entities.csv", 8, "nul"),
        ("entities.csv", 9, "identifier"),
    ]
    assert node_rows(graph)[-1].name == 'eight"y'


def test_too_few_cells_are_counted_in_words_that_fit(tmp_path: Path) -> None:
    graph = open_files(tmp_path, with_entities(ENTITIES + "MESH:D3\nMESH:D4,four\n"))
    dropped = [row for row in graph.source.nodes() if isinstance(row, MalformedRow)]
    assert [row.detail for row in dropped] == [
        "1 cell, the header has 3",
        "2 cells, the header has 3",
    ]


def test_an_unclosed_quotation_mark_is_reported_where_it_opens(tmp_path: Path) -> None:
    graph = open_files(
        tmp_path, with_entities(ENTITIES + 'MESH:D3,"three,Drug\nMESH:D4,four,Drug\n')
    )
    assert drop_reasons(graph) == [("entities.csv", 4, "quotes")]


def test_a_row_that_never_ends_is_cut_where_a_line_would_be(tmp_path: Path) -> None:
    endless = 'MESH:D1,treats,"MESH:D2\n' + '","more\n' * 1_000
    files: dict[str, str | bytes] = {"entities.csv": ENTITIES, "edges.csv": EDGES + endless}
    graph = open_files(tmp_path, files, limits=ReadLimits(line_bytes=1_000))
    first = dropped_rows(graph)[0]
    assert (first.line, first.reason) == (3, "too_long")
    assert first.detail == "row larger than the limit (1,000)"


def test_a_cell_in_quotes_may_hold_lines_commas_and_quotes(tmp_path: Path) -> None:
    graph = open_files(tmp_path, with_entities('id,name,type\nMESH:D1,"a ""b"",\r\n c ",Drug\n'))
    assert [row.name for row in node_rows(graph)] == ['a "b",\r\n c ']


def test_a_name_of_a_million_characters_is_dropped_and_shown_in_short(tmp_path: Path) -> None:
    graph = open_files(tmp_path, with_entities(f"{ENTITIES}MESH:D3,{'x' * 10**6},Drug\n"))
    [row] = dropped_rows(graph)
    assert (row.line, row.reason) == (4, "too_long")
    assert len(row.detail) == 200
    assert len(node_rows(graph)) == 2


@pytest.mark.parametrize("name", ["entities.csv", "entities.tsv"])
def test_a_line_without_end_is_skipped_in_pieces(tmp_path: Path, name: str) -> None:
    text = f"{ENTITIES}MESH:D3,{'x' * 10**6},Drug\nMESH:D4,four,Drug\n"
    files = {name: text.replace(",", "\t") if name.endswith("tsv") else text, "edges.csv": EDGES}
    graph = open_files(tmp_path, files, limits=ReadLimits(line_bytes=1_000))
    assert drop_reasons(graph) == [(name, 4, "too_long")]
    assert [row.id for row in node_rows(graph)] == ["MESH:D1", "MESH:D2", "MESH:D4"]


def test_the_excerpt_of_a_malformed_row_has_no_control_characters(tmp_path: Path) -> None:
    graph = open_files(tmp_path, with_entities(ENTITIES + "MESH:\u202e\x1b[31mD3,three,Drug\n"))
    [row] = dropped_rows(graph)
    assert "\x1b" not in row.detail


def test_ids_given_twice_and_dangling_ends_are_left_to_the_builder(tmp_path: Path) -> None:
    graph = open_files(
        tmp_path,
        {
            "entities.csv": ENTITIES + "MESH:D1,uno,Drug\n",
            "edges.csv": EDGES + "MESH:D1,treats,MESH:D404\n",
        },
    )
    assert [row.name for row in node_rows(graph)] == ["one", "two", "uno"]
    assert len(edge_rows(graph)) == 2


def test_a_table_with_a_column_twice_is_refused(tmp_path: Path) -> None:
    graph = open_files(tmp_path, with_entities("id,name,type,name\n"))
    with pytest.raises(FileRefused, match="the column name twice"):
        node_rows(graph)


def test_the_time_for_a_long_header_is_linear(tmp_path: Path) -> None:
    """Not as its square: ten times as many columns would then take a hundred times as long."""

    def seconds(count: int) -> float:
        more = ",".join(f"column {number}" for number in range(count))
        rows = f"id,name,type,{more}\nMESH:D1,one,Drug{',' * count}\n"
        graph = open_files(tmp_path / str(count), with_entities(rows))
        began = time.process_time()
        assert [row.id for row in node_rows(graph)] == ["MESH:D1"]
        return time.process_time() - began

    assert seconds(20_000) < 40 * (seconds(2_000) + 0.005)


def test_unrecognised_files_are_refused_with_their_beginnings(tmp_path: Path) -> None:
    with pytest.raises(FileRefused) as refused:
        open_files(tmp_path, {"notes.txt": "hello\n"})
    assert "notes.txt begins with 'hello'" in refused.value.detail
    assert "entities" in refused.value.faults[0].expected


def test_a_missing_file_and_an_unknown_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match=r"The file nowhere\.csv does not exist"):
        open_source([tmp_path / "nowhere.csv"])
    write_files(tmp_path, GRAPH)
    with pytest.raises(FileRefused, match="no graph format turtle"):
        open_source([tmp_path], "turtle")


def test_a_pickle_is_never_loaded(tmp_path: Path) -> None:
    with pytest.raises(FileRefused) as refused:
        open_files(tmp_path, {**GRAPH, "node_info.pkl": b"\x80\x04N."})
    assert refused.value.code == "pickle"
    assert "stark.convert" in refused.value.detail


def malformed_text(number: int) -> list[NodeRow | MalformedRow]:
    return [MalformedRow("f", line, "columns", "x") for line in range(number)]


def valid_text(number: int) -> list[NodeRow | MalformedRow]:
    return [NodeRow(f"MESH:D{i}", "Drug", "x") for i in range(number)]


def test_the_report_shows_the_first_hundred_and_counts_all() -> None:
    report = DropReport(max_share=0.5)
    assert len(list(report.count_rows("nodes", [*malformed_text(150), *valid_text(200)]))) == 350
    assert report.reasons == {"columns": 150}
    assert len(report.first_dropped) == 100
    assert report.valid == {"nodes": 200}


def test_more_dropped_than_the_share_refuses_the_import() -> None:
    few, many = ([*malformed_text(count), *valid_text(9)] for count in (1, 2))
    assert list(DropReport(max_share=0.1).count_rows("nodes", few)) == few
    with pytest.raises(TooManyDropped) as refused:
        list(DropReport(max_share=0.1).count_rows("nodes", many))
    assert refused.value.detail == "2 of 11 rows of nodes cannot be read. Nothing was imported."
    assert refused.value.faults[0].place == "f, line 0"


def test_more_than_half_dropped_ends_the_reading_early() -> None:
    lines = [*valid_text(1), *malformed_text(EARLY_CHECK_ROWS), *valid_text(100)]
    rows = iter(lines)
    with pytest.raises(TooManyDropped, match="of the first 100,001 rows"):
        list(DropReport().count_rows("nodes", rows))
    assert len(list(rows)) == 100
