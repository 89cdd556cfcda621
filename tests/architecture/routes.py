"""Every route, its methods, and what each kind of person is answered there.

Everything in the paths belongs to one study: Ada coordinates it, the assignment and the batch
are Eve's, Cleo is their colleague in the same batches. Otto coordinates another study. The graph
is Ada's, who shares it with their study.
"""

import io
import json
import tempfile
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import Thread
from annotation.study_graph import pin_to_study
from annotation.threads import send_messages
from backend.accounts.api_tokens import create_api_token
from backend.accounts.invitations import create_invitation
from backend.accounts.models import ApiToken, Invitation, TeamInvitation, TeamMember, User
from backend.accounts.sign_in_links import create_sign_in_link
from backend.accounts.teams import create_team, invite_to_team
from backend.benchmarks.entity_linking import resolve_question_set
from backend.benchmarks.item_reports import report_item
from backend.benchmarks.models import ItemReport, Question, Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.benchmarks.study_links import question_set_of
from backend.config.urls import SPA_PATTERN
from backend.evaluation.models import (
    CandidateEnsemble,
    Grounding,
    GroundingState,
    HypothesisProposal,
    PredictionUpload,
    QuerySynthesis,
    RequestState,
    Submission,
    ToolCall,
    ToolSession,
)
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.prediction_files import store_prediction_file
from backend.evaluation.prediction_uploads import create_upload
from backend.evaluation.runs.explorations import Effort, store_checkpoint
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.graphs.models import Collection, SavedView, Version
from backend.jobs.models import Job
from backend.jobs.services import request_job
from backend.llm.budgets import open_budget
from backend.llm.endpoints import add_endpoint
from backend.llm.models import Endpoint
from backend.studies.invitations import create_study_invitation
from backend.studies.models import Webhook, WebhookDelivery, WebhookHost
from backend.studies.policies import CONSENT_VERSION
from backend.studies.webhooks.services import allow_host
from backend.tracks.serenqa_exploration.guided_state import (
    Ending,
    GraphNode,
    GuidedEdge,
    GuidedState,
    LevelRecord,
    NodePath,
    Phase,
)
from tests.annotation.archive_study import export
from tests.annotation.personas import Cast, activity_body, make_cast, response_body
from tests.evaluation.truthhypo_files import prediction_lines, write_source
from tests.graphs.app.factories import ASPIRIN, COX1, HEADACHE, make_graph, make_uploads
from tests.graphs.literature.paper_files import json_lines, make_collection, paper
from tests.personas import PASSWORD, make_person
from tests.plugins.job_kinds.running_sum import sum_request

