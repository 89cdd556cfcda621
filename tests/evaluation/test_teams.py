"""Teams: invitations, models and submissions in common, and queries counted as one's."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from backend.accounts.models import TeamMember
from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from backend.evaluation.queries import number_queries
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
TEAM, QUERIES = "/api/v1/team", "/api/v1/releases/pairs/queries"


@pytest.fixture
def mate(db: None) -> Person:
    return make_person("mia", is_researcher=True)


def join(owner: Person, member: Person) -> None:
    owner.browser.post(f"{TEAM}/invitations", {"email": member.user.email})
    (invitation,) = member.browser.get(TEAM).json()["invitations"]
    path = f"{TEAM}/invitations/{invitation['id']}/accept"
    assert member.browser.post(path).status_code == 200


@pytest.fixture
def team(researcher: Person, mate: Person) -> str:
    assert researcher.browser.post(TEAM, {"name": "Two"}).status_code == 201
    join(researcher, mate)
    return "Two"


def used(person: Person) -> int:
    return int(person.browser.get(QUERIES).json()["used"])


def submit_as(person: Person, model: str, numbers: int) -> Any:
    body = form(prediction_lines(range(numbers)), model=model)
    return send(person.browser, SUBMISSIONS, body)


def test_an_invitation_waits_for_its_account_and_reveals_none(
    researcher: Person,
    mate: Person,
    outsider: Person,
    django_capture_on_commit_callbacks: Any,
    sent_at_once: None,
) -> None:
    researcher.browser.post(TEAM, {"name": "Two"})
    answers = []
    with django_capture_on_commit_callbacks(execute=True):
        for email in (mate.user.email, "nobody@example.org"):
            answer = researcher.browser.post(f"{TEAM}/invitations", {"email": email})
            answers.append((answer.status_code, set(answer.json())))
    assert answers[0] == answers[1] == (201, {"id", "email", "created_at"})
    assert [one.to for one in mail.outbox] == [[mate.user.email]]
    (invitation,) = mate.browser.get(TEAM).json()["invitations"]
    path = f"{TEAM}/invitations/{invitation['id']}"
    assert outsider.browser.post(f"{path}/accept").status_code == 403
    assert outsider.browser.delete(path).status_code == 404
    assert mate.browser.post(f"{path}/accept").json()["team"]["name"] == "Two"
    assert mate.browser.post(TEAM, {"name": "Another"}).json()["code"] == "already_in_team"


def test_members_submit_for_the_models_of_the_team_and_see_its_submissions(
    researcher: Person,
    mate: Person,
    outsider: Person,
    team: str,
    release: Release,
    submit_and_score: Callable[..., Any],
) -> None:
    model = researcher.browser.post("/api/v1/models", {"name": "Ours", "for_team": True}).json()
    assert (model["team"], model["is_own"]) == (team, True)
    assert mate.browser.get("/api/v1/models/ours").json()["is_own"]
    register_model(actor=researcher.user, name="Mine")
    assert mate.browser.get("/api/v1/models/mine").status_code == 404
    shared = submit_and_score(
        mate.browser, form(prediction_lines(range(60), wrong=[0]), model="ours")
    )
    personal = submit_as(researcher, "mine", 59).json()
    visible = {one["id"] for one in researcher.browser.get(SUBMISSIONS).json()["results"]}
    assert visible == {shared["id"], personal["id"]}
    assert [one["id"] for one in mate.browser.get(SUBMISSIONS).json()["results"]] == [shared["id"]]
    assert mate.browser.get(f"{SUBMISSIONS}/{personal['id']}").status_code == 404
    assert outsider.browser.get(f"{SUBMISSIONS}/{shared['id']}").status_code == 404
    assert submit_as(mate, "mine", 58).status_code == 404


def test_the_queries_of_a_team_are_those_of_all_its_members(
    researcher: Person, mate: Person, release: Release
) -> None:
    Release.objects.update(queries=2)
    register_model(actor=researcher.user, name="Mine")
    register_model(actor=mate.user, name="Other")
    assert submit_as(researcher, "mine", 60).status_code == 202
    researcher.browser.post(TEAM, {"name": "Two"})
    join(researcher, mate)
    assert (used(researcher), used(mate)) == (1, 1)
    assert submit_as(mate, "other", 60).status_code == 202
    refused = submit_as(researcher, "mine", 59)
    assert (refused.status_code, refused.json()["code"]) == (429, "queries_used_up")
    assert refused.json()["detail"].startswith("Your team has used all 2 queries")


def test_a_board_numbers_the_queries_of_a_team_as_one(
    researcher: Person, mate: Person, release: Release
) -> None:
    for person, name in ((researcher, "First"), (mate, "Second")):
        register_model(actor=person.user, name=name)
    submitted = [submit_as(mate, "second", 60)]
    researcher.browser.post(TEAM, {"name": "Two"})
    join(researcher, mate)
    submitted += [submit_as(researcher, "first", 60), submit_as(mate, "second", 59)]
    assert used(mate) == 3
    numbers = number_queries(release)
    # The second is the first one of its submitter and of the team.
    assert [numbers[uuid.UUID(one.json()["id"])] for one in submitted] == [1, 1, 3]


def test_leaving_a_team_brings_no_new_queries(
    researcher: Person, mate: Person, team: str, release: Release
) -> None:
    register_model(actor=researcher.user, name="Mine")
    for number in (60, 59):
        assert submit_as(researcher, "mine", number).status_code == 202
    removed = mate.browser.delete(f"{TEAM}/members/{mate.user.pk}")
    assert removed.status_code == 204
    assert mate.browser.get(TEAM).json()["team"] is None
    assert used(mate) == 2
    assert submit_as(researcher, "mine", 58).status_code == 202
    assert (used(researcher), used(mate)) == (3, 2)
    TeamMember.objects.filter(user=mate.user).update(left_at=timezone.now() - timedelta(days=1))
    assert used(mate) == 0  # the team had used none by then


def test_who_left_sees_what_they_submitted_and_nothing_else_of_the_team(
    researcher: Person, mate: Person, team: str, release: Release
) -> None:
    register_model(actor=researcher.user, name="Ours", for_team=True)
    by_mate = submit_as(mate, "ours", 60).json()
    by_owner = submit_as(researcher, "ours", 59).json()
    researcher.browser.delete(f"{TEAM}/members/{mate.user.pk}")
    assert [one["id"] for one in mate.browser.get(SUBMISSIONS).json()["results"]] == [by_mate["id"]]
    assert mate.browser.get(f"{SUBMISSIONS}/{by_owner['id']}").status_code == 404
    assert submit_as(mate, "ours", 58).status_code == 404
    assert Submission.objects.filter(team__name=team).count() == 2


def test_the_owner_leaves_last(researcher: Person, mate: Person, team: str) -> None:
    own = f"{TEAM}/members/{researcher.user.pk}"
    assert researcher.browser.delete(own).status_code == 409
    assert mate.browser.delete(own).status_code == 403
    assert researcher.browser.delete(f"{TEAM}/members/{mate.user.pk}").status_code == 204
    assert researcher.browser.delete(own).status_code == 204
