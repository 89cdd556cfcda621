"""An altered snapshot is rejected with the name of the file, without a crash."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.snapshots.format import (
    DTYPES,
    MANIFEST,
    Manifest,
    read_manifest,
)
from backend.graphs.snapshots.integrity import stamp_path
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.runtime.array_store.array_files import RawArrayInfo
from tests.graphs.snapshots.sources import SourceRows, small_graph

# Where a number too large leads nowhere: (file, a number that is too large).
INDICES = [
    ("forward.offsets", 1 << 40),
    ("forward.neighbours", 1 << 30),
    ("forward.relations", 200),
    ("reverse.offsets", 1 << 40),
    ("reverse.neighbours", 1 << 30),
    ("reverse.relations", 200),
    ("reverse.edges", 1 << 30),
    ("types", 200),
    ("by_hash", 1 << 30),
    ("edge.evidence", 200),
    ("edge.level", 200),
    ("edge.date_source", 200),
    ("edge.folded.edges", 1 << 40),
    ("hubs.offsets", 1 << 40),
    ("hubs.relations", 60_000),
    ("hubs.outgoing", 200),
    *((f"{name}.offsets", 1 << 40) for name in ("ids", "names", "synonyms", "xrefs")),
    *((f"{name}.offsets", 1 << 40) for name in ("documents", "edge.publications")),
    *((f"{name}.offsets", 1 << 40) for name in ("evidence", "levels", "date_sources")),
]


def graph_with_everything() -> SourceRows:
    """Every file that the format knows, none of them empty."""
    rows = small_graph()
    hub = [EdgeRow("DOID:6364", "meets", "DOID:6364", score=n / 2048) for n in range(600)]
    dated = replace(hub[0], first_pmid=11, first_year=1999, date_source="a label")
    nodes = [*rows.node_rows, NodeRow("X:1", "thing", "one")]
    return SourceRows(nodes, [*rows.edge_rows, dated, *hub[1:]])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = build_snapshot(graph_with_everything(), tmp_path_factory.mktemp("whole")).path
    assert {file.name for file in path.iterdir()} == {*DTYPES, MANIFEST}
    return path


@pytest.fixture
def folder(whole: Path) -> Iterator[Path]:
    """A copy to alter, not verified yet."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / whole.name
        shutil.copytree(whole, copy)
        for file in copy.iterdir():
            file.chmod(0o644)
            os.utime(file, (1e9, 1e9))
        os.utime(copy, (1e9, 1e9))
        yield copy


def refused(folder: Path) -> str:
    with pytest.raises(InvalidSnapshot) as caught:
        open_snapshot(folder)
    return caught.value.detail


def write_manifest(folder: Path, files: dict[str, RawArrayInfo]) -> None:
    """A manifest that matches altered files, as an attacker would write it."""
    old = read_manifest(folder)
    counts = dict(zip(old.types, old.type_counts, strict=True))
    new = Manifest.of((old.entity_count, old.edge_count), counts, old.relations, files)
    (folder / MANIFEST).write_bytes(new.as_bytes())


def test_an_intact_copy_opens_and_is_stamped(folder: Path) -> None:
    assert open_snapshot(folder).edge_count == 604
    assert stamp_path(folder).exists()


@pytest.mark.parametrize("name", sorted(DTYPES))
def test_a_truncated_file_is_rejected_by_name_with_its_size(folder: Path, name: str) -> None:
    size = (folder / name).stat().st_size
    os.truncate(folder / name, size - 1)
    reported = refused(folder)
    assert f"{name} " in reported
    assert f"{size - 1:,} bytes" in reported
    assert f"{size:,} are expected" in reported


@pytest.mark.parametrize("name", sorted(DTYPES))
def test_a_flipped_bit_is_rejected_even_after_verification(folder: Path, name: str) -> None:
    open_snapshot(folder)
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)
    reported = refused(folder)
    assert f"{name} " in reported
    assert "altered" in reported


@pytest.mark.parametrize("name", sorted([*DTYPES, MANIFEST]))
def test_a_missing_file_is_rejected_by_name(folder: Path, name: str) -> None:
    open_snapshot(folder)
    (folder / name).unlink()
    assert f"{name} cannot be used: it is missing" in refused(folder)