PERSONAS = (
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
    sign_in_token: str
    graph: Version
    view: SavedView
    question: Question
    job: Job
    api_token: ApiToken
    release: Release
    submission: Submission
    tool_session: ToolSession
    team_invitation: TeamInvitation
    report: ItemReport
    thread: Thread
    webhook_host: WebhookHost
    delivery: WebhookDelivery
    collection: Collection
    endpoint: Endpoint
    run: Run
    grounding: Grounding
    proposal: HypothesisProposal
    synthesis: QuerySynthesis
    ensemble: CandidateEnsemble
    upload: PredictionUpload
    sessions: Mapping[str, str] = field(default_factory=dict)
    """The key of each persona's session."""

    @property
    def candidate(self) -> str:
        candidates = self.cast.assignment().question.candidates.values_list("id", flat=True)
        return str(candidates.first() or uuid.uuid4())

    def person(self, who: str) -> User | None:
        if who == "visitor":
            return None
        result: User = getattr(self, who, None) or getattr(self.cast, who)
        return result

    def sign_in(self, who: str, browser: APIClient) -> None:
        """Give the browser the session of a persona; a visitor has none."""
        if who in self.sessions:
            browser.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[who]

    def path(self, template: str) -> str:
        """A path of Django's patterns with the things of this world in it."""
        names = {
            "<uuid:study_id>": self.cast.study.id,
            "<uuid:batch_id>": self.cast.batch.id,
            "<uuid:expert_id>": self.cast.expert.id,
            "<uuid:user_id>": self.newcomer.id,
            "<str:track>": "serenqa-exploration",
            "<slug:figure>": "scale",
            "<slug:method>": "rns",
            "<slug:provider_id>": "unknown",
            "<slug:name>": "truthhypo-parametric",
            "<slug:slug>": self.graph.graph.slug,
            "<str:snapshot>": self.graph.snapshot,
            "<path:identifier>": ASPIRIN,
            "<slug:collection>": self.collection.slug,
            "<uuid:view_id>": self.view.id,
            "<uuid:question_id>": self.question.id,
            "<uuid:set_id>": self.question.question_set_id,
            "<uuid:job_id>": self.job.id,
            "<uuid:token_id>": self.api_token.id,
            "<uuid:submission_id>": self.submission.id,
            "<uuid:session_id>": self.tool_session.id,
            "<uuid:scores_id>": uuid.uuid4(),
            "<uuid:upload_id>": self.upload.id,
            "<uuid:run_id>": self.run.id,
            "<uuid:grounding_id>": self.grounding.id,
            "<uuid:grounding_batch>": self.grounding.batch,
            "<uuid:proposal_id>": self.proposal.id,
            "<uuid:synthesis_id>": self.synthesis.id,
            "<uuid:ensemble_id>": self.ensemble.id,
            "<int:number>": 1,
            "<uuid:report_id>": self.report.id,
            "<int:thread_id>": self.thread.pk,
            "<uuid:webhook_id>": self.delivery.webhook_id,
            "<uuid:delivery_id>": self.delivery.pk,
            "<int:host_id>": self.webhook_host.pk,
            "<uuid:endpoint_id>": self.endpoint.pk,
        }
        slugs = {
            "models/": self.submission.model.slug,
            "releases/": self.release.slug,
            "boards/": self.release.slug,
            "tracks/": self.release.track,
        }
        named = next((slug for path, slug in slugs.items() if path in template), None)
        if named is not None:
            template = template.replace("<slug:slug>", named)
        if "<uuid:assignment_id>" in template:  # only then: this reads the database
            names["<uuid:assignment_id>"] = self.cast.assignment().id
        for name, value in names.items():
            template = template.replace(name, str(value))
        invitations = {"studies/": self.study_invitation, "team/": self.team_invitation}
        named_by = (str(one.pk) for path, one in invitations.items() if path in template)
        invitation = next(named_by, str(self.site_invitation.pk))
        return "/" + template.replace("<uuid:invitation_id>", invitation)


def make_world(cast: Cast | None = None) -> World:
    cast = cast or make_cast()
    administrator = make_person("amara", is_administrator=True).user
    site_invitation, token = create_invitation(
        actor=administrator, email="new@example.org", role="researcher"
    )
    invited, _ = create_study_invitation(
        actor=cast.coordinator, study=cast.study, email="next@example.org", role="expert"
    )
    graph = make_graph(cast.coordinator, "study", studies=[cast.study.id])
    pin_to_study(actor=cast.coordinator, study=cast.study, version=graph)
    resolve_question_set(question_set=question_set_of(cast.study), version=graph)
    researcher = make_person("rohan", is_researcher=True).user
    release = open_release(cast.coordinator)
    newcomer = make_person("nora", password=PASSWORD).user
    api_token, _ = create_api_token(actor=researcher, name="Laptop", scope="submit")
    submission = submit(researcher, release)
    endpoint = add_endpoint(actor=administrator, fields=endpoint_body(None))
    world = World(
        cast=cast,
        researcher=researcher,
        administrator=administrator,
        newcomer=newcomer,
        site_invitation=site_invitation,
        study_invitation=invited.invitation,
        token=token,
        sign_in_token=create_sign_in_link(user=newcomer, path="/home")[0].partition("#")[2],
        graph=graph,
        view=SavedView.objects.create(version=graph, title="A view", state=VIEW),
        question=cast.assignment().question,
        job=request_job(owner=cast.coordinator, request=sum_request(1)).job,
        api_token=api_token,
        release=release,
        submission=submission,
        tool_session=log_tool_call(researcher, release, graph),
        team_invitation=invite_to_new_team(researcher, newcomer, administrator),
        report=report_item(
            actor=researcher, release=release, key=FIRST_ITEM, kind="other", text="A doubt"
        ),
        thread=begin_thread(cast),
        webhook_host=allow_host(actor=administrator, host="hooks.example"),
        delivery=deliver_event(cast),
        collection=open_collection(),
        endpoint=endpoint,
        run=make_run(submission, endpoint),
        grounding=make_grounding(researcher, graph),
        proposal=make_proposal(researcher, graph, endpoint),
        synthesis=make_synthesis(cast.coordinator, graph, endpoint),
        ensemble=make_ensemble(cast.coordinator, cast, endpoint),
        upload=create_upload(actor=researcher, name="predictions.jsonl", size=10),
    )
    people = {who: person for who in PERSONAS if (person := world.person(who)) is not None}
    return replace(world, sessions={who: open_session(user) for who, user in people.items()})


def open_session(user: User) -> str:
    browser = APIClient()
    browser.force_login(user)
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


def open_collection() -> Collection:
    """A public collection of papers, one of which names the graph's aspirin."""
    with tempfile.TemporaryDirectory() as folder:
        return make_collection(Path(folder), [paper("12345", "Aspirin", "2004-05")], "Open papers")


def deliver_event(cast: Cast) -> WebhookDelivery:
    """An ended delivery of Ada's study."""
    webhook = Webhook.objects.create(
        study=cast.study, address="https://hooks.example/", events=[], created_by=cast.coordinator
    )
    state, now = WebhookDelivery.State.FAILED, timezone.now()
    return WebhookDelivery.objects.create(
        webhook=webhook, event="test", body="{}", state=state, due_at=now, ended_at=now
    )


def webhook_body(world: World) -> dict[str, Any]:
    return {"address": "https://hooks.example/new", "events": ["study.closed"]}


def begin_thread(cast: Cast) -> Thread:
    """Between Eve and the coordinators of the study."""
    message = (uuid.uuid4(), "Is this a salt?")
    send_messages(actor=cast.expert, assignment_id=cast.assignment().id, messages=[message])
    return Thread.objects.get(expert=cast.expert)


def invite_to_new_team(owner: User, member: User, invited: User) -> TeamInvitation:
    team = create_team(actor=owner, name="Team of Rohan")
    TeamMember.objects.create(team=team, user=member)
    return invite_to_team(actor=owner, email=invited.email)


def open_release(organiser: User) -> Release:
    with tempfile.TemporaryDirectory() as folder:
        files = [write_source(Path(folder))]
        request = ReleaseRequest(track="truthhypo", name="Pairs", slug="pairs")
        release = make_release(actor=organiser, request=request, files=files)
    return change_release_state(actor=organiser, release=release, to=Release.State.OPEN)


def submit(researcher: User, release: Release) -> Submission:
    model = register_model(actor=researcher, name="Model of Rohan")
    content = prediction_lines(range(60)).encode()
    file = store_prediction_file(io.BytesIO(content), "predictions.jsonl")
    new = NewSubmission(release=release, model=model)
    return submit_predictions(actor=researcher, new=new, file=file)[0]


def make_run(submission: Submission, endpoint: Endpoint) -> Run:
    """Rohan's, estimated and not started."""
    run = Run.objects.create(
        release=submission.release,
        endpoint=endpoint,
        task="truthhypo-parametric",
        prompt_version="1",
        model=submission.model,
        owner=submission.submitted_by,
        state=RunState.ESTIMATED,
        items=60,
    )
    open_budget(subject=run.subject, amount=Decimal(0), owner=run.owner)
    return run


def make_walked_run(run: Run, release: Release) -> Run:
    """Of the same owner: one root of a guided exploration, which has ended after a level."""
    walked = Run.objects.create(
        release=release,
        endpoint=run.endpoint,
        task="serenqa-exploration-guided",
        prompt_version="1",
        model=run.model,
        owner=run.owner,
        state=RunState.ESTIMATED,
        items=1,
    )
    open_budget(subject=walked.subject, amount=Decimal(0), owner=run.owner)
    root, leaf = GraphNode(0, "D:1", "aspirin", "Drug"), GraphNode(1, "D:2", "fever", "Disease")
    edge = GuidedEdge(0, "treats", "treats", 1)
    state = GuidedState(
        "D:1",
        phase=Phase.ENDED,
        reached=1,
        visited=(0, 1),
        nodes=(root, leaf),
        paths=(NodePath(1, (edge,)),),
        levels=(LevelRecord((0,), edges=(edge,), chosen=(1,), goes_on=False),),
        ending=Ending.MODEL_STOPPED,
    )
    store_checkpoint(walked, "dev:0", state, Effort())
    return walked


def make_grounding(owner: User, graph: Version) -> Grounding:
    """Private, without claims."""
    counts = {"supported": 0, "contradicted": 0, "claims": 0, "share": None}
    return Grounding.objects.create(
        owner=owner,
        version=graph,
        rationale="Why?",
        verifier="plain",
        verifier_version="1",
        state=GroundingState.ENDED,
        groundedness={"graph": counts},
    )


def make_proposal(owner: User, graph: Version, endpoint: Endpoint) -> HypothesisProposal:
    """Ended, without hypotheses."""
    proposal = HypothesisProposal.objects.create(
        owner=owner,
        endpoint=endpoint,
        model=endpoint.model,
        prompt_version="1",
        count=5,
        seed=0,
        least_gap=30,
        version=graph,
        verifier="plain",
        verifier_version="1",
        state=RequestState.ENDED,
    )
    open_budget(subject=proposal.subject, amount=Decimal(0), owner=owner)
    return proposal


def make_synthesis(owner: User, graph: Version, endpoint: Endpoint) -> QuerySynthesis:
    """Ended, without queries."""
    synthesis = QuerySynthesis.objects.create(
        owner=owner,
        name="Synthesized queries",
        version=graph,
        writer=endpoint,
        rewriter=endpoint,
        prompt_version="1",
        count=20,
        seed=0,
        most_answers=20,
        hard=2,
        soft=1,
        state=RequestState.ENDED,
    )
    open_budget(subject=synthesis.subject, amount=Decimal(0), owner=owner)
    return synthesis


def make_ensemble(owner: User, cast: Cast, endpoint: Endpoint) -> CandidateEnsemble:
    """Ended, without scores."""
    ensemble = CandidateEnsemble.objects.create(
        owner=owner,
        question_set=question_set_of(cast.study),
        prompt_version="1",
        state=RequestState.ENDED,
    )
    ensemble.endpoints.set([endpoint])
    open_budget(subject=ensemble.subject, amount=Decimal(0), owner=owner)
    return ensemble


def ensemble_body(world: World) -> dict[str, Any]:
    return {
        "question_set": str(world.question.question_set_id),
        "endpoints": [str(world.endpoint.pk)],
        "budget": "0.5",
    }


def synthesis_body(world: World) -> dict[str, Any]:
    endpoint = str(world.endpoint.pk)
    return {
        "name": f"Synthesis {uuid.uuid4()}",
        "graph": world.graph.graph.slug,
        "writer": endpoint,
        "rewriter": endpoint,
        "verifiers": [endpoint],
        "budget": "0.5",
    }


def proposal_body(world: World) -> dict[str, Any]:
    return {
        "graph": world.graph.graph.slug,
        "endpoint": str(world.endpoint.pk),
        "budget": "0.5",
        "backgrounds": [{"background": "Aspirin treats headache."}],
    }


def grounding_body(world: World) -> dict[str, Any]:
    return {"graph": world.graph.graph.slug, "rationale": "Aspirin treats headache."}


def grounding_form(world: World) -> dict[str, Any]:
    line = json.dumps({"hypothesis": "", "rationale": "Aspirin treats headache."}).encode()
    return {"graph": world.graph.graph.slug, "file": SimpleUploadedFile("rows.jsonl", line)}


def run_body(world: World) -> dict[str, Any]:
    return {
        "release": world.release.slug,
        "endpoint": str(world.endpoint.pk),
        "task": "truthhypo-parametric",
        "model": world.submission.model.slug,
    }


def log_tool_call(researcher: User, release: Release, graph: Version) -> ToolSession:
    session = ToolSession.objects.create(owner=researcher, release=release, version=graph, calls=1)
    ToolCall.objects.create(session=session, number=1, tool="entity", arguments={"id": ASPIRIN})
    return session


def tool_call_body(world: World) -> dict[str, Any]:
    return {"tool": "graph_schema", "arguments": {}}


def mcp_body(world: World) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def prediction_form(world: World) -> dict[str, Any]:
    content = prediction_lines(range(59)).encode()
    file = SimpleUploadedFile("predictions.jsonl", content)
    return {"release": world.release.slug, "model": world.submission.model.slug, "file": file}


def validation_form(world: World) -> dict[str, Any]:
    return {name: value for name, value in prediction_form(world).items() if name != "model"}


def comparison_query(world: World) -> dict[str, Any]:
    return {"first": world.submission.pk, "second": world.submission.pk}


def release_form(world: World) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        content = write_source(Path(folder)).read_bytes()
    file = SimpleUploadedFile("edges_test.tsv", content)
    return {"track": "truthhypo", "name": f"Release {uuid.uuid4()}", "files": [file]}


FIRST_ITEM = ["Chemical|C0", "Gene|0"]


def report_body(world: World) -> dict[str, Any]:
    return {"item": ["Chemical|C1", "Gene|1"], "kind": "ambiguous", "text": "Both are right."}


def correction_body(world: World) -> dict[str, Any]:
    withdrawal = {"key": FIRST_ITEM, "action": "withdraw"}
    return {"name": f"Corrected {uuid.uuid4()}", "corrections": [withdrawal]}


VIEW = {"page": "", "query": "q=aspirin"}
Body = Callable[[World], dict[str, Any]]


def transition_body(world: World) -> dict[str, Any]:
    return {"kind": "rns-transition", "parameters": {"graph": world.graph.graph.slug}}


def endpoint_body(world: World | None) -> dict[str, Any]:
    """An endpoint that everybody who is signed in may use."""
    return {
        "name": f"Model {uuid.uuid4()}",
        "base_url": "https://models.example.org/v1",
        "model": "m",
        "price_in": Decimal(0),
        "price_out": Decimal(0),
        "usable_by": "everyone",
    }


def empty_body(world: World) -> dict[str, Any]:
    return {}


def archive_upload(world: World) -> dict[str, Any]:
    file = SimpleUploadedFile("study.jsonl", export(world.cast.study, "jsonl"))
    return {"name": f"Archive {uuid.uuid4()}", "format": "jsonl", "file": file}


def judge_upload(world: World) -> dict[str, Any]:
    return {"name": "A model", "file": SimpleUploadedFile("judge.jsonl", b"{}")}


def scores_upload(world: World) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("scores.jsonl", b"{}")}


