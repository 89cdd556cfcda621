"""A snapshot is transferred through shared storage completely or not at all."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fsspec
import pytest

from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.snapshots.remote_store import download_snapshot, upload_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from tests.graphs.snapshots.sources import folder_contents, small_graph

Change = Callable[[bytes], bytes | None]
numbers = itertools.count()


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    return open_snapshot(build_snapshot(small_graph(), tmp_path / "built").path)


@pytest.fixture(params=["file", "memory"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty folder in storage."""
    place = f"/{next(numbers)}/shelf"
    url = f"file://{tmp_path}{place}" if request.param == "file" else f"memory:/{place}"
    yield url
    system, path = fsspec.core.url_to_fs(url)
    if system.exists(path):
        system.rm(path, recursive=True)


def altered(url: str, name: str, data: bytes | None) -> None:
    system, path = fsspec.core.url_to_fs(url)
    system.rm(f"{path}/{name}")
    if data is not None:
        system.pipe_file(f"{path}/{name}", data)


def test_a_downloaded_snapshot_equals_the_uploaded_one(
    snapshot: Snapshot, shelf: str, tmp_path: Path
) -> None:
    url = upload_snapshot(snapshot, shelf)
    path = download_snapshot(url, tmp_path / "cache")
    assert folder_contents(path) == folder_contents(snapshot.path)
    assert open_snapshot(path, verify=True).id == snapshot.id


def test_uploading_twice_writes_once(snapshot: Snapshot, shelf: str) -> None:
    url = upload_snapshot(snapshot, shelf)
    altered(url, "names.pool", b"kept")
    assert upload_snapshot(snapshot, shelf) == url
    system, path = fsspec.core.url_to_fs(url)
    assert system.cat_file(f"{path}/names.pool") == b"kept"


def test_a_second_download_reads_only_the_manifest(
    snapshot: Snapshot, shelf: str, tmp_path: Path
) -> None:
    url = upload_snapshot(snapshot, shelf)
    first = download_snapshot(url, tmp_path / "cache")
    altered(url, "names.pool", None)
    assert download_snapshot(url, tmp_path / "cache") == first


def test_an_altered_cache_is_downloaded_again(
    snapshot: Snapshot, shelf: str, tmp_path: Path
) -> None:
    url = upload_snapshot(snapshot, shelf)
    path = download_snapshot(url, tmp_path / "cache")
    (path / "names.pool").unlink()
    assert folder_contents(download_snapshot(url, tmp_path / "cache")) == folder_contents(
        snapshot.path
    )


def test_concurrent_downloads_share_one_copy(snapshot: Snapshot, tmp_path: Path) -> None:
    url = upload_snapshot(snapshot, f"file://{tmp_path}/shelf")
    with ThreadPoolExecutor(8) as pool:
        paths = set(pool.map(lambda _: download_snapshot(url, tmp_path / "cache"), range(16)))
    assert len(paths) == 1
    assert folder_contents(paths.pop()) == folder_contents(snapshot.path)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("names.pool", lambda data: bytes([data[0] ^ 1]) + data[1:], "altered"),
        ("names.pool", lambda data: data[:-1], "bytes, and"),
        ("names.pool", lambda data: data + b"x", "more bytes"),
        ("names.pool", lambda _: None, "it is missing"),
        ("manifest.json", lambda data: data[:-5], "not a manifest"),
        ("manifest.json", lambda _: None, "it is missing"),
    ],
)
def test_an_altered_remote_file_is_rejected_by_name(
    snapshot: Snapshot, shelf: str, tmp_path: Path, name: str, change: Change, message: str
) -> None:
    url = upload_snapshot(snapshot, shelf)
    altered(url, name, change((snapshot.path / name).read_bytes()))
    with pytest.raises(InvalidSnapshot) as caught:
        download_snapshot(url, tmp_path / "cache")
    assert name in caught.value.detail
    assert message in caught.value.detail
    left = [p.name for p in (tmp_path / "cache").glob("*")] if (tmp_path / "cache").exists() else []
    assert left in ([], [".lock"])
