"""The people of a study, and what they write. The outsider is always tried.

Ada coordinates the study, Eve and Cleo are its experts and colleagues, Otto coordinates another
study with an expert of its own, and Oscar has an account and no part in anything.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.test import Client

from annotation.answers import Order, Sent
from annotation.assignments import assign_batches
from annotation.models import Action, Assignment, Batch, BatchQuestion, Member, Study
from annotation.policies import CONSENT_VERSION
from annotation.responses import write_response
from backend.accounts.models import User
from backend.accounts.services import create_account
from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource

# Names that parsers stumble over: a quote, a dot, brackets, commas, a trailing space.
NAMES = (
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


def make_question(owner: QuestionSet, number: int, prior_ranks: Sequence[int]) -> Question:
    question = Question.objects.create(
        question_set=owner,
        file_id=str(number - 1),
        number=number,
        text=f"Which of these matters for number {number}? ",
        category="drug",
    )
    Resource.objects.create(
        question=question, position=0, name="Zinc ", link="https://x.example/?a=1"
    )
    Candidate.objects.bulk_create(
        Candidate(question=question, position=place, name=name, link="", prior_rank=rank)
        for place, (name, rank) in enumerate(zip(NAMES, prior_ranks, strict=False))
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
    owner = QuestionSet.objects.create(name=unique)
    study = Study.objects.create(name=unique, question_set=owner, created_by=coordinator)
    Member.objects.create(study=study, user=coordinator, role=Member.Role.COORDINATOR)
    batches = []
    made = 0
    for number, size in enumerate(questions, start=1):
        batch = Batch.objects.create(study=study, number=number, name=f"Batch {number}")
        for _ in range(size):
            made += 1
            BatchQuestion.objects.create(
                batch=batch, question=make_question(owner, made, prior_ranks)
            )
        batches.append(batch)
    return study, batches


def join(study: Study, batches: list[Batch], expert: User, *, consent: bool = True) -> User:
    member = Member.objects.create(study=study, user=expert, role=Member.Role.EXPERT)
    if consent:
        member.consent_version, member.consented_at = CONSENT_VERSION, member.joined_at
        member.save()
    assign_batches(study=study, expert=expert, batches=batches, actor=None)
    return expert


def make_cast() -> Cast:
    coordinator, other_coordinator = make_user("Ada"), make_user("Otto")
    study, batches = make_study("Serendipity", coordinator)
    other_study, other_batches = make_study("Another", other_coordinator)
    return Cast(
        study=study,
        batches=batches,
        coordinator=coordinator,
        expert=join(study, batches, make_user("Eve")),
        colleague=join(study, batches, make_user("Cleo")),
        outsider=make_user("Oscar"),
        other_study=other_study,
        other_coordinator=other_coordinator,
        other_expert=join(other_study, other_batches, make_user("Xenia")),
    )


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def prior_of(assignment: Assignment) -> Order:
    ranked: dict[int, list[str]] = {}
    for candidate in assignment.question.candidates.order_by("position"):
        ranked.setdefault(candidate.prior_rank, []).append(str(candidate.id))
    return [ranked[rank] for rank in sorted(ranked)]


def reversed_order(assignment: Assignment) -> Order:
    return prior_of(assignment)[::-1]


def body_of(assignment: Assignment, action: str = "save", **changes: Any) -> dict[str, Any]:
    """What the page sends first; agreeing repeats the prior, submitting turns it round."""
    ranking = reversed_order(assignment) if action == "submit" else prior_of(assignment)
    return {
        "version": 0,
        "action": action,
        "ranking": ranking,
        "confidence": None,
        "reasons": [],
        "comment": "",
        "unsure_reason": "too_close" if action == "not_sure" else "",
        "active_ms": 0,
        "events": [],
        "interface": "rank-1",
        **changes,
    }


def event(kind: str = "moved", **changes: Any) -> dict[str, Any]:
    return {
        "id": str(uuid.uuid4()),
        "kind": kind,
        "old": None,
        "new": [["a"]],
        "at": "2026-01-02T03:04:05.678Z",
        **changes,
    }


def look_of(**changes: Any) -> dict[str, Any]:
    """What the page tells of a question that she only looked at."""
    return {"active_ms": 0, "events": [], "interface": "rank-1", **changes}


def post_look(
    client: Client, assignment: Assignment, look: dict[str, Any], key: str | None = None
) -> Any:
    return client.post(
        f"/api/v1/assignments/{assignment.id}/looks",
        look,
        content_type="application/json",
        headers={"Idempotency-Key": key or str(uuid.uuid4())},
    )


def put(
    client: Client, assignment: Assignment, body: dict[str, Any], key: str | None = None
) -> Any:
    return client.put(
        f"/api/v1/assignments/{assignment.id}/response",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": key or str(uuid.uuid4())},
    )


def answer(assignment: Assignment, action: Action, *, active_ms: int = 0, **changes: Any) -> None:
    """Her next write, whatever the version is by now."""
    current = getattr(
        Assignment.objects.select_related("response").get(id=assignment.id), "response", None
    )
    values: dict[str, Any] = {
        "version": current.version if current else 0,
        "action": action,
        "ranking": reversed_order(assignment) if action is Action.SUBMIT else prior_of(assignment),
        "unsure_reason": "too_close" if action is Action.NOT_SURE else "",
        "active_ms": active_ms,
        **changes,
    }
    write_response(actor=assignment.expert, assignment_id=assignment.id, sent=Sent(**values))
