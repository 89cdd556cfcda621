"""Snapshots in shared or object storage, and a cache of them on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import fsspec
from fsspec import AbstractFileSystem

from backend.graphs.snapshots.checking import check_whole
from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.format import MANIFEST, UNREADABLE, Manifest, parse_manifest
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.graphs.snapshots.settling import settle
from backend.graphs.snapshots.writing import told_of_full_disks
from backend.science.folders import workspace

BLOCK = 1 << 22
LARGEST_MANIFEST = 1 << 28


def store(snapshot: Snapshot, url: str) -> str:
    """Copy a snapshot into the folder at `url` (file://, s3://, memory://…); its own address.

    The manifest goes last: until it is there, nobody takes the rest for a snapshot. What is
    there already under the same name has the same content, and is left alone.
    """
    system, root = fsspec.core.url_to_fs(url)
    folder = f"{root.rstrip('/')}/{snapshot.manifest.folder}"
    if not system.exists(f"{folder}/{MANIFEST}"):
        system.makedirs(folder, exist_ok=True)
        for name in (*snapshot.manifest.files, MANIFEST):
            system.put_file(str(snapshot.path / name), f"{folder}/{name}")
    return f"{url.rstrip('/')}/{snapshot.manifest.folder}"


def fetch(url: str, cache: Path) -> Path:
    """The folder, in `cache`, of the snapshot at this address; it is copied there once.

    Each checksum is verified before the folder has its name, so that processes that fetch at the
    same time, or die meanwhile, never show a part. Raises SnapshotRefused for what is not a whole
    snapshot, and NoSpace.
    """
    system, folder = fsspec.core.url_to_fs(url)
    manifest = remote_manifest(system, folder)
    final = cache / manifest.folder
    if is_whole(final):
        return final
    with told_of_full_disks(), workspace(cache) as work:
        made = work / "snapshot"
        made.mkdir()
        for name, file in manifest.files.items():
            copy(system, f"{folder}/{name}", made / name, file.nbytes)
        (made / MANIFEST).write_bytes(manifest.as_bytes())
        check_whole(made)
        return settle(made, final, manifest)


def is_whole(folder: Path) -> bool:
    try:
        open_snapshot(folder)
    except SnapshotRefused:
        return False
    return True


def remote_manifest(system: AbstractFileSystem, folder: str) -> Manifest:
    path = f"{folder}/{MANIFEST}"
    try:
        with system.open(path, "rb") as file:
            return parse_manifest(file.read(LARGEST_MANIFEST))
    except FileNotFoundError:
        raise SnapshotRefused(path, "it is missing") from None
    except UNREADABLE as error:
        raise SnapshotRefused(path, f"it is not a manifest that can be read ({error})") from None


def copy(system: AbstractFileSystem, path: str, to: Path, size: int) -> None:
    """One file, and not a byte more than it should have."""
    left = size
    try:
        with system.open(path, "rb") as source, to.open("wb") as target:
            while left and (block := source.read(min(BLOCK, left))):
                target.write(block)
                left -= len(block)
            longer = bool(source.read(1))
            target.flush()
            os.fsync(target.fileno())
            os.fchmod(target.fileno(), 0o444)
    except FileNotFoundError:
        raise SnapshotRefused(path, "it is missing") from None
    if left or longer:
        found = "more" if longer else f"{size - left:,}"
        raise SnapshotRefused(path, f"it has {found} bytes, and {size:,} are expected")
