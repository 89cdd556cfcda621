"""Queries of several sets in one study of ratings, without their source."""

import json
from collections.abc import Callable
from itertools import pairwise

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.test import Client

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.kinds.ratings.mixed_sets import mix_question_sets
from annotation.kinds.written_queries.rated_queries import SCALES
from annotation.study_creation import create_study_from_set
from backend.accounts.models import User
from backend.benchmarks.models import Question, QuestionSet, Release
from backend.common.errors import Conflict, DomainError
from tests.annotation.mixed_study import (
    MODELS,
    PEOPLE,
    QUERIES,
    SECRETS,
    assignments_of,
    close,
    make_mixed_cast,
    make_set,
    make_sets,
    source_of,
    submit_level,
)
from tests.annotation.personas import Cast, client_of, make_user
from tests.annotation.route_contents import MIN_ROUTES, read_all_routes
from tests.annotation.socket_client import open_socket
from tests.architecture.routes import make_world
from tests.thorough import thorough

PATH = "/api/v1/mixed-question-sets"
JSON = "application/json"


@pytest.fixture
def owner(db: None) -> User:
    return make_user("Ada")


@pytest.fixture
def cast(db: None) -> Cast:
    return make_mixed_cast()


def secrets_in(text: str) -> list[str]:
    return [one for one in SECRETS if one in text]


@pytest.mark.parametrize(
    "is_closed",
    [pytest.param(False, id="open"), pytest.param(True, id="closed", marks=thorough)],
)
def test_no_route_names_the_source_to_an_expert(cast: Cast, is_closed: bool) -> None:
    for one in assignments_of(cast.study):
        submit_level(one, 4 if source_of(one) == PEOPLE else 2)
    world = make_world(cast)
    if is_closed:
        close(cast.study)
    answers = read_all_routes(world, "expert")
    assert len(answers) >= MIN_ROUTES
    leaks = {name: secrets_in(content) for name, content in answers.items()}
    assert {name: secrets for name, secrets in leaks.items() if secrets} == {}
    assert "What is number" in answers["get api/v1/batches/<uuid:batch_id>/assignments"]


def test_items_of_both_sources_have_the_same_form(cast: Cast) -> None:
    """Before, the evidence listed one answer of a written query and several of another."""
    client = client_of(cast.expert)
    make_world(cast)  # which shows a graph as evidence
    body = client.get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    forms = set()
    for one in body["assignments"]:
        item = one["item"]
        assert item["text"] == item["text"].strip()
        assert item["details"].startswith("Answer: Entity ") and "\n" not in item["details"]
        evidence = client.get(f"/api/v1/assignments/{one['id']}/evidence").json()
        forms.add((item["category"], json.dumps(item["resources"]), len(evidence["candidates"])))
    assert forms == {("", "[]", 0)}


def test_neither_ids_nor_order_follow_the_sources(cast: Cast) -> None:
    questions = Question.objects.filter(question_set__name="Mixed").order_by("number")
    assert [one.file_id for one in questions] == [str(place) for place in range(2 * QUERIES)]
    order = [one.payload["source"] for one in questions]
    assert sorted(order) == [MODELS] * QUERIES + [PEOPLE] * QUERIES
    changes = sum(one != other for one, other in pairwise(order))
    assert changes > 2


@pytest.mark.django_db(transaction=True)
async def test_no_socket_names_the_source(run_queued_tasks: Callable[[], list[str]]) -> None:
    cast = await sync_to_async(make_mixed_cast)()
    path = f"/ws/studies/{cast.study.id}"
    refused = await open_socket(path, cast.expert)
    assert await refused.closed_with() is not None
    page = await open_socket(path, cast.coordinator)
    [first, *_] = await sync_to_async(assignments_of)(cast.study)
    await sync_to_async(submit_level)(first, 4)
    await sync_to_async(run_queued_tasks)()
    messages = [await page.expect_change() for _ in range(2)]
    await page.disconnect()
    assert secrets_in(json.dumps(messages)) == []


def test_its_coordinator_exports_the_source_of_each_question(cast: Cast) -> None:
    exported = json.loads("".join(export_json(cast.study)))
    questions = [one for batch in exported["batches"] for one in batch["questions"]]
    sources = [one["for_coordinators"]["source"] for one in questions]
    assert sorted(sources) == [MODELS] * QUERIES + [PEOPLE] * QUERIES
    assert secrets_in("".join(export_csv(cast.study))) == [PEOPLE, MODELS]


def test_a_study_of_one_set_exports_no_source(owner: User) -> None:
    study = create_study_from_set(
        actor=owner, name="One", question_set=make_set(owner, PEOPLE), kind="ratings"
    ).study
    assert "for_coordinators" not in "".join(export_json(study))


def test_a_seed_repeats_the_order_and_without_one_it_is_drawn(owner: User) -> None:
    sets = make_sets(owner)
    mixed = [
        mix_question_sets(actor=owner, name=f"Mixed {place}", sets=sets, seed=seed)
        for place, seed in enumerate([7, 7, None, None])
    ]
    orders = [
        [*Question.objects.filter(question_set=one.question_set).values_list("text", flat=True)]
        for one in mixed
    ]
    assert orders[0] == orders[1]
    assert len({one.seed for one in mixed}) == 3
    assert len({tuple(one) for one in orders}) == 3


