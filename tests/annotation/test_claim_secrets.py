"""Nothing that an expert can reach names the model, arm or verdict of a claim's automatic judge."""

import json
from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async

from annotation.agreement import recompute_agreement
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from tests.annotation.claim_study import SECRETS, claim_answer, decide, edge, make_claim_cast
from tests.annotation.pair_study import close
from tests.annotation.personas import client_of, join_as_expert, make_user, put_response
from tests.annotation.route_contents import MIN_ROUTES, content_of, read_all_routes
from tests.annotation.socket_client import open_socket
from tests.architecture.routes import World, make_world


@pytest.fixture
def world(db: None) -> World:
    """Four experts have answered the first claim."""
    cast = make_claim_cast()
    experts = [cast.expert, cast.colleague]
    experts += [join_as_expert(cast.study, cast.batches, make_user(name)) for name in ("X", "Y")]
    for expert in experts:
        decide(cast.assignment(expert), "supported", [edge(0)])
    recompute_agreement(batch_id=cast.batch.id)
    return make_world(cast)


def secrets_in(text: str) -> list[str]:
    return [one for one in SECRETS if one in text]


def test_no_route_names_the_judge_of_an_open_or_closed_study(world: World) -> None:
    for is_closed in (False, True):
        if is_closed:
            close(world.cast.study)
        answers = read_all_routes(world, "expert")
        assert len(answers) >= MIN_ROUTES
        named = {name: secrets_in(content) for name, content in answers.items()}
        leaks = {name: secrets for name, secrets in named.items() if secrets}
        assert leaks == {}, f"closed: {is_closed}"
        assert "Claim of case 1." in answers["get api/v1/batches/<uuid:batch_id>/assignments"]
        compared = answers["get api/v1/batches/<uuid:batch_id>/comparison"]
        assert ("others chose supported" in compared) == is_closed


def test_neither_a_conflict_nor_a_refusal_names_it(world: World) -> None:
    cast, client = world.cast, client_of(world.cast.expert)
    body = {"version": 0, "action": "save", "outcome": "", "active_ms": 0}
    answers = [
        put_response(client, cast.assignment(), {**body, "payload": claim_answer("not_sure")}),
        put_response(client, cast.assignment(), {**body, "version": 1, "payload": {"verdict": 7}}),
    ]
    assert [one.status_code for one in answers] == [409, 422]
    assert [secrets_in(content_of(one)) for one in answers] == [[], []]


def test_its_coordinator_exports_all_of_it(world: World) -> None:
    """So that the secrets are there to be found."""
    assert secrets_in("".join(export_json(world.cast.study))) == list(SECRETS)
    assert secrets_in("".join(export_csv(world.cast.study))) == list(SECRETS)


@pytest.mark.django_db(transaction=True)
async def test_no_socket_names_it(run_queued_tasks: Callable[[], list[str]]) -> None:
    cast = await sync_to_async(make_claim_cast)()
    path = f"/ws/studies/{cast.study.id}"
    refused = await open_socket(path, cast.expert)
    assert await refused.closed_with() is not None
    page = await open_socket(path, cast.coordinator)
    assignment = await sync_to_async(cast.assignment)()
    await sync_to_async(decide)(assignment, "supported", [edge(0)])
    await sync_to_async(run_queued_tasks)()
    messages = [await page.expect_change() for _ in range(2)]
    await page.disconnect()
    assert secrets_in(json.dumps(messages)) == []
