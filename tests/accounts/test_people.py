"""Who I am, and what an administrator sees of people and their invitations."""

import io
import json
import uuid

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from backend.accounts import invitations, services
from backend.accounts.demo import ensure_account
from backend.accounts.email_verification import derive_mailed_token
from backend.accounts.models import Invitation, User
from backend.common.errors import NotAllowed
from backend.studies.models import Member, Study
from backend.studies.policies import may_import_studies
from tests.personas import PASSWORD, Person, Response, make_person


def code_of(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_visitor_is_nobody_and_gets_a_csrf_token(visitor: APIClient) -> None:
    answer = visitor.get("/api/v1/me")
    assert answer.json() == {"user": None}
    assert len(answer.cookies["csrftoken"].value) >= 32


def test_a_person_sees_their_own_account(outsider: Person) -> None:
    assert outsider.browser.get("/api/v1/me").json() == {
        "user": {
            "id": str(outsider.user.pk),
            "email": "olga@example.org",
            "name": "Olga",
            "is_simulated": False,
            "mails_results": True,
            "has_password": False,
            "roles": {"researcher": False, "administrator": False, "coordinator": False},
            "studies": [],
        }
    }


def test_a_person_changes_their_name_and_nothing_else(outsider: Person) -> None:
    sent = {"name": " Olga Weiß ", "email": "x@example.org", "roles": {"administrator": True}}
    refused = outsider.browser.patch("/api/v1/me", sent)
    assert {one["place"] for one in refused.json()["errors"]} == {"email", "roles"}
    answer = outsider.browser.patch("/api/v1/me", {"name": sent["name"]})
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
    ("post", f"/api/v1/people/invitations/{uuid.UUID(int=1)}/resend"),
    ("patch", f"/api/v1/people/{uuid.UUID(int=1)}"),
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
        *("id", "email", "name", "roles", "is_active", "is_simulated", "created_at"),
        *("last_sign_in", "studies"),
    }  # fmt: skip


@pytest.mark.parametrize("role", ["expert", "coordinator", "owner", "", None, 7])
def test_only_roles_of_the_site_are_given_here(role: object, administrator: Person) -> None:
    sent = {"email": "guest@example.org", "role": role}
    answer = administrator.browser.post("/api/v1/people/invitations", sent)
    assert code_of(answer) == (422, "invalid")
    assert [fault["place"] for fault in answer.json()["errors"]] == ["role"]


@pytest.mark.parametrize("email", ["", "nobody", "müller@example.org", "a@b@c.de", 5])
def test_an_address_must_be_one(email: object, administrator: Person) -> None:
    sent = {"email": email, "role": "researcher"}
    answer = administrator.browser.post("/api/v1/people/invitations", sent)
    assert code_of(answer) == (422, "invalid")
    assert not Invitation.objects.exists()


def test_an_address_with_a_nul_character_is_not_even_parsed(administrator: Person) -> None:
    sent = {"email": "a\x00@b.de", "role": "researcher"}
    answer = administrator.browser.post("/api/v1/people/invitations", sent)
    assert answer.status_code == 400
    assert not Invitation.objects.exists()


def invite(administrator: Person, **fields: str) -> Response:
    sent = {"email": "guest@example.org", "role": "researcher", **fields}
    return administrator.browser.post("/api/v1/people/invitations", sent)


def test_an_address_that_is_invited_already_is_not_invited_again(administrator: Person) -> None:
    first = invite(administrator).json()
    again = invite(administrator, email="Guest@Example.org ")
    assert code_of(again) == (409, "already_invited")
    assert again.json()["invitation"] == first["id"]
    assert invite(administrator, role="administrator").status_code == 201
    assert (Invitation.objects.count(), len(mail.outbox)) == (2, 2)


def test_an_address_is_invited_anew_once_its_invitation_is_no_longer_open(
    administrator: Person,
) -> None:
    first = invite(administrator).json()
    administrator.browser.post(f"/api/v1/people/invitations/{first['id']}/revoke")
    assert invite(administrator).status_code == 201
    Invitation.objects.update(expires_at="2020-01-01T00:00:00Z")
    assert invite(administrator).status_code == 201


def test_an_invitation_that_is_sent_again_has_a_new_link_and_the_old_one_ends(
    administrator: Person, visitor: APIClient
) -> None:
    first = invite(administrator).json()
    Invitation.objects.update(expires_at="2020-01-01T00:00:00Z")
    again = administrator.browser.post(f"/api/v1/people/invitations/{first['id']}/resend").json()
    assert (again["id"], again["state"], again["mail_sent"]) == (first["id"], "open", True)
    old, new = (link.partition("#")[2] for link in (first["link"], again["link"]))
    assert derive_mailed_token(new) in mail.outbox[-1].body
    for token, status in ((old, 404), (new, 200)):
        answer = visitor.post("/api/v1/invitations/accept", {"token": token, "name": "G"})
        assert answer.status_code == status


