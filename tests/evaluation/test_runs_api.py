"""Runs over HTTP: steps, states, pages; who reads prompts and answers."""

import csv
import io
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.accounts.models import User
from backend.benchmarks.models import HiddenAnswer, Model, Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run
from backend.evaluation.services import get_job
from backend.jobs.runner import run_job
from backend.llm.models import Endpoint
from tests.evaluation.model_runs import PARAMETRIC, new_run, skilled, work
from tests.evaluation.truthhypo_files import write_source
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import make_person

pytestmark = pytest.mark.django_db(transaction=True)
RUNS = "/api/v1/runs"


@pytest.fixture
def release(transactional_db: None, tmp_path: Path) -> Release:
    request = ReleaseRequest(track="truthhypo", name="Pairs", slug="pairs", test_share=0.5)
    created = make_release(actor=None, request=request, files=[write_source(tmp_path)])
    Release.objects.filter(pk=created.pk).update(state=Release.State.OPEN)
    created.refresh_from_db()
    return created


@pytest.fixture
def rohan(transactional_db: None) -> APIClient:
    return sign_in("rohan", is_researcher=True)


def sign_in(name: str, **fields: Any) -> APIClient:
    client = APIClient()
    client.force_login(make_person(name, **fields).user)
    return client


def owner() -> User:
    return User.objects.get(email="rohan@example.org")


def send(client: APIClient, path: str, body: Any = None, status: int = 200) -> Any:
    answer = client.post(
        f"{RUNS}{path}", body or {}, format="json", headers={"Idempotency-Key": str(uuid.uuid4())}
    )
    assert answer.status_code == status, answer.content
    return answer.json()


def make_run(client: APIClient, endpoint: Endpoint, **fields: Any) -> Any:
    model = register_model(actor=owner(), name=f"Model {uuid.uuid4()}")
    body = {
        "release": "pairs",
        "endpoint": str(endpoint.pk),
        "task": PARAMETRIC,
        "model": model.slug,
        **fields,
    }
    return send(client, "", body, 201)


def end_run(client: APIClient, endpoint: Endpoint) -> Any:
    created = make_run(client, endpoint)
    run = Run.objects.get(pk=created["id"])
    work(run)
    send(client, f"/{run.pk}/start", {"budget": "1"})
    work(run)
    for one in run.submissions.all():
        run_job(get_job(one).pk)
    return client.get(f"{RUNS}/{run.pk}").json()


def usable(server: ScriptedServer, **fields: Any) -> Endpoint:
    return make_endpoint(server.url, usable_by=Endpoint.UsableBy.EVERYONE, **fields)


