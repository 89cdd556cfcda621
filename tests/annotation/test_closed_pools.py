"""A pool that is closed while questions are leased: what is not answered, and what was not sent."""

import json
import uuid
from typing import Any

import pytest

from annotation.exports import export_json
from annotation.kinds.ranking.kind import KIND
from annotation.kinds.submissions import read_latest_submissions
from annotation.models import Assignment, Response
from annotation.statistics import compute_statistics
from annotation.study_releases import freeze_study
from backend.accounts.models import User
from backend.common.errors import Conflict
from backend.studies.models import Study
from tests.annotation.personas import client_of, put_response, response_body, write_answer
from tests.annotation.test_pool import lease, let_leases_expire, make_pool

Leased = tuple[Study, tuple[User, User], dict[str, Assignment]]


def change_status(study: Study, status: str) -> None:
    client = client_of(study.created_by)
    body = {"status": status}
    answer = client.patch(f"/api/v1/studies/{study.id}", body, "application/json")
    assert answer.status_code == 200, answer.content


@pytest.fixture
def leased(db: None) -> Leased:
    """Of three leased questions one is answered and one begun; then the study is closed."""
    study, (one, other) = make_pool(2, questions=3, overlap=1)
    names = ("answered", "begun", "untouched")
    rows = dict(zip(names, lease(study, one, 3), strict=True))
    write_answer(rows["answered"], "agree")
    write_answer(rows["begun"], "save")
    change_status(study, "closed")
    return study, (one, other), rows


def exported_responses(study: Study) -> dict[str, Any]:
    """By assignment: what was submitted."""
    record = json.loads("".join(export_json(study)))
    questions = [one for batch in record["batches"] for one in batch["questions"]]
    rows = [one for question in questions for one in question["assignments"]]
    return {row["id"]: row["revisions"] for row in rows}


def test_leased_questions_stay_without_an_answer_and_count_nowhere(leased: Leased) -> None:
    study, (_, other), rows = leased
    with pytest.raises(Conflict, match="closed"):
        lease(study, other)
    latest = read_latest_submissions(Assignment.objects.filter(study=study), KIND)
    assert sum(len(one) for one in latest.answers.values()) == 1
    board = client_of(study.created_by).get(f"/api/v1/studies/{study.id}/board").json()
    assert (board["totals"]["expected"], board["totals"]["answered"]) == (3, 1)
    exported = exported_responses(study)
    assert [len(exported[str(row.id)]) for row in rows.values()] == [1, 0, 0]
    shares = next(one for one in compute_statistics(study) if one.name == "shares")
    assert {one.n for one in shares.figures} == {1}


def test_an_answer_that_was_not_sent_is_taken_once_the_study_is_open_again(leased: Leased) -> None:
    study, (one, other), rows = leased
    client, key = client_of(one), str(uuid.uuid4())
    body = response_body(rows["begun"], "agree", version=1)
    refused = put_response(client, rows["begun"], body, key)
    assert (refused.status_code, refused.json()["code"]) == (409, "study_closed")
    assert Response.objects.get(assignment=rows["begun"]).submitted_number == 0
    change_status(study, "open")
    assert put_response(client, rows["begun"], body, key).status_code == 200
    let_leases_expire(study)
    assert [row.question_id for row in lease(study, other)] == [rows["untouched"].question_id]


def test_a_frozen_study_never_takes_it(leased: Leased) -> None:
    study, (one, _), rows = leased
    freeze_study(actor=study.created_by, study_id=study.id, slug="closed-pool")
    body = response_body(rows["begun"], "agree", version=1)
    refused = put_response(client_of(one), rows["begun"], body)
    assert (refused.status_code, refused.json()["code"]) == (409, "study_frozen")
