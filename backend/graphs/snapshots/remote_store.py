"""Snapshots in shared or object storage, and their local cache."""

import os
from pathlib import Path

import fsspec
from fsspec import AbstractFileSystem

from backend.graphs.snapshots.errors import InvalidSnapshot, translate_disk_full
from backend.graphs.snapshots.format import MANIFEST, PARSE_ERRORS, Manifest, parse_manifest
from backend.graphs.snapshots.integrity import publish_snapshot, verify_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.runtime.atomic_dirs import workspace

BLOCK_BYTES = 1 << 22
MAX_MANIFEST_BYTES = 1 << 28


def upload_snapshot(snapshot: Snapshot, url: str) -> str:
    """Copy a snapshot into the folder at `url` (file://, s3://, memory://…); return its address.

    The manifest is written last, so readers never see a partial snapshot. An existing copy of the
    same name has the same content and is not rewritten.
    """
    system, root = fsspec.core.url_to_fs(url)
    folder = f"{root.rstrip('/')}/{snapshot.manifest.folder}"
    if not system.exists(f"{folder}/{MANIFEST}"):
        system.makedirs(folder, exist_ok=True)
        for name in (*snapshot.manifest.files, MANIFEST):
            system.put_file(str(snapshot.path / name), f"{folder}/{name}")
    return f"{url.rstrip('/')}/{snapshot.manifest.folder}"


def download_snapshot(url: str, cache: Path) -> Path:
    """Download the snapshot at this address into `cache` once; return its folder.

    Checksums are verified before the folder is published, so concurrent or interrupted downloads
    never expose a partial snapshot. Raises InvalidSnapshot if the remote folder is not intact, and
    NoSpace.
    """
    system, folder = fsspec.core.url_to_fs(url)
    manifest = remote_manifest(system, folder)
    final = cache / manifest.folder
    if can_open(final):
        return final
    with translate_disk_full(), workspace(cache) as work:
        output = work / "snapshot"
        output.mkdir()
        for name, file in manifest.files.items():
            download_file(system, f"{folder}/{name}", output / name, file.nbytes)
        (output / MANIFEST).write_bytes(manifest.as_bytes())
        verify_snapshot(output)
        return publish_snapshot(output, final, manifest)


def can_open(folder: Path) -> bool:
    try:
        open_snapshot(folder)
    except InvalidSnapshot:
        return False
    return True


def remote_manifest(system: AbstractFileSystem, folder: str) -> Manifest:
    path = f"{folder}/{MANIFEST}"
    try:
        with system.open(path, "rb") as file:
            return parse_manifest(file.read(MAX_MANIFEST_BYTES))
    except FileNotFoundError:
        raise InvalidSnapshot(path, "it is missing") from None
    except PARSE_ERRORS as error:
        raise InvalidSnapshot(path, f"it is not a manifest that can be read ({error})") from None


def download_file(system: AbstractFileSystem, path: str, to: Path, size: int) -> None:
    """Download one file; fails unless its size is exactly `size`."""
    left = size
    try:
        with system.open(path, "rb") as source, to.open("wb") as target:
            while left and (block := source.read(min(BLOCK_BYTES, left))):
                target.write(block)
                left -= len(block)
            longer = bool(source.read(1))
            target.flush()
            os.fsync(target.fileno())
            os.fchmod(target.fileno(), 0o444)
    except FileNotFoundError:
        raise InvalidSnapshot(path, "it is missing") from None
    if left or longer:
        received = "more" if longer else f"{size - left:,}"
        raise InvalidSnapshot(path, f"it has {received} bytes, and {size:,} are expected")