def test_a_run_goes_from_an_estimate_to_scored_submissions(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    server.script = skilled(release, 1.0)
    endpoint = usable(server)
    created = make_run(rohan, endpoint, settings={"temperature": 0.5})
    assert (created["state"], created["allowed"]) == ("estimating", ["cancel"])
    assert (created["settings"], created["estimate"]) == ({"temperature": 0.5}, None)
    run = work(Run.objects.get(pk=created["id"]))
    estimated = rohan.get(f"{RUNS}/{run.pk}").json()
    assert estimated["allowed"] == ["start", "cancel"]
    assert estimated["estimate"]["sampled"] == 5
    assert 0 < float(estimated["estimate"]["cost"]) <= float(estimated["estimate"]["worst_cost"])
    assert all(one.body["temperature"] == 0.5 for one in server.log)
    started = send(rohan, f"/{run.pk}/start", {"budget": "0.75"})
    assert (started["state"], started["budget"]["amount"]) == ("running", "0.750000")
    work(run)
    for one in run.submissions.all():
        run_job(get_job(one).pk)
    ended = rohan.get(f"{RUNS}/{run.pk}").json()
    assert (ended["state"], ended["allowed"], ended["error"]) == ("ended", [], None)
    assert [one["split"] for one in ended["submissions"]] == ["dev", "test"]
    assert ended["submission"] == ended["submissions"][1]["id"]
    assert ended["outcomes"] == {"answered": 60}
    assert ended["progress"]["left"] == 0
    parts = [(one["split"], one["attempts"], one["items"]) for one in ended["attempt_scores"]]
    assert parts == [("dev", "first", 30), ("test", "first", 30)]
    assert "--temperature 0.5" in ended["command"]
    assert rohan.get(RUNS).json()["results"][0]["id"] == created["id"]
    assert rohan.get(f"{RUNS}?release=other").json()["results"] == []


def test_a_repeated_request_makes_one_run(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    endpoint = usable(server)
    created = make_run(rohan, endpoint)
    body = {
        "release": "pairs",
        "endpoint": str(endpoint.pk),
        "task": PARAMETRIC,
        "model": created["model"]["slug"],
    }
    key = {"Idempotency-Key": str(uuid.uuid4())}
    first = rohan.post(RUNS, body, format="json", headers=key)
    second = rohan.post(RUNS, body, format="json", headers=key)
    assert first.json()["id"] == second.json()["id"] != created["id"]
    assert Run.objects.count() == 2


def sampled(client: APIClient, endpoint: Endpoint, samples: int, status: int = 201) -> Any:
    name = "Of several answers"
    model = Model.objects.filter(name=name).first() or register_model(actor=owner(), name=name)
    body = {
        "release": "pairs",
        "endpoint": str(endpoint.pk),
        "task": PARAMETRIC,
        "model": model.slug,
        "settings": {"temperature": 0.7},
        "samples": samples,
    }
    return send(client, "", body, status)


def test_several_answers_are_a_run_each_and_all_or_none_of_them_are_made(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    endpoint = usable(server)
    Release.objects.update(queries=100, queries_per_day=100)
    first = sampled(rohan, endpoint, 3)
    assert first["settings"] == {"temperature": 0.7, "sample": 1}
    listed = rohan.get(RUNS).json()["results"]
    assert [one["settings"]["sample"] for one in listed] == [3, 2, 1]
    refused = sampled(rohan, endpoint, 8, 409)
    assert refused["code"] == "too_many_runs"
    assert refused["errors"][0]["place"] == "samples"
    assert refused["detail"].startswith("3 of your 10 possible runs are active")
    Release.objects.update(queries_per_day=6)
    few = sampled(rohan, endpoint, 7, 429)
    assert (few["code"], few["errors"][0]["place"]) == ("queries_used_up", "samples")
    assert Run.objects.count() == 3
    assert not server.log
    assert sampled(rohan, endpoint, 6)["settings"]["sample"] == 1
    assert Run.objects.count() == 9


def test_several_answers_and_a_number_of_one_exclude_each_other(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    body = {"settings": {"temperature": 0.7, "sample": 2}, "samples": 2}
    ids = {"release": "pairs", "endpoint": str(uuid.uuid4()), "task": "t", "model": "m"}
    refused = send(rohan, "", {**ids, **body}, 422)
    assert refused["errors"][0]["place"] == "samples"


def test_administrators_list_runs_of_commands_beside_their_own(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    endpoint = usable(server)
    make_run(rohan, endpoint)
    command = new_run(release, endpoint)
    rows = sign_in("amara", is_administrator=True).get(RUNS).json()["results"]
    assert [(one["id"], one["is_of_command"]) for one in rows] == [(str(command.pk), True)]
    assert rows[0]["allowed"] == ["cancel"]
    own = rohan.get(RUNS).json()["results"]
    assert [one["is_of_command"] for one in own] == [False]


def test_everybody_reads_prompts_and_answers_of_dev_items_alone(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    server.script = skilled(release, 1.0)
    run = end_run(rohan, usable(server, may_publish=True))
    own = rohan.get(f"{RUNS}/{run['id']}/answers?limit=100").json()
    assert (len(own["results"]), own["next"]) == (60, None)
    first = rohan.get(f"{RUNS}/{run['id']}/answers?limit=40").json()
    second = rohan.get(first["next"]).json()
    assert [*first["results"], *second["results"]] == own["results"]
    assert rohan.get(f"{RUNS}/{run['id']}/answers?cursor=7").status_code == 422
    for client in (APIClient(), sign_in("olga", is_researcher=True)):
        shown = client.get(f"{RUNS}/{run['id']}").json()
        assert (shown["state"], shown["allowed"]) == ("ended", [])
        page = client.get(f"{RUNS}/{run['id']}/answers?limit=100").json()
        assert len(page["results"]) == 30
        test_cursor = client.get(f"{RUNS}/{run['id']}/answers?cursor=test:3").json()
        assert test_cursor == {"next": None, "results": []}
        assert {one["split"] for one in page["results"]} == {"dev"}
        one = page["results"][0]
        assert [message["role"] for message in one["messages"]] == ["system", "user"]
        assert json.loads(one["text"])["label"] == one["prediction"]
    costs = APIClient().get("/api/v1/model-costs?release=pairs").json()["results"]
    assert [(one["items"], one["runs"], one["calls"]) for one in costs] == [(60, 1, 60)]
    assert costs[0]["tokens_in"] == sum(one.tokens_in for one in server.log)
    assert APIClient().get("/api/v1/model-costs.json").json() == {"results": costs}
    file = APIClient().get("/api/v1/model-costs.csv?release=pairs").content.decode()
    (line,) = csv.DictReader(io.StringIO(file))
    assert (line["release"], line["task"], line["calls"]) == ("pairs", PARAMETRIC, "60")
    assert line["cost_usd"] == costs[0]["cost"]


def test_answers_of_an_endpoint_that_may_not_publish_are_the_owners(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    server.script = skilled(release, 1.0)
    run = end_run(rohan, usable(server))
    for path in (f"/{run['id']}", f"/{run['id']}/answers"):
        assert APIClient().get(f"{RUNS}{path}").status_code == 404
    assert APIClient().get("/api/v1/model-costs").json()["results"] == []
    assert len(APIClient().get("/api/v1/model-costs.csv").content.splitlines()) == 1
    assert len(rohan.get("/api/v1/model-costs.csv?own=true").content.splitlines()) == 2
    assert len(rohan.get("/api/v1/model-costs?own=true").json()["results"]) == 1


def test_no_answer_of_the_api_has_a_hidden_label(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    """Hidden labels are replaced by words that no prompt has."""
    for answer in HiddenAnswer.objects.all():
        answer.content = {"label": "canary_of_the_gold"}
        answer.save()
    server.script = lambda body, number: Scripted(text='{"rationale": "", "label": "no_relation"}')
    created = make_run(rohan, usable(server))
    run = Run.objects.get(pk=created["id"])
    work(run)
    send(rohan, f"/{run.pk}/start", {"budget": "1"})
    work(run)
    pages = [rohan.get(f"{RUNS}/{run.pk}{path}").content for path in ("", "/answers?limit=100")] + [
        json.dumps(one.body).encode() for one in server.log
    ]
    assert not any(b"canary_of_the_gold" in page for page in pages)


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"task": "no-such-task"}, 404, "unknown_task"),
        ({"task": "truthhypo-graph"}, 409, "task_unavailable"),
        ({"model": "somebody-elses"}, 404, "not_found"),
        ({"endpoint": str(uuid.uuid4())}, 404, "not_found"),
        ({"settings": {"temperature": 3}}, 422, "invalid"),
        ({"settings": {"max_items": 0}}, 422, "invalid"),
    ],
)
def test_a_run_that_cannot_be_is_refused_before_any_call(
    release: Release,
    rohan: APIClient,
    server: ScriptedServer,
    fields: dict[str, Any],
    status: int,
    code: str,
) -> None:
    model = register_model(actor=owner(), name="Mine")
    body = {
        "release": "pairs",
        "endpoint": str(usable(server).pk),
        "task": PARAMETRIC,
        "model": model.slug,
        **fields,
    }
    answer = rohan.post(RUNS, body, format="json", headers={"Idempotency-Key": str(uuid.uuid4())})
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert not server.log
    assert not Run.objects.exists()


def test_tasks_of_a_release_are_public(release: Release) -> None:
    rows = APIClient().get("/api/v1/releases/pairs/model-tasks").json()["results"]
    offered = {one["name"]: one for one in rows}
    assert offered[PARAMETRIC]["is_available"]
    assert offered[PARAMETRIC]["items"] == 60
    assert offered["truthhypo-graph"]["unavailable_reason"]


def test_workers_bring_a_run_from_the_queue_to_the_board(
    release: Release,
    rohan: APIClient,
    server: ScriptedServer,
    run_queued_tasks: Callable[[], list[str]],
) -> None:
    """Nothing but requests and the queues: the estimate, the run, its scores, the board."""
    server.script = skilled(release, 1.0)
    created = make_run(rohan, usable(server))
    run_queued_tasks()
    assert rohan.get(f"{RUNS}/{created['id']}").json()["state"] == "estimated"
    send(rohan, f"/{created['id']}/start", {"budget": "1"})
    run_queued_tasks()
    ended = rohan.get(f"{RUNS}/{created['id']}").json()
    assert [one["state"] for one in ended["submissions"]] == ["scored", "scored"]
    board = APIClient().get("/api/v1/boards/pairs?split=test").json()
    assert ended["submission"] in json.dumps(board)


def test_scores_by_attempts_follow_the_ladder(
    release: Release, rohan: APIClient, server: ScriptedServer
) -> None:
    """What a submission does not show of the test split, its run does not show either."""
    server.script = skilled(release, 1.0)
    run = end_run(rohan, usable(server, may_publish=True))
    assert {one["split"] for one in run["attempt_scores"]} == {"dev", "test"}
    Submission.objects.filter(split="test").update(is_improvement=False)
    for client in (rohan, APIClient()):
        shown = client.get(f"{RUNS}/{run['id']}").json()["attempt_scores"]
        assert {one["split"] for one in shown} == {"dev"}