def questionnaire_upload(world: World) -> dict[str, Any]:
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


def graph_upload(world: World) -> dict[str, Any]:
    return {"name": f"Graph {uuid.uuid4()}", "files": make_uploads()}


def paper_upload(world: World) -> dict[str, Any]:
    line = json_lines(paper("1", "A title")).encode()
    files = [SimpleUploadedFile("papers.jsonl", line)]
    return {"name": f"Papers {uuid.uuid4()}", "licence": "CC0", "files": files}


def partition_file(world: World) -> dict[str, Any]:
    line = json.dumps({"existing": [ASPIRIN], "serendipity": [HEADACHE]}).encode()
    return {"file": SimpleUploadedFile("sets.jsonl", line)}


def partition_body(world: World) -> dict[str, Any]:
    return {"existing": [ASPIRIN], "serendipity": [HEADACHE]}


def sum_body(world: World) -> dict[str, Any]:
    return {"kind": "test-sum", "parameters": {"numbers": [uuid.uuid4().int % 10**9]}}


@dataclass(frozen=True)
class Route:
    method: str
    template: str
    statuses: tuple[int, ...]
    body: Body = empty_body
    multipart: bool = False

    def expected(self) -> dict[str, int]:
        return dict(zip(PERSONAS, self.statuses, strict=True))


def sealed_release_body(world: World) -> dict[str, Any]:
    graph = world.graph.graph.slug
    return {"name": "Sealed", "graph": graph, "subjects": "Drug", "objects": "Disease"}


def same_for_all(status: int) -> tuple[int, ...]:
    return (status,) * len(PERSONAS)


def visitor_and_others(status: int, others: int) -> tuple[int, ...]:
    return (status, *(others,) * (len(PERSONAS) - 1))


