"""Memory maps without descriptors."""

import gc
import os
from pathlib import Path

import numpy as np
import pytest

from backend.runtime.array_store.memory_map import map_file, release_pages

PAGES = 64
SIZE = PAGES * 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "numbers"
    np.arange(SIZE // 8).tofile(file)
    return file


def mapped_regions(path: Path) -> int:
    return Path("/proc/self/maps").read_text().count(str(path))


def resident_bytes(path: Path) -> int:
    """Of the maps of a file in this process."""
    regions = Path("/proc/self/smaps").read_text().split(str(path))[1:]
    return sum(1024 * int(region.split("Rss:", 1)[1].split()[0]) for region in regions)


def test_a_map_has_the_bytes_of_the_file_and_holds_no_descriptor(path: Path) -> None:
    before = set(Path("/proc/self/fd").iterdir())
    with path.open("rb") as file:
        array = map_file(file.fileno(), SIZE)
    assert set(Path("/proc/self/fd").iterdir()) == before
    path.unlink()
    assert array.view(np.int64).tolist() == list(range(SIZE // 8))


def test_a_file_stays_mapped_until_its_last_array_is_deleted(path: Path) -> None:
    with path.open("rb") as file:
        array = map_file(file.fileno(), SIZE)
    part = array[8:].view(np.int64)[:3]
    del array
    gc.collect()
    assert mapped_regions(path) == 1
    assert part.tolist() == [1, 2, 3]
    del part
    gc.collect()
    assert mapped_regions(path) == 0


def test_a_mapped_array_is_read_only(path: Path) -> None:
    with path.open("rb") as file:
        array = map_file(file.fileno(), SIZE)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_released_pages_are_not_resident_and_can_be_read_again(path: Path) -> None:
    with path.open("rb") as file:
        array = map_file(file.fileno(), SIZE)[16:].view(np.int64)
    total = int(array.sum())
    assert resident_bytes(path) == SIZE
    release_pages(array)
    assert resident_bytes(path) == 0
    assert int(array.sum()) == total


def test_a_map_that_the_system_refuses_is_an_error(tmp_path: Path) -> None:
    read, write = os.pipe()
    with pytest.raises(OSError, match="No such device"):
        map_file(read, 4096)
    os.close(read)
    os.close(write)
