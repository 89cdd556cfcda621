"""What must be refused, over real HTTP: in words, without a change, showing nothing of others."""

import contextlib
import json
import select
import socket
import uuid
from typing import Any

import pytest

from tests.e2e.mailbox import expire_invitation
from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.http import Browser, TimedResponse
from tests.load.studies import COORDINATOR, export_responses, first_assignment_work, new_study
from tests.load.virtual_users import ExpertSession, expect_status

MEGABYTE = 1_000_000

ATTACKS = (
    "unknown id",
    "missing id",
    "repeated id",
    "a word",
    "words in groups",
    "an empty group",
    "a deep one",
)


def assert_problem(answered: TimedResponse, status: int, code: str) -> dict[str, Any]:
    kind = dict(answered.headers)["content-type"]
    body: dict[str, Any] = answered.json()
    assert (answered.status, kind, body["code"]) == (status, "application/problem+json", code)
    assert body["detail"]
    return body


def corrupt_body(work: ExpertSession, how: str) -> Any:
    """A ranking that nobody may submit."""
    ids = [one for group in work.prior for one in group]
    return {
        "unknown id": [[str(uuid.uuid4())], *([one] for one in ids[1:])],
        "missing id": [[one] for one in ids[1:]],
        "repeated id": [[one] for one in [ids[0], *ids]],
        "a word": "banana",
        "words in groups": [["banana"], ["banana"]],
        "an empty group": [[], *([one] for one in ids)],
        "a deep one": [[[[one]]] for one in ids],
    }[how]


@pytest.mark.parametrize("how", ATTACKS)
def test_a_bad_ranking_is_refused_in_words(served: Stack, how: str) -> None:
    async def journey() -> None:
        coordinator, study = await new_study(served.url, 1)
        work = await first_assignment_work(coordinator, study)
        body = assert_problem(
            await work.put(work.write("submit", corrupt_body(work, how))), 422, "invalid_payload"
        )
        assert body["errors"]
        assert await assert_unchanged(coordinator, study)

    play(journey())


async def assert_unchanged(coordinator: Browser, study: str) -> bool:
    return [one["revisions"] for one in await export_responses(coordinator, study)] == [[]]


def test_ten_megabytes_are_refused_and_change_nothing(served: Stack) -> None:
    async def journey() -> None:
        coordinator, study = await new_study(served.url, 1)
        work = await first_assignment_work(coordinator, study)
        answered = await work.put(work.write("save", comment="x" * 10_000_000))
        assert_problem(answered, 413, "too_large")
        assert await assert_unchanged(coordinator, study)

    play(journey())


def test_an_assignment_of_somebody_else_is_not_there(served: Stack) -> None:
    async def journey() -> None:
        coordinator, study = await new_study(served.url, 1)
        own, other = await virtual_users.experts_of(coordinator, study, 2)
        work = (await virtual_users.work_of(own))[0]
        stolen = ExpertSession(other, work.batch, work.assignment)
        body = assert_problem(await stolen.put(stolen.write("agree")), 404, "not_found")
        assert work.assignment["item"]["text"] not in json.dumps(body)
        assert_problem(await other.get(stolen.path), 404, "not_found")
        assert_problem(await coordinator.get(stolen.path), 404, "not_found")
        expect_status(200, await work.put(work.write("agree")))

    play(journey())


def test_an_invitation_opens_once_and_not_after_it_was_taken_back(served: Stack) -> None:
    async def journey() -> None:
        coordinator, study = await new_study(served.url, 1)
        token = await virtual_users.invite_expert(
            coordinator, study, f"{uuid.uuid4().hex}@example.org"
        )
        await virtual_users.accept(served.url, token, "The first", study)
        assert_problem(await try_to_accept(served, token), 410, "invitation_used")
        token = await virtual_users.invite_expert(
            coordinator, study, f"{uuid.uuid4().hex}@example.org"
        )
        path = f"/api/v1/studies/{study}/invitations"
        listed = expect_status(200, await coordinator.get(path))["results"]
        [pending] = [one for one in listed if one["state"] == "open"]
        expect_status(200, await coordinator.post(f"{path}/{pending['id']}/revoke"))
        assert_problem(await try_to_accept(served, token), 410, "invitation_revoked")
        assert_problem(await try_to_accept(served, "no-such-token"), 404, "invitation_unknown")

    play(journey())


@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/studies/import"])
def test_a_body_of_unknown_length_is_cut_off_where_it_becomes_too_large(
    served: Stack, path: str
) -> None:
    """300 MB, in pieces, from nobody: the server neither keeps nor waits for them."""
    host, port = served.url.removeprefix("http://").split(":")
    sent = 0
    with socket.create_connection((host, int(port)), timeout=30) as line:
        line.sendall(f"PUT {path} HTTP/1.1\r\nHost: {host}:{port}\r\n".encode())
        line.sendall(b"Transfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while sent < 300 * MEGABYTE and not select.select([line], [], [], 0)[0]:
                line.sendall(b"f4240\r\n" + b"x" * MEGABYTE + b"\r\n")
                sent += MEGABYTE
        assert line.recv(100).startswith(b"HTTP/1.1 413 ")
    assert sent < 150 * MEGABYTE


def test_an_invitation_that_ran_out_opens_nothing(served: Stack) -> None:
    async def journey() -> None:
        coordinator, study = await new_study(served.url, 1)
        email = f"{uuid.uuid4().hex}@example.org"
        token = await virtual_users.invite_expert(coordinator, study, email)
        expire_invitation(served, email)
        body = assert_problem(await try_to_accept(served, token), 410, "invitation_expired")
        assert study not in json.dumps(body)
        board = expect_status(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
        assert board["experts"] == []

    play(journey())


async def try_to_accept(served: Stack, token: str) -> TimedResponse:
    browser = Browser(served.url)
    expect_status(200, await browser.get("/api/v1/me"))
    body = {"token": token, "name": "Somebody", "password": ""}
    return await browser.post("/api/v1/invitations/accept", body)


def test_a_bad_questionnaire_is_refused_whole_with_every_fault(served: Stack) -> None:
    async def journey() -> None:
        coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
        questions = json.loads(virtual_users.questionnaire(3))
        questions[0]["llm_ranking"][1]["llm_rank"] = "banana"
        questions[2]["qid"] = questions[1]["qid"]
        name = f"Bad {uuid.uuid4().hex[:8]}"
        files = {"batch1.json": json.dumps(questions).encode()}
        answered = await coordinator.upload("/api/v1/studies/import", {"name": name}, files)
        body = assert_problem(answered, 422, "questionnaire_invalid")
        places = " ".join(fault["place"] for fault in body["errors"])
        assert "llm_ranking[1].llm_rank" in places
        assert "qid" in places
        studies = expect_status(200, await coordinator.get("/api/v1/studies"))["results"]
        assert name not in {study["name"] for study in studies}

    play(journey())