#                    visitor outsider expert colleague coordinator other researcher administrator
ADMINISTRATORS = (401, 403, 403, 403, 403, 403, 403, 200)
ADMINISTRATORS_NO_CONTENT = (401, 403, 403, 403, 403, 403, 403, 204)
ADMINISTRATORS_ACCEPTED = (401, 403, 403, 403, 403, 403, 403, 202)
INVITERS = (401, 403, 403, 403, 403, 403, 403, 201)
RESEARCHERS = (401, 403, 403, 403, 403, 403, 200, 200)
RESEARCHERS_CREATED = (401, 403, 403, 403, 403, 403, 201, 201)
# A model without a public result.
# The release that it was submitted to is Ada's.
OWN_MODEL = (404, 404, 404, 404, 200, 404, 200, 200)
OWN_MODEL_WRITE = (401, 404, 404, 404, 404, 404, 200, 200)
# The model is Rohan's, and nobody else submits under it.
SUBMITTERS = (401, 403, 403, 403, 403, 403, 202, 403)
# The release is Ada's, the submission Rohan's: its organisers see it as well.
ORGANISERS = (401, 403, 403, 403, 200, 403, 403, 200)
ORGANISERS_ACCEPTED = (401, 403, 403, 403, 202, 403, 403, 202)
ORGANISERS_UNPOOLED = ORGANISERS_OF_NO_DRAFT = (401, 403, 403, 403, 409, 403, 403, 409)
NOTHING_TO_SEAL = (401, 403, 403, 403, 422, 422, 403, 422)
OWN_SUBMISSION = (401, 404, 404, 404, 200, 404, 200, 200)
# Of Rohan: nobody else reads it.
OWN_UPLOAD = (401, *(404,) * 5, 200, 404)
GROUNDERS = (401, 404, 404, 404, 409, 404, 409, 409)  # no prediction has a rationale
# The release has no graph.
NO_GRAPH_TO_WALK = (401, 403, 403, 403, 422, 403, 422, 422)
# The session is Rohan's, and no submission names it.
READ_SESSION = (404, 404, 404, 404, 200, 404, 200, 200)
OWN_SESSION_NOT_SHAREABLE = (401, 404, 404, 404, 404, 404, 409, 404)
# He no longer sees its graph, which is Ada's.
OWN_SESSION = (401, 404, 404, 404, 404, 404, 200, 404)
OWN_SESSION_WITHOUT_GRAPH = (401, 404, 404, 404, 404, 404, 404, 404)
# The run is Rohan's, estimated and not started; its model is his as well.
OWN_RUN = (404, 404, 404, 404, 404, 404, 200, 200)
OWN_GROUNDING = (404, 404, 404, 404, 404, 404, 200, 404)
# Its graph is Ada's, so its owner reads no evidence of it.
OWN_GROUNDING_EVIDENCE = (404, 404, 404, 404, 404, 404, 403, 404)
OWN_PROPOSAL = (401, 404, 404, 404, 404, 404, 200, 404)
OWN_PROPOSAL_NOT_FAILED = (401, 404, 404, 404, 404, 404, 409, 404)
# The coordinator's. The graph is not shared with the other one.
OWN_SYNTHESIS = (401, 404, 404, 404, 200, 404, 404, 404)
OWN_SYNTHESIS_NOT_FAILED = (401, 404, 404, 404, 409, 404, 404, 404)
OWN_ENSEMBLE = (401, 404, 404, 404, 200, 404, 404, 200)
# At its owner's cost: an administrator sees it and cannot resume it.
OWN_ENSEMBLE_NOT_FAILED = (401, 404, 404, 404, 409, 404, 404, 403)
ENSEMBLE_ACCEPTED = (401, 403, 403, 403, 202, 404, 403, 202)
SYNTHESIS_ACCEPTED = (401, 403, 403, 403, 202, 404, 403, 202)
OWN_GROUNDING_CHANGED = (401, 404, 404, 404, 404, 404, 200, 404)
OWN_GROUNDING_BATCH = (401, 404, 404, 404, 404, 404, 200, 404)
# Its owner coordinates no study.
OWN_BATCH_STUDIED = (401, 404, 404, 404, 404, 404, 403, 404)
OWN_RUN_STEERED = (401, 404, 404, 404, 404, 404, 200, 200)
OWN_RUN_NOT_STARTED = (401, 404, 404, 404, 404, 404, 409, 409)
# The graph is Ada's, shared with the study.
GRAPH_READERS_ACCEPTED = (401, 404, 202, 202, 202, 404, 404, 202)
OWN_RUN_CREATED = (401, 404, 404, 404, 404, 404, 201, 403)
# It waits for its score; organisers see it, and only the submitter chooses it as final.
UNSCORED_SUBMISSION = (401, 404, 404, 404, 403, 404, 409, 403)
# The team is Rohan's; the administrator is invited.
TEAMS_CREATED = (401, 403, 403, 403, 403, 403, 409, 201)
TEAM_OWNER = (401, 404, 404, 404, 404, 404, 204, 404)
TEAM_INVITERS = (401, 404, 404, 404, 404, 404, 201, 404)
TEAM_INVITATION = (401, 404, 404, 404, 404, 404, 204, 204)
TEAM_JOINERS = (401, 403, 403, 403, 403, 403, 404, 200)
# Rohan reported the item; an organiser decides.
OWN_REPORT = (401, 404, 404, 404, 200, 404, 403, 200)
OWN_TOKEN = (401, 404, 404, 404, 404, 404, 200, 404)
OWN_ASSIGNMENT = (401, 404, 200, 404, 404, 404, 404, 404)
OWN_BATCH = (401, 404, 200, 200, 404, 404, 404, 404)
OWN_BATCH_NO_CONTENT = (401, 404, 204, 204, 404, 404, 404, 404)
# The study is open: its experts see the others' answers once it is closed.
OWN_BATCH_OF_OPEN_STUDY = (401, 404, 409, 409, 404, 404, 404, 404)
# The thread is Eve's; Cleo, an expert of the same study, does not know that it exists.
THREAD_READERS = (401, 404, 204, 404, 204, 404, 404, 404)
THREAD_COORDINATORS = (401, 404, 403, 404, 204, 404, 404, 404)
EXPERTS = (401, 404, 200, 200, 403, 404, 404, 404)
EXPERTS_NO_CONTENT = (401, 404, 204, 204, 403, 404, 404, 404)
COORDINATORS = (401, 404, 403, 403, 200, 404, 404, 404)
COORDINATORS_NO_CONTENT = (401, 404, 403, 403, 204, 404, 404, 404)
MEMBERS = (401, 404, 200, 200, 200, 404, 404, 404)
COORDINATORS_CREATED = (401, 404, 403, 403, 201, 404, 404, 404)
# The study is open: it has no release, and is closed before it is frozen.
NO_STUDY_RELEASE = (401, 404, 403, 403, 404, 404, 404, 404)
STUDY_NOT_CLOSED = (401, 404, 403, 403, 409, 404, 404, 404)
# The study is open: whoever may partition it is asked to close it first (409).
PARTITIONERS = (401, 404, 403, 403, 200, 404, 404, 200)
# The study has no qualification.
QUALIFICATION_WAIVERS = (401, 404, 403, 403, 409, 404, 404, 404)
# The study's kind is another one.
NO_WRITTEN_QUERIES = (401, 404, 403, 403, 409, 404, 404, 409)
# Rankings have no choices that judges share with experts.
NO_JUDGE = (401, 404, 403, 403, 422, 404, 404, 404)
# The study ranks.
NO_RATINGS = (401, 404, 403, 403, 409, 404, 404, 404)
NO_SCORES = (401, 404, 403, 403, 404, 404, 404, 404)
IMPORTERS = (401, 403, 403, 403, 201, 201, 403, 201)
PLANNERS = (401, 403, 403, 403, 200, 200, 403, 200)
NO_STUDY_CREATED = (401, 403, 403, 403, 422, 422, 403, 422)
IMPORTERS_ACCEPTED = (401, 403, 403, 403, 202, 202, 403, 202)
OWN_JOB = (401, 404, 404, 404, 200, 404, 404, 200)
GRAPH_READERS = (404, 404, 200, 200, 200, 404, 404, 200)
GRAPH_READERS_CREATED = (404, 404, 201, 201, 201, 404, 404, 201)
GRAPH_OWNERS = (401, 404, 403, 403, 200, 404, 404, 200)
CYPHER = (401, 404, 403, 403, 403, 404, 404, 200)
# Scores of a question that experts are asked: who coordinates the study, and nobody else.
HIDDEN_ANSWERS = (404, 404, 404, 404, 200, 404, 404, 200)
HIDDEN_ANSWERS_INVALID = (404, 404, 404, 404, 422, 404, 404, 422)
JOB_STARTERS = (401, 403, 403, 403, 202, 422, 403, 202)
SCORING_STARTERS = (401, 403, 403, 403, 202, 404, 404, 202)
# A saved view refers to the only version, so that its owner gets 409.
OWNERS_OF_REFERENCED_GRAPH = (401, 404, 403, 403, 409, 404, 404, 409)

V1 = "api/v1/"
STUDY = V1 + "studies/<uuid:study_id>"
GRAPH = V1 + "graphs/<slug:slug>"
ENTITY = GRAPH + "/entities/<path:identifier>"
QUESTION = V1 + "questions/<uuid:question_id>"
SIGN_IN = "_allauth/browser/v1/"

