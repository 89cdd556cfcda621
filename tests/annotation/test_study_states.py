"""The life of a study: draft, open, paused, closed, frozen."""

import uuid
from io import StringIO
from itertools import product
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import BatchQuestion, Response, StudyDesign
from backend.benchmarks.models import QuestionSet
from backend.common.errors import Conflict
from backend.studies.life_cycle import ALLOWED_MOVES, move_study
from backend.studies.models import Member, Study
from tests.annotation.personas import (
    Cast,
    client_of,
    make_question,
    make_user,
    put_response,
    response_body,
)
from tests.annotation.test_guidelines import publish

Status = Study.Status


def put_in(cast: Cast, status: Status) -> None:
    Study.objects.filter(pk=cast.study.pk).update(status=status)
    cast.study.refresh_from_db()


def change(cast: Cast, **fields: str) -> Any:
    url = f"/api/v1/studies/{cast.study.id}"
    return client_of(cast.coordinator).patch(url, fields, "application/json")


def answer(cast: Cast) -> Any:
    assignment = cast.assignment()
    return put_response(client_of(cast.expert), assignment, response_body(assignment, "agree"))


def read_batch(cast: Cast) -> Any:
    return client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/assignments")


@pytest.mark.parametrize(("origin", "to"), list(product(Status, Status)))
def test_only_the_moves_of_the_table_are_made(cast: Cast, origin: Status, to: Status) -> None:
    put_in(cast, origin)
    if to == origin or to in ALLOWED_MOVES[origin]:
        move_study(cast.study, to)
        assert Study.objects.get(pk=cast.study.pk).status == to
        return
    with pytest.raises(Conflict, match=f"This study is {origin}. It can become .*, not {to}"):
        move_study(cast.study, to)
    assert Study.objects.get(pk=cast.study.pk).status == origin


@pytest.mark.parametrize(
    ("status", "code", "reads"),
    [
        (Status.DRAFT, "study_draft", 409),
        (Status.PAUSED, "study_paused", 200),
        (Status.CLOSED, "study_closed", 200),
        (Status.FROZEN, "study_frozen", 200),
    ],
)
def test_only_an_open_study_takes_answers(
    cast: Cast, status: Status, code: str, reads: int
) -> None:
    put_in(cast, status)
    refused = answer(cast)
    assert (refused.status_code, refused.json()["code"]) == (409, code)
    assert read_batch(cast).status_code == reads
    assert not Response.objects.exists()


def test_experts_see_nothing_of_a_draft_until_it_is_opened(cast: Cast) -> None:
    put_in(cast, Status.DRAFT)
    expert = client_of(cast.expert)
    assert expert.get("/api/v1/batches").json()["results"] == []
    evidence = expert.get(f"/api/v1/assignments/{cast.assignment().id}/evidence")
    assert [evidence.json()["code"], read_batch(cast).json()["code"]] == ["study_draft"] * 2
    coordinator = client_of(cast.coordinator)
    assert coordinator.get(f"/api/v1/studies/{cast.study.id}/questions").status_code == 200
    assert change(cast, status="open").json()["moves"] == ["paused", "closed"]
    assert len(expert.get("/api/v1/batches").json()["results"]) == 2
    assert answer(cast).status_code == 200


def test_experts_are_invited_to_a_draft_and_to_a_paused_study(cast: Cast) -> None:
    url = f"/api/v1/studies/{cast.study.id}/invitations"
    body = {"role": "expert", "batches": []}
    for status, code in ((Status.DRAFT, 201), (Status.PAUSED, 201), (Status.FROZEN, 409)):
        put_in(cast, status)
        invited = {**body, "email": f"{uuid.uuid4().hex}@hospital.example"}
        client = client_of(cast.coordinator)
        assert client.post(url, invited, "application/json").status_code == code


def test_an_answer_that_a_pause_refused_is_accepted_unchanged_after_it(cast: Cast) -> None:
    assignment, key = cast.assignment(), str(uuid.uuid4())
    body = response_body(assignment, "agree")
    assert change(cast, status="paused").status_code == 200
    expert = client_of(cast.expert)
    assert put_response(expert, assignment, body, key).json()["code"] == "study_paused"
    assert change(cast, status="open").status_code == 200
    assert put_response(expert, assignment, body, key).status_code == 200


