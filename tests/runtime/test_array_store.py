"""Artifacts: deterministic bytes, and rejection of altered files."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import (
    MANIFEST,
    Artifact,
    artifact_writer,
    json_digest,
    open_artifact,
    write_artifact,
)
from backend.runtime.array_store.errors import InvalidArrayStore

ARRAYS: dict[str, NDArray[Any]] = {
    "values": np.linspace(0, 1, 1000),
    "vectors": np.arange(60, dtype=np.float32).reshape(20, 3),
    "has": np.array([True, False, True]),
    "nothing": np.empty((0, 4), np.int32),
}


def write(into: Path, **changed: Any) -> Artifact:
    reported = {"kind": "test", "source": "abc", "parameters": {"hops": 3}}
    return write_artifact(
        into, **{**reported, "arrays": ARRAYS, "facts": {"error": 1e-9}, **changed}
    )


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_written_artifact_is_read_back(tmp_path: Path) -> None:
    write(tmp_path / "one")
    result = open_artifact(tmp_path / "one", kind="test", source="abc", parameters={"hops": 3})
    assert (result.kind, result.source, result.parameters) == ("test", "abc", {"hops": 3})
    assert result.facts == {"error": 1e-9}
    assert result.arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert result.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(result.arrays[name], array)


def test_its_files_are_those_that_numpy_writes(tmp_path: Path) -> None:
    write(tmp_path / "one")
    for name, array in ARRAYS.items():
        np.save(tmp_path / name, array)
        expected = (tmp_path / f"{name}.npy").read_bytes()
        assert (tmp_path / "one" / f"{name}.npy").read_bytes() == expected


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "one")
    write(tmp_path / "two", arrays=dict(reversed(ARRAYS.items())))
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_parts_give_the_bytes_of_the_whole(tmp_path: Path) -> None:
    write(tmp_path / "whole", arrays={"vectors": ARRAYS["vectors"]}, facts={})
    with artifact_writer(tmp_path / "parts", "test", "abc", {"hops": 3}) as writer:
        stream = writer.open_array("vectors", (20, 3), "<f4")
        for part in np.array_split(ARRAYS["vectors"], 7):
            stream.write(part)
    assert content(tmp_path / "parts") == content(tmp_path / "whole")


def test_its_arrays_cannot_be_written_to(tmp_path: Path) -> None:
    result = write(tmp_path / "one")
    with pytest.raises(ValueError, match="read-only"):
        result.arrays["values"][0] = 1


def test_an_error_leaves_nothing_behind(tmp_path: Path) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        artifact_writer(tmp_path / "one", "test", "abc", {}) as writer,
    ):
        writer.facts["error"] = 1 / len(ARRAYS["nothing"])
    assert [file.name for file in tmp_path.iterdir()] == [".lock"]


def test_an_array_that_was_not_filled_is_not_published(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match="2 elements were never written"),
        artifact_writer(tmp_path / "one", "test", "abc", {}) as writer,
    ):
        writer.open_array("values", (3,), "<f8").write(np.zeros(1))
    assert not (tmp_path / "one").exists()


@pytest.mark.parametrize("part", [np.zeros((1, 2)), np.zeros((4, 3)), np.zeros(3)])
def test_a_part_of_wrong_shape_is_rejected(tmp_path: Path, part: NDArray[Any]) -> None:
    with (
        pytest.raises(ValueError, match="does not fit"),
        artifact_writer(tmp_path / "one", "test", "abc", {}) as writer,
    ):
        writer.open_array("values", (3, 3), "<f8").write(part)


@pytest.mark.parametrize("name", ["", "../values", "a/b", "Values", "manifest.json/", "."])
def test_a_name_with_a_path_is_rejected(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a valid array name"):
        write(tmp_path / "one", arrays={name: np.zeros(1)})


def test_an_array_of_objects_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be stored"):
        write(tmp_path / "one", arrays={"values": np.array([object()])})


def test_a_different_artifact_replaces_the_existing_one(tmp_path: Path) -> None:
    before = write(tmp_path / "one")
    after = write(tmp_path / "one", parameters={"hops": 2})
    assert open_artifact(tmp_path / "one").parameters == {"hops": 2}
    assert before.digest != after.digest
    np.testing.assert_array_equal(before.arrays["values"], ARRAYS["values"])


def test_an_identical_artifact_is_not_rewritten(tmp_path: Path) -> None:
    write(tmp_path / "one")
    number = (tmp_path / "one").stat().st_ino
    write(tmp_path / "one")
    assert (tmp_path / "one").stat().st_ino == number


def test_writing_again_repairs_an_altered_artifact(tmp_path: Path) -> None:
    write(tmp_path / "one")
    change_byte(tmp_path / "one" / "values.npy")
    write(tmp_path / "one")
    np.testing.assert_array_equal(
        open_artifact(tmp_path / "one").arrays["values"], ARRAYS["values"]
    )


def change_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    replace(path, bytes(data))


def replace(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


def cut(path: Path) -> None:
    replace(path, path.read_bytes()[:-1])


def lengthen(path: Path) -> None:
    replace(path, path.read_bytes() + b"\0")


def foreign_header(path: Path) -> None:
    data = path.read_bytes()
    replace(path, data.replace(b"False", b"True ", 1))


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


HARM = [cut, lengthen, change_byte, foreign_header, make_folder, Path.unlink]


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("name", ["values.npy", "has.npy"])
def test_an_altered_file_is_rejected_by_name(
    tmp_path: Path, harm: Callable[[Path], None], name: str
) -> None:
    write(tmp_path / "one")
    harm(tmp_path / "one" / name)
    with pytest.raises(InvalidArrayStore) as refused:
        open_artifact(tmp_path / "one")
    assert refused.value.path.name == name
    assert name in str(refused.value)


@pytest.mark.parametrize("harm", [cut, lengthen, change_byte])
def test_without_checksums_only_sizes_are_checked(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    write(tmp_path / "one")
    harm(tmp_path / "one" / "values.npy")
    if harm is change_byte:
        open_artifact(tmp_path / "one", checksums=False)
    else:
        with pytest.raises(InvalidArrayStore, match="bytes"):
            open_artifact(tmp_path / "one", checksums=False)


def forged(path: Path, **changed: Any) -> None:
    reported = json.loads(path.read_bytes())
    replace(path, json.dumps({**reported, **changed}).encode())


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (Path.unlink, "missing"),
        (lambda path: replace(path, b"{}"), "not the manifest"),
        (lambda path: replace(path, b"[" * 100_000), "not the manifest"),
        (lambda path: replace(path, b"\xff\xfe"), "not the manifest"),
        (lambda path: forged(path, format="serendib-snapshot"), "not the manifest"),
        (lambda path: forged(path, version=2), "version 2"),
        (lambda path: forged(path, facts={"error": 0}), "altered"),
        (lambda path: forged(path, files={}), "altered"),
    ],
)
def test_a_foreign_or_altered_manifest_is_rejected(
    tmp_path: Path, harm: Callable[[Path], None], why: str
) -> None:
    write(tmp_path / "one")
    harm(tmp_path / "one" / MANIFEST)
    with pytest.raises(InvalidArrayStore, match=why) as refused:
        open_artifact(tmp_path / "one")
    assert refused.value.path.name == MANIFEST


@pytest.mark.parametrize("facts", [{"error": float("nan")}, {"error": float("inf")}])
def test_a_fact_that_json_lacks_is_rejected(tmp_path: Path, facts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write(tmp_path / "one", facts=facts)
    assert not (tmp_path / "one").exists()


@pytest.mark.parametrize("other", [{"kind": "x"}, {"source": "x"}, {"parameters": {"hops": 4}}])
def test_an_artifact_of_another_request_is_rejected(tmp_path: Path, other: dict[str, Any]) -> None:
    write(tmp_path / "one")
    with pytest.raises(InvalidArrayStore, match=f"its {next(iter(other))} is"):
        open_artifact(tmp_path / "one", **other)


def test_a_missing_folder_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InvalidArrayStore, match="missing"):
        open_artifact(tmp_path / "none")


KILLED = """
import os, signal, sys
from pathlib import Path
import numpy as np
from backend.runtime.array_store.artifacts import (
    artifact_writer,
)
with artifact_writer(Path(sys.argv[1]), "test", "abc", {}) as writer:
    writer.add("values", np.zeros(1000))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_remains_of_a_killed_process_are_removed_by_the_next(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "one")], cwd=root, check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL
    assert any(one.name.startswith(".unfinished") for one in tmp_path.iterdir())
    write(tmp_path / "one")
    assert {one.name for one in tmp_path.iterdir()} == {".lock", "one"}


