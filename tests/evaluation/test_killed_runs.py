"""A command that is killed by SIGKILL, by the log of the server."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run, RunState
from backend.jobs.models import Job
from backend.llm.models import CachedAnswer, Call
from tests.evaluation.model_runs import PARAMETRIC, file_of, skilled
from tests.evaluation.releases import open_pairs
from tests.evaluation.test_model_runs import slowly
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = ("pairs", "--endpoint", "scripted", "--task", PARAMETRIC, "--budget", "1", "--json")


def start(*more: str) -> "subprocess.Popen[str]":
    return start_command([*OPTIONS, *more])


def start_command(options: Sequence[str]) -> "subprocess.Popen[str]":
    """`run_model` in a process of its own, on the database and the files of the test."""
    code = (
        "import sys, django; from django.conf import settings; django.setup(); "
        f"settings.PREDICTIONS = {str(settings.PREDICTIONS)!r}; "
        f"settings.EVALUATIONS = {str(settings.EVALUATIONS)!r}; "
        f"settings.SNAPSHOTS = {str(settings.SNAPSHOTS)!r}; "
        "from django.core.management import call_command; "
        "call_command('run_model', *sys.argv[1:])"
    )
    url = os.environ["DATABASE_URL"]
    head, _, tail = url.partition("?")
    named = f"{head.rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    environment = {
        **os.environ,
        "DATABASE_URL": f"{named}?{tail}" if tail else named,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    return subprocess.Popen(
        [sys.executable, "-c", code, *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kill_after(process: Any, server: ScriptedServer, requests: int) -> None:
    while len(server.log) < requests and process.poll() is None:
        time.sleep(0.005)
    process.kill()
    process.wait()


def test_a_killed_command_goes_on_and_predicts_the_same_bytes(
    transactional_db: None, tmp_path: Path, server: ScriptedServer
) -> None:
    server.script = slowly(skilled(open_pairs(tmp_path), 0.6))
    make_endpoint(server.url, max_in_flight=2)
    kill_after(start(), server, 15)
    for requests in (35, 100):
        Job.objects.update(heartbeat_at=None)  # as after a minute without one
        kill_after(process := start("--resume"), server, requests)
    assert process.stdout is not None
    run = Run.objects.get()
    assert run.state == RunState.ENDED, process.stderr and process.stderr.read()
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
