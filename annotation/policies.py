"""Who may do what in a study. Everybody else is told that there is nothing here."""

import uuid

from annotation.models import Assignment, Batch, Member, Study
from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, Missing, NotAllowed

# The text that an expert agrees to has this version; a new text is asked for anew.
CONSENT_VERSION = "1"

NOTHING_HERE = "There is nothing here, or it is not yours to see."


class ConsentNeeded(NotAllowed):
    code = "consent_needed"


class StudyClosed(Conflict):
    code = "study_closed"


class StudyOpen(Conflict):
    code = "study_open"


class ConsentOutdated(DomainError):
    code = "consent_outdated"


def roles_in_study(user: User, study_id: uuid.UUID) -> set[str]:
    return set(Member.objects.filter(study=study_id, user=user).values_list("role", flat=True))


def coordinates(user: User, study_id: uuid.UUID) -> bool:
    return Member.Role.COORDINATOR in roles_in_study(user, study_id)


def may_import_studies(user: User) -> bool:
    """Administrators, and whoever coordinates a study already."""
    coordinates_any = Member.objects.filter(user=user, role=Member.Role.COORDINATOR)
    return user.is_administrator or coordinates_any.exists()


def get_coordinated_study_or_raise(user: User, study_id: uuid.UUID) -> Study:
    """Its experts know that the study exists, so they are refused; others find nothing."""
    roles = roles_in_study(user, study_id)
    if not roles:
        raise Missing(NOTHING_HERE)
    if Member.Role.COORDINATOR not in roles:
        raise NotAllowed("Only the coordinators of this study may do that.")
    return Study.objects.get(id=study_id)


def get_study_to_partition_or_raise(user: User | None, study_id: uuid.UUID) -> Study:
    """For its coordinators and administrators; the actor None is the command line."""
    if user is not None and not user.is_administrator:
        return get_coordinated_study_or_raise(user, study_id)
    found = Study.objects.filter(id=study_id).first()
    if found is None:
        raise Missing(NOTHING_HERE)
    return found


def get_expert_membership_or_raise(user: User, study_id: uuid.UUID) -> Member:
    """A coordinator who is not an expert is refused; who is neither finds nothing."""
    found = {member.role: member for member in Member.objects.filter(study=study_id, user=user)}
    if not found:
        raise Missing(NOTHING_HERE)
    if Member.Role.EXPERT not in found:
        raise NotAllowed("Only the experts of this study may do that.")
    return found[Member.Role.EXPERT]


def get_own_batch_or_raise(user: User, batch_id: uuid.UUID) -> Batch:
    """A batch in which she has something to answer."""
    assigned = Assignment.objects.filter(batch=batch_id, expert=user)
    batch = (
        Batch.objects.select_related("study__graph_version__graph")
        .filter(id=batch_id)
        .with_consent_of(user)
    )
    found = batch.filter(assignments__in=assigned).distinct().first()
    if found is None:
        raise Missing(NOTHING_HERE)
    check_consent(found.study_id, found.consent_version)
    return found


def get_own_assignment_or_raise(user: User, assignment_id: uuid.UUID) -> Assignment:
    """One question that is hers to answer, with its study and the graph that it pins."""
    found = (
        Assignment.objects.filter(id=assignment_id, expert=user)
        .select_related("question", "study__graph_version__graph")
        .with_consent()
        .first()
    )
    if found is None:
        raise Missing(NOTHING_HERE)
    check_consent(found.study_id, found.consent_version)
    return found


def check_consent(study_id: uuid.UUID, version: str | None) -> None:
    """The refusal names the study, so that a page can lead to its introduction."""
    if version != CONSENT_VERSION:
        sentence = "Read what this study records, and agree to it, before you answer."
        raise ConsentNeeded(sentence, data={"study": str(study_id)})


def check_open(study: Study) -> None:
    if study.status != Study.Status.OPEN:
        raise StudyClosed("This study is closed, so nothing in it can be changed.")


def check_closed(study: Study) -> None:
    """While its experts answer, none may find what the others said."""
    if study.status != Study.Status.CLOSED:
        raise StudyOpen(
            "This study is open, and its experts must not find the order of the others. "
            "Close it first."
        )
