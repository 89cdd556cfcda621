"""Requests over a real socket: busy servers, lost connections, large files, hostile answers."""

import json
import threading
import tracemalloc
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from backend.client import Client, ConnectionFailed, RequestRefused, UsageError
from backend.client.command_line import main
from backend.client.connection import DELAYS_S, LONGEST_WAIT_S, Connection

MEGABYTE = 1_000_000
SUBMISSION = {
    "id": "a", "release": "r", "track": "truthhypo", "split": "test", "state": "queued",
    "model": {"slug": "m", "name": "M"}, "file_name": "p.jsonl", "file_digest": "",
    "predictions_digest": "", "created_at": "2026-01-01T00:00:00Z",
    "score_visibility": "not_scored",
}  # fmt: skip
Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def served(*answers: Answer) -> Iterator[tuple[str, list[str]]]:
    """A server that gives the answers in order and repeats the last; what it received."""
    received: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            received.append(f"{self.command} {self.path}")
            answers[min(len(received), len(answers)) - 1](self)

        do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815  the names of the base

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name of the base
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def with_json(body: object, status: int = 200, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        read_body(request)
        content = json.dumps(body).encode()
        request.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(content)

    return answer


def read_body(request: BaseHTTPRequestHandler) -> int:
    left = size = int(request.headers.get("Content-Length", 0))
    while left:
        left -= len(request.rfile.read(min(left, MEGABYTE)))
    return size


def hang_up(request: BaseHTTPRequestHandler) -> None:
    request.connection.close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    return waited


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"{}\n")
    return path


BUSY = with_json({"code": "busy", "detail": "Busy."}, 503, Retry_After="7")


def test_a_busy_server_and_a_lost_connection_are_tried_again(
    predictions: Path, waits: list[float]
) -> None:
    sentences: list[str] = []
    with (
        served(BUSY, hang_up, with_json(SUBMISSION, 202)) as (url, received),
        Client(url, "t", notify=sentences.append) as client,
    ):
        assert client.submit(predictions, release="r", model="m").id == "a"
    assert received == ["POST /api/v1/submissions"] * 3
    assert waits == [7.0, DELAYS_S[1]]
    assert "status 503" in sentences[0] and "No complete answer" in sentences[1]


def test_repetitions_end(waits: list[float]) -> None:
    with served(hang_up) as (url, received), Client(url) as client:
        with pytest.raises(ConnectionFailed, match="No complete answer from http"):
            client.models()
        assert len(received) == len(DELAYS_S) + 1
    with served(BUSY) as (url, _), Client(url) as client:
        with pytest.raises(RequestRefused, match="Busy") as refused:
            client.models()
        assert (refused.value.status, refused.value.code) == (503, "busy")
    assert len(waits) == 2 * len(DELAYS_S)


def test_a_registration_is_not_repeated(waits: list[float]) -> None:
    with served(hang_up) as (url, received), Client(url) as client:
        with pytest.raises(ConnectionFailed):
            client.register_model("M")
        assert len(received) == 1
    assert not waits


def test_used_up_queries_are_not_waited_for(predictions: Path, waits: list[float]) -> None:
    refusal = with_json({"code": "queries_used_up", "detail": "Used up."}, 429)
    with served(refusal) as (url, received), Client(url) as client:
        with pytest.raises(RequestRefused, match="Used up"):
            client.submit(predictions, release="r", model="m")
        assert len(received) == 1
    assert not waits


def test_a_wait_is_bounded(waits: list[float]) -> None:
    for text, expected in (("999999999999", LONGEST_WAIT_S), ("0", DELAYS_S[0])):
        again = with_json({}, 503, Retry_After=text)
        with served(again, with_json({"results": []})) as (url, _), Client(url) as client:
            client.models()
        assert waits.pop() == expected


def test_a_file_of_three_hundred_megabytes_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        file.truncate(300 * MEGABYTE)
    sizes: list[int] = []
    progress: list[tuple[int, int]] = []

    def count(request: BaseHTTPRequestHandler) -> None:
        if request.command == "PATCH":
            sizes.append(read_body(request))
            request.send_response(204)
            request.send_header("Upload-Offset", str(sum(sizes)))
            request.end_headers()
        elif request.path.endswith("/uploads"):
            with_json({"id": str(uuid.UUID(int=0))}, 201)(request)
        else:
            with_json(SUBMISSION, 202)(request)

    with served(count) as (url, _), Client(url) as client:
        tracemalloc.start()
        client.submit(path, release="r", model="m", progress=lambda *part: progress.append(part))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert sum(sizes) == 300 * MEGABYTE
    assert peak < 20 * MEGABYTE
    assert progress[-1] == (300 * MEGABYTE, 300 * MEGABYTE)


