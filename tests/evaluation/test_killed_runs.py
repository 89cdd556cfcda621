"""A command that is killed by SIGKILL, by the log of the server."""

import json
from collections import Counter
from pathlib import Path

import pytest

from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run, RunState
from backend.jobs.models import Job
from backend.llm.models import CachedAnswer, Call
from tests.command_processes import kill_after, start_command
from tests.evaluation.model_runs import PARAMETRIC, file_of, skilled
from tests.evaluation.releases import open_pairs
from tests.evaluation.test_model_runs import slowly
from tests.fork_server import ForkedProcess
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = ("pairs", "--endpoint", "scripted", "--task", PARAMETRIC, "--budget", "1", "--json")


def start(*more: str) -> ForkedProcess:
    return start_command("run_model", *OPTIONS, *more)


@thorough
def test_a_killed_command_goes_on_and_predicts_the_same_bytes(
    transactional_db: None, tmp_path: Path, server: ScriptedServer
) -> None:
    server.script = slowly(skilled(open_pairs(tmp_path), 0.6))
    make_endpoint(server.url, max_in_flight=2)
    kill_after(start(), server.log, 15)
    for requests in (35, 100):
        Job.objects.update(heartbeat_at=None)  # as after a minute without one
        kill_after(process := start("--resume"), server.log, requests)
    run = Run.objects.get()
    assert run.state == RunState.ENDED, process.communicate()
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log if one.is_paid)
    lost = Call.objects.filter(outcome="lost").count()
    assert len(paid) == 60
    # Of two kills: two calls in flight each, and one that was reserved before it had a slot.
    assert sum(paid.values()) - 60 <= lost <= 2 * (2 + 1)
    killed = file_of(Submission.objects.get())

    CachedAnswer.objects.all().delete()
    _, errors = start("--model", "Another").communicate()
    other = Submission.objects.exclude(pk=run.submissions.get().pk).get()
    assert file_of(other) == killed, errors
