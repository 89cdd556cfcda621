"""Every route, its methods, and what each kind of person is answered there.

Everything in the paths belongs to one study: Ada coordinates it, the assignment and the batch
are Eve's, Cleo is her colleague in the same batches. Otto coordinates another study. The graph
is Ada's, who shares it with her study.
"""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.invitations import add_invitation
from annotation.pins import pin_to_study
from annotation.policies import CONSENT_VERSION
from backend.accounts.models import Invitation, User
from backend.accounts.services import create_invitation
from backend.benchmarks.models import Computation, Question, Work
from backend.benchmarks.resolution import resolve_question_set
from backend.config.urls import PAGE
from backend.graphs.models import GraphImport, SavedView, Version
from tests.annotation.personas import Cast, body_of, look_of, make_cast
from tests.graphs.app.making import ASPIRIN, COX1, HEADACHE, make_graph, uploads
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
    graph: Version
    view: SavedView
    graph_import: GraphImport
    question: Question
    computation: Computation

    @property
    def candidate(self) -> str:
        return str(self.cast.assignment().question.candidates.values_list("id", flat=True)[0])

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
            "<slug:slug>": self.graph.graph.slug,
            "<str:snapshot>": self.graph.snapshot,
            "<path:identifier>": ASPIRIN,
            "<uuid:view_id>": self.view.id,
            "<uuid:import_id>": self.graph_import.id,
            "<uuid:question_id>": self.question.id,
            "<uuid:set_id>": self.question.question_set_id,
            "<uuid:computation_id>": self.computation.id,
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
    graph = make_graph(cast.coordinator, "study", studies=[cast.study.id])
    pin_to_study(actor=cast.coordinator, study=cast.study, version=graph)
    resolve_question_set(question_set=cast.study.question_set, version=graph)
    return World(
        cast=cast,
        researcher=make_person("rohan", is_researcher=True).user,
        administrator=administrator,
        newcomer=make_person("nora", password=PASSWORD).user,
        site_invitation=site_invitation,
        study_invitation=study_invitation,
        token=token,
        graph=graph,
        view=SavedView.objects.create(version=graph, title="A view", state=VIEW),
        graph_import=GraphImport.objects.create(
            name="Import", actor=cast.coordinator, origin="upload"
        ),
        question=cast.assignment().question,
        computation=Computation.objects.create(
            kind=Work.PARTITION,
            version=graph,
            question_set=cast.study.question_set,
            actor=cast.coordinator,
        ),
    )


VIEW = {"page": "", "query": "q=aspirin"}
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


def graph_files(world: World) -> dict[str, Any]:
    return {"name": f"Graph {uuid.uuid4()}", "files": uploads()}


def sets_file(world: World) -> dict[str, Any]:
    line = json.dumps({"existing": [ASPIRIN], "serendipity": [HEADACHE]}).encode()
    return {"file": SimpleUploadedFile("sets.jsonl", line)}


def sets_of(world: World) -> dict[str, Any]:
    return {"existing": [ASPIRIN], "serendipity": [HEADACHE]}


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
# The study is open: whoever may have it partitioned is told to close it first.
PARTITIONERS = (401, 404, 403, 403, 409, 404, 404, 409)
IMPORTERS = (401, 403, 403, 403, 201, 201, 403, 201)
LISTED = (401, 403, 403, 403, 200, 200, 403, 200)
QUEUED = (401, 403, 403, 403, 202, 202, 403, 202)
HER_IMPORT = (401, 404, 404, 404, 200, 404, 404, 200)
SHARED = (404, 404, 200, 200, 200, 404, 404, 200)
SHARED_MADE = (404, 404, 201, 201, 201, 404, 404, 201)
HER_GRAPH = (401, 404, 403, 403, 200, 404, 404, 200)
CYPHER = (401, 404, 403, 403, 403, 404, 404, 200)
# Scores of a question that experts are asked: who coordinates the study, and nobody else.
HIDDEN = (404, 404, 404, 404, 200, 404, 404, 200)
HIDDEN_INVALID = (404, 404, 404, 404, 422, 404, 404, 422)
COMPUTED = (401, 403, 403, 403, 202, 422, 403, 202)
SCORED = (401, 403, 403, 403, 202, 404, 404, 202)
# A saved view cites the only version: whoever may remove it is told so.
HER_CITED_GRAPH = (401, 404, 403, 403, 409, 404, 404, 409)