def test_an_extra_file_is_rejected_by_name(folder: Path) -> None:
    open_snapshot(folder)
    (folder / "surprise").touch()
    assert "surprise cannot be used: the manifest does not list it" in refused(folder)


@pytest.mark.parametrize(("name", "wrong"), INDICES)
@pytest.mark.parametrize("way", ["too large", "below zero"])
def test_an_index_out_of_range_is_rejected_despite_valid_checksums(
    folder: Path, name: str, wrong: int, way: str
) -> None:
    files = read_manifest(folder).files
    array = np.fromfile(folder / name, files[name].dtype)
    if way == "below zero" and array.dtype.kind == "u":
        wrong = np.iinfo(array.dtype).max
    array[len(array) // 2] = wrong if way == "too large" or array.dtype.kind == "u" else -1
    (folder / name).write_bytes(array.tobytes())
    info = RawArrayInfo(files[name].dtype, len(array), hashlib.sha256(array.tobytes()).hexdigest())
    write_manifest(folder, {**files, name: info})
    assert f"{name} cannot be used" in refused(folder)


@pytest.mark.parametrize("name", sorted(DTYPES))
def test_a_file_of_wrong_length_is_rejected_despite_a_valid_checksum(
    folder: Path, name: str
) -> None:
    files = read_manifest(folder).files
    array = np.fromfile(folder / name, files[name].dtype)[:-1]
    (folder / name).write_bytes(array.tobytes())
    info = RawArrayInfo(files[name].dtype, len(array), hashlib.sha256(array.tobytes()).hexdigest())
    if name == "edge.folded.edges":  # with its counts it is one list, and a shorter one is whole
        assert len(array) == 0
    write_manifest(folder, {**files, name: info})
    reported = refused(folder)
    assert name.split(".")[0] in reported


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"edge_count": 605}, "digest"),
        ({"version": 2}, "reads version 1"),
        ({"format": "zip"}, "reads version 1"),
        ({"digest": "0" * 64}, "digest"),
    ],
)
def test_an_altered_manifest_is_rejected(
    folder: Path, change: dict[str, object], message: str
) -> None:
    body = json.loads((folder / MANIFEST).read_bytes())
    (folder / MANIFEST).write_text(json.dumps({**body, **change}))
    assert message in refused(folder)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff", b'{"format": 1}'])
def test_an_invalid_manifest_is_rejected(folder: Path, text: bytes) -> None:
    (folder / MANIFEST).write_bytes(text)
    assert f"{MANIFEST} cannot be used" in refused(folder)


def test_a_manifest_cannot_point_outside_its_folder(folder: Path) -> None:
    files = read_manifest(folder).files
    write_manifest(folder, {**files, "../names.pool": files["names.pool"]})
    assert "../names.pool" in refused(folder)


def test_text_that_is_not_utf_8_is_rejected_when_read(folder: Path) -> None:
    files = read_manifest(folder).files
    data = b"\xff" * files["names.pool"].length
    (folder / "names.pool").write_bytes(data)
    info = RawArrayInfo("|u1", len(data), hashlib.sha256(data).hexdigest())
    write_manifest(folder, {**files, "names.pool": info})
    snapshot = open_snapshot(folder)
    with pytest.raises(InvalidSnapshot, match=r"names\.pool"):
        list(snapshot.entities())


def test_an_unreadable_stamp_only_costs_time(folder: Path) -> None:
    stamp_path(folder).write_bytes(b"\xff not json")
    assert open_snapshot(folder).edge_count == 604


def test_explicit_verification_ignores_the_stamp(folder: Path) -> None:
    open_snapshot(folder)
    data = bytearray((folder / "names.pool").read_bytes())
    data[0] ^= 1
    (folder / "names.pool").write_bytes(data)
    os.utime(folder / "names.pool", (1e9, 1e9))
    with pytest.raises(InvalidSnapshot, match=r"names\.pool"):
        open_snapshot(folder, verify=True)


def test_a_missing_folder_is_rejected(tmp_path: Path) -> None:
    assert "it is missing" in refused(tmp_path / "nothing")


def test_recently_written_files_are_verified_again(folder: Path) -> None:
    later = time.time() + 60  # stays recent, however long the processor is elsewhere
    os.utime(folder / "names.pool", (later, later))
    open_snapshot(folder)
    assert not stamp_path(folder).exists()
