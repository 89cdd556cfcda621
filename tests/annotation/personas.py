"""The people of a study, and what they write. The outsider is always tried.

Ada coordinates the study, Eve and Cleo are its experts and colleagues, Otto coordinates another
study with an expert of its own, and Oscar has an account and no part in anything.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.test import Client

from annotation.assignments import assign_batches
from annotation.imports import import_study
from annotation.kinds.ranking.schema import Ranking
from annotation.models import Action, Assignment, Batch, BatchQuestion, Response
from annotation.responses import ResponseWrite, write_response
from backend.accounts.models import User
from backend.accounts.services import create_account
from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource, StudyQuestions
from backend.benchmarks.questionnaire import SourceFile
from backend.studies.models import Member, Study
from backend.studies.policies import CONSENT_VERSION

# Names that parsers stumble over: a quote, a dot, brackets, commas, a trailing space.
CANDIDATE_NAMES = (
    "Uridine-5'-Diphosphate",
    "N,N-dimethyl [2.1]",
    "Zinc ",
    "Ångström β",
    "Tetra.cycline",
)


@dataclass(frozen=True)
class Cast:
    study: Study
    batches: list[Batch]
    coordinator: User
    expert: User
    colleague: User
    outsider: User
    other_study: Study
    other_coordinator: User
    other_expert: User

    @property
    def batch(self) -> Batch:
        return self.batches[0]

    def assignment(self, expert: User | None = None, number: int = 1) -> Assignment:
        return Assignment.objects.get(
            study=self.study,
            batch=self.batch,
            expert=expert or self.expert,
            question__number=number,
        )


def make_user(name: str, **fields: Any) -> User:
    return create_account(email=f"{name.lower()}@{uuid.uuid4().hex}.example", name=name, **fields)


def make_question(
    owner: QuestionSet, number: int, prior_ranks: Sequence[int], batch_number: int = 1
) -> Question:
    question = Question.objects.create(
        question_set=owner,
        file_id=str(number - 1),
        batch_number=batch_number,
        number=number,
        text=f"Which of these matters for number {number}? ",
        category="drug",
    )
    Resource.objects.create(
        question=question, position=0, name="Zinc ", link="https://x.example/?a=1"
    )
    Candidate.objects.bulk_create(
        Candidate(question=question, position=place, name=name, link="", prior_rank=rank)
        for place, (name, rank) in enumerate(zip(CANDIDATE_NAMES, prior_ranks, strict=False))
    )
    return question


def make_study(
    name: str,
    coordinator: User,
    *,
    questions: Sequence[int] = (3, 2),
    prior_ranks: Sequence[int] = (1, 2, 3, 4),
) -> tuple[Study, list[Batch]]:
    """A study with one batch for each number, of that many questions."""
    unique = f"{name} {uuid.uuid4().hex}"
    owner = QuestionSet.objects.create(name=unique, created_by=coordinator)
    study = Study.objects.create(name=unique, created_by=coordinator)
    StudyQuestions.objects.create(study=study, question_set=owner)
    Member.objects.create(study=study, user=coordinator, role=Member.Role.COORDINATOR)
    batches = []
    created = 0
    for number, size in enumerate(questions, start=1):
        batch = Batch.objects.create(study=study, number=number, name=f"Batch {number}")
        for _ in range(size):
            created += 1
            question = make_question(owner, created, prior_ranks, number)
            BatchQuestion.objects.create(batch=batch, question=question)
        batches.append(batch)
    return study, batches


def join_as_expert(
    study: Study, batches: list[Batch], expert: User, *, consent: bool = True
) -> User:
    member = Member.objects.create(study=study, user=expert, role=Member.Role.EXPERT)
    if consent:
        member.consent_version, member.consented_at = CONSENT_VERSION, member.joined_at
        member.save()
    assign_batches(study=study, expert=expert, batches=batches, actor=None)
    return expert


def make_cast() -> Cast:
    coordinator = make_user("Ada")
    return cast_of(coordinator, *make_study("Serendipity", coordinator))


def cast_of(coordinator: User, study: Study, batches: list[Batch]) -> Cast:
    other_coordinator = make_user("Otto")
    other_study, other_batches = make_study("Another", other_coordinator)
    return Cast(
        study=study,
        batches=batches,
        coordinator=coordinator,
        expert=join_as_expert(study, batches, make_user("Eve")),
        colleague=join_as_expert(study, batches, make_user("Cleo")),
        outsider=make_user("Oscar"),
        other_study=other_study,
        other_coordinator=other_coordinator,
        other_expert=join_as_expert(other_study, other_batches, make_user("Xenia")),
    )


def make_cast_of_kind(kind: str, files: Sequence[SourceFile]) -> Cast:
    coordinator = make_user("Ada")
    study = import_study(actor=coordinator, name=kind, sources=files, kind=kind).study
    return cast_of(coordinator, study, list(study.batches.all()))


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def prior_of(assignment: Assignment) -> Ranking:
    ranked: dict[int, list[str]] = {}
    for candidate in assignment.question.candidates.order_by("position"):
        ranked.setdefault(candidate.prior_rank, []).append(str(candidate.id))
    return [ranked[rank] for rank in sorted(ranked)]


def reversed_order(assignment: Assignment) -> Ranking:
    return prior_of(assignment)[::-1]


ANSWER_FIELDS = ("ranking", "confidence", "reasons", "comment", "unsure_reason")
OUTCOMES = {"agree": "confirmed", "submit": "changed", "not_sure": "not_sure"}


def answer_payload(assignment: Assignment, intent: str, **changes: Any) -> dict[str, Any]:
    """A ranking: agreeing repeats the prior, submitting reverses it."""
    ranking = reversed_order(assignment) if intent == "submit" else prior_of(assignment)
    return {
        "ranking": ranking,
        "confidence": None,
        "reasons": [],
        "comment": "",
        "unsure_reason": "too_close" if intent == "not_sure" else "",
        **changes,
    }


def response_body(assignment: Assignment, intent: str = "save", **changes: Any) -> dict[str, Any]:
    """The body of a write: intent is save, agree, submit, not_sure or skip."""
    answer = {name: changes.pop(name) for name in ANSWER_FIELDS if name in changes}
    return {
        "version": 0,
        "action": "submit" if intent in OUTCOMES else intent,
        "outcome": OUTCOMES.get(intent, ""),
        "payload": answer_payload(assignment, intent, **answer),
        "active_ms": 0,
        **changes,
    }


def activity_event(kind: str = "moved", **changes: Any) -> dict[str, Any]:
    return {
        "id": str(uuid.uuid4()),
        "kind": kind,
        "old": None,
        "new": [["a"]],
        "at": "2026-01-02T03:04:05.678Z",
        **changes,
    }


def activity_body(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"entries": list(entries), "interface": "rank-1", **changes}


def post_activity(client: Client, assignment: Assignment, activity: dict[str, Any]) -> Any:
    return client.post(
        f"/api/v1/assignments/{assignment.id}/activity", activity, content_type="application/json"
    )


def put_response(
    client: Client, assignment: Assignment, body: dict[str, Any], key: str | None = None
) -> Any:
    return client.put(
        f"/api/v1/assignments/{assignment.id}/response",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": key or str(uuid.uuid4())},
    )


def write_answer(assignment: Assignment, intent: str, **changes: Any) -> None:
    """The expert's next write, whatever the version is by now."""
    current = Response.objects.filter(assignment=assignment).first()
    version = current.version if current else 0
    body = response_body(assignment, intent, version=version, **changes)
    write = ResponseWrite(**{**body, "action": Action(body["action"])})
    write_response(actor=assignment.expert, assignment_id=assignment.id, write=write)
