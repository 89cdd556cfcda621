"""One assignment of an expert and its response, locked for a write.

Every save reads these rows, so their SQL is compiled once.
"""

import uuid
from functools import lru_cache

from django.db.models import QuerySet

from annotation.eligibility import has_rule
from annotation.models import Assignment, Response
from annotation.policies import check_writable
from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Resource
from backend.common.errors import NotFound
from backend.common.prepared_queries import PreparedQuery, set_prefetched
from backend.studies.policies import NOT_FOUND_MESSAGE

CACHED_QUESTIONS = 512  # of about ten candidates each: some megabytes


def _lock_own(expert: uuid.UUID, assignment: uuid.UUID) -> QuerySet[Assignment]:
    own = Assignment.objects.of_expert(User(id=expert)).filter(id=assignment)
    rows = own.with_terms().with_item_fields().with_rule(has_rule())
    return rows.select_for_update(of=("self",))


_own_assignment = PreparedQuery(_lock_own, expert=uuid.uuid4(), assignment=uuid.uuid4())
_candidates = PreparedQuery(
    lambda question: Candidate.objects.filter(question=question), question=uuid.uuid4()
)
_response = PreparedQuery(
    lambda assignment: Response.objects.filter(assignment=assignment), assignment=uuid.uuid4()
)


def lock_own_assignment_or_raise(actor: User, assignment_id: uuid.UUID) -> Assignment:
    """Lock the assignment for this transaction, with its item without resources, which answers
    are checked against, and its open study.

    What was written before newer guidelines were published is accepted: the next question waits.
    """
    assignment = _own_assignment.fetch_one(expert=actor.pk, assignment=assignment_id)
    if assignment is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    assignment.expert = actor
    check_writable(assignment)
    set_prefetched(
        assignment.question, "candidates", _read_candidates(assignment.question_id), Candidate
    )
    set_prefetched(assignment.question, "resources", [], Resource)
    return assignment


@lru_cache(maxsize=CACHED_QUESTIONS)
def _read_candidates(question: uuid.UUID) -> tuple[Candidate, ...]:
    """Read once in a process: a stored question never changes, and each is saved many times."""
    return tuple(_candidates.fetch(question=question))


def lock_every_occasion(actor: User, assignment_id: uuid.UUID) -> None:
    """Lock all that the expert has of the assignment's question, in the order of ids, as whoever
    withdraws several assignments does: before the assignment itself is locked."""
    named = Assignment.objects.filter(id=assignment_id, expert=actor)
    own = Assignment.objects.filter(
        expert=actor, study__in=named.values("study"), question__in=named.values("question")
    )
    list(own.order_by("id").select_for_update(of=("self",)).values_list("id"))


def read_response(assignment: Assignment) -> Response | None:
    """In a statement after that of the lock: a join could return what was there before it."""
    response = _response.fetch_one(assignment=assignment.pk)
    if response is not None:
        response.assignment = assignment
    return response
