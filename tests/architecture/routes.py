"""Every route, its methods, and what each kind of person is answered there.

Everything in the paths belongs to one study: Ada coordinates it, the assignment and the batch
are Eve's, Cleo is her colleague in the same batches. Otto coordinates another study.
"""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.invitations import add_invitation
from annotation.policies import CONSENT_VERSION
from backend.accounts.models import Invitation, User
from backend.accounts.services import create_invitation
from backend.config.urls import PAGE
from tests.annotation.personas import Cast, body_of, look_of, make_cast
from tests.personas import PASSWORD, make_person

WHO = (
    "visitor",
    "outsider",
    "expert",
    "colleague",
    "coordinator",
    "other_coordinator",
    "researcher",
    "administrator",
)


@dataclass(frozen=True)
class World:
    cast: Cast
    researcher: User
    administrator: User
    newcomer: User
    site_invitation: Invitation
    study_invitation: Invitation
    token: str

    def person(self, who: str) -> User | None:
        if who == "visitor":
            return None
        found: User = getattr(self, who, None) or getattr(self.cast, who)
        return found

    def path(self, template: str) -> str:
        """A path of Django's patterns with the things of this world in it."""
        names = {
            "<uuid:study_id>": self.cast.study.id,
            "<uuid:batch_id>": self.cast.batch.id,
            "<uuid:assignment_id>": self.cast.assignment().id,
            "<uuid:expert_id>": self.cast.expert.id,
            "<uuid:user_id>": self.newcomer.id,
            "<str:track>": "serenqa-exploration",
        }
        for name, value in names.items():
            template = template.replace(name, str(value))
        invitation = self.study_invitation if "studies/" in template else self.site_invitation
        return "/" + template.replace("<uuid:invitation_id>", str(invitation.id))


def make_world() -> World:
    cast = make_cast()
    administrator = make_person("amara", is_administrator=True).user
    site_invitation, token = create_invitation(
        actor=administrator, email="new@example.org", role="researcher"
    )
    study_invitation, _ = add_invitation(
        actor=cast.coordinator, study=cast.study, email="next@example.org", role="expert"
    )
    return World(
        cast=cast,
        researcher=make_person("rohan", is_researcher=True).user,
        administrator=administrator,
        newcomer=make_person("nora", password=PASSWORD).user,
        site_invitation=site_invitation,
        study_invitation=study_invitation,
        token=token,
    )


Body = Callable[[World], dict[str, Any]]


def nothing(world: World) -> dict[str, Any]:
    return {}


def files(world: World) -> dict[str, Any]:
    question = {
        "question_number": 1,
        "qid": 0,
        "text": "Which one?",
        "category": "drug",
        "llm_ranking": [
            {"entity_name": name, "llm_rank": rank, "entity_link": ""}
            for rank, name in enumerate(("Zinc", "Iron"), start=1)
        ],
        "resource": [],
    }
    content = json.dumps([question]).encode()
    name = f"Imported {uuid.uuid4()}"
    return {"name": name, "files": [SimpleUploadedFile("batch1.json", content)]}


@dataclass(frozen=True)
class Route:
    method: str
    template: str
    answers: tuple[int, ...]
    body: Body = nothing
    multipart: bool = False

    def expected(self) -> dict[str, int]:
        return dict(zip(WHO, self.answers, strict=True))


def everybody(status: int) -> tuple[int, ...]:
    return (status,) * len(WHO)


def visitors(status: int, others: int) -> tuple[int, ...]:
    return (status, *(others,) * (len(WHO) - 1))


#                    visitor outsider expert colleague coordinator other researcher administrator
ADMINISTRATORS = (401, 403, 403, 403, 403, 403, 403, 200)
INVITERS = (401, 403, 403, 403, 403, 403, 403, 201)
HER_OWN = (401, 404, 200, 404, 404, 404, 404, 404)
HER_BATCH = (401, 404, 200, 200, 404, 404, 404, 404)
HER_BATCH_EMPTY = (401, 404, 204, 204, 404, 404, 404, 404)
EXPERTS = (401, 404, 204, 204, 403, 404, 404, 404)
COORDINATORS = (401, 404, 403, 403, 200, 404, 404, 404)
COORDINATORS_MADE = (401, 404, 403, 403, 201, 404, 404, 404)
IMPORTERS = (401, 403, 403, 403, 201, 201, 403, 201)

V1 = "api/v1/"
STUDY = V1 + "studies/<uuid:study_id>"
SIGN_IN = "_allauth/browser/v1/"