def test_a_refused_move_names_the_state_and_the_moves(cast: Cast) -> None:
    put_in(cast, Status.CLOSED)
    refused = change(cast, status="paused", description="New")
    sentence = "This study is closed. It can become open or frozen, not paused."
    assert (refused.status_code, refused.json()["detail"]) == (409, sentence)
    assert Study.objects.get(pk=cast.study.pk).description == ""
    assert change(cast, status="frozen").json()["code"] == "release_needed"


def test_nothing_of_a_frozen_study_is_changed(cast: Cast) -> None:
    put_in(cast, Status.FROZEN)
    assert change(cast, description="New").json()["code"] == "study_frozen"
    assert change(cast, status="open").json()["code"] == "study_frozen"
    url = f"/api/v1/studies/{cast.study.id}/experts/{cast.expert.id}/batches"
    assigned = client_of(cast.coordinator).put(url, {"batches": []}, "application/json")
    assert assigned.json()["code"] == "study_frozen"


def clone(cast: Cast, name: str) -> Any:
    url = f"/api/v1/studies/{cast.study.id}/clone"
    return client_of(cast.coordinator).post(url, {"name": name}, "application/json")


def test_a_clone_is_a_draft_with_the_questions_and_nobody_but_its_coordinator(cast: Cast) -> None:
    design = StudyDesign.objects.create(
        study=cast.study, seed=3, overlap=2, arm_shares={"prior": {"hidden": 0.5}}
    )
    answer(cast)
    publish(cast, "First.", must_be_read=False)
    publish(cast, "Rank by surprise.")
    change(cast, description="Which drugs?", contact="ada@hospital.example")
    created = clone(cast, "Second round")
    assert created.status_code == 201
    copy = Study.objects.get(pk=created.json()["id"])
    assert (copy.status, copy.description, copy.contact) == (
        Status.DRAFT,
        "Which drugs?",
        "ada@hospital.example",
    )
    assert [(one.user, one.role) for one in copy.members.all()] == [
        (cast.coordinator, Member.Role.COORDINATOR)
    ]
    assert (copy.design.overlap, copy.design.arm_shares) == (2, design.arm_shares)
    assert copy.design.seed != design.seed
    assert questions_of(copy) == questions_of(cast.study)
    texts = copy.guidelines.values_list("number", "text", "must_be_read")
    assert list(texts) == [(1, "Rank by surprise.", True)]
    assert not copy.assignments.exists()
    assert clone(cast, "Second round").json()["code"] == "name_taken"


def test_who_coordinates_a_study_and_does_not_own_its_questions_cannot_copy_it(cast: Cast) -> None:
    ben = make_user("Ben")
    Member.objects.create(study=cast.study, user=ben, role=Member.Role.COORDINATOR)
    url = f"/api/v1/studies/{cast.study.id}/clone"
    refused = client_of(ben).post(url, {"name": "Second round"}, "application/json")
    assert refused.status_code == 403
    assert not Study.objects.filter(name="Second round").exists()


def questions_of(study: Study) -> list[tuple[int, str, uuid.UUID]]:
    entries = BatchQuestion.objects.filter(batch__study=study)
    rows = entries.values_list("batch__number", "batch__name", "question")
    return list(rows.order_by("batch__number", "question"))


def test_a_study_is_created_as_a_draft(cast: Cast) -> None:
    for extra, status in ((["--draft"], Status.DRAFT), ([], Status.OPEN)):
        owner = QuestionSet.objects.create(name=f"Set {status}")
        make_question(owner, 1, (1, 2, 3))
        arguments = ["ranking", "--question-set", owner.name, "--name", f"New {status}"]
        people = ["--coordinator", cast.coordinator.email]
        call_command("create_study", *arguments, *people, *extra, stdout=StringIO())
        assert Study.objects.get(name=f"New {status}").status == status
