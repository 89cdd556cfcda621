"""Every task of one request for each item, by the worker's process, in a storm of faults."""

import asyncio
import pickle
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from backend.llm.calls import Outcome
from tests.e2e.browser_helpers import BrowserProfiles, wait_until_loaded
from tests.e2e.stack import Stack
from tests.e2e.task_runs import (
    TASK_RUNS,
    add_endpoint,
    play_task,
    prepare_releases,
    start_task,
    wait_for_run,
    wait_for_scores,
)
from tests.evaluation.fault_storm import STORMED, TIMEOUT_S, FaultStorm, outcome_of
from tests.llm.scripted_server import Logged, Scripted, ScriptedServer
from tests.load import play, virtual_users

RESEARCHER = "researcher@demo.example"
AT_ONCE = 4  # the processes of the worker; a person may have ten active runs
CHECK = """
import pickle
from pathlib import Path
from tests.evaluation.stormed_ledger import assert_ledger_is_log
for subject, log in pickle.loads(Path({path!r}).read_bytes()).items():
    assert_ledger_is_log(subject, log)
"""
Ended = dict[str, Any]
"""The run of each task, as its owner reads it."""


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    storms = {one.task: FaultStorm(one.number_of, one.answer) for one in TASK_RUNS.values()}

    def script(body: dict[str, Any], number: int) -> Scripted:
        return play_task(body, lambda one: storms[one.task].play, number)

    with ScriptedServer(script) as server:
        yield server


def test_every_task_ends_on_the_board_and_the_ledger_is_what_the_server_saw(
    profiles: BrowserProfiles, served: Stack, server: ScriptedServer, tmp_path: Path
) -> None:
    """All at once in one stack, as most of the time is waiting for what does not come."""
    prepare_releases(served, tmp_path)
    endpoints = {
        task: add_endpoint(
            *(served, server.url, task, f"{task} {tmp_path.name}"),
            *("--timeout", str(TIMEOUT_S), "--may-publish"),
        )
        for task in TASK_RUNS
    }
    ended: Ended = play(_run_all(served, endpoints, tmp_path.name))
    logs = {task: [one for one in server.log if one.body["model"] == task] for task in TASK_RUNS}
    _assert_ledgers(served, ended, logs, tmp_path / "logs")
    for task, run in ended.items():
        assert Counter(map(outcome_of, logs[task]))[Outcome.ANSWERED] == STORMED, task
        assert run["outcomes"] == {"answered": STORMED}, task
        assert 0 < float(run["budget"]["spent"]) <= float(run["budget"]["amount"]), task
        _assert_row(served, run)
    page = profiles.open_signed_in(RESEARCHER, "/runs")
    for run in ended.values():
        page.goto(f"{served.url}/runs/{run['id']}")
        wait_until_loaded(page)
        expect(page.get_by_text(f"Answered: {STORMED}")).to_be_visible()
        expect(page.get_by_text("The endpoint miscounts the tokens of")).to_be_visible()
        expect(page.get_by_text("another-model")).to_be_visible()
        expect(page.get_by_role("link", name="Test items: scored")).to_be_visible()


async def _run_all(served: Stack, endpoints: dict[str, str], suffix: str) -> Ended:
    places = asyncio.Semaphore(AT_ONCE)

    async def run(task: str) -> Any:
        async with places:
            person = await virtual_users.sign_in(served.url, RESEARCHER, new_session=True)
            model = f"{task} {suffix}"
            started = await start_task(person, TASK_RUNS[task], endpoints[task], model, STORMED)
            await wait_for_run(person, started, "ended")
        return await wait_for_scores(person, started)

    return dict(zip(endpoints, await asyncio.gather(*map(run, endpoints)), strict=True))


def _assert_ledgers(served: Stack, ended: Ended, logs: dict[str, list[Logged]], path: Path) -> None:
    path.write_bytes(pickle.dumps({f"run:{run['id']}": logs[task] for task, run in ended.items()}))
    served.manage("shell", "--verbosity", "0", "--command", CHECK.format(path=str(path)))


def _assert_row(served: Stack, run: Any) -> None:
    """What a visitor reads on the board: right answers to the sample, and that it is one."""
    (submission,) = run["submissions"]

    def rows() -> list[Any]:
        board = served.get_json(f"/api/v1/boards/{run['release']['slug']}?split=test")
        assert board is not None
        return [one for one in board["results"] if one["submission"] == submission["id"]]

    served.wait_until(lambda: bool(rows()))
    (row,) = rows()
    assert row["sample"].startswith(f"{STORMED} of "), row["sample"]
    assert max(value for value, *_ in row["scores"].values() if value is not None) > 0