ROUTES = (
    Route("get", V1 + "me", everybody(200)),
    Route("patch", V1 + "me", visitors(401, 200), lambda world: {"name": "Somebody"}),
    Route(
        "post",
        V1 + "invitations/lookup",
        everybody(200),
        lambda world: {"token": world.token},
    ),
    Route(
        "post",
        V1 + "invitations/accept",
        visitors(200, 409),
        lambda world: {"token": world.token, "name": "New"},
    ),
    Route("get", V1 + "people", ADMINISTRATORS),
    Route(
        "patch",
        V1 + "people/<uuid:user_id>",
        ADMINISTRATORS,
        lambda world: {"is_active": False, "roles": {"researcher": True}},
    ),
    Route("get", V1 + "people/invitations", ADMINISTRATORS),
    Route(
        "post",
        V1 + "people/invitations",
        INVITERS,
        lambda world: {"email": "a@example.org", "role": "researcher"},
    ),
    Route("post", V1 + "people/invitations/<uuid:invitation_id>/revoke", ADMINISTRATORS),
    Route("post", V1 + "people/invitations/<uuid:invitation_id>/resend", ADMINISTRATORS),
    Route("get", V1 + "batches", visitors(401, 200)),
    Route("get", V1 + "batches/<uuid:batch_id>/assignments", HER_BATCH),
    Route("post", V1 + "batches/<uuid:batch_id>/active", HER_BATCH_EMPTY),
    Route(
        "put",
        V1 + "assignments/<uuid:assignment_id>/response",
        HER_OWN,
        lambda world: body_of(world.cast.assignment(), "agree"),
    ),
    Route("post", V1 + "assignments/<uuid:assignment_id>/looks", HER_OWN, lambda world: look_of()),
    Route("post", STUDY + "/consent", EXPERTS, lambda world: {"version": CONSENT_VERSION}),
    Route("get", V1 + "studies", visitors(401, 200)),
    Route("post", V1 + "studies/import", IMPORTERS, files, multipart=True),
    Route("get", STUDY, COORDINATORS),
    Route("patch", STUDY, COORDINATORS, lambda world: {"status": "closed"}),
    Route("get", STUDY + "/board", COORDINATORS),
    Route("get", STUDY + "/export.json", COORDINATORS),
    Route("get", STUDY + "/export.csv", COORDINATORS),
    Route("get", STUDY + "/invitations", COORDINATORS),
    Route(
        "post",
        STUDY + "/invitations",
        COORDINATORS_MADE,
        lambda world: {"email": "b@example.org", "role": "expert"},
    ),
    Route("post", STUDY + "/invitations/<uuid:invitation_id>/revoke", COORDINATORS),
    Route("post", STUDY + "/invitations/<uuid:invitation_id>/resend", COORDINATORS),
    Route(
        "put",
        STUDY + "/experts/<uuid:expert_id>/batches",
        COORDINATORS,
        lambda world: {"batches": [str(world.cast.batch.id)]},
    ),
    Route("get", V1 + "practice-question", everybody(200)),
    Route("get", V1 + "leaderboards", everybody(200)),
    Route("get", V1 + "leaderboards/<str:track>", everybody(200)),
    Route("get", "api/schema", everybody(200)),
    # allauth: 401 means 'not signed in', also as the answer that a code is on its way; 409 that
    # somebody is signed in already, or that nothing of this kind was begun.
    Route("get", SIGN_IN + "auth/session", visitors(401, 200)),
    Route("delete", SIGN_IN + "auth/session", everybody(401)),
    Route(
        "post",
        SIGN_IN + "auth/login",
        visitors(200, 409),
        lambda world: {"email": world.newcomer.email, "password": PASSWORD},
    ),
    Route(
        "post",
        SIGN_IN + "auth/code/request",
        visitors(401, 200),
        lambda world: {"email": world.newcomer.email},
    ),
    Route("post", SIGN_IN + "auth/code/confirm", everybody(409), lambda world: {"code": "X"}),
    Route(
        "post",
        SIGN_IN + "auth/reauthenticate",
        visitors(401, 400),
        lambda world: {"password": "not hers"},
    ),
    Route(
        "post",
        SIGN_IN + "auth/password/request",
        everybody(200),
        lambda world: {"email": world.newcomer.email},
    ),
    Route("get", SIGN_IN + "auth/password/reset", everybody(400)),
    Route(
        "post",
        SIGN_IN + "auth/password/reset",
        everybody(400),
        lambda world: {"key": "forged", "password": PASSWORD},
    ),
    Route(
        "post",
        SIGN_IN + "account/password/change",
        visitors(401, 200),
        lambda world: {"new_password": "a comet under the pier"},
    ),
    Route("get", "healthz", everybody(200)),
    Route("get", "livez", everybody(204)),
)

# Served from the bundle, which a checkout has only after a build; the same for everybody.
PAGES = frozenset({"sw.js", PAGE})

SIGN_IN_FIRST, NOT_ALLOWED, WELCOME = 4401, 4403, None
SOCKETS = {
    "ws/studies/<uuid:study_id>": (
        SIGN_IN_FIRST,
        NOT_ALLOWED,
        NOT_ALLOWED,
        NOT_ALLOWED,
        WELCOME,
        NOT_ALLOWED,
        NOT_ALLOWED,
        NOT_ALLOWED,
    )
}