@pytest.mark.parametrize(
    "body",
    [
        b'{"format": "serendib-artefact", "version": 1, "digest": "x", "facts": NaN}',
        b'{"format": "serendib-artefact", "version": 1, "digest": "x", "kind": "\\ud800"}',
        b'{"format": "serendib-artefact", "version": 1, "digest": "x", "n": 1' + b"0" * 9999 + b"}",
        b"[" * 100_000,
        b'{"format": "serendib-artefact", "version": 1}',
        b"\xff",
    ],
)
def test_a_malformed_manifest_is_rejected(tmp_path: Path, body: bytes) -> None:
    write(tmp_path / "one")
    replace(tmp_path / "one" / MANIFEST, body)
    with pytest.raises(InvalidArrayStore, match="not the manifest"):
        open_artifact(tmp_path / "one", kind="test")


def test_an_incomplete_manifest_with_a_valid_digest_is_rejected(tmp_path: Path) -> None:
    write(tmp_path / "one")
    body = {"format": "serendib-artefact", "version": 1}
    reported = {**body, "digest": json_digest(body)}
    replace(tmp_path / "one" / MANIFEST, json.dumps(reported).encode())
    with pytest.raises(InvalidArrayStore, match="not the manifest"):
        open_artifact(tmp_path / "one", kind="test")


def test_a_folder_instead_of_a_manifest_is_rejected(tmp_path: Path) -> None:
    write(tmp_path / "one")
    make_folder(tmp_path / "one" / MANIFEST)
    with pytest.raises(InvalidArrayStore, match="regular file"):
        open_artifact(tmp_path / "one")
    (tmp_path / "two").write_bytes(b"")
    with pytest.raises(InvalidArrayStore, match="missing"):
        open_artifact(tmp_path / "two")