ROUTES = (
    Route("get", V1 + "me", same_for_all(200)),
    Route("patch", V1 + "me", visitor_and_others(401, 200), lambda world: {"name": "Somebody"}),
    Route(
        "post",
        V1 + "invitations/lookup",
        same_for_all(200),
        lambda world: {"token": world.token},
    ),
    Route(
        "post",
        V1 + "invitations/accept",
        visitor_and_others(200, 409),
        lambda world: {"token": world.token, "name": "New"},
    ),
    Route("get", V1 + "sign-in/provider", same_for_all(200)),
    Route("post", V1 + "sign-in/provider", same_for_all(404)),
    Route(
        "post",
        V1 + "sign-in-links/use",
        visitor_and_others(200, 409),
        lambda world: {"token": world.sign_in_token},
    ),
    Route(
        "post",
        V1 + "sign-in-links/renew",
        same_for_all(204),
        lambda world: {"token": world.sign_in_token},
    ),
    Route("get", V1 + "models", same_for_all(200)),
    Route("post", V1 + "models", RESEARCHERS_CREATED, lambda world: {"name": "A model"}),
    Route("get", V1 + "models/<slug:slug>", OWN_MODEL),
    Route(
        "patch",
        V1 + "models/<slug:slug>",
        OWN_MODEL_WRITE,
        lambda world: {"family": "F", "version": 1},
    ),
    Route("get", V1 + "models/<slug:slug>/results", OWN_MODEL),
    Route("get", V1 + "model-matrix", same_for_all(200)),
    Route("get", V1 + "releases", same_for_all(200)),
    Route("post", V1 + "releases", IMPORTERS, release_form, multipart=True),
    Route("get", V1 + "releases/<slug:slug>", same_for_all(200)),
    Route(
        "patch",
        V1 + "releases/<slug:slug>",
        ORGANISERS,
        lambda world: {"terms": "None", "version": world.release.version},
    ),
    # It is open.
    Route("delete", V1 + "releases/<slug:slug>", ORGANISERS_OF_NO_DRAFT),
    Route("post", V1 + "releases/<slug:slug>/state", ORGANISERS, lambda world: {"state": "closed"}),
    Route("get", V1 + "releases/<slug:slug>/items", same_for_all(200)),
    Route("get", V1 + "releases/<slug:slug>/croissant.json", same_for_all(200)),
    Route("get", V1 + "releases/<slug:slug>/citation.bib", same_for_all(200)),
    Route("get", V1 + "releases/<slug:slug>/entities", same_for_all(404)),
    Route("get", V1 + "releases/<slug:slug>/graphs", same_for_all(200)),
    Route(
        "post",
        V1 + "releases/<slug:slug>/graphs/<slug:method>/cypher",
        (401, 403, 403, 403, 404, 403, 404, 404),
        lambda world: {"query": "RETURN 1"},
    ),
    # Its track has no masked graphs.
    Route(
        "post",
        V1 + "releases/<slug:slug>/graphs",
        tuple(422 if one == 202 else one for one in ORGANISERS_ACCEPTED),
        lambda world: {"method": "expert"},
    ),
    Route("get", V1 + "releases/<slug:slug>/queries", visitor_and_others(401, 200)),
    Route("get", V1 + "releases/<slug:slug>/item-page", same_for_all(200)),
    Route("get", V1 + "releases/<slug:slug>/contents", same_for_all(200)),
    Route("get", V1 + "releases/<slug:slug>/submissions", ORGANISERS),
    Route("get", V1 + "releases/<slug:slug>/submitters", ORGANISERS),
    Route("get", V1 + "prompts", same_for_all(200)),
    Route("get", V1 + "prompts/<slug:name>", same_for_all(200)),
    Route("get", V1 + "tracks", same_for_all(200)),
    Route("get", V1 + "tracks/<slug:slug>", same_for_all(200)),
    Route(
        "post",
        V1 + "releases/<slug:slug>/corrections",
        ORGANISERS_ACCEPTED,
        correction_body,
    ),
    Route("get", V1 + "releases/<slug:slug>/reports", visitor_and_others(401, 200)),
    Route("post", V1 + "releases/<slug:slug>/reports", visitor_and_others(401, 201), report_body),
    Route(
        "patch",
        V1 + "releases/<slug:slug>/reports/<uuid:report_id>",
        OWN_REPORT,
        lambda world: {"state": "accepted"},
    ),
    Route("post", V1 + "releases/<slug:slug>/rescore", ORGANISERS_ACCEPTED),
    # The graph of the body has no years; that of the release is not sealed.
    Route("post", V1 + "sealed-releases", NOTHING_TO_SEAL, sealed_release_body),
    Route("get", V1 + "boards/<slug:slug>/discoveries", same_for_all(404)),
    Route("get", V1 + "boards/<slug:slug>/importance", same_for_all(404)),
    Route("get", V1 + "boards/<slug:slug>/roc-curves", same_for_all(404)),
    Route("get", V1 + "releases/<slug:slug>/sealed", same_for_all(404)),
    Route("post", V1 + "releases/<slug:slug>/unseal", ORGANISERS_UNPOOLED, lambda world: {}),
    Route("get", V1 + "releases/<slug:slug>/pool", ORGANISERS),
    # Answers of its track are not ranked, so none are pooled, and no study is made of them.
    Route("post", V1 + "releases/<slug:slug>/pool", ORGANISERS_UNPOOLED),
    Route(
        "post",
        V1 + "releases/<slug:slug>/pool/studies",
        ORGANISERS_UNPOOLED,
        lambda world: {"name": "Unjudged"},
    ),
    Route(
        "post",
        V1 + "releases/<slug:slug>/pool/studies/<uuid:study_id>/verdicts",
        tuple(404 if one == 202 else one for one in ORGANISERS_ACCEPTED),
    ),
    # Without the headers of the protocol.
    Route("post", V1 + "uploads", (401, 403, 403, 403, 403, 403, 422, 422)),
    Route("get", V1 + "uploads", visitor_and_others(401, 200)),
    Route("get", V1 + "uploads/<uuid:upload_id>", OWN_UPLOAD),
    Route("patch", V1 + "uploads/<uuid:upload_id>", (401, *(404,) * 5, 422, 404)),
    Route("delete", V1 + "uploads/<uuid:upload_id>", (401, *(404,) * 5, 204, 404)),
    Route("post", V1 + "validations", RESEARCHERS, validation_form, multipart=True),
    Route("get", V1 + "boards/<slug:slug>", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/changes", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/judged", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/groundedness", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/best-of-n", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/strategies", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/points", same_for_all(200), lambda world: {"x": "cost"}),
    # Rohan's submission is not scored yet.
    Route("get", V1 + "boards/<slug:slug>/comparison", same_for_all(404), comparison_query),
    Route("get", V1 + "boards/<slug:slug>/correlations", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/entries.csv", same_for_all(200)),
    Route("get", V1 + "boards/<slug:slug>/entries.json", same_for_all(200)),
    Route("get", V1 + "releases/<slug:slug>/tools", same_for_all(200)),
    Route("post", V1 + "releases/<slug:slug>/tool-sessions", NO_GRAPH_TO_WALK),
    Route("get", V1 + "releases/<slug:slug>/model-tasks", same_for_all(200)),
    Route("get", V1 + "runs", visitor_and_others(401, 200)),
    Route("post", V1 + "runs", OWN_RUN_CREATED, run_body),
    Route("get", V1 + "runs/<uuid:run_id>", OWN_RUN),
    Route("get", V1 + "runs/<uuid:run_id>/answers", OWN_RUN),
    Route("get", V1 + "runs/<uuid:run_id>/explorations", OWN_RUN),
    # The run is of another task.
    Route("get", V1 + "runs/<uuid:run_id>/summaries.jsonl", same_for_all(404)),
    Route(
        "get", V1 + "runs/<uuid:run_id>/explorations/<slug:split>/<int:position>", same_for_all(404)
    ),
    Route(
        "post",
        V1 + "runs/<uuid:run_id>/start",
        OWN_RUN_STEERED,
        lambda world: {"budget": "1.00"},
    ),
    Route("post", V1 + "runs/<uuid:run_id>/pause", OWN_RUN_NOT_STARTED),
    Route("post", V1 + "runs/<uuid:run_id>/resume", OWN_RUN_NOT_STARTED),
    Route("post", V1 + "runs/<uuid:run_id>/cancel", OWN_RUN_STEERED),
    Route("get", V1 + "groundings", visitor_and_others(401, 200)),
    Route("post", V1 + "groundings", GRAPH_READERS_ACCEPTED, grounding_body),
    Route("get", V1 + "groundings/quota", visitor_and_others(401, 200)),
    Route("post", V1 + "groundings/files", GRAPH_READERS_ACCEPTED, grounding_form, multipart=True),
    Route("get", V1 + "groundings/<uuid:grounding_id>", OWN_GROUNDING),
    Route(
        "patch",
        V1 + "groundings/<uuid:grounding_id>",
        OWN_GROUNDING_CHANGED,
        lambda world: {"is_public": False},
    ),
    Route("get", V1 + "groundings/<uuid:grounding_id>/export.json", OWN_GROUNDING_EVIDENCE),
    Route("get", V1 + "groundings/<uuid:grounding_id>/export.csv", OWN_GROUNDING_EVIDENCE),
    Route("get", V1 + "groundings/<uuid:grounding_id>/citation.bib", OWN_GROUNDING),
    Route("get", V1 + "groundings/<uuid:grounding_id>/agreement", OWN_GROUNDING),
    Route("get", V1 + "grounding-batches/<uuid:grounding_batch>", OWN_GROUNDING_BATCH),
    Route("get", V1 + "grounding-batches/<uuid:grounding_batch>/export.csv", OWN_GROUNDING_BATCH),
    Route(
        "post",
        V1 + "grounding-batches/<uuid:grounding_batch>/studies",
        OWN_BATCH_STUDIED,
        lambda world: {"name": "Verify"},
    ),
    Route("get", V1 + "judges", same_for_all(200)),
    Route("get", V1 + "hypothesis-proposals", visitor_and_others(401, 200)),
    Route("post", V1 + "hypothesis-proposals", GRAPH_READERS_ACCEPTED, proposal_body),
    Route("get", V1 + "hypothesis-proposals/<uuid:proposal_id>", OWN_PROPOSAL),
    Route("get", V1 + "hypothesis-proposals/<uuid:proposal_id>/pairs.json", OWN_PROPOSAL),
    Route(
        "post",
        V1 + "hypothesis-proposals/<uuid:proposal_id>/resume",
        OWN_PROPOSAL_NOT_FAILED,
        lambda world: {"budget": "1.00"},
    ),
    Route("get", V1 + "candidate-ensembles", visitor_and_others(401, 200)),
    Route("post", V1 + "candidate-ensembles", ENSEMBLE_ACCEPTED, ensemble_body),
    Route("get", V1 + "candidate-ensembles/<uuid:ensemble_id>", OWN_ENSEMBLE),
    Route(
        "post",
        V1 + "candidate-ensembles/<uuid:ensemble_id>/resume",
        OWN_ENSEMBLE_NOT_FAILED,
        lambda world: {"budget": "1.00"},
    ),
    Route("get", V1 + "query-syntheses", visitor_and_others(401, 200)),
    Route("post", V1 + "query-syntheses", SYNTHESIS_ACCEPTED, synthesis_body),
    Route("get", V1 + "query-syntheses/<uuid:synthesis_id>", OWN_SYNTHESIS),
    Route("get", V1 + "query-syntheses/<uuid:synthesis_id>/queries.csv", OWN_SYNTHESIS),
    Route(
        "post",
        V1 + "query-syntheses/<uuid:synthesis_id>/question-set",
        OWN_SYNTHESIS_NOT_FAILED,
    ),
    Route(
        "post",
        V1 + "query-syntheses/<uuid:synthesis_id>/resume",
        OWN_SYNTHESIS_NOT_FAILED,
        lambda world: {"budget": "1.00"},
    ),
    Route("get", V1 + "model-costs", same_for_all(200)),
    Route("get", V1 + "model-costs.csv", same_for_all(200)),
    Route("get", V1 + "model-costs.json", same_for_all(200)),
    Route("get", V1 + "model-spending", ADMINISTRATORS),
    Route("get", V1 + "model-spending.csv", ADMINISTRATORS),
    Route("get", V1 + "model-spending.json", ADMINISTRATORS),
    Route("get", V1 + "tool-sessions", visitor_and_others(401, 200)),
    Route("get", V1 + "tool-sessions/<uuid:session_id>", READ_SESSION),
    Route("post", V1 + "tool-sessions/<uuid:session_id>/close", OWN_SESSION),
    Route(
        "post",
        V1 + "tool-sessions/<uuid:session_id>/sharing",
        OWN_SESSION_NOT_SHAREABLE,
        lambda world: {"is_shared": True},
    ),
    Route("get", V1 + "tool-sessions/<uuid:session_id>/calls", READ_SESSION),
    Route("get", V1 + "tool-sessions/<uuid:session_id>/walk", READ_SESSION),
    Route("get", V1 + "tool-sessions/<uuid:session_id>/calls/<int:number>", READ_SESSION),
    Route(
        "post",
        V1 + "tool-sessions/<uuid:session_id>/calls",
        OWN_SESSION_WITHOUT_GRAPH,
        tool_call_body,
    ),
    Route("get", V1 + "results/<uuid:submission_id>", same_for_all(404)),
    Route("get", V1 + "results/<uuid:submission_id>/badge.svg", same_for_all(404)),
    Route("get", V1 + "results/<uuid:submission_id>/cases", same_for_all(404)),
    Route("get", V1 + "results/<uuid:submission_id>/citation.bib", same_for_all(404)),
    Route("get", V1 + "results/<uuid:submission_id>/every_eval_ever.json", same_for_all(404)),
    Route(
        "get",
        V1 + "results/<uuid:submission_id>/every_eval_ever_samples.jsonl",
        same_for_all(404),
    ),
    Route("get", V1 + "submissions", visitor_and_others(401, 200)),
    Route("post", V1 + "submissions", SUBMITTERS, prediction_form, multipart=True),
    Route("get", V1 + "submissions/<uuid:submission_id>", OWN_SUBMISSION),
    Route("get", V1 + "submissions/<uuid:submission_id>/query-report", OWN_SUBMISSION),
    Route("get", V1 + "submissions/<uuid:submission_id>/groundings", OWN_SUBMISSION),
    Route("post", V1 + "submissions/<uuid:submission_id>/groundings", GROUNDERS),
    Route("post", V1 + "submissions/<uuid:submission_id>/withdraw", OWN_SUBMISSION),
    Route(
        "post",
        V1 + "submissions/<uuid:submission_id>/final",
        UNSCORED_SUBMISSION,
        lambda world: {"is_final": True},
    ),
    Route("get", V1 + "team", visitor_and_others(401, 200)),
    Route("post", V1 + "team", TEAMS_CREATED, lambda world: {"name": f"Team {uuid.uuid4()}"}),
    Route("delete", V1 + "team/members/<uuid:user_id>", TEAM_OWNER),
    Route("post", V1 + "team/invitations", TEAM_INVITERS, lambda world: {"email": "a@example.org"}),
    Route("delete", V1 + "team/invitations/<uuid:invitation_id>", TEAM_INVITATION),
    Route("post", V1 + "team/invitations/<uuid:invitation_id>/accept", TEAM_JOINERS),
    Route("get", V1 + "tokens", visitor_and_others(401, 200)),
    Route(
        "post",
        V1 + "tokens",
        visitor_and_others(401, 201),
        lambda world: {"name": "Laptop", "scope": "read"},
    ),
    Route("delete", V1 + "tokens/<uuid:token_id>", OWN_TOKEN),
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
    Route("get", V1 + "batches", visitor_and_others(401, 200)),
    Route("get", V1 + "batches/<uuid:batch_id>/assignments", OWN_BATCH),
    Route("post", V1 + "batches/<uuid:batch_id>/leases", OWN_BATCH, lambda world: {"count": 1}),
    Route("post", V1 + "batches/<uuid:batch_id>/presence", OWN_BATCH_NO_CONTENT),
    Route("get", V1 + "batches/<uuid:batch_id>/comparison", OWN_BATCH_OF_OPEN_STUDY),
    Route(
        "put",
        V1 + "assignments/<uuid:assignment_id>/response",
        OWN_ASSIGNMENT,
        lambda world: response_body(world.cast.assignment(), "agree"),
    ),
    Route(
        "post",
        V1 + "assignments/<uuid:assignment_id>/activity",
        OWN_ASSIGNMENT,
        lambda world: activity_body(),
    ),
    Route("get", V1 + "assignments/<uuid:assignment_id>/evidence", OWN_ASSIGNMENT),
    Route(
        "get",
        V1 + "assignments/<uuid:assignment_id>/evidence/paths",
        OWN_ASSIGNMENT,
        lambda world: {"candidate": world.candidate},
    ),
    Route(
        "get",
        V1 + "assignments/<uuid:assignment_id>/evidence/papers",
        OWN_ASSIGNMENT,
        lambda world: {"candidate": world.candidate},
    ),
    Route("put", STUDY + "/graph", COORDINATORS, lambda world: {"graph": world.graph.graph.slug}),
    Route(
        "post", STUDY + "/consent", EXPERTS_NO_CONTENT, lambda world: {"version": CONSENT_VERSION}
    ),
    Route("get", V1 + "me/data", visitor_and_others(401, 200)),
    Route("get", STUDY + "/participation", COORDINATORS),
    Route("post", STUDY + "/withdrawal", EXPERTS_NO_CONTENT, lambda world: {"with_answers": False}),
    Route(
        "post",
        STUDY + "/experts/<uuid:expert_id>/removal",
        COORDINATORS_NO_CONTENT,
        lambda world: {"with_answers": False},
    ),
    Route(
        "post",
        STUDY + "/conflicts",
        COORDINATORS_NO_CONTENT,
        lambda world: {
            "expert_id": str(world.cast.colleague.id),
            "batch": 1,
            "question": 1,
            "reason": "A paper of their own.",
        },
    ),
    Route(
        "put",
        STUDY + "/batches/<uuid:batch_id>/tags",
        COORDINATORS,
        lambda world: {"tags": ["cardiology"]},
    ),
    Route("get", STUDY + "/guidelines", MEMBERS),
    Route(
        "post",
        STUDY + "/guidelines",
        COORDINATORS_CREATED,
        lambda world: {"text": f"Read {uuid.uuid4()}.", "must_be_read": False},
    ),
    Route(
        "put",
        STUDY + "/experts/<uuid:expert_id>/tags",
        COORDINATORS,
        lambda world: {"tags": ["Cardiology"]},
    ),
    Route("get", V1 + "studies", visitor_and_others(401, 200)),
    Route("post", V1 + "studies", NO_STUDY_CREATED, lambda world: {}),
    Route("post", V1 + "mixed-question-sets", NO_STUDY_CREATED, lambda world: {}),
    Route("post", V1 + "studies/import", IMPORTERS, questionnaire_upload, multipart=True),
    Route("post", V1 + "studies/archives", IMPORTERS_ACCEPTED, archive_upload, multipart=True),
    Route("get", V1 + "study-formats", visitor_and_others(401, 200)),
    Route("get", STUDY + "/export", COORDINATORS, lambda world: {"format": "jsonl"}),
    Route(
        "post",
        V1 + "study-plans",
        PLANNERS,
        lambda world: {"judgement": "pairs", "raters": 3, "items": 10},
    ),
    Route("get", STUDY, COORDINATORS),
    Route("patch", STUDY, COORDINATORS, lambda world: {"status": "closed"}),
    Route("post", STUDY + "/clone", COORDINATORS_CREATED, lambda world: {"name": "Again"}),
    Route("get", STUDY + "/release", NO_STUDY_RELEASE),
    Route("post", STUDY + "/release", STUDY_NOT_CLOSED, lambda world: {"slug": "again"}),
    Route("get", STUDY + "/methods.md", NO_STUDY_RELEASE),
    Route("get", STUDY + "/board", COORDINATORS),
    Route("get", STUDY + "/contribution", EXPERTS),
    Route("get", STUDY + "/statistics", COORDINATORS),
    Route("get", STUDY + "/judges", COORDINATORS),
    Route("post", STUDY + "/judges", NO_JUDGE, judge_upload, multipart=True),
    Route("get", STUDY + "/judged-scores", COORDINATORS),
    Route("post", STUDY + "/judged-scores", NO_RATINGS, scores_upload, multipart=True),
    # No file is stored.
    Route("get", STUDY + "/judged-scores/<uuid:scores_id>", NO_SCORES),
    Route("delete", STUDY + "/judged-scores/<uuid:scores_id>", NO_SCORES),
    Route("get", STUDY + "/questions", COORDINATORS),
    Route(
        "post",
        STUDY + "/decisions",
        COORDINATORS,
        lambda world: {"action": "adjudicate", "questions": [str(world.question.id)]},
    ),
    Route("get", STUDY + "/adjudications", COORDINATORS),
    Route("post", STUDY + "/questions/<uuid:question_id>/adjudication", COORDINATORS),
    # The assignment is an expert's, and no adjudication.
    Route(
        "post",
        V1 + "assignments/<uuid:assignment_id>/reopening",
        visitor_and_others(401, 404),
        lambda world: {"reason": "A paper"},
    ),
    Route("get", STUDY + "/webhooks", COORDINATORS),
    Route("post", STUDY + "/webhooks", COORDINATORS_CREATED, webhook_body),
    Route("delete", V1 + "webhooks/<uuid:webhook_id>", COORDINATORS_NO_CONTENT),
    Route("post", V1 + "webhooks/<uuid:webhook_id>/test", COORDINATORS_NO_CONTENT),
    Route("post", V1 + "webhook-deliveries/<uuid:delivery_id>/repeat", COORDINATORS_NO_CONTENT),
    Route("get", V1 + "endpoints", visitor_and_others(401, 200)),
    Route("post", V1 + "endpoints", INVITERS, endpoint_body),
    Route("get", V1 + "endpoints/<uuid:endpoint_id>", visitor_and_others(401, 200)),
    Route("patch", V1 + "endpoints/<uuid:endpoint_id>", ADMINISTRATORS, lambda world: {}),
    Route("get", V1 + "endpoints/<uuid:endpoint_id>/calls", ADMINISTRATORS),
    Route("post", V1 + "endpoints/<uuid:endpoint_id>/probe", ADMINISTRATORS_ACCEPTED),
    Route("delete", V1 + "endpoints/<uuid:endpoint_id>", ADMINISTRATORS_NO_CONTENT),
    Route("get", V1 + "webhook-hosts", ADMINISTRATORS),
    Route("post", V1 + "webhook-hosts", INVITERS, lambda world: {"host": "hooks.example.org"}),
    Route("delete", V1 + "webhook-hosts/<int:host_id>", ADMINISTRATORS_NO_CONTENT),
    Route("get", STUDY + "/threads", COORDINATORS),
    Route("get", V1 + "threads", visitor_and_others(401, 200)),
    Route(
        "patch",
        V1 + "threads/<int:thread_id>",
        THREAD_COORDINATORS,
        lambda world: {"is_resolved": True},
    ),
    Route(
        "post",
        V1 + "threads/<int:thread_id>/messages",
        THREAD_COORDINATORS,
        lambda world: {"id": str(uuid.uuid4()), "text": "Yes."},
    ),
    Route("post", V1 + "threads/<int:thread_id>/reading", THREAD_READERS),
    Route("get", STUDY + "/export.json", COORDINATORS),
    Route("get", STUDY + "/export.csv", COORDINATORS),
    Route("post", STUDY + "/partitions", PARTITIONERS, lambda world: {"size": 1}),
    Route("post", STUDY + "/queries", NO_WRITTEN_QUERIES),
    Route("get", STUDY + "/invitations", COORDINATORS),
    Route(
        "post",
        STUDY + "/invitations",
        COORDINATORS_CREATED,
        lambda world: {"email": "b@example.org", "role": "expert"},
    ),
    Route(
        "post",
        STUDY + "/invitations/several",
        COORDINATORS_CREATED,
        lambda world: {"emails": ["c@example.org", "d@example.org"], "role": "expert"},
    ),
    Route("post", STUDY + "/invitations/<uuid:invitation_id>/revoke", COORDINATORS),
    Route("post", STUDY + "/invitations/<uuid:invitation_id>/resend", COORDINATORS),
    Route("get", STUDY + "/reminders", COORDINATORS),
    Route("post", STUDY + "/reminders", COORDINATORS, lambda world: {"experts": []}),
    Route(
        "put",
        STUDY + "/experts/<uuid:expert_id>/batches",
        COORDINATORS,
        lambda world: {"batches": [str(world.cast.batch.id)]},
    ),
    Route("post", STUDY + "/experts/<uuid:expert_id>/qualification", QUALIFICATION_WAIVERS),
    Route("get", V1 + "practice-questions", same_for_all(200)),
    Route("get", V1 + "study-kinds", same_for_all(200)),
    Route("get", V1 + "leaderboards", same_for_all(200)),
    Route("get", V1 + "site-summary", same_for_all(200)),
    Route("get", V1 + "leaderboards/<str:track>", same_for_all(200)),
    Route("get", V1 + "leaderboards/<str:track>/correlations", same_for_all(200)),
    Route("get", V1 + "leaderboards/<str:track>/figures/<slug:figure>", same_for_all(200)),
    Route("get", V1 + "leaderboards/<str:track>/figures/<slug:figure>.csv", same_for_all(200)),
    Route("get", V1 + "search", same_for_all(200), lambda world: {"q": "aspirin"}),
    Route("get", V1 + "graphs", same_for_all(200)),
    Route("get", GRAPH, GRAPH_READERS),
    Route("patch", GRAPH, GRAPH_OWNERS, lambda world: {"visibility": "private"}),
    Route("delete", GRAPH, OWNERS_OF_REFERENCED_GRAPH),
    Route("delete", GRAPH + "/versions/<str:snapshot>", OWNERS_OF_REFERENCED_GRAPH),
    Route("get", GRAPH + "/entities", GRAPH_READERS, lambda world: {"type": "Drug"}),
    Route("get", ENTITY, GRAPH_READERS),
    Route("get", ENTITY + "/neighbours", GRAPH_READERS),
    Route("get", ENTITY + "/strongest-neighbours", GRAPH_READERS),
    Route(
        "get", GRAPH + "/search", GRAPH_READERS, lambda world: {"q": "aspirin", "mode": "hybrid"}
    ),
    Route(
        "post",
        GRAPH + "/views",
        GRAPH_READERS_CREATED,
        lambda world: {"title": "Mine", "state": VIEW},
    ),
    Route("get", GRAPH + "/paths", GRAPH_READERS, lambda world: {"from": ASPIRIN, "to": COX1}),
    Route(
        "get", GRAPH + "/metapath-test", GRAPH_READERS, lambda world: {"from": ASPIRIN, "to": COX1}
    ),
    Route(
        "post",
        GRAPH + "/metapath-test",
        (401, 404, 202, 202, 202, 404, 404, 202),
        lambda world: {"from": ASPIRIN, "to": COX1},
    ),
    Route("get", GRAPH + "/surprises", GRAPH_READERS),
    Route("get", GRAPH + "/schema", GRAPH_READERS),
    Route("get", GRAPH + "/profile", GRAPH_READERS),
    # One graph cannot be compared.
    Route("get", V1 + "network-comparison", same_for_all(422)),
    Route("post", GRAPH + "/subgraph", GRAPH_READERS, lambda world: {"ids": [ASPIRIN]}),
    Route("get", GRAPH + "/walk", GRAPH_READERS, lambda world: {"from": ASPIRIN}),
    Route("get", GRAPH + "/export", GRAPH_READERS, lambda world: {"format": "csv"}),
    Route(
        "post", GRAPH + "/export", GRAPH_READERS, lambda world: {"format": "csv", "ids": [ASPIRIN]}
    ),
    Route("get", V1 + "views/<uuid:view_id>", GRAPH_READERS),
    Route("post", GRAPH + "/cypher", CYPHER, lambda world: {"query": "MATCH (n) RETURN count(*)"}),
    Route("get", V1 + "graph-formats", same_for_all(200)),
    Route("post", V1 + "graph-imports", IMPORTERS_ACCEPTED, graph_upload, multipart=True),
    Route("get", V1 + "literature", same_for_all(200)),
    Route("get", V1 + "literature/<slug:collection>", same_for_all(200)),
    Route(
        "get",
        V1 + "literature/<slug:collection>/papers",
        same_for_all(200),
        lambda world: {"q": "aspirin"},
    ),
    Route("post", V1 + "literature-imports", IMPORTERS_ACCEPTED, paper_upload, multipart=True),
    Route("get", ENTITY + "/papers", GRAPH_READERS),
    Route("get", ENTITY + "/history", GRAPH_READERS),
    Route("post", GRAPH + "/rns", GRAPH_READERS, partition_body),
    Route("get", GRAPH + "/serendipity-paths", GRAPH_READERS, partition_body),
    Route("post", GRAPH + "/rns-batches", SCORING_STARTERS, partition_file, multipart=True),
    Route("get", V1 + "question-sets", same_for_all(200)),
    Route("get", V1 + "question-sets/<uuid:set_id>/questions", HIDDEN_ANSWERS),
    Route("get", V1 + "question-sets/<uuid:set_id>/statistics", HIDDEN_ANSWERS),
    Route("get", QUESTION + "/workbench", HIDDEN_ANSWERS),
    Route("get", QUESTION + "/workbench/export", HIDDEN_ANSWERS),
    Route("get", QUESTION + "/serendipity-paths", HIDDEN_ANSWERS_INVALID),
    Route("get", V1 + "jobs", visitor_and_others(401, 200)),
    Route("post", V1 + "jobs", visitor_and_others(401, 202), sum_body),
    Route("get", V1 + "jobs/<uuid:job_id>", OWN_JOB),
    Route("post", V1 + "jobs/<uuid:job_id>/cancel", OWN_JOB),
    Route("post", V1 + "jobs", JOB_STARTERS, transition_body),
    Route("get", V1 + "jobs/<uuid:job_id>/scores", visitor_and_others(401, 404)),
    Route("get", "api/schema", same_for_all(200)),
    # allauth: 401 means 'not signed in', also as the answer that a code is on its way; 409 that
    # somebody is signed in already, or that nothing of this kind was begun.
    Route("get", SIGN_IN + "auth/session", visitor_and_others(401, 200)),
    Route("delete", SIGN_IN + "auth/session", same_for_all(401)),
    Route(
        "post",
        SIGN_IN + "auth/login",
        visitor_and_others(200, 409),
        lambda world: {"email": world.newcomer.email, "password": PASSWORD},
    ),
    Route(
        "post",
        SIGN_IN + "auth/code/request",
        visitor_and_others(401, 200),
        lambda world: {"email": world.newcomer.email},
    ),
    Route("post", SIGN_IN + "auth/code/confirm", same_for_all(409), lambda world: {"code": "X"}),
    Route(
        "post",
        SIGN_IN + "auth/reauthenticate",
        visitor_and_others(401, 400),
        lambda world: {"password": "a wrong password"},
    ),
    Route(
        "post",
        SIGN_IN + "auth/password/request",
        same_for_all(200),
        lambda world: {"email": world.newcomer.email},
    ),
    Route("get", SIGN_IN + "auth/password/reset", same_for_all(400)),
    Route("get", "_allauth/oidc/<slug:provider_id>/callback", same_for_all(302)),
    Route(
        "post",
        SIGN_IN + "auth/password/reset",
        same_for_all(400),
        lambda world: {"key": "forged", "password": PASSWORD},
    ),
    Route(
        "post",
        SIGN_IN + "account/password/change",
        visitor_and_others(401, 200),
        lambda world: {"new_password": "a comet under the pier"},
    ),
    Route("post", "mcp", visitor_and_others(401, 200), mcp_body),
    Route("get", "healthz", same_for_all(200)),
    Route("get", "livez", same_for_all(204)),
)

# Served from the bundle, which a checkout has only after a build; the same for everybody.
PAGES = frozenset({"sw.js", "embed/board/<slug:slug>", SPA_PATTERN})

SIGN_IN_FIRST, NOT_ALLOWED, WELCOME = 4401, 4403, None
SOCKETS = {
    "ws/boards/<slug:slug>": (WELCOME,) * 8,
    "ws/jobs": (SIGN_IN_FIRST, *(WELCOME,) * 7),
    "ws/runs/<uuid:run_id>": (SIGN_IN_FIRST, *(NOT_ALLOWED,) * 5, WELCOME, WELCOME),
    "ws/tool-sessions/<uuid:session_id>": (
        SIGN_IN_FIRST,
        NOT_ALLOWED,
        NOT_ALLOWED,
        NOT_ALLOWED,
        WELCOME,
        NOT_ALLOWED,
        WELCOME,
        WELCOME,
    ),
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
}