def test_what_was_accepted_or_withdrawn_is_not_sent_again(administrator: Person) -> None:
    withdrawn, used = invite(administrator).json(), invite(administrator, role="administrator")
    administrator.browser.post(f"/api/v1/people/invitations/{withdrawn['id']}/revoke")
    token = used.json()["link"].partition("#")[2]
    APIClient().post("/api/v1/invitations/accept", {"token": token, "name": "Gita"})
    study, _ = invitations.create_invitation(actor=None, email="e@example.org", role="expert")
    for invitation, refusal in (
        (withdrawn["id"], (409, "invitation_revoked")),
        (used.json()["id"], (409, "invitation_used")),
        (study.pk, (404, "not_found")),
    ):
        place = f"/api/v1/people/invitations/{invitation}/resend"
        assert code_of(administrator.browser.post(place)) == refusal
    assert len(mail.outbox) == 2


def test_an_administrator_gives_and_takes_roles_of_the_site(
    administrator: Person, researcher: Person
) -> None:
    place = f"/api/v1/people/{researcher.user.pk}"
    roles = {"researcher": True, "administrator": False, "coordinator": False}
    for changes in (
        {"administrator": True},
        {"researcher": False},
        {},
        {"coordinator": True},
        {"administrator": False, "coordinator": False},
    ):
        roles |= changes
        output = administrator.browser.patch(place, {"roles": changes} if changes else {}).json()
        assert (output["roles"], output["is_active"]) == (roles, True)
        result = User.objects.get(pk=researcher.user.pk)
        assert roles == {
            "researcher": result.is_researcher,
            "administrator": result.is_administrator,
            "coordinator": result.is_coordinator,
        }


def test_a_person_who_is_made_a_coordinator_may_import_a_first_study(
    administrator: Person, outsider: Person
) -> None:
    assert not may_import_studies(outsider.user)
    place = f"/api/v1/people/{outsider.user.pk}"
    administrator.browser.patch(place, {"roles": {"coordinator": True}})
    outsider.user.refresh_from_db()
    assert may_import_studies(outsider.user)
    assert outsider.browser.get("/api/v1/me").json()["user"]["roles"]["coordinator"] is True


def people(administrator: Person, **query: str) -> list[str]:
    answer = administrator.browser.get("/api/v1/people", query)
    assert answer.status_code == 200
    return sorted(row["name"] for row in answer.json()["results"])


def test_people_are_listed_by_name_address_and_role(
    administrator: Person, researcher: Person, outsider: Person
) -> None:
    study = Study.objects.create(name="Drugs")
    expert, closed = make_person("eva").user, make_person("cleo").user
    Member.objects.create(study=study, user=expert, role=Member.Role.EXPERT)
    User.objects.filter(pk=closed.pk).update(is_active=False, is_coordinator=True)
    assert people(administrator, search="EVA@") == [expert.name]
    assert people(administrator, search="nobody") == []
    assert people(administrator, role="administrator") == [administrator.user.name]
    assert people(administrator, role="researcher") == [researcher.user.name]
    assert people(administrator, role="expert") == [expert.name]
    assert people(administrator, role="coordinator") == [closed.name]
    assert people(administrator, role="closed") == [closed.name]
    assert people(administrator, role="none") == [outsider.user.name]
    Member.objects.create(study=study, user=expert, role=Member.Role.COORDINATOR)
    assert people(administrator, role="coordinator", search="e") == [closed.name, expert.name]
    assert code_of(administrator.browser.get("/api/v1/people", {"role": "x"})) == (422, "invalid")


def test_people_are_listed_with_their_studies_and_last_sign_in(administrator: Person) -> None:
    guest = make_person("gita", password=PASSWORD).user
    study = Study.objects.create(name="Drugs")
    for role in (Member.Role.EXPERT, Member.Role.COORDINATOR):
        Member.objects.create(study=study, user=guest, role=role)
    query = {"search": guest.email}
    (row,) = administrator.browser.get("/api/v1/people", query).json()["results"]
    assert [(it["name"], it["role"]) for it in row["studies"]] == [
        ("Drugs", "coordinator"),
        ("Drugs", "expert"),
    ]
    User.objects.filter(pk=guest.pk).update(last_login=None)
    (row,) = administrator.browser.get("/api/v1/people", query).json()["results"]
    assert row["last_sign_in"] is None
    known = {"email": guest.email, "password": PASSWORD}
    assert APIClient().post("/_allauth/browser/v1/auth/login", known).status_code == 200
    (row,) = administrator.browser.get("/api/v1/people", query).json()["results"]
    assert row["last_sign_in"] is not None


def test_a_closed_account_is_signed_out_and_lets_nobody_in_until_it_is_opened(
    administrator: Person, visitor: APIClient
) -> None:
    guest = make_person("gita", password=PASSWORD)
    place, sign_in = f"/api/v1/people/{guest.user.pk}", "/_allauth/browser/v1/auth/login"
    known = {"email": guest.user.email, "password": PASSWORD}
    assert administrator.browser.patch(place, {"is_active": False}).json()["is_active"] is False
    assert guest.browser.get("/api/v1/me").json() == {"user": None}
    assert visitor.post(sign_in, known).status_code != 200
    assert visitor.get("/api/v1/me").json() == {"user": None}
    assert administrator.browser.patch(place, {"is_active": True}).json()["is_active"] is True
    assert APIClient().post(sign_in, known).status_code == 200