def test_the_command_stores_the_set_of_the_owner(
    owner: User, capsys: pytest.CaptureFixture[str]
) -> None:
    make_sets(owner)
    call_command("mix_queries", PEOPLE, MODELS, "--name", "Mixed", "--seed", "3", "--json")
    printed = json.loads(capsys.readouterr().out)
    mixed = QuestionSet.objects.get(name="Mixed")
    assert (mixed.created_by, printed["question_set"]) == (owner, str(mixed.id))
    assert (printed["queries"], printed["seed"]) == (2 * QUERIES, 3)
    assert [one["queries"] for one in printed["sources"]] == [QUERIES, QUERIES]
    call_command("mix_queries", PEOPLE, MODELS, "--name", "Again")
    assert f"{QUERIES} from '{MODELS}'." in capsys.readouterr().out


def test_public_queries_are_counted_since_experts_can_look_them_up(owner: User) -> None:
    sets = make_sets(owner)
    sets[0].is_demo = True
    sets[0].save()
    mixed = mix_question_sets(actor=owner, name="Mixed", sets=sets)
    assert [one.public for one in mixed.sources] == [QUERIES, 0]


def test_a_mixed_set_is_hidden_with_the_release_of_its_sets(owner: User) -> None:
    sets = make_sets(owner)
    releases = [
        Release.objects.create(track="truthhypo", name=name, slug=name, test_share=1, seed=0)
        for name in ("first", "second")
    ]
    sets[1].hidden_with = releases[0]
    sets[1].save()
    mixed = mix_question_sets(actor=owner, name="Mixed", sets=sets)
    assert QuestionSet.objects.get(pk=mixed.question_set).hidden_with == releases[0]
    sets[0].hidden_with = releases[1]
    sets[0].save()
    with pytest.raises(Conflict, match="different releases"):
        mix_question_sets(actor=owner, name="Other", sets=sets)


def test_sets_that_cannot_be_compared_are_refused(owner: User) -> None:
    sets = make_sets(owner)
    foreign, other = make_set(make_user("Otto"), "Foreign"), make_set(owner, "Other scales")
    for one in other.questions.all():
        one.payload["scales"] = one.payload["scales"][:1]
        one.save()
    empty = QuestionSet.objects.create(name="Empty", created_by=owner)
    mixed = QuestionSet.objects.get(
        pk=mix_question_sets(actor=None, name="First", sets=sets).question_set
    )
    for chosen, code in (
        ([sets[0], foreign], "owners_differ"),
        ([sets[0], other], "scales_differ"),
        ([sets[0], sets[0]], "sets_not_mixable"),
        ([sets[0]], "sets_not_mixable"),
        ([sets[0], empty], "no_questions"),
        ([sets[0], mixed], "already_mixed"),
    ):
        with pytest.raises(DomainError) as refused:
            mix_question_sets(actor=None, name="Mixed", sets=chosen)
        assert refused.value.code == code
    with pytest.raises(Conflict, match="this name"):
        mix_question_sets(actor=None, name=PEOPLE, sets=sets)
    assert not QuestionSet.objects.filter(name="Mixed").exists()


def test_the_api_mixes_sets_for_their_owner_alone(cast: Cast) -> None:
    sets = QuestionSet.objects.filter(name__in=(PEOPLE, MODELS))
    body = {"name": "By API", "question_sets": [str(one.id) for one in sets]}

    def post(client: Client, **changes: object) -> int:
        return client.post(PATH, {**body, **changes}, JSON).status_code

    assert post(client_of(cast.expert)) == 403
    assert post(client_of(cast.other_coordinator)) == 404
    coordinator = client_of(cast.coordinator)
    assert post(coordinator, question_sets=body["question_sets"][:1]) == 422
    created = coordinator.post(PATH, body, JSON)
    assert created.status_code == 201
    assert created.json()["queries"] == 2 * QUERIES
    assert post(coordinator) == 409
    assert QuestionSet.objects.get(name="By API").created_by == cast.coordinator


def test_a_coordinator_of_a_study_of_a_set_does_not_mix_it(cast: Cast) -> None:
    """They read the set, which is somebody else's."""
    client = client_of(cast.other_coordinator)
    sets = [make_set(cast.other_coordinator, "Own"), make_set(cast.coordinator, "Shared")]
    study = create_study_from_set(
        actor=cast.coordinator, name="Shared", question_set=sets[1], kind="ratings"
    ).study
    study.members.create(user=cast.other_coordinator, role="coordinator")
    body = {"name": "Mixed by another", "question_sets": [str(one.id) for one in sets]}
    assert client.post(PATH, body, JSON).status_code == 403


def test_the_scales_of_written_and_synthesized_queries_can_be_mixed(cast: Cast) -> None:
    [scales] = {
        json.dumps([scale["name"] for scale in one.question.payload["scales"]])
        for one in assignments_of(cast.study)
    }
    assert json.loads(scales) == [name for name, *_ in SCALES]