V1 = "api/v1/"
STUDY = V1 + "studies/<uuid:study_id>"
GRAPH = V1 + "graphs/<slug:slug>"
ENTITY = GRAPH + "/entities/<path:identifier>"
QUESTION = V1 + "questions/<uuid:question_id>"
COMPUTATION = V1 + "computations/<uuid:computation_id>"
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
    Route("get", V1 + "assignments/<uuid:assignment_id>/evidence", HER_OWN),
    Route(
        "get",
        V1 + "assignments/<uuid:assignment_id>/evidence/paths",
        HER_OWN,
        lambda world: {"candidate": world.candidate},
    ),
    Route("put", STUDY + "/graph", COORDINATORS, lambda world: {"graph": world.graph.graph.slug}),
    Route("post", STUDY + "/consent", EXPERTS, lambda world: {"version": CONSENT_VERSION}),
    Route("get", V1 + "studies", visitors(401, 200)),
    Route("post", V1 + "studies/import", IMPORTERS, files, multipart=True),
    Route("get", STUDY, COORDINATORS),
    Route("patch", STUDY, COORDINATORS, lambda world: {"status": "closed"}),
    Route("get", STUDY + "/board", COORDINATORS),
    Route("get", STUDY + "/export.json", COORDINATORS),
    Route("get", STUDY + "/export.csv", COORDINATORS),
    Route("post", STUDY + "/partitions", PARTITIONERS, lambda world: {"size": 1}),
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
    Route("get", V1 + "graphs", everybody(200)),
    Route("get", GRAPH, SHARED),
    Route("patch", GRAPH, HER_GRAPH, lambda world: {"visibility": "private"}),
    Route("delete", GRAPH, HER_CITED_GRAPH),
    Route("delete", GRAPH + "/versions/<str:snapshot>", HER_CITED_GRAPH),
    Route("get", ENTITY, SHARED),
    Route("get", ENTITY + "/neighbours", SHARED),
    Route("get", GRAPH + "/search", SHARED, lambda world: {"q": "aspirin", "mode": "hybrid"}),
    Route("post", GRAPH + "/views", SHARED_MADE, lambda world: {"title": "Mine", "state": VIEW}),
    Route("get", GRAPH + "/paths", SHARED, lambda world: {"from": ASPIRIN, "to": COX1}),
    Route("post", GRAPH + "/subgraph", SHARED, lambda world: {"ids": [ASPIRIN]}),
    Route("get", GRAPH + "/walk", SHARED, lambda world: {"from": ASPIRIN}),
    Route("get", GRAPH + "/export", SHARED, lambda world: {"format": "csv"}),
    Route("post", GRAPH + "/export", SHARED, lambda world: {"format": "csv", "ids": [ASPIRIN]}),
    Route("get", V1 + "views/<uuid:view_id>", SHARED),
    Route("post", GRAPH + "/cypher", CYPHER, lambda world: {"query": "MATCH (n) RETURN count(*)"}),
    Route("get", V1 + "graph-imports", LISTED),
    Route("post", V1 + "graph-imports", QUEUED, graph_files, multipart=True),
    Route("get", V1 + "graph-imports/<uuid:import_id>", HER_IMPORT),
    Route("post", V1 + "graph-imports/<uuid:import_id>/cancel", HER_IMPORT),
    Route("post", GRAPH + "/rns", SHARED, sets_of),
    Route("get", GRAPH + "/serendipity-paths", SHARED, sets_of),
    Route("post", GRAPH + "/rns-files", SCORED, sets_file, multipart=True),
    Route("get", V1 + "question-sets", everybody(200)),
    Route("get", V1 + "question-sets/<uuid:set_id>/questions", HIDDEN),
    Route("get", QUESTION + "/workbench", HIDDEN),
    Route("get", QUESTION + "/workbench/export", HIDDEN),
    Route("get", QUESTION + "/serendipity-paths", HIDDEN_INVALID),
    Route("get", V1 + "computations", visitors(401, 200)),
    Route(
        "post",
        V1 + "computations",
        COMPUTED,
        lambda world: {"kind": "transition", "graph": world.graph.graph.slug},
    ),
    Route("get", COMPUTATION, HER_IMPORT),
    Route("post", COMPUTATION + "/cancel", HER_IMPORT),
    Route("get", COMPUTATION + "/file", visitors(401, 404)),
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
    ),
    "ws/computations/<uuid:computation_id>": (
        SIGN_IN_FIRST,
        NOT_ALLOWED,
        NOT_ALLOWED,
        NOT_ALLOWED,
        WELCOME,
        NOT_ALLOWED,
        NOT_ALLOWED,
        WELCOME,
    ),
    "ws/graph-imports/<uuid:import_id>": (
        SIGN_IN_FIRST,
        NOT_ALLOWED,
        NOT_ALLOWED,
        NOT_ALLOWED,
        WELCOME,
        NOT_ALLOWED,
        NOT_ALLOWED,
        WELCOME,
    ),
}
