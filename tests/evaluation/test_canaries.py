"""Canaries: marks in hidden answers and per-item scores of a test split leave by no way out."""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from rest_framework.test import APIClient

from backend.benchmarks.item_reports import report_item
from backend.benchmarks.models import HiddenAnswer, Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Submission, SubmissionState
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.services import get_job
from tests.architecture.routes import PERSONAS, ROUTES, V1, Route, World, make_world
from tests.architecture.test_permissions import request_as
from tests.cache import empty_cache
from tests.evaluation.api_tokens import token_headers
from tests.evaluation.submission_forms import SUBMISSIONS, form, send

pytestmark = pytest.mark.django_db

QUERIES = 12
# The first true answer of a query is at a place of its own, so that each score is a mark.
PLACES = (29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73)
PUBLIC = 5_000_000  # entities that the model names
SECRET = 90_071_990_000  # answers that it does not know
# Of what was there before releases: accounts, studies, graphs, questions and papers.
UNRELATED = frozenset(
    [
        "assignments",
        "batches",
        "endpoints",
        "graph-formats",
        "graph-imports",
        "graphs",
        "invitations",
        "literature",
        "literature-imports",
        "me",
        "people",
        "practice-questions",
        "question-sets",
        "questions",
        "sign-in",
        "sign-in-links",
        "studies",
        "study-formats",
        "study-kinds",
        "study-plans",
        "threads",
        "views",
        "webhook-deliveries",
        "webhook-hosts",
        "webhooks",
    ]
)


def canaries() -> list[str]:
    """Identifiers of unknown answers, and each item's score."""
    answers = [str(SECRET + query * 100 + at) for query in range(QUERIES) for at in range(query)]
    return [*answers, *(f"{1 / place:.9f}"[:9] for place in PLACES)]


def write_queries(folder: Path) -> Path:
    """Query n has n answers that nobody names, and one that the model ranks at its place."""
    lines = [
        {
            "query_id": query,
            "query": f"Which entity is number {query}?",
            "answer_ids": [PUBLIC + query, *(SECRET + query * 100 + at for at in range(query))],
        }
        for query in range(QUERIES)
    ]
    path = folder / "queries.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def ranked_predictions() -> str:
    lines = []
    for query, place in enumerate(PLACES):
        ranked = [PUBLIC + 1_000 + number for number in range(80)]
        ranked[place - 1] = PUBLIC + query
        lines.append(json.dumps({"query_id": query, "pred_rank": ranked}))
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class Planted:
    """A scored submission on a release with canaries, and one that failed.

    world: its paths name the release, the scored submission, its job and a report of an item.
    messages: all that sockets were given to relay meanwhile.
    """

    world: World
    scored: Submission
    failed: Submission
    messages: list[str]


@pytest.fixture
def planted(
    tmp_path: Path,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
    caplog: pytest.LogCaptureFixture,
    socket_messages: list[str],
) -> Planted:
    caplog.set_level(logging.INFO)  # of the workers, too
    world = make_world()
    request = ReleaseRequest(track="stark-prime", name="Canaries", slug="canaries")
    files = [write_queries(tmp_path)]
    release = make_release(actor=world.cast.coordinator, request=request, files=files)
    release = change_release_state(actor=None, release=release, to=Release.State.OPEN)
    browser = APIClient()
    browser.force_login(world.researcher)
    fields = {"release": "canaries", "model": world.submission.model.slug}

    def submit(text: str) -> Submission:
        with django_capture_on_commit_callbacks(execute=True):
            answer = send(browser, SUBMISSIONS, form(text, **fields))
        assert answer.status_code == 202, answer.json()
        return Submission.objects.get(pk=answer.json()["id"])

    def work_off() -> None:
        for _ in range(2):  # the second is the board's
            with django_capture_on_commit_callbacks(execute=True):
                run_queued_tasks()

    scored = submit(ranked_predictions())
    work_off()
    failed = submit(ranked_predictions().replace(str(PUBLIC + 1_000), str(PUBLIC + 2_000)))
    prediction_path(failed.file_digest).write_text(ranked_predictions())
    work_off()
    scored.refresh_from_db()
    failed.refresh_from_db()
    assert scored.state == SubmissionState.SCORED
    assert failed.state == SubmissionState.FAILED
    report = report_item(
        actor=world.researcher, release=release, key=[0], kind="other", text="A doubt"
    )
    job = get_job(scored)
    marked = replace(world, release=release, submission=scored, report=report, job=job)
    return Planted(marked, scored, failed, socket_messages)


