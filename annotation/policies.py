"""Who may see and answer an assignment. People without a part in the study get 404."""

import uuid

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Action, Assignment, Batch, ReopenedAdjudication, Response
from backend.accounts.models import User
from backend.common.errors import Conflict, NotFound
from backend.common.prepared_queries import PreparedQuery
from backend.studies.models import Member, Study
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    check_consent,
    check_open,
    check_shown_to_experts,
    is_coordinator,
    lock_unfrozen,
)


def _find_own_batch(expert: uuid.UUID, batch: uuid.UUID) -> QuerySet[Batch]:
    user = User(id=expert)
    assigned = Assignment.objects.of_expert(user).for_experts().filter(batch=OuterRef("pk"))
    joined = Member.objects.filter(user=user, role=Member.Role.EXPERT, study=OuterRef("study"))
    is_pooled = Q(Exists(joined), study__design__overlap__isnull=False)
    return (
        Batch.objects.select_related("study__graph_link__version__graph")
        .filter(Q(Exists(assigned)) | is_pooled, id=batch)
        .with_consent_of(user)
        .with_guidelines()
    )


_own_batch = PreparedQuery(_find_own_batch, expert=uuid.uuid4(), batch=uuid.uuid4())


def get_own_batch_or_raise(user: User, batch_id: uuid.UUID) -> Batch:
    """A batch in which the user has an assignment, or of a pool of whose experts the user is."""
    batch = _own_batch.fetch_one(expert=user.pk, batch=batch_id)
    if batch is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    check_shown_to_experts(batch.study)
    check_consent(batch.study_id, batch.consent_version)
    return batch


def get_own_assignment_or_raise(user: User, assignment_id: uuid.UUID) -> Assignment:
    """One of the user's own assignments, with its study and the graph that the study pins."""
    assignment = (
        Assignment.objects.of_expert(user)
        .filter(id=assignment_id)
        .select_related("question", "study__graph_link__version__graph")
        .with_consent()
        .first()
    )
    if assignment is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    check_access(assignment)
    return assignment


def check_access(assignment: Assignment) -> None:
    """Experts need their consent, and what is withdrawn is gone; adjudicators coordinate the study,
    and nobody took their place.

    The assignment was loaded `with_consent`, as one of the user's own.
    """
    if assignment.purpose != Assignment.Purpose.ADJUDICATION:
        if assignment.state == Assignment.State.WITHDRAWN:
            raise NotFound(NOT_FOUND_MESSAGE)
        check_shown_to_experts(assignment.study)
        check_consent(assignment.study_id, assignment.consent_version)
    elif not is_coordinator(assignment.expert, assignment.study_id):
        raise NotFound(NOT_FOUND_MESSAGE)
    elif assignment.state != Assignment.State.ACTIVE:
        raise Conflict("This adjudication was released. Take it again.", code="released")


def check_writable(assignment: Assignment) -> None:
    """As `check_access`; and experts answer open studies, which they have not left while the lock
    of the assignment was waited for. Adjudication goes on in closed studies."""
    check_access(assignment)
    if assignment.purpose == Assignment.Purpose.ADJUDICATION:
        lock_unfrozen(assignment.study_id)
        return
    study = Study.objects.lock_for_expert(assignment.study_id, assignment.expert_id)
    if study is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    check_open(study)


def check_adjudication(response: Response, action: str) -> None:
    """The blind answer stands, unless its adjudicator wrote why it is revised; and that once."""
    if response.assignment.purpose != Assignment.Purpose.ADJUDICATION:
        return
    if action == Action.SKIP:
        sentence = "An adjudication is not skipped. Leave the page: the question stays open."
        raise Conflict(sentence, code="not_skipped")
    reopened = ReopenedAdjudication.objects.filter(assignment=response.assignment).count()
    if response.submitted_number > reopened:
        raise Conflict("This adjudication is submitted, so it stays.", code="adjudicated")


def check_sees_answers(user: User, study: Study) -> None:
    """Who has not submitted a blind adjudication exports no answers of others."""
    if Assignment.objects.blind().filter(study=study, expert=user).exists():
        raise Conflict(
            "You adjudicate questions blind. Submit or release them before you export answers.",
            code="adjudication_open",
        )
