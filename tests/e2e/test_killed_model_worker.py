"""SIGKILL of the worker of runs: they go on, no answered call is made again, and the predictions
are the same bytes as without it."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.stack import Stack
from tests.e2e.task_runs import (
    TASK_RUNS,
    TaskRun,
    add_endpoint,
    estimate_task,
    play_task,
    prepare_releases,
    send,
    wait_for_run,
)
from tests.llm.scripted_server import Script, Scripted, ScriptedServer
from tests.load import play, virtual_users

RESEARCHER = "researcher@demo.example"
# One of each kind of context. The worker has four processes: all are killed at their work.
TASKS = (
    *("truthhypo-graph-literature", "biohopr-multiple", "stark-prime-rerank"),
    "serenqa-retrieval-query",
)
ITEMS, SAMPLE, IN_FLIGHT = 20, 5, 2
FORGET = "from backend.llm.models import CachedAnswer; CachedAnswer.objects.all().delete()"
DIGESTS = """
import json
from backend.evaluation.models import Submission
rows = Submission.objects.filter(runs__in={runs!r})
print(json.dumps({{str(run): digest for run, digest in rows.values_list("runs", "file_digest")}}))
"""


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(slowly(1.0)) as server:
        yield server


def slowly(delay_s: float) -> Script:
    def answer_right(one: TaskRun) -> Script:
        return lambda body, number: Scripted(
            text=one.answer(one.number_of(body), body), delay_s=delay_s
        )

    return lambda body, number: play_task(body, answer_right, number)


@pytest.mark.disrupts
def test_runs_whose_worker_is_killed_go_on_repeat_no_answered_call_and_predict_the_same(
    stack: Stack, server: ScriptedServer, tmp_path: Path
) -> None:
    prepare_releases(stack, tmp_path)
    endpoints = {
        task: add_endpoint(
            *(stack, server.url, task, f"{task} killed"), *("--max-in-flight", str(IN_FLIGHT))
        )
        for task in TASKS
    }
    killed = play(_run_all(stack, server, endpoints, "Killed"))
    for task, run in killed.items():
        entries = [one for one in server.log if one.body["model"] == task]
        paid = Counter(json.dumps(one.body["messages"]) for one in entries if one.is_paid)
        assert len(paid) == ITEMS, task
        # Those that were under way: their answers are lost.
        assert sum(paid.values()) - ITEMS <= IN_FLIGHT, task
        assert run["outcomes"] == {"answered": ITEMS}, task
        assert float(run["budget"]["spent"]) <= float(run["budget"]["amount"]), task

    stack.manage("shell", "--verbosity", "0", "--command", FORGET)
    server.script = slowly(0.0)
    undisturbed = play(_run_all(stack, None, endpoints, "Undisturbed"))
    digests = _read_digests(stack, [*killed.values(), *undisturbed.values()])
    for task in TASKS:
        assert digests[killed[task]["id"]] == digests[undisturbed[task]["id"]], task


async def _run_all(
    stack: Stack, server: ScriptedServer | None, endpoints: Mapping[str, str], name: str
) -> dict[str, Any]:
    """server: whose client is killed after a part of the answers."""
    person = await virtual_users.sign_in(stack.url, RESEARCHER)
    runs = {
        task: await estimate_task(person, TASK_RUNS[task], endpoint, f"{name} {task}", ITEMS)
        for task, endpoint in endpoints.items()
    }
    for run in runs.values():
        await send(person, f"/{run}/start", {"budget": "1"}, 200)
    if server is not None:
        await virtual_users.until(lambda: _have_begun(server), "a part of the answers")
        stack.kill("models worker")
    # Its lease ends a minute after its last sign of life.
    return {task: await wait_for_run(person, run, "ended") for task, run in runs.items()}


async def _have_begun(server: ScriptedServer) -> bool:
    paid = Counter(one.body["model"] for one in server.log if one.is_paid)
    return all(paid[task] > SAMPLE for task in TASKS)


def _read_digests(stack: Stack, runs: list[Any]) -> dict[str, str]:
    command = DIGESTS.format(runs=[run["id"] for run in runs])
    digests: dict[str, str] = json.loads(
        stack.manage("shell", "--verbosity", "0", "--command", command)
    )
    return digests
