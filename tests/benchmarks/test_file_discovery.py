import os
from pathlib import Path

import pytest

from backend.benchmarks.file_discovery import read_source_files
from tests.benchmarks import hostile_questionnaire


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in hostile_questionnaire.files():
        (tmp_path / file.name).write_bytes(file.content)
    (tmp_path / "sources.json").write_text("{}")
    return tmp_path


def test_a_folder_gives_its_batches_and_catalogue_and_nothing_else(folder: Path) -> None:
    sources, faults = read_source_files([folder])
    assert sorted(sources, key=lambda file: file.name) == sorted(
        hostile_questionnaire.files(), key=lambda file: file.name
    )
    assert faults == []


def test_a_file_named_beside_its_folder_is_read_once(folder: Path) -> None:
    sources, _ = read_source_files([folder / "batch1.json", folder, folder / "." / "batch1.json"])
    assert len(sources) == 3


def test_a_file_named_itself_is_read_whatever_its_name(folder: Path) -> None:
    sources, faults = read_source_files([folder / "sources.json"])
    assert ([file.name for file in sources], faults) == (["sources.json"], [])


def test_every_path_that_leads_nowhere_is_named(folder: Path) -> None:
    (empty := folder / "empty").mkdir()
    os.mkfifo(pipe := folder / "pipe")
    sources, faults = read_source_files([folder / "gone", empty, pipe])
    assert sources == []
    assert [(fault.place, fault.message) for fault in faults] == [
        (str(empty), "This folder contains no questionnaire."),
        (str(folder / "gone"), "There is no such file."),
        (str(pipe), "This is not a file."),
    ]
