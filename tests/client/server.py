"""The server in the process of the test, as the client reaches it."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from django.test import Client as Browser

from backend.accounts.api_tokens import create_api_token
from backend.client.client import Client
from backend.client.command_line import main
from tests.personas import Person

URL = "http://testserver"


def answer(request: httpx.Request) -> httpx.Response:
    """Of Django's test client, which leaves the transaction of the test open."""
    body = request.read()
    headers = dict(request.headers)
    path = request.url.raw_path.decode()
    kind = headers.pop("content-type", "")
    response: Any = Browser().generic(request.method, path, body, kind, headers=headers)
    return httpx.Response(
        response.status_code, headers=response.headers, content=b"".join(response)
    )


@dataclass(frozen=True)
class Ran:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Program:
    """A person's command line and client, with a token of theirs."""

    def __init__(self, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
        _, self.token = create_api_token(actor=person.user, name="cluster", scope="submit")
        self.transport = httpx.MockTransport(answer)
        self.client = Client(URL, self.token, transport=self.transport)
        self._capsys = capsys

    def run(self, *words: object, token: str | None = None) -> Ran:
        self._capsys.readouterr()
        used = self.token if token is None else token
        arguments = [*map(str, words), "--url", URL, "--token", used]
        status = main(arguments, transport=self.transport)
        return Ran(status, *self._capsys.readouterr())
