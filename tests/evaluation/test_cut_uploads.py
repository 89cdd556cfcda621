"""Uploads in parts through a real server: cut off, killed, raced, refused."""

import base64
import hashlib
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Thread

import httpx
import numpy as np
import pytest

from backend.accounts.api_tokens import create_api_token
from backend.benchmarks.models import Release
from backend.client.client import Client
from backend.evaluation.models import PredictionUpload
from backend.evaluation.prediction_uploads import LARGEST_PART_BYTES, upload_path
from tests.evaluation.releases import open_pairs
from tests.evaluation.truthhypo_files import prediction_lines
from tests.evaluation.web_server import WebServer
from tests.personas import Person, make_person
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
MEGABYTE = 1 << 20
TYPE = "application/offset+octet-stream"
KILLED_AFTER_S = (0.002, 0.02, 0.05)
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close with a reset


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[WebServer]:
    started = WebServer()
    started.start()
    started.wait_until_served()
    yield started
    started.close()


class Sender:
    """A program of a person that sends a file in parts."""

    def __init__(self, server: WebServer, person: Person) -> None:
        self.server = server
        self.token = create_api_token(actor=person.user, name="cluster", scope="submit")[1]
        self.headers = {"Authorization": f"Bearer {self.token}", "Tus-Resumable": "1.0.0"}
        self.http = httpx.Client(base_url=server.url, headers=self.headers, timeout=60)

    def begin(self, size: int) -> str:
        begun = self.http.post("/api/v1/uploads", headers={"Upload-Length": str(size)})
        assert begun.status_code == 201, begun.text
        return str(begun.headers["Location"])

    def append(self, path: str, offset: int, content: bytes, **more: str) -> httpx.Response:
        headers = {"Upload-Offset": str(offset), "Content-Type": TYPE, **more}
        return self.http.patch(path, content=content, headers=headers)

    def offset(self, path: str) -> int:
        return int(self.http.head(path).headers["Upload-Offset"])

    def begin_part(self, path: str, offset: int, length: int, sent: bytes) -> socket.socket:
        """A connection over which only the beginning of a part was sent."""
        lines = [
            f"PATCH {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.server.address[1]}",
            *(f"{name}: {value}" for name, value in self.headers.items()),
            f"Upload-Offset: {offset}",
            f"Content-Type: {TYPE}",
            f"Content-Length: {length}",
        ]
        connection = socket.create_connection(self.server.address, timeout=60)
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + sent)
        return connection


@pytest.fixture
def sender(server: WebServer) -> Iterator[Sender]:
    one = Sender(server, make_person("rohan", is_researcher=True))
    yield one
    one.http.close()


def stored(path: str) -> bytes:
    return upload_path(PredictionUpload(pk=path.rpartition("/")[2])).read_bytes()


@pytest.mark.parametrize("is_reset", [False, True])
def test_after_a_cut_in_a_part_the_upload_goes_on_from_its_offset(
    sender: Sender, is_reset: bool
) -> None:
    content = np.random.default_rng(1).bytes(3 * MEGABYTE)
    path = sender.begin(len(content))
    assert sender.append(path, 0, content[:MEGABYTE]).status_code == 204
    # More often than parts may be under way at once: a cut one is under way no more.
    for number in range(20):
        cut = sender.begin_part(path, MEGABYTE, LARGEST_PART_BYTES, content[:300_000])
        if is_reset:
            cut.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        cut.close()
        assert sender.offset(path) == MEGABYTE, number
    assert sender.append(path, MEGABYTE, content[MEGABYTE:]).status_code == 204
    assert stored(path) == content


def test_a_server_that_is_killed_in_a_part_has_the_offset_of_the_part_before(
    sender: Sender, server: WebServer
) -> None:
    content = np.random.default_rng(2).bytes(3 * MEGABYTE)
    path = sender.begin(len(content))
    assert sender.append(path, 0, content[:MEGABYTE]).status_code == 204
    with sender.begin_part(path, MEGABYTE, MEGABYTE, content[MEGABYTE : MEGABYTE + 700_000]):
        assert sender.offset(path) == MEGABYTE  # the server works on both
        server.restart_after_kill()
    server.wait_until_served()
    assert sender.offset(path) == MEGABYTE
    assert sender.append(path, MEGABYTE, content[MEGABYTE:]).status_code == 204
    assert stored(path) == content


