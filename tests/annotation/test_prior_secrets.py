"""No expert can read the prior of a question whose prior is hidden from them."""

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from annotation.agreement import recompute_agreement
from annotation.exports import export_json
from annotation.models import Assignment
from annotation.study_creation import Design, set_design
from tests.annotation.pair_study import close
from tests.annotation.personas import (
    Cast,
    cast_of,
    client_of,
    make_study,
    make_user,
    prior_of,
    put_response,
    response_body,
    write_answer,
)
from tests.annotation.route_contents import MIN_ROUTES, content_of, read_all_routes
from tests.architecture.routes import World, make_world
from tests.thorough import thorough

CANARIES = (31_415, 27_182, 16_180, 14_142)
KEYS = ('"prior"', '"prior_rank"')
# What is the same for everybody: an invented question, the API's schema, the kinds with their arms.
PUBLIC = frozenset({"get api/v1/practice-questions", "get api/schema", "get api/v1/study-kinds"})


def make_hidden_cast() -> Cast:
    coordinator = make_user("Ada")
    study, batches = make_study("Hidden", coordinator, prior_ranks=CANARIES)
    set_design(study, Design(seed=3, arm_shares={"prior": {"hidden": 1.0}}))
    return cast_of(coordinator, study, batches)


def submit_own_order(assignment: Assignment) -> None:
    """Neither the prior nor its reverse, of which a part could be read as the prior's."""
    one, other, *rest = prior_of(assignment)
    write_answer(assignment, "submit", outcome="ranked", ranking=[other, *rest[::-1], one])


@pytest.fixture
def world(db: None) -> World:
    """Both experts have answered the first question."""
    cast = make_hidden_cast()
    for expert in (cast.expert, cast.colleague):
        submit_own_order(cast.assignment(expert))
    recompute_agreement(batch_id=cast.batch.id)
    return make_world(cast)


def marks_in(text: str) -> list[str]:
    """Ranks of the prior that stand alone: digits inside ids and times are none."""
    ranks = [one for one in CANARIES if re.search(rf"(?<![\w.-]){one}(?![\w.-])", text)]
    return [*map(str, ranks), *(key for key in KEYS if key in text)]


def orders_in(value: Any, ids: Collection[str]) -> Iterator[list[str]]:
    """Every list of JSON that names each candidate once: by its id, or with it, or in a group."""
    if isinstance(value, dict):
        for one in value.values():
            yield from orders_in(one, ids)
    elif isinstance(value, list):
        named = [name for one in value if (name := candidate_of(one)) in ids]
        if sorted(named) == sorted(ids):
            yield named
        for one in value:
            yield from orders_in(one, ids)


def candidate_of(value: Any) -> str:
    while isinstance(value, list) and len(value) == 1:
        (value,) = value
    if isinstance(value, dict):
        value = value.get("candidate") or value.get("id")
    return value if isinstance(value, str) else ""


def shown_priors(content: str, world: World) -> list[str]:
    """Questions whose candidates are listed in the order of the prior. That of random ids, or the
    one in which the expert starts, may be the same by chance."""
    try:
        body = json.loads(content.partition("\n")[2])
    except ValueError:
        return []
    rows = Assignment.objects.filter(study=world.cast.study, expert=world.cast.expert)
    result = []
    for row in rows.select_related("question", "expert"):
        prior = [one for (one,) in prior_of(row)]
        if prior not in (sorted(prior), start_order(row)) and prior in orders_in(body, prior):
            result.append(row.question.text)
    return result


def start_order(assignment: Assignment) -> list[str]:
    address = f"/api/v1/batches/{assignment.batch_id}/assignments"
    rows = client_of(assignment.expert).get(address).json()["assignments"]
    (item,) = (one["item"] for one in rows if one["id"] == str(assignment.id))
    return [one["id"] for one in item["candidates"]]


@pytest.mark.parametrize(
    "is_closed",
    [pytest.param(False, id="open"), pytest.param(True, id="closed", marks=thorough)],
)
def test_no_route_shows_the_prior_its_ranks_or_its_order(world: World, is_closed: bool) -> None:
    """Of all that an expert can read, one's own data among it; exports are the coordinators'."""
    if is_closed:
        close(world.cast.study)
    answers = read_all_routes(world, "expert", ["get"])
    assert len(answers) >= MIN_ROUTES
    own = {name: text for name, text in answers.items() if name not in PUBLIC}
    assert {name: marks for name, text in own.items() if (marks := marks_in(text))} == {}
    assert {name: them for name, text in own.items() if (them := shown_priors(text, world))} == {}
    ids = [str(one.id) for one in world.cast.assignment().question.candidates.all()]
    for name in ("get api/v1/me/data", "get api/v1/batches/<uuid:batch_id>/assignments"):
        assert any(orders_in(json.loads(own[name].partition("\n")[2]), ids))


def test_neither_a_conflict_nor_a_refusal_shows_it(world: World) -> None:
    assignment, client = world.cast.assignment(), client_of(world.cast.expert)
    body = response_body(assignment, "save", ranking=[])
    answers = [
        put_response(client, assignment, body),
        put_response(client, assignment, {**body, "version": 1, "payload": {"ranking": 7}}),
        put_response(client, assignment, {**response_body(assignment, "agree"), "version": 1}),
    ]
    assert [one.status_code for one in answers] == [409, 422, 422]
    assert [marks_in(content_of(one)) for one in answers] == [[], [], []]


def test_no_message_to_sockets_shows_it(
    world: World,
    socket_messages: list[str],
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Of an answer, and of the agreement that a worker computes after it."""
    with django_capture_on_commit_callbacks(execute=True):
        submit_own_order(world.cast.assignment(number=2))
    with django_capture_on_commit_callbacks(execute=True):
        run_queued_tasks()
    text = "\n".join(socket_messages)
    assert str(world.cast.study.id) in text and len(socket_messages) > 1
    assert marks_in(text) == []
    ids = [str(one.id) for one in world.cast.assignment(number=2).question.candidates.all()]
    assert not any(one in text for one in ids)


def test_its_coordinator_exports_all_of_it(world: World) -> None:
    """So that the marks are there to be found."""
    exported = "".join(export_json(world.cast.study))
    assert marks_in(exported) == [*map(str, CANARIES), *KEYS]
