"""No expert can read the model, arm, score or side of a hypothesis, or of a model judge."""

import json
from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async

from annotation.agreement import recompute_agreement
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.models import Assignment
from tests.annotation.pair_study import (
    JUDGE,
    RATIONALE,
    SCORES,
    SECRETS,
    close,
    judged,
    load_judge,
    make_pair_cast,
    pair_answer,
    prefer,
)
from tests.annotation.personas import client_of, join_as_expert, make_user, put_response
from tests.annotation.route_contents import MIN_ROUTES, content_of, read_all_routes
from tests.annotation.socket_client import open_socket
from tests.architecture.routes import STUDY, World, make_world
from tests.thorough import thorough

JSON = "application/json"
TEXT = "hypothesis of case 1"


@pytest.fixture
def world(db: None) -> World:
    """Four experts and a model judge have answered the first pair."""
    cast = make_pair_cast()
    experts = [cast.expert, cast.colleague]
    experts += [join_as_expert(cast.study, cast.batches, make_user(name)) for name in ("X", "Y")]
    for expert in experts:
        prefer(cast.assignment(expert), 1)
    load_judge(cast, *judged(0, "a", "b"))
    recompute_agreement(batch_id=cast.batch.id)
    return make_world(cast)


def secrets_in(text: str) -> list[str]:
    return [one for one in (*SECRETS, JUDGE, RATIONALE) if one in text]


@pytest.mark.parametrize(
    "is_closed",
    [pytest.param(False, id="open"), pytest.param(True, id="closed", marks=thorough)],
)
def test_no_route_names_what_is_hidden(world: World, is_closed: bool) -> None:
    if is_closed:
        close(world.cast.study)
    answers = read_all_routes(world, "expert")
    assert len(answers) >= MIN_ROUTES
    leaks = {name: secrets_in(content) for name, content in answers.items()}
    assert {name: secrets for name, secrets in leaks.items() if secrets} == {}
    assignments = "get api/v1/batches/<uuid:batch_id>/assignments"
    assert TEXT in answers[assignments]
    compared = answers["get api/v1/batches/<uuid:batch_id>/comparison"]
    assert ("others chose" in compared) == is_closed


def test_neither_a_conflict_nor_a_refusal_names_it(world: World) -> None:
    cast, client = world.cast, client_of(world.cast.expert)
    body = {"version": 0, "action": "save", "outcome": "", "active_ms": 0}
    answers = [
        put_response(client, cast.assignment(), {**body, "payload": pair_answer("a")}),
        put_response(client, cast.assignment(), {**body, "version": 1, "payload": {"choice": 7}}),
    ]
    assert [one.status_code for one in answers] == [409, 422]
    assert [secrets_in(content_of(one)) for one in answers] == [[], []]


# Over all pairs, of which none is named: models ranked by votes, and the judges that were loaded.
OF_THE_STUDY = {f"get {STUDY}/statistics", f"get {STUDY}/judges"}


def test_who_adjudicates_blind_reads_none_of_it_before_the_answer(world: World) -> None:
    """The only pair is the one that is adjudicated."""
    cast = world.cast
    client, pair = client_of(cast.coordinator), cast.assignment().question
    base = f"/api/v1/studies/{cast.study.id}"
    decision = {"action": "adjudicate", "questions": [str(pair.id)]}
    client.post(f"{base}/decisions", decision, JSON)
    assert client.post(f"{base}/questions/{pair.id}/adjudication").status_code == 200
    own = Assignment.objects.adjudications().get(question=pair)

    answers = read_all_routes(world, "coordinator")
    assert len(answers) >= MIN_ROUTES
    stale = {"version": 9, "action": "save", "outcome": "", "active_ms": 0}
    body = {**stale, "payload": pair_answer("a")}
    answers["a conflict"] = content_of(put_response(client, own, body))
    evidence = client.get(f"/api/v1/assignments/{own.id}/evidence")
    answers["evidence of the pair"] = content_of(evidence)
    by_answer = {name: secrets_in(content) for name, content in answers.items()}
    leaks = {name: secrets for name, secrets in by_answer.items() if secrets}
    assert leaks.keys() <= OF_THE_STUDY
    assert not any(TEXT in answers[name].lower() for name in leaks)
    assert not any(str(score) in answers[name] for name in leaks for score in SCORES)
    assert TEXT in answers[f"post {STUDY}/questions/<uuid:question_id>/adjudication"]

    prefer(own, 0)
    assert secrets_in(content_of(client.get(f"{base}/export.json"))) == [*SECRETS, JUDGE, RATIONALE]


def test_its_coordinator_exports_all_of_it(world: World) -> None:
    """So that the secrets are there to be found."""
    exported = "".join(export_json(world.cast.study))
    assert secrets_in(exported) == [*SECRETS, JUDGE, RATIONALE]
    assert secrets_in("".join(export_csv(world.cast.study))) == [*SECRETS, JUDGE, RATIONALE]


@pytest.mark.django_db(transaction=True)
async def test_no_socket_names_it(run_queued_tasks: Callable[[], list[str]]) -> None:
    """An expert's sockets are closed, and what a coordinator's carry has no answer in it."""
    cast = await sync_to_async(make_pair_cast)()
    path = f"/ws/studies/{cast.study.id}"
    refused = await open_socket(path, cast.expert)
    assert await refused.closed_with() is not None
    page = await open_socket(path, cast.coordinator)
    await sync_to_async(prefer)(await sync_to_async(cast.assignment)(), 1)
    await sync_to_async(run_queued_tasks)()
    messages = [await page.expect_change() for _ in range(2)]
    await page.disconnect()
    assert secrets_in(json.dumps(messages)) == []