def test_an_upload_whose_beginning_is_repeated_has_one_key(waits: list[float]) -> None:
    keys: list[str] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        keys.append(request.headers["Idempotency-Key"])
        if len(keys) > 1:
            with_json({"id": str(uuid.UUID(int=0))}, 201)(request)

    with served(answer) as (url, _):
        connection = Connection(url)
        assert connection.start_upload("p.jsonl", 3) == str(uuid.UUID(int=0))
        connection.start_upload("p.jsonl", 3)
        connection.close()
    assert keys[0] == keys[1] != keys[2]
    assert uuid.UUID(keys[0]) and uuid.UUID(keys[2])


def test_items_that_break_off_are_no_release(tmp_path: Path) -> None:
    release = {
        "slug": "r", "name": "R", "track": "truthhypo", "state": "open", "digest": "",
        "evaluator_version": "1", "items": {"test": 3, "dev": 0}, "queries": 1,
        "queries_per_day": 1,
    }  # fmt: skip
    with (
        served(with_json(release), with_json([])) as (url, _),
        Client(url) as client,
        pytest.raises(ConnectionFailed, match="1 of 3 items"),
    ):
        client.fetch("r", tmp_path)
    assert not (tmp_path / "items-test.jsonl").exists()


def test_a_download_that_breaks_off_begins_again(tmp_path: Path, waits: list[float]) -> None:
    def break_off(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "100")
        request.end_headers()
        request.wfile.write(b"{}\n")

    target = tmp_path / "items"
    with served(break_off, BUSY, with_json([1, 2])) as (url, received):
        connection = Connection(url)
        connection.download("items", target)
        connection.close()
    assert (target.read_bytes(), len(received)) == (b"[1, 2]", 3)


def test_no_terminal_obeys_a_server(
    predictions: Path, capsys: pytest.CaptureFixture[str], waits: list[float]
) -> None:
    hostile = "\x1b]0;owned\x07\x1b[2J\u202e\r\x9b"
    fault = {"line": 1, "field": hostile, "code": "x", "message": hostile, "given": hostile}
    refusal = {"code": "invalid_predictions", "detail": hostile, "total": 1, "faults": [fault]}
    problem = {"code": hostile, "detail": hostile, "errors": [{"place": hostile}]}
    scored = {**SUBMISSION, "state": hostile, "error": {"detail": hostile}}
    submit = ["submit", str(predictions), "--release", "r", "--model", "m"]
    for answer in (
        with_json(refusal, 422),
        with_json(problem, 400),
        with_json(scored),
        with_json({}, 302, Location=f"http://x/{hostile.encode('unicode_escape').decode()}"),
    ):
        with served(answer) as (url, _):
            for words in (submit, [*submit, "--json"]):
                main([*words, "--url", url])
                printed = "".join(capsys.readouterr())
                assert printed.strip()
                assert all(line.isprintable() for line in printed.split("\n"))


@pytest.mark.parametrize("body", [[], {"results": [{}]}, "text", {"results": 7}])
def test_the_answer_of_another_program_is_an_error_of_usage(body: object) -> None:
    with served(with_json(body)) as (url, _), Client(url) as client, pytest.raises(UsageError):
        client.models()


def test_a_token_is_not_sent_to_where_a_server_points() -> None:
    moved = with_json({}, 302, Location="http://127.0.0.1:9/")
    with served(moved) as (url, received), Client(url, "secret") as client:
        with pytest.raises(RequestRefused, match="has moved to http"):
            client.models()
        assert len(received) == 1


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://x", "http://", "http://x:y"])
def test_what_is_no_address_is_an_error_of_usage(url: str) -> None:
    with pytest.raises(UsageError):
        Connection(url)


@pytest.mark.parametrize("token", ["é\u202e", "a\nb"])
def test_a_token_with_characters_of_no_header_is_an_error_of_usage(token: str) -> None:
    with pytest.raises(UsageError):
        Connection("http://127.0.0.1:9", token)


def test_a_missing_token_is_named() -> None:
    problem = {"code": "sign_in", "detail": "Sign in to do this."}
    assert "SERENDIB_TOKEN" in RequestRefused(401, problem).detail
    assert RequestRefused(403, problem).detail == "Sign in to do this."