@pytest.mark.parametrize("sent", [{"is_active": False}, {"roles": {"administrator": False}}])
def test_nobody_deactivates_their_own_account(
    administrator: Person, sent: dict[str, object]
) -> None:
    answer = administrator.browser.patch(f"/api/v1/people/{administrator.user.pk}", sent)
    assert code_of(answer) == (409, "own_account")
    stored = User.objects.get(pk=administrator.user.pk)
    assert (stored.is_active, stored.is_administrator) == (True, True)


def test_who_is_no_longer_an_administrator_changes_nobody(administrator: Person) -> None:
    """As when two administrators close each other's account: the second comes too late."""
    rival = make_person("rita", is_administrator=True)
    read_before = User.objects.get(pk=rival.user.pk)
    administrator.browser.patch(f"/api/v1/people/{rival.user.pk}", {"is_active": False})
    with pytest.raises(NotAllowed):
        services.change_account(actor=read_before, user_id=administrator.user.pk, is_active=False)
    assert User.objects.get(pk=administrator.user.pk).is_active


def test_a_simulated_expert_stays_unchanged(administrator: Person) -> None:
    nobody = User.objects.create_user("s@demo.example", is_simulated=True, is_active=False)
    answer = administrator.browser.patch(f"/api/v1/people/{nobody.pk}", {"is_active": True})
    assert code_of(answer) == (409, "simulated")
    assert not User.objects.get(pk=nobody.pk).is_active


@pytest.mark.parametrize(
    "sent", [{"is_active": "perhaps"}, {"is_active": None}, {"roles": {"administrator": 7}}]
)
def test_a_change_that_makes_no_sense_is_refused(
    administrator: Person, outsider: Person, sent: dict[str, object]
) -> None:
    answer = administrator.browser.patch(f"/api/v1/people/{outsider.user.pk}", sent)
    assert code_of(answer) == (422, "invalid")


def test_an_account_that_is_not_there_is_not_found(administrator: Person) -> None:
    answer = administrator.browser.patch(f"/api/v1/people/{uuid.uuid4()}", {"is_active": False})
    assert code_of(answer) == (404, "not_found")


def test_an_administrator_sees_and_withdraws_invitations(administrator: Person) -> None:
    invitations.create_invitation(actor=administrator.user, email="e@example.org", role="expert")
    invitation, token = invitations.create_invitation(
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
    invitation, token = invitations.create_invitation(
        actor=None, email="guest@example.org", role="researcher"
    )
    APIClient().post("/api/v1/invitations/accept", {"token": token, "name": "Gita"})
    answer = administrator.browser.post(f"/api/v1/people/invitations/{invitation.pk}/revoke")
    assert code_of(answer) == (409, "invitation_used")


def test_an_administrator_does_not_withdraw_a_studys_invitation(administrator: Person) -> None:
    invitation, _ = invitations.create_invitation(actor=None, email="e@example.org", role="expert")
    answer = administrator.browser.post(f"/api/v1/people/invitations/{invitation.pk}/revoke")
    assert code_of(answer) == (404, "not_found")
    invitation.refresh_from_db()
    assert invitation.state == "open"


@pytest.mark.django_db
def test_the_first_administrator_is_invited_from_the_server() -> None:
    out = io.StringIO()
    call_command("invite", "Root@Example.org", role="administrator", json=True, stdout=out)
    created = json.loads(out.getvalue())
    browser = APIClient()
    token = created["link"].partition("/invite#")[2]
    assert browser.post("/api/v1/invitations/accept", {"token": token, "name": "Root"}).json() == {
        "role": "administrator",
        "study_id": None,
    }
    assert browser.get("/api/v1/people").status_code == 200


@pytest.mark.django_db
def test_the_command_says_the_link_in_a_line_of_its_own() -> None:
    out = io.StringIO()
    call_command("invite", "root@example.org", role="researcher", stdout=out)
    assert out.getvalue().splitlines()[-1].startswith("http://127.0.0.1:8000/invite#")
    with pytest.raises(CommandError, match="'root' is not a valid e-mail address"):
        call_command("invite", "root", role="researcher")
    with pytest.raises(CommandError, match=r"'expert' .*'?administrator'?, '?researcher'?\)"):
        call_command("invite", "root@example.org", role="expert")


@pytest.mark.django_db
def test_a_demo_account_is_made_once_and_opens_nobodys_account() -> None:
    demo = {"email": "ines@demo.example", "name": "Ines", "password": PASSWORD}
    first = ensure_account(**demo)  # type: ignore[arg-type]  # texts only
    again = ensure_account(**{**demo, "password": "another"})  # type: ignore[arg-type]  # texts only
    assert again.pk == first.pk
    assert again.check_password(PASSWORD)
    with pytest.raises(ValueError, match=r"@demo\.example"):
        ensure_account(email="ines@example.org", name="Ines", password=PASSWORD)
