"""A key leaves the server to its endpoint alone, even where that endpoint repeats it everywhere."""

import json
import logging
import os
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from psycopg import sql

from backend.benchmarks.models import Release
from backend.config.backups import DATABASE, find_program, make_backup
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.services import start_run
from backend.evaluation.services import get_job
from backend.jobs.runner import run_job
from backend.llm.models import CachedAnswer, Call, Endpoint, StoredText
from tests.evaluation.model_runs import PARAMETRIC, new_run, skilled, work
from tests.evaluation.truthhypo_files import pair_of
from tests.llm.factories import CANARY, make_endpoint
from tests.llm.scripted_server import Script, Scripted, ScriptedServer
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db(transaction=True)
API = "/api/v1"
CUT = "[key]"


@pytest.fixture(params=["stored", "variable"])
def endpoint(
    request: pytest.FixtureRequest, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> Endpoint:
    """With the key in the database, or in a variable of the server."""
    monkeypatch.setenv("A_MODEL_KEY", CANARY)
    key = {"key": CANARY} if request.param == "stored" else {"key_env": "A_MODEL_KEY"}
    body = {
        **{"name": "echo", "base_url": server.url, "model": "m-1", "is_private": True, **key},
        **{"price_in": "1", "price_out": "2", "usable_by": "everyone", "may_publish": True},
    }
    added = make_person("adam", is_administrator=True).browser.post(f"{API}/endpoints", body)
    assert added.status_code == 201 and CANARY not in added.content.decode()
    return Endpoint.objects.get()


def repeat_key(right: Script) -> Script:
    """A gateway that writes the key into its errors, its answers and the model's name."""

    def script(body: dict[str, Any], number: int) -> Scripted:
        if "the enzyme cyclooxygenase" in json.dumps(body):
            return Scripted(text=f"Bearer {CANARY}", model=CANARY)
        kind = int(pair_of(body).removeprefix("Chemical|C")) % 5
        label = json.loads(right(body, number).text)["label"]
        text = json.dumps({"rationale": f"You sent {CANARY}.", "label": label})
        first = {
            0: Scripted(status=500, error=f"Bearer {CANARY} timed out"),
            1: Scripted(text=f"{CANARY} is no JSON"),
            2: Scripted(status=429, headers={"retry-after": "0.01", "x-key": CANARY}),
            3: Scripted(raw_body=f"<html>Authorization: Bearer {CANARY}</html>"),
        }
        return first[kind] if number == 1 and kind in first else Scripted(text=text, model=CANARY)

    return script


def rows_of_all_tables() -> Iterator[str]:
    for model in apps.get_models(include_auto_created=True):
        with connection.cursor() as cursor:
            table = sql.Identifier(model._meta.db_table)
            cursor.execute(sql.SQL("SELECT row_to_json(t)::text FROM {} t").format(table))
            yield from (row for (row,) in cursor.fetchall())
    yield from (bytes(one.content).decode() for one in StoredText.objects.all())


def pages(person: Person, run: Run) -> Iterator[str]:
    [submission] = run.submissions.all()
    places = [
        *("endpoints", f"endpoints/{run.endpoint_id}", f"endpoints/{run.endpoint_id}/calls"),
        *(f"runs/{run.pk}", f"runs/{run.pk}/answers"),
        *("runs", "model-costs", "model-costs?own=true", "jobs", f"jobs/{run.job_id}"),
        *(f"submissions/{submission.pk}", f"releases/{run.release.slug}"),
    ]
    for place in places:
        answer = person.browser.get(f"{API}/{place}")
        assert answer.status_code in (200, 403, 404), place
        yield answer.content.decode()


def outputs() -> Iterator[str]:
    for options in (("--json",), ()):
        for command in (
            ("add_endpoint", "echo", "--max-in-flight", "4"),
            ("run_model", "pairs", "--endpoint", "echo", "--task", PARAMETRIC, "--budget", "1"),
        ):
            out, error = StringIO(), StringIO()
            call_command(*command, *options, stdout=out, stderr=error)
            yield out.getvalue() + error.getvalue()


def files_of_backup(folder: Path) -> Iterator[bytes]:
    make_backup(folder)
    program = [find_program("pg_restore"), "--file=-", str(folder / DATABASE)]
    yield subprocess.run(program, capture_output=True, check=True).stdout
    for base, _, names in os.walk(folder):
        yield from ((Path(base) / name).read_bytes() for name in names)


def test_a_key_that_its_server_repeats_is_on_no_page_and_in_no_row_file_log_or_backup(
    release: Release,
    endpoint: Endpoint,
    server: ScriptedServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script = repeat_key(skilled(release, 1.0))
    assert endpoint.created_by is not None
    adam, rohan = Person(endpoint.created_by), make_person("rohan", is_researcher=True)
    probed = adam.browser.post(f"{API}/endpoints/{endpoint.pk}/probe")
    run_job(probed.json()["id"])
    run = work(new_run(release, endpoint, actor=adam.user))
    run = work(start_run(run=run, budget=Decimal(1)))
    assert run.state == RunState.ENDED, run.error
    run_job(get_job(run.submissions.get()).pk)
    CachedAnswer.objects.all().delete()

    texts = [*outputs(), *pages(adam, run), *pages(rohan, run), *rows_of_all_tables()]
    texts += [caplog.text, repr(endpoint), repr([*Call.objects.values()])]
    files = [*files_of_backup(tmp_path / "backup")]
    assert not [one[:200] for one in texts if CANARY in one]
    assert not [one[:200] for one in files if CANARY.encode() in one]

    # The server had the key and did repeat it, and what it wrote has come as far as the ledger.
    assert {one.headers["authorization"] for one in server.log} == {f"Bearer {CANARY}"}
    assert any(CUT in one for one in texts) and any(CUT.encode() in one for one in files)
    assert Call.objects.filter(reason__contains=CUT).exists()
    assert Call.objects.filter(model_returned=CUT).exists()


def test_a_key_that_cannot_be_read_fails_the_run_without_naming_it(
    release: Release, endpoint: Endpoint, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(release, endpoint)
    monkeypatch.setenv("A_MODEL_KEY", f"{CANARY} with a space")
    with override_settings(ENDPOINT_KEYS_SECRET="another"):
        run = work(run)
    assert run.state == RunState.FAILED and run.error is not None
    assert run.error["code"] == "USER_ENDPOINT_KEY_MISSING" and not server.log
    assert not [one for one in rows_of_all_tables() if CANARY in one]


def test_a_missing_key_fails_a_run_without_the_name_of_its_variable(
    release: Release, server: ScriptedServer
) -> None:
    """The owner of the run may use the endpoint, and sees neither address nor variable."""
    make_endpoint(server.url, key_env="A_MISSING_KEY", usable_by="everyone")
    person = make_person("rohan", is_researcher=True)
    run = work(new_run(release, Endpoint.objects.get(), actor=person.user))
    assert run.state == RunState.FAILED
    read = person.browser.get(f"{API}/runs/{run.pk}").content.decode()
    assert "holds no key" in read
    assert "A_MISSING_KEY" not in read and server.url not in read
    assert not server.log
