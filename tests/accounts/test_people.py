"""Who I am, and what an administrator sees of people and their invitations."""

import io
import json
import uuid

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from backend.accounts import services
from backend.accounts.demo import ensure_account
from backend.accounts.models import Invitation, User
from tests.personas import PASSWORD, Answer, Person, make_person


def code_of(answer: Answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_visitor_is_nobody_and_gets_a_csrf_token(visitor: APIClient) -> None:
    answer = visitor.get("/api/v1/me")
    assert answer.json() == {"user": None}
    assert len(answer.cookies["csrftoken"].value) >= 32


def test_a_person_sees_herself(outsider: Person) -> None:
    assert outsider.browser.get("/api/v1/me").json() == {
        "user": {
            "id": str(outsider.user.pk),
            "email": "olga@example.org",
            "name": "Olga",
            "is_simulated": False,
            "has_password": False,
            "address_confirmed": True,
            "roles": {"researcher": False, "administrator": False},
            "studies": [],
        }
    }


def test_a_person_changes_her_name_and_nothing_else(outsider: Person) -> None:
    sent = {"name": " Olga Weiß ", "email": "x@example.org", "roles": {"administrator": True}}
    answer = outsider.browser.patch("/api/v1/me", sent)
    assert answer.json()["user"]["name"] == "Olga Weiß"
    outsider.user.refresh_from_db()
    assert (outsider.user.email, outsider.user.is_administrator) == ("olga@example.org", False)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 121, None, 5.5, ["a"]])
def test_a_name_is_one_line_of_text(name: object, outsider: Person) -> None:
    answer = outsider.browser.patch("/api/v1/me", {"name": name})
    if isinstance(name, float):
        assert answer.json()["user"]["name"] == "5.5"
    else:
        assert code_of(answer) == (422, "invalid")


def test_a_visitor_cannot_change_a_name(visitor: APIClient) -> None:
    answer = visitor.patch("/api/v1/me", {"name": "X"})
    assert code_of(answer) == (401, "sign_in")
    assert answer["WWW-Authenticate"] == "Session"


def test_a_deactivated_account_is_signed_out_at_once(outsider: Person) -> None:
    User.objects.filter(pk=outsider.user.pk).update(is_active=False)
    assert outsider.browser.get("/api/v1/me").json() == {"user": None}


PLACES = [
    ("get", "/api/v1/people"),
    ("get", "/api/v1/people/invitations"),
    ("post", "/api/v1/people/invitations"),
    ("post", f"/api/v1/people/invitations/{uuid.UUID(int=1)}/revoke"),
]


@pytest.mark.parametrize(("method", "place"), PLACES)
def test_only_administrators_see_people_and_invite_to_the_site(
    method: str, place: str, visitor: APIClient, outsider: Person, researcher: Person
) -> None:
    sent = {"email": "guest@example.org", "role": "administrator"}
    assert code_of(getattr(visitor, method)(place, sent)) == (401, "sign_in")
    for person in (outsider, researcher):
        assert code_of(getattr(person.browser, method)(place, sent)) == (403, "not_allowed")
    assert not Invitation.objects.exists()


def test_an_administrator_pages_through_people(administrator: Person) -> None:
    for number in range(4):
        make_person(f"person{number}")
    first = administrator.browser.get("/api/v1/people?limit=3").json()
    second = administrator.browser.get(first["next"]).json()
    emails = [person["email"] for page in (first, second) for person in page["results"]]
    assert emails == [f"person{n}@example.org" for n in (3, 2, 1, 0)] + ["amara@example.org"]
    assert (first["previous"], second["next"]) == (None, None)
    assert set(first["results"][0]) == {
        "id", "email", "name", "roles", "is_active", "is_simulated", "created_at"
    }  # fmt: skip


@pytest.mark.parametrize("role", ["expert", "coordinator", "owner", "", None, 7])
def test_only_roles_of_the_site_are_given_here(role: object, administrator: Person) -> None:
    sent = {"email": "guest@example.org", "role": role}
    answer = administrator.browser.post("/api/v1/people/invitations", sent)
    assert code_of(answer) == (422, "invalid")
    assert [fault["place"] for fault in answer.json()["errors"]] == ["role"]


