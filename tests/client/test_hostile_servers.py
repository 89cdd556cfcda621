"""A server chooses neither where the client writes nor how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from backend.client import Client, ConnectionFailed, RequestRefused, UsageError, validate_file
from backend.client.command_line import main

RELEASE = {
    "slug": "good", "name": "R", "track": "truthhypo", "state": "open", "digest": "",
    "evaluator_version": "1", "items": {"test": 1}, "queries": 1, "queries_per_day": 1,
}  # fmt: skip
DEEP = b"[" * 200_000
Answer = Callable[[httpx.Request], httpx.Response]


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    return waited


def client(answer: Answer) -> Client:
    return Client("http://server", "t", transport=httpx.MockTransport(answer))


@pytest.mark.parametrize("slug", ["../../escaped", "/escaped", "other"])
def test_a_release_is_written_into_the_folder_that_was_named(
    slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requested.append(request.url.path)
        return httpx.Response(200, json={**RELEASE, "slug": slug})

    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    with client(answer) as hostile, pytest.raises(UsageError, match="another release"):
        hostile.fetch("good")
    assert requested == ["/api/v1/releases/good"]
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "a", folder]


@pytest.mark.parametrize(
    ("response", "status"),
    [
        (httpx.Response(200, content=DEEP), 2),
        (httpx.Response(422, content=DEEP), 1),
        (httpx.Response(200, content=b'{"a":' * 200_000), 2),
        (httpx.Response(200, content=b"\xff\xfe"), 2),
        (httpx.Response(200, json={"results": [], "next": "http://x:y/"}), 2),
        (httpx.Response(200, json={"results": [], "next": "http://\x00"}), 2),
        (httpx.Response(422, json={"detail": [[[1]]], "code": {}, "errors": 7}), 1),
        (httpx.Response(422, content=b'{"errors":' + b"[" * 600 + b"]" * 600 + b"}"), 1),
    ],
)
def test_an_odd_answer_is_an_error_of_the_client(
    response: httpx.Response, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    transport = httpx.MockTransport(lambda _: response)
    for words in (["models"], ["models", "--json"]):
        assert main(words, transport=transport) == status
        assert "".join(capsys.readouterr()).strip()


def test_damaged_compression_of_an_answer_is_no_complete_answer(waits: list[float]) -> None:
    class Damaged(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"nope"

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=Damaged())

    with client(answer) as hostile, pytest.raises(ConnectionFailed, match="No complete answer"):
        hostile.models()
    assert not waits


@pytest.mark.parametrize("place", ["http://x:y/", "http://[", "//\u202e", "http://evil.example/"])
def test_no_new_address_is_requested_or_repeated(place: str, waits: list[float]) -> None:
    requested: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requested.append(request.url.host)
        return httpx.Response(302, headers=[(b"Location", place.encode())])

    with client(answer) as hostile, pytest.raises(RequestRefused, match="has moved to"):
        hostile.models()
    assert requested == ["server"]
    assert not waits


@pytest.mark.parametrize("name", ["a\0b.jsonl", "a\ud800b.jsonl"])
def test_a_name_that_no_file_can_have_is_an_error_of_usage(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        validate_file(name, track="truthhypo")
    with pytest.raises(UsageError, match="cannot be read"):
        validate_file(__file__, track="truthhypo", items=name)

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=RELEASE)

    with client(answer) as server:
        with pytest.raises(UsageError, match="cannot be read"):
            server.validate(name, release="good")
        with pytest.raises(UsageError, match="cannot be written"):
            server.fetch("good", tmp_path / name)