def find_marks(text: str) -> list[str]:
    return [mark for mark in canaries() if mark in text]


def test_the_canaries_are_where_they_belong(planted: Planted) -> None:
    """The marks can be seen: they are in the hidden answers and in the scores of items."""
    answers = json.dumps(list(HiddenAnswer.objects.values_list("content", flat=True)))
    assert planted.scored.evaluation is not None
    stored = load_components(planted.scored.evaluation.key)
    assert len(find_marks(answers)) == QUERIES * (QUERIES - 1) // 2
    assert sorted(stored[:, 3]) == sorted(1 / place for place in PLACES)
    assert len(canaries()) == len(set(canaries())) == QUERIES * (QUERIES - 1) // 2 + QUERIES


def test_no_message_to_sockets_has_a_mark(planted: Planted) -> None:
    """Of the job, the submission's state and the standing of the board."""
    text = "\n".join(planted.messages)
    assert str(planted.world.release.pk) in text or planted.world.release.slug in text
    assert len(planted.messages) > 3
    assert find_marks(text) == []


def test_no_table_besides_hidden_answers_has_a_mark(planted: Planted) -> None:
    for model in apps.get_models():
        if model is not HiddenAnswer:
            rows = json.dumps(list(model._default_manager.values()), default=str)
            assert find_marks(rows) == [], model.__name__


def live_routes() -> Iterator[Route]:
    for route in ROUTES:
        path = route.template.removeprefix(V1)
        if not route.template.startswith(V1) or path.split("/")[0] not in UNRELATED:
            yield route


def test_no_answer_to_anybody_has_a_mark(
    planted: Planted, caplog: pytest.LogCaptureFixture
) -> None:
    """Every live route for every persona and token; a wrong file's faults are among the answers."""
    caplog.set_level(logging.INFO)
    leaks, answers = [], 0
    personas: list[tuple[str, dict[str, str]]] = [(who, {}) for who in PERSONAS]
    personas += [("visitor", headers) for headers in token_headers(planted.world).values()]
    browser = Recorder()  # one: the first request of each would load all middleware
    for route in live_routes():
        of_one = "submission_id" in route.template or "job_id" in route.template
        for submission in (planted.scored, planted.failed) if of_one else (planted.scored,):
            world = replace(planted.world, submission=submission, job=get_job(submission))
            for who, headers in personas:
                browser.forget()
                browser.credentials(**headers)
                empty_cache()
                with transaction.atomic():
                    request_as(world, route, who, browser)
                    transaction.set_rollback(True)
                answers += len(browser.texts)
                marks = find_marks("".join(browser.texts))
                leaks += [(route.template, who, mark) for mark in marks]
    assert answers > 500
    assert leaks == []
    workers = [one.getMessage() for one in caplog.get_records("setup")]
    assert find_marks(caplog.text + "".join(workers)) == []


def test_no_read_loads_hidden_answers(planted: Planted) -> None:
    """By anybody, but for what a report would change: its organisers see that."""
    table, loaded, statuses = HiddenAnswer._meta.db_table, set(), set()
    browser, address, reader = Recorder(), "", ""

    def watch(execute: Any, sql: str, *arguments: Any) -> Any:
        if table in sql:
            loaded.add((address, reader))
        return execute(sql, *arguments)

    slug, entry = planted.world.release.slug, planted.scored.pk
    comparison = f"/{V1}boards/{slug}/comparison?first={entry}&second={entry}"
    routes = [route for route in live_routes() if route.method == "get"]
    with connection.execute_wrapper(watch):
        for route, reader in product(routes, PERSONAS):
            address = route.template
            browser.forget()
            statuses.add(request_as(planted.world, route, reader, browser).status_code)
        address, reader = comparison, "visitor"
        browser.forget()
        statuses.add(browser.get(comparison).status_code)
    reports = f"{V1}releases/<slug:slug>/reports"
    assert loaded == {(reports, who) for who in ("coordinator", "administrator")}
    assert len(routes) > 60 and 200 in statuses
    contents = browser.get(f"/{V1}releases/{slug}/contents")
    assert contents.json()["results"][0]["slices"]


class Recorder(APIClient):
    """A browser that records every answer, also streamed ones."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def forget(self) -> None:
        """As a new one, of somebody else."""
        self.texts.clear()
        self.cookies.clear()

    def request(self, **kwargs: Any) -> Any:
        response = super().request(**kwargs)
        content = response.getvalue()
        self.texts.append(content.decode("utf-8", "replace") + str(response.headers))
        return response
