"""A result at its permanent address, and the forms in which others read it.

every_eval_ever.schema.json and every_eval_ever_samples.schema.json are of every_eval_ever 0.3.0
(MIT, Copyright 2026 EvalEval), which needs Python 3.12 and cannot be a dependency here.
"""

import json
import uuid
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from backend.leaderboard.every_eval_ever import SCHEMA_VERSION
from backend.leaderboard.standings import update_standing
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
HOSTILE = "Model <script>\"&' {\\input} 50 % $x_1$"
FOLDER = Path(__file__).parent
SCHEMA = json.loads((FOLDER / "every_eval_ever.schema.json").read_text())
SAMPLES = json.loads((FOLDER / "every_eval_ever_samples.schema.json").read_text())


@pytest.fixture
def result(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> dict[str, Any]:
    model = register_model(actor=researcher.user, name=HOSTILE, organisation="A & B")
    body = form(prediction_lines(range(60), wrong=range(30)), model=model.slug)
    submission: dict[str, Any] = submit_and_score(researcher.browser, body)
    return submission


@pytest.fixture
def path(result: dict[str, Any]) -> str:
    return f"/api/v1/results/{result['id']}"


def withdraw(
    researcher: Person,
    result: dict[str, Any],
    run_queued_tasks: Callable[[], list[str]],
    capture: Any,
) -> None:
    with capture(execute=True):
        researcher.browser.post(
            f"/api/v1/submissions/{result['id']}/withdraw", {"reason": "A wrong file."}
        )
    run_queued_tasks()


def test_a_result_states_what_it_rests_on(visitor: APIClient, path: str) -> None:
    shown = visitor.get(path).json()
    assert shown["entry"]["scores"]["relation_accuracy average"][0] == 50
    assert shown["url"].endswith(path.removeprefix("/api/v1"))
    assert len(shown["key"]) == len(shown["release_digest"]) == 64
    assert shown["evaluator_version"]
    assert shown["bibtex"] == visitor.get(f"{path}/citation.bib").content.decode()


def test_results_boards_and_submissions_have_their_slices_in_one_order(
    visitor: APIClient, path: str, result: dict[str, Any]
) -> None:
    of_submission = list(dict.fromkeys(one["slice"] for one in result["scores"]))
    assert len(of_submission) > 2
    assert visitor.get(path).json()["slices"] == of_submission
    assert visitor.get("/api/v1/boards/pairs").json()["slices"] == of_submission


def test_what_is_declared_is_public_and_its_texts_only_with_the_name(
    researcher: Person, visitor: APIClient, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    model = register_model(actor=researcher.user, name="Mine")
    texts = {"method": "Five shots.\nTemperature 0.", "notes": "By Rohan."}
    body = {"model": model.slug, "hardware": "One CPU", **texts}
    text = prediction_lines(range(60))
    until = "2099-01-01T00:00:00Z"
    hidden = submit_and_score(researcher.browser, form(text, **body, anonymous_until=until))
    path = f"/api/v1/results/{hidden['id']}"
    shown = visitor.get(path).json()
    assert (shown["hardware"], shown["method"], shown["notes"]) == ("One CPU", None, None)
    Submission.objects.update(anonymous_until=None)
    named = visitor.get(path).json()
    assert {name: named[name] for name in texts} == texts


def test_a_citation_is_well_formed_whatever_a_model_is_named(visitor: APIClient, path: str) -> None:
    text = visitor.get(f"{path}/citation.bib").content.decode()
    assert (
        r"Model <script>\"\&' \{\textbackslash{}input\} 50 \% \$x\_1\$".replace('\\"', '"') in text
    )
    assert text.count("{") == text.count("}")
    assert "50.0 (3" in text


def test_a_badge_is_an_image_that_anyone_may_cache(visitor: APIClient, path: str) -> None:
    answer = visitor.get(f"{path}/badge.svg")
    assert answer["Content-Type"].startswith("image/svg+xml")
    assert answer["Cache-Control"] == "public, max-age=300"
    image = ET.fromstring(answer.content)  # noqa: S314  # written a line above
    texts = [one.text for one in image.iter() if one.text]
    assert "rank 1, Accuracy 50.0" in texts
    assert "Pairs" in texts


def test_a_badge_escapes_the_name_of_a_release(visitor: APIClient, path: str) -> None:
    name = '<script>alert("1")</script> & \x07 more' + "x" * 100
    Release.objects.update(name=name)
    image = visitor.get(f"{path}/badge.svg").content.decode()
    assert "<script>" not in image
    assert ET.fromstring(image).tag.endswith("svg")  # noqa: S314  # written by the test


def test_a_record_is_valid_by_the_schema_of_every_eval_ever(
    visitor: APIClient, path: str, result: dict[str, Any]
) -> None:
    record = visitor.get(f"{path}/every_eval_ever.json").json()
    assert SCHEMA["version"] == SCHEMA_VERSION == record["schema_version"]
    assert [str(one) for one in jsonschema_rs.validator_for(SCHEMA).iter_errors(record)] == []
    scores = {
        one["evaluation_result_id"]: one["score_details"] for one in record["evaluation_results"]
    }
    overall = scores[f"{result['id']}/relation_accuracy/average"]
    assert overall["score"] == 50
    interval = overall["uncertainty"]["confidence_interval"]
    assert interval["lower"] < 50 < interval["upper"]
    assert overall["uncertainty"]["num_samples"] == 60


def test_items_of_a_dev_split_are_records_and_those_of_a_test_split_are_not(
    visitor: APIClient, researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    model = register_model(actor=researcher.user, name="On dev")
    release.items.filter(position__gte=40).update(split="dev")
    rows = {"dev": prediction_lines(range(40, 59), wrong=[40]), "test": prediction_lines(range(40))}
    ids = {}
    for split, text in rows.items():
        body = form(text, model=model.slug, split=split)
        ids[split] = submit_and_score(researcher.browser, body)["id"]
        update_standing(release, split)
    refused = visitor.get(f"/api/v1/results/{ids['test']}/every_eval_ever_samples.jsonl")
    assert (refused.status_code, refused.json()["code"]) == (404, "no_samples")
    path = f"/api/v1/results/{ids['dev']}"
    answer: Any = visitor.get(f"{path}/every_eval_ever_samples.jsonl")
    records = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    validator = jsonschema_rs.validator_for(SAMPLES)
    assert [str(error) for one in records for error in validator.iter_errors(one)] == []
    scores = [one["evaluation"]["score"] for one in records]
    assert scores == [0, *[100] * 18, 0]
    assert [one["evaluation"]["is_correct"] for one in records] == [one == 100 for one in scores]
    assert (len(records[0]["output"]["raw"]), records[-1]["output"]["raw"]) == (1, [])
    record = visitor.get(f"{path}/every_eval_ever.json").json()
    assert [str(one) for one in jsonschema_rs.validator_for(SCHEMA).iter_errors(record)] == []
    results = {one["evaluation_result_id"]: one for one in record["evaluation_results"]}
    overall = results[records[0]["evaluation_result_id"]]["score_details"]["score"]
    assert overall == pytest.approx(sum(scores) / len(scores))
    assert {one["evaluation_id"] for one in records} == {record["evaluation_id"]}
    assert record["detailed_evaluation_results"]["file_path"].endswith(
        f"{ids['dev']}_samples.jsonl"
    )


def test_a_withdrawn_result_leaves_a_notice_and_no_figure(
    visitor: APIClient,
    researcher: Person,
    result: dict[str, Any],
    path: str,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    withdraw(researcher, result, run_queued_tasks, django_capture_on_commit_callbacks)
    shown = visitor.get(path).json()
    assert (shown["entry"], shown["withdrawal_reason"]) == (None, "A wrong file.")
    assert shown["withdrawn_by"] == "submitter"
    Submission.objects.update(withdrawn_by=make_person("ada", is_administrator=True).user)
    assert visitor.get(path).json()["withdrawn_by"] == "organiser"
    image = visitor.get(f"{path}/badge.svg").content.decode()
    assert "withdrawn" in image
    for text in (image, shown["bibtex"]):
        assert "50.0" not in text
        assert "rank" not in text
    assert visitor.get(f"{path}/every_eval_ever.json").status_code == 404


def test_what_was_never_on_a_public_board_has_no_address(
    visitor: APIClient, researcher: Person, path: str, result: dict[str, Any]
) -> None:
    unknown = f"/api/v1/results/{uuid.uuid4()}"
    Release.objects.update(state=Release.State.DRAFT)
    for one in (path, unknown):
        for form_ in ("", "/badge.svg", "/citation.bib", "/every_eval_ever.json"):
            assert visitor.get(f"{one}{form_}").status_code == 404
