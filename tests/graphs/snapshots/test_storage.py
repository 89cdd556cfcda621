"""A snapshot travels through shared storage and arrives whole, or not at all."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fsspec
import pytest

from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.graphs.snapshots.storage import fetch, store
from tests.graphs.snapshots.sources import contents, small_graph

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


def test_what_is_fetched_is_what_was_stored(snapshot: Snapshot, shelf: str, tmp_path: Path) -> None:
    url = store(snapshot, shelf)
    path = fetch(url, tmp_path / "cache")
    assert contents(path) == contents(snapshot.path)
    assert open_snapshot(path, verify=True).id == snapshot.id


def test_storing_twice_writes_once(snapshot: Snapshot, shelf: str) -> None:
    url = store(snapshot, shelf)
    altered(url, "names.pool", b"kept")
    assert store(snapshot, shelf) == url
    system, path = fsspec.core.url_to_fs(url)
    assert system.cat_file(f"{path}/names.pool") == b"kept"


def test_a_second_fetch_reads_only_the_manifest(
    snapshot: Snapshot, shelf: str, tmp_path: Path
) -> None:
    url = store(snapshot, shelf)
    first = fetch(url, tmp_path / "cache")
    altered(url, "names.pool", None)
    assert fetch(url, tmp_path / "cache") == first


def test_a_spoilt_cache_is_fetched_anew(snapshot: Snapshot, shelf: str, tmp_path: Path) -> None:
    url = store(snapshot, shelf)
    path = fetch(url, tmp_path / "cache")
    (path / "names.pool").unlink()
    assert contents(fetch(url, tmp_path / "cache")) == contents(snapshot.path)


def test_many_who_fetch_at_once_share_one_copy(snapshot: Snapshot, tmp_path: Path) -> None:
    url = store(snapshot, f"file://{tmp_path}/shelf")
    with ThreadPoolExecutor(8) as pool:
        paths = set(pool.map(lambda _: fetch(url, tmp_path / "cache"), range(16)))
    assert len(paths) == 1
    assert contents(paths.pop()) == contents(snapshot.path)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("names.pool", lambda data: bytes([data[0] ^ 1]) + data[1:], "altered"),
        ("names.pool", lambda data: data[:-1], "bytes, and"),
        ("names.pool", lambda data: data + b"x", "more bytes"),
        ("names.pool", lambda _: None, "it is missing"),
        ("manifest.json", lambda data: data[:-5], "not a manifest"),
        ("manifest.json", lambda _: None, "it is missing"),
    ],
)
def test_what_was_spoilt_in_storage_is_refused_by_name_and_leaves_nothing(
    snapshot: Snapshot, shelf: str, tmp_path: Path, name: str, change: Change, told: str
) -> None:
    url = store(snapshot, shelf)
    altered(url, name, change((snapshot.path / name).read_bytes()))
    with pytest.raises(SnapshotRefused) as caught:
        fetch(url, tmp_path / "cache")
    assert name in caught.value.detail
    assert told in caught.value.detail
    left = [p.name for p in (tmp_path / "cache").glob("*")] if (tmp_path / "cache").exists() else []
    assert left in ([], [".lock"])
