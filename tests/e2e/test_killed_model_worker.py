"""SIGKILL of the worker of a run: it goes on, and no answered call is made again."""

import json
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import label_of, pair_of, write_source
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.load import play, virtual_users
from tests.load.http import Browser
from tests.load.virtual_users import expect_status

RESEARCHER = "researcher@demo.example"
RUNS = "/api/v1/runs"
RELEASE, PAIRS, IN_FLIGHT = "killed-runs", 60, 4


def answer_right(body: dict[str, Any], number: int) -> Scripted:
    label = label_of(int(pair_of(body).removeprefix("Chemical|C")))
    return Scripted(text=json.dumps({"rationale": "It is scripted.", "label": label}), delay_s=0.3)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(answer_right) as server:
        yield server


@pytest.mark.disrupts
def test_a_run_whose_worker_is_killed_goes_on_and_repeats_no_answered_call(
    stack: Stack, server: ScriptedServer, tmp_path: Path
) -> None:
    source = str(write_source(tmp_path, PAIRS))
    stack.manage("make_release", "truthhypo", source, "--name", RELEASE, "--open")
    endpoint = stack.manage(
        *("add_endpoint", "killed", "--url", server.url, "--model", "scripted", "--private"),
        *("--price-in", "1", "--price-out", "2", "--usable-by", "everyone", "--json"),
        *("--max-in-flight", str(IN_FLIGHT)),
    )
    play(_kill_while_it_answers(stack, server, json.loads(endpoint)["id"]))


async def _kill_while_it_answers(stack: Stack, server: ScriptedServer, endpoint: str) -> None:
    researcher = await virtual_users.sign_in(stack.url, RESEARCHER)
    model = expect_status(201, await researcher.post("/api/v1/models", {"name": "Killed"}))
    body = {"release": RELEASE, "endpoint": endpoint, "model": model["slug"]}
    created = await _send(researcher, "", {**body, "task": "truthhypo-parametric"}, 201)
    path = f"/{created['id']}"

    async def run_in(state: str) -> Any:
        run = expect_status(200, await researcher.get(f"{RUNS}{path}"))
        assert run["state"] != "failed", run["error"]
        return run if run["state"] == state else None

    await virtual_users.until(lambda: run_in("estimated"), "an estimate", 180)
    await _send(researcher, f"{path}/start", {"budget": "1"}, 200)
    await virtual_users.until(lambda: _has_answered(server, PAIRS // 2), "half of the answers")
    stack.kill("models worker")
    # Its lease ends a minute after its last sign of life.
    ended = await virtual_users.until(lambda: run_in("ended"), "the end of the run", 300)
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log if one.is_paid)
    assert len(paid) == PAIRS
    assert sum(paid.values()) - PAIRS <= IN_FLIGHT  # were under way, and their answers are lost
    assert ended["outcomes"] == {"answered": PAIRS}
    assert float(ended["budget"]["spent"]) <= float(ended["budget"]["amount"])


async def _has_answered(server: ScriptedServer, count: int) -> bool:
    return sum(one.is_paid for one in server.log) >= count


async def _send(researcher: Browser, path: str, body: Any, status: int) -> Any:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    return expect_status(status, await researcher.send("POST", f"{RUNS}{path}", body, key))
