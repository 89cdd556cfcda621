"""Marks in SerenQA's hidden answers leave by no route, and by no table but their own."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Submission, SubmissionState
from tests.architecture.routes import PERSONAS, World, make_world
from tests.architecture.test_permissions import request_as
from tests.cache import empty_cache
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.test_canaries import Recorder, live_routes
from tests.thorough import thorough
from tests.tracks.serenqa_files import partitions, question, split

pytestmark = pytest.mark.django_db
QUESTIONS = 8
MARKS = ("CANARYMEMBER", "CANARYTYPE", "CANARYINNER", "CANARYWORDS")


def write_files(folder: Path) -> list[Path]:
    """Members, their type, the inner entities of paths and the exploration questions are marked."""
    records = []
    for qid in range(QUESTIONS):
        root, member = f"ROOT{qid}", f"CANARYMEMBER{qid}"
        path = f"{root}--R--CANARYINNER{qid}:Drug--R--{member}"
        splits = {"expert": split([member], [root], [path], [f"CANARYWORDS{qid}?"])}
        records += [question(qid, [root, member], "CANARYTYPE"), partitions(qid, **splits)]
    # The names of a question's answers are in the file too.
    text = json.dumps(records).replace("Name of CANARY", "Name of X")
    file = folder / "both.json"
    file.write_text(text)
    return [file]


def prediction(track: str, qid: int) -> dict[str, Any]:
    key = {"qid": qid, "partition": "expert", "root": f"ROOT{qid}"}
    if track == "serenqa-reasoning":
        return {**key, "summaries": [f"ROOT{qid} alone", "", ""]}
    leaf = {"id": "OTHER", "type": "Drug", "path": [f"ROOT{qid}", "R", "OTHER"]}
    return {**key, "leaves": [leaf]}


@pytest.fixture(params=[pytest.param("serenqa-exploration", marks=thorough), "serenqa-reasoning"])
def planted(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> World:
    world = make_world()
    release_request = ReleaseRequest(track=request.param, name="Marked", slug="marked")
    release = make_release(
        actor=world.cast.coordinator, request=release_request, files=write_files(tmp_path)
    )
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    browser = APIClient()
    browser.force_login(world.researcher)
    text = "".join(f"{json.dumps(prediction(request.param, qid))}\n" for qid in range(QUESTIONS))
    fields = {"release": "marked", "model": world.submission.model.slug}
    with django_capture_on_commit_callbacks(execute=True):
        answer = send(browser, SUBMISSIONS, form(text, **fields))
    assert answer.status_code == 202, answer.json()
    for _ in range(2):  # the second is the board's
        with django_capture_on_commit_callbacks(execute=True):
            run_queued_tasks()
    submission = Submission.objects.get(pk=answer.json()["id"])
    assert submission.state == SubmissionState.SCORED
    return replace(world, release=release, submission=submission)


def find_marks(text: str) -> set[str]:
    return {mark for mark in MARKS if mark in text}


def test_no_table_besides_hidden_answers_has_a_mark(planted: World) -> None:
    answers = json.dumps(list(HiddenAnswer.objects.values_list("content", flat=True)))
    expected = {"CANARYMEMBER", "CANARYINNER"}
    if planted.release.track == "serenqa-exploration":
        expected = {*MARKS}
    assert find_marks(answers) >= expected
    for model in apps.get_models():
        if model is not HiddenAnswer:
            rows = json.dumps(list(model._default_manager.values()), default=str)
            assert find_marks(rows) == set(), model.__name__


def test_no_route_answers_anybody_with_a_mark(
    planted: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    leaks, answers = [], 0
    for route in live_routes():
        for who in PERSONAS:
            browser = Recorder()
            empty_cache()
            with transaction.atomic():
                request_as(planted, route, who, browser)
                transaction.set_rollback(True)
            answers += len(browser.texts)
            leaks += [(route.template, who, mark) for mark in find_marks("".join(browser.texts))]
    assert answers > 300
    assert leaks == []
    assert find_marks(caplog.text) == set()
