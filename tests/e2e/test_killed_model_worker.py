"""SIGKILL of the worker of models at its work: all of it goes on, no answered call is made again,
and what comes of it is the same bytes as without a kill."""

import asyncio
import json
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.killed_work import (
    ENSEMBLE,
    IN_FLIGHT,
    RESEARCHER,
    Player,
    Requested,
    Work,
    Workplace,
    count_paid,
)
from tests.e2e.stack import Stack
from tests.e2e.task_runs import prepare_guided_releases, prepare_releases
from tests.llm.scripted_server import ScriptedServer
from tests.load import play, virtual_users
from tests.thorough import IS_THOROUGH

# Each is killed together. Three jobs of models run at once, and the first of all holds its place
# until its lease has ended.
# Of each way to make requests one, and in a thorough run each task.
GROUPS: tuple[tuple[str, ...], ...] = (
    ("truthhypo-parametric",),
    ("truthhypo-graph-literature", "stark-prime-rerank"),
    ("serenqa-reasoning-guided", ENSEMBLE),
)
if IS_THOROUGH:
    GROUPS += (
        ("biohopr-multiple", "biohopr-single"),
        ("truthhypo-graph", "stark-amazon-rerank"),
        ("truthhypo-literature", "stark-mag-rerank"),
        ("serenqa-retrieval-query", "serenqa-exploration-guided"),
    )
AT_ONCE = 2
EXPIRE = """
from django.conf import settings
from redis import Redis
from backend.jobs.models import Job
from backend.jobs.services import sweep_jobs
jobs = Job.objects.filter(subjects__overlap={subjects!r}, state="running")
assert jobs.update(heartbeat_at=None) == {count}
redis = Redis.from_url(settings.REDIS_URL)
for key in redis.scan_iter("serendib:*:llm:*:grants"):
    redis.delete(key)
sweep_jobs()
"""
CHECK = """
import pickle
from pathlib import Path
from tests.evaluation.killed_ledger import assert_ledger_of_killed
for subject, log, most_lost in pickle.loads(Path({path!r}).read_bytes()):
    assert_ledger_of_killed(subject, log, most_lost)
"""
RESULTS = """
import json
from backend.evaluation.models import CandidateScoring, Submission
files = Submission.objects.filter(runs__in={runs!r}).order_by("split")
found = {{}}
for run, split, digest in files.values_list("runs", "split", "file_digest"):
    found.setdefault(str(run), []).append([split, digest])
for question_set in {sets!r}:
    rows = CandidateScoring.objects.filter(question__question_set=question_set)
    rows = rows.order_by("question__number", "model")
    found[question_set] = [[*one] for one in rows.values_list("question__number", "scores")]
print(json.dumps(found))
"""


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(Player()) as server:
        yield server


@pytest.mark.disrupts
def test_work_whose_worker_is_killed_goes_on_repeats_no_answered_call_and_has_the_same_result(
    stack: Stack, server: ScriptedServer, tmp_path: Path
) -> None:
    prepare_releases(stack, tmp_path)
    prepare_guided_releases(stack, tmp_path)
    killed, undisturbed = play(_request_all(stack, server, tmp_path.name))
    for one in killed:
        paid = {json.dumps(it.body) for it in one.work.log_of(server.log) if it.is_paid}
        assert one.work.requests in (None, len(paid)), one.work.name
        assert _find_losses(one) == [], one.work.name
        assert float(one.ended["budget"]["spent"]) <= float(one.ended["budget"]["amount"])
    _assert_ledgers(stack, server, killed, tmp_path / "logs")
    results = _read_results(stack, [*killed, *undisturbed])
    for one, other in zip(killed, undisturbed, strict=True):
        result = results[one.question_set or one.id]
        assert result and result == results[other.question_set or other.id], one.work.name


def _find_losses(one: Requested) -> list[str]:
    """Items without an answer."""
    if one.work.name == ENSEMBLE:
        return [] if one.ended["result"]["failed"] == 0 else ["ensemble"]
    return [name for name in one.ended["outcomes"] if name != "answered"]


async def _request_all(
    stack: Stack, server: ScriptedServer, suffix: str
) -> tuple[list[Requested], list[Requested]]:
    """Some work is killed; the same work is done undisturbed while the first lease ends."""
    await virtual_users.sign_in(stack.url, RESEARCHER)  # once, as checking a password is slow
    place = Workplace(stack, server.url, suffix)
    names = [one for group in GROUPS for one in group]
    killed: list[Requested] = []
    for at, group in enumerate(GROUPS):  # a person has few active runs: all at once are too many
        prepared = [*await asyncio.gather(*(place.prepare(Work(one)) for one in group))]
        await _kill_at_work(stack, server, prepared, is_first=at == 0)
        killed += prepared
    undisturbed = await _do_undisturbed(place, names)
    for one in killed:
        await one.wait()
    return killed, undisturbed


async def _kill_at_work(
    stack: Stack, server: ScriptedServer, group: Sequence[Requested], *, is_first: bool
) -> None:
    """Once each has some answers. All but the first go on at once, as after a minute without a sign
    of life, and their endpoints have the places of the dead process again."""
    player, before = server.script, count_paid(server.log)
    assert isinstance(player, Player)
    player.slow = models = {model for one in group for model in one.work.models}

    async def have_answers() -> bool:
        paid = count_paid(server.log) - before
        return all(paid[model] > IN_FLIGHT for model in models)

    for one in group:
        await one.start()
    await virtual_users.until(have_answers, "a part of the answers", 300)
    stack.kill("models worker")
    player.slow, at = set(), len(server.log)
    if is_first:
        return
    subjects = [one.subject for one in group]
    command = EXPIRE.format(subjects=subjects, count=len(group))
    stack.manage("shell", "--verbosity", "0", "--command", command)
    for one in group:
        await one.wait()
        assert one.work.log_of(server.log[at:]), f"{one.work.name} had ended before"


async def _do_undisturbed(place: Workplace, names: Sequence[str]) -> list[Requested]:
    places = asyncio.Semaphore(AT_ONCE)

    async def work(name: str) -> Requested:
        async with places:
            requested = await place.prepare(Work(name, is_disturbed=False))
            await requested.start()
            await requested.wait()
        return requested

    return [*await asyncio.gather(*map(work, names))]


def _assert_ledgers(
    stack: Stack, server: ScriptedServer, killed: Sequence[Requested], path: Path
) -> None:
    """Those that were under way when it was killed are lost, and one that waited for its slot. The
    first work may be killed again when it goes on."""
    rows = []
    for one in killed:
        kills = len(GROUPS) if one is killed[0] else 1
        most_lost = kills * (IN_FLIGHT + 1) * len(one.work.models)
        rows.append((one.subject, one.work.log_of(server.log), most_lost))
    path.write_bytes(pickle.dumps(rows))
    stack.manage("shell", "--verbosity", "0", "--command", CHECK.format(path=str(path)))


def _read_results(stack: Stack, requested: Sequence[Requested]) -> dict[str, Any]:
    """Digests of the files of predictions, and scores of candidates."""
    runs = [one.id for one in requested if not one.question_set]
    sets = [one.question_set for one in requested if one.question_set]
    command = RESULTS.format(runs=runs, sets=sets)
    results: dict[str, Any] = json.loads(
        stack.manage("shell", "--verbosity", "0", "--command", command)
    )
    return results