@pytest.mark.parametrize("email", ["", "nobody", "müller@example.org", "a@b@c.de", "a\x00@b.de", 5])
def test_an_address_must_be_one(email: object, administrator: Person) -> None:
    sent = {"email": email, "role": "researcher"}
    answer = administrator.browser.post("/api/v1/people/invitations", sent)
    assert answer.status_code in {400, 422}
    assert not Invitation.objects.exists()


def test_an_administrator_sees_and_withdraws_invitations(administrator: Person) -> None:
    services.create_invitation(actor=administrator.user, email="e@example.org", role="expert")
    invitation, token = services.create_invitation(
        actor=None, email="guest@example.org", role="researcher"
    )
    [listed] = administrator.browser.get("/api/v1/people/invitations").json()["results"]
    assert (listed["id"], listed["state"], listed["invited_by"]) == (
        str(invitation.pk),
        "open",
        None,
    )
    place = f"/api/v1/people/invitations/{invitation.pk}/revoke"
    for _ in range(2):
        assert administrator.browser.post(place).json()["state"] == "revoked"
    answer = APIClient().post("/api/v1/invitations/accept", {"token": token, "name": "G"})
    assert code_of(answer) == (410, "invitation_revoked")


def test_an_accepted_invitation_cannot_be_withdrawn(administrator: Person) -> None:
    invitation, token = services.create_invitation(
        actor=None, email="guest@example.org", role="researcher"
    )
    APIClient().post("/api/v1/invitations/accept", {"token": token, "name": "Gita"})
    answer = administrator.browser.post(f"/api/v1/people/invitations/{invitation.pk}/revoke")
    assert code_of(answer) == (409, "invitation_used")


def test_an_administrator_does_not_withdraw_a_studys_invitation(administrator: Person) -> None:
    invitation, _ = services.create_invitation(actor=None, email="e@example.org", role="expert")
    answer = administrator.browser.post(f"/api/v1/people/invitations/{invitation.pk}/revoke")
    assert code_of(answer) == (404, "not_found")
    invitation.refresh_from_db()
    assert invitation.state == "open"


@pytest.mark.django_db
def test_the_first_administrator_is_invited_from_the_server() -> None:
    out = io.StringIO()
    call_command("invite", "Root@Example.org", role="administrator", json=True, stdout=out)
    made = json.loads(out.getvalue())
    browser = APIClient()
    token = made["link"].partition("/invite#")[2]
    assert browser.post("/api/v1/invitations/accept", {"token": token, "name": "Root"}).json() == {
        "role": "administrator",
        "study_id": None,
        "confirm_address": False,
    }
    assert browser.get("/api/v1/people").status_code == 200


@pytest.mark.django_db
def test_the_command_says_the_link_in_a_line_of_its_own() -> None:
    out = io.StringIO()
    call_command("invite", "root@example.org", role="researcher", stdout=out)
    assert out.getvalue().splitlines()[-1].startswith("http://127.0.0.1:8000/invite#")
    with pytest.raises(CommandError, match="'root' is not an e-mail address"):
        call_command("invite", "root", role="researcher")
    with pytest.raises(CommandError, match="invalid choice: 'expert'"):
        call_command("invite", "root@example.org", role="expert")


@pytest.mark.django_db
def test_a_demo_account_is_made_once_and_opens_nobodys_account() -> None:
    demo = {"email": "ines@demo.example", "name": "Ines", "password": PASSWORD}
    first = ensure_account(**demo, is_simulated=True)  # type: ignore[arg-type]  # texts only
    again = ensure_account(**{**demo, "password": "another"})  # type: ignore[arg-type]  # texts only
    assert again.pk == first.pk
    assert again.check_password(PASSWORD)
    with pytest.raises(ValueError, match=r"@demo\.example"):
        ensure_account(email="ines@example.org", name="Ines", password=PASSWORD)