@thorough
def test_kills_at_any_moment_lose_no_byte_and_store_none_twice(
    sender: Sender, server: WebServer
) -> None:
    content = np.random.default_rng(3).bytes(36 * MEGABYTE)
    path = sender.begin(len(content))
    offset, kills = 0, 0
    while offset < len(content):
        is_killed = kills < len(KILLED_AFTER_S) and offset >= (kills + 1) * 8 * MEGABYTE
        if is_killed:
            killing = Thread(target=kill_soon, args=(server, KILLED_AFTER_S[kills]))
            killing.start()
            kills += 1
        try:
            answer = sender.append(path, offset, content[offset : offset + 2 * MEGABYTE])
            acknowledged = int(answer.headers["Upload-Offset"])
        except httpx.TransportError:
            acknowledged = offset
        if is_killed:
            killing.join()
            server.wait_until_served()
            # The part counts, or does not; what was acknowledged stays.
            assert sender.offset(path) in {acknowledged, offset + 2 * MEGABYTE}
        offset = sender.offset(path)
    assert kills == len(KILLED_AFTER_S)
    assert stored(path) == content


def kill_soon(server: WebServer, seconds: float) -> None:
    time.sleep(seconds)
    server.restart_after_kill()


def test_of_parts_sent_at_once_one_counts(sender: Sender) -> None:
    size, senders = 4 * MEGABYTE, 6
    path = sender.begin(2 * size)
    start = Barrier(senders)

    def send(byte: bytes) -> tuple[int, str]:
        start.wait(timeout=30)
        answer = sender.append(path, 0, byte * size)
        return answer.status_code, "" if answer.is_success else answer.json()["code"]

    with ThreadPoolExecutor(senders) as threads:
        answers = Counter(threads.map(send, [b"a", b"b", b"c", b"d", b"e", b"f"]))
    assert answers == {(204, ""): 1, (409, "wrong_offset"): senders - 1}
    assert sender.offset(path) == size
    assert sender.append(path, size, b"z" * size).status_code == 204
    whole = stored(path)
    assert whole == whole[:1] * size + b"z" * size


def test_what_is_refused_leaves_the_upload_as_it_was(sender: Sender, server: WebServer) -> None:
    path = sender.begin(10)
    assert sender.append(path, 0, b"abc").status_code == 204
    digest = base64.b64encode(hashlib.sha256(b"other").digest()).decode()
    other = Sender(server, make_person("otto", is_researcher=True))
    refused = [
        sender.append(path, 2, b"x"),
        sender.append(path, 4, b"x"),
        sender.append(path, 3, b"x" * 8),
        sender.append(path, 3, b"x" * (LARGEST_PART_BYTES + 1)),
        sender.append(path, 3, b"x" * (LARGEST_PART_BYTES + MEGABYTE)),
        sender.append(path, 3, b"defgh", **{"Upload-Checksum": f"sha256 {digest}"}),
        other.append(path, 3, b"defgh"),
        other.http.get(path),
        other.http.delete(path),
    ]
    codes = [(one.status_code, one.json()["code"]) for one in refused]
    assert codes == [
        *[(409, "wrong_offset")] * 2,
        *[(413, "part_too_long")] * 2,
        (413, "too_large"),
        (460, "checksum_mismatch"),
        *[(404, "not_found")] * 3,
    ]
    assert sender.append(path, 3, b"defghij").headers["Upload-Offset"] == "10"
    assert stored(path) == b"abcdefghij"


def test_the_client_ends_its_upload_though_the_server_is_killed(
    sender: Sender, server: WebServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release: Release = open_pairs(tmp_path)
    monkeypatch.setattr("backend.client.upload.IN_PARTS_BYTES", 1_000)
    monkeypatch.setattr("backend.client.upload.PART_BYTES", 1_000)
    file = tmp_path / "predictions.jsonl"
    file.write_text(prediction_lines(range(60), wrong=[0]))
    killed: list[int] = []

    def kill_once(sent: int, size: int) -> None:
        if sent > size // 2 and not killed:
            killed.append(sent)
            server.restart_after_kill()

    with Client(server.url, sender.token) as client:
        client.register_model("My model")
        submission = client.submit(file, release=release.slug, model="my-model", progress=kill_once)
    assert len(killed) == 1
    assert submission.file_digest == hashlib.sha256(file.read_bytes()).hexdigest()
    assert not PredictionUpload.objects.exists()
