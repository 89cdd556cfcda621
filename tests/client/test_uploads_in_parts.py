"""Large files are sent in parts, and go on after a broken connection."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from backend.benchmarks.models import Model, Release
from backend.client.client import Client
from backend.client.errors import ConnectionFailed
from backend.evaluation.models import PredictionUpload
from tests.client.server import URL, Program, answer
from tests.evaluation.truthhypo_files import prediction_lines

pytestmark = pytest.mark.django_db
Cut = Callable[[httpx.Request], httpx.Response]


def cut_before(request: httpx.Request) -> httpx.Response:
    raise httpx.WriteError("Connection reset", request=request)


def cut_after(request: httpx.Request) -> httpx.Response:
    """The part arrives, and its acknowledgement is lost."""
    answer(request)
    raise httpx.ReadError("Connection reset", request=request)


@pytest.mark.parametrize("cut", [cut_before, cut_after])
def test_a_broken_connection_costs_one_part(
    cut: Cut,
    program: Program,
    release: Release,
    model: Model,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("backend.client.upload.IN_PARTS_BYTES", 1_000)
    monkeypatch.setattr("backend.client.upload.PART_BYTES", 1_000)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    path = tmp_path / "predictions.jsonl"
    path.write_text(prediction_lines(range(60), wrong=[0]))
    offsets: list[str] = []

    def unreliable(request: httpx.Request) -> httpx.Response:
        if request.method == "PATCH":
            offsets.append(request.headers["Upload-Offset"])
            if len(offsets) == 2:
                return cut(request)
        return answer(request)

    shown: list[int] = []
    with Client(URL, program.token, transport=httpx.MockTransport(unreliable)) as client:
        submission = client.submit(
            path, release="pairs", model="my-model", progress=lambda sent, size: shown.append(sent)
        )
        assert client.validate(path, release="pairs").is_valid
    assert offsets[:4] == ["0", "1000", "1000", "2000"]
    assert shown == sorted(shown) and shown[-1] == path.stat().st_size
    assert submission.file_digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert not PredictionUpload.objects.exists()


def test_a_part_that_was_damaged_on_its_way_is_sent_again(
    program: Program, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.client.upload.IN_PARTS_BYTES", 1)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    path = tmp_path / "predictions.jsonl"
    path.write_text(prediction_lines(range(60), wrong=[0]))
    parts: list[int] = []

    def damage_the_first(request: httpx.Request) -> httpx.Response:
        if request.method != "PATCH":
            return answer(request)
        content = request.read()
        changed = content if parts else b"[" + content[1:]
        headers = {**request.headers, "content-length": str(len(changed))}
        answered = answer(httpx.Request("PATCH", request.url, headers=headers, content=changed))
        parts.append(answered.status_code)
        return answered

    with Client(URL, program.token, transport=httpx.MockTransport(damage_the_first)) as client:
        assert client.validate(path, release="pairs").is_valid
    assert parts == [460, 204]


def test_an_upload_that_does_not_grow_ends(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a server that answers with offsets of its own."""
    monkeypatch.setattr("backend.client.upload.IN_PARTS_BYTES", 1)
    path = tmp_path / "p.jsonl"
    path.write_text("{}\n")

    def hostile(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(201, json={"id": "00000000-0000-0000-0000-000000000000"})
        return httpx.Response(204, headers={"Upload-Offset": "0"})

    client = Client(URL, program.token, transport=httpx.MockTransport(hostile))
    with pytest.raises(ConnectionFailed):
        client.validate(path, release="pairs")
