"""An altered index is rejected before anything is read through it."""

import json
from pathlib import Path

import numpy as np
import pytest

from backend.graphs.search.index_cache import index_folder
from backend.graphs.search.term_index import open_term_index
from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.source_records import NodeRow
from tests.graphs.search.factories import Searched

ROWS = [NodeRow("A:1", "Drug", "Aspirin", ("ASA",)), NodeRow("A:2", "Gene", "Cyclooxygenase 1")]


@pytest.fixture
def searched(tmp_path: Path) -> Searched:
    return Searched.of(tmp_path, ROWS)


def opened_again(searched: Searched, entity_count: int = 2) -> None:
    open_term_index(index_folder(searched.snapshot), searched.snapshot.path.name, entity_count)


@pytest.mark.parametrize(
    "name", ["names.numbers", "names.entities", "identifiers.entities", "words.terms"]
)
def test_a_number_out_of_range_is_rejected(searched: Searched, name: str) -> None:
    path = index_folder(searched.snapshot) / name
    path.chmod(0o644)
    numbers = np.fromfile(path, "<i4")
    numbers[0] = 1_000_000
    numbers.tofile(path)
    with pytest.raises(InvalidSnapshot, match="lead nowhere"):
        opened_again(searched)


@pytest.mark.parametrize("name", ["names.offsets", "words.offsets", "words.starts"])
def test_decreasing_offsets_are_rejected(searched: Searched, name: str) -> None:
    path = index_folder(searched.snapshot) / name
    path.chmod(0o644)
    numbers = np.fromfile(path, "<i8")
    numbers[1] = 1 << 40
    numbers.tofile(path)
    with pytest.raises(InvalidSnapshot, match="lead nowhere"):
        opened_again(searched)


@pytest.mark.parametrize("name", ["names.pool", "words.letters"])
def test_a_truncated_file_is_rejected_by_name(searched: Searched, name: str) -> None:
    path = index_folder(searched.snapshot) / name
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InvalidSnapshot, match=name):
        opened_again(searched)


def test_a_missing_file_is_rejected_by_name(searched: Searched) -> None:
    (index_folder(searched.snapshot) / "names.pool").unlink()
    with pytest.raises(InvalidSnapshot, match=r"names\.pool"):
        opened_again(searched)


def test_a_manifest_without_a_file_is_rejected(searched: Searched) -> None:
    path = index_folder(searched.snapshot) / "manifest.json"
    body = json.loads(path.read_bytes())
    del body["files"]["names.entities"]
    path.write_text(json.dumps(body))
    with pytest.raises(InvalidSnapshot):
        opened_again(searched)


@pytest.mark.parametrize("dtype", ["<f8", "O", "|u1"])
def test_a_manifest_with_another_dtype_is_rejected(searched: Searched, dtype: str) -> None:
    path = index_folder(searched.snapshot) / "manifest.json"
    body = json.loads(path.read_bytes())
    body["files"]["names.numbers"]["dtype"] = dtype
    path.write_text(json.dumps(body))
    with pytest.raises(InvalidSnapshot, match="manifest"):
        opened_again(searched)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "\0"])
def test_an_invalid_manifest_is_rejected(searched: Searched, text: str) -> None:
    (index_folder(searched.snapshot) / "manifest.json").write_text(text)
    with pytest.raises(InvalidSnapshot, match="manifest"):
        opened_again(searched)


def test_the_index_of_another_snapshot_is_rejected(searched: Searched) -> None:
    with pytest.raises(InvalidSnapshot, match="another snapshot"):
        open_term_index(index_folder(searched.snapshot), "0123", 2)


def test_an_index_with_unknown_entities_is_rejected(searched: Searched) -> None:
    with pytest.raises(InvalidSnapshot):
        opened_again(searched, entity_count=1)
