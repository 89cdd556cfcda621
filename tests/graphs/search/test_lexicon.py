"""An index that is not what was written is refused before anything is read through it."""

import json
from pathlib import Path

import numpy as np
import pytest

from backend.graphs.rows import NodeRow
from backend.graphs.search.lexicon import open_lexicon
from backend.graphs.search.opening import folder_of
from backend.graphs.snapshots.errors import SnapshotRefused
from tests.graphs.search.making import Searched

ROWS = [NodeRow("A:1", "Drug", "Aspirin", ("ASA",)), NodeRow("A:2", "Gene", "Cyclooxygenase 1")]


@pytest.fixture
def searched(tmp_path: Path) -> Searched:
    return Searched.of(tmp_path, ROWS)


def opened_again(searched: Searched, entity_count: int = 2) -> None:
    open_lexicon(folder_of(searched.snapshot), searched.snapshot.path.name, entity_count)


@pytest.mark.parametrize(
    "name", ["names.numbers", "names.entities", "identifiers.entities", "words.terms"]
)
def test_a_number_that_leads_nowhere_is_refused(searched: Searched, name: str) -> None:
    path = folder_of(searched.snapshot) / name
    path.chmod(0o644)
    numbers = np.fromfile(path, "<i4")
    numbers[0] = 1_000_000
    numbers.tofile(path)
    with pytest.raises(SnapshotRefused, match="lead nowhere"):
        opened_again(searched)


@pytest.mark.parametrize("name", ["names.offsets", "words.offsets", "words.starts"])
def test_places_that_fall_are_refused(searched: Searched, name: str) -> None:
    path = folder_of(searched.snapshot) / name
    path.chmod(0o644)
    numbers = np.fromfile(path, "<i8")
    numbers[1] = 1 << 40
    numbers.tofile(path)
    with pytest.raises(SnapshotRefused, match="lead nowhere"):
        opened_again(searched)


@pytest.mark.parametrize("name", ["names.pool", "words.letters"])
def test_a_file_cut_short_is_refused_by_name(searched: Searched, name: str) -> None:
    path = folder_of(searched.snapshot) / name
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SnapshotRefused, match=name):
        opened_again(searched)


def test_a_missing_file_is_refused_by_name(searched: Searched) -> None:
    (folder_of(searched.snapshot) / "names.pool").unlink()
    with pytest.raises(SnapshotRefused, match=r"names\.pool"):
        opened_again(searched)


def test_a_manifest_that_leaves_a_file_out_is_refused(searched: Searched) -> None:
    path = folder_of(searched.snapshot) / "manifest.json"
    body = json.loads(path.read_bytes())
    del body["files"]["names.entities"]
    path.write_text(json.dumps(body))
    with pytest.raises(SnapshotRefused):
        opened_again(searched)


@pytest.mark.parametrize("dtype", ["<f8", "O", "|u1"])
def test_a_manifest_with_other_elements_is_refused(searched: Searched, dtype: str) -> None:
    path = folder_of(searched.snapshot) / "manifest.json"
    body = json.loads(path.read_bytes())
    body["files"]["names.numbers"]["dtype"] = dtype
    path.write_text(json.dumps(body))
    with pytest.raises(SnapshotRefused, match="manifest"):
        opened_again(searched)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "\0"])
def test_what_is_no_manifest_is_refused(searched: Searched, text: str) -> None:
    (folder_of(searched.snapshot) / "manifest.json").write_text(text)
    with pytest.raises(SnapshotRefused, match="manifest"):
        opened_again(searched)


def test_the_index_of_another_snapshot_is_refused(searched: Searched) -> None:
    with pytest.raises(SnapshotRefused, match="another snapshot"):
        open_lexicon(folder_of(searched.snapshot), "0123", 2)


def test_an_index_of_more_entities_than_there_are_is_refused(searched: Searched) -> None:
    with pytest.raises(SnapshotRefused):
        opened_again(searched, entity_count=1)
