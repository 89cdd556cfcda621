"""Who may do what in a study. People without a part in it get 404 for everything."""

import uuid
from collections.abc import Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.accounts.models import User
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.common.prepared_queries import PreparedQuery
from backend.studies.models import (
    ENDED_STATUSES,
    GuidelineVersion,
    Member,
    Study,
    archive_of,
)

# The version of the text that an expert agrees to; a new version must be agreed to again.
CONSENT_VERSION = "1"

NOT_FOUND_MESSAGE = "This does not exist, or you may not see it."


def roles_in_study(user: User, study_id: uuid.UUID) -> set[str]:
    return set(Member.objects.filter(study=study_id, user=user).values_list("role", flat=True))


def is_coordinator(user: User, study_id: uuid.UUID) -> bool:
    return Member.Role.COORDINATOR in roles_in_study(user, study_id)


def is_any_coordinator(user: User) -> bool:
    """In a study, or by the role of the site, which is for the first study."""
    members = Member.objects.filter(user=user, role=Member.Role.COORDINATOR)
    return user.is_coordinator or members.exists()


def joined_studies(user: User) -> QuerySet[Study]:
    return Study.objects.filter(id__in=Member.objects.filter(user=user).values("study"))


def coordinated_studies(user: User) -> QuerySet[Study]:
    members = Member.objects.filter(user=user, role=Member.Role.COORDINATOR)
    return Study.objects.filter(id__in=members.values("study"))


def opens_its_graphs(user: User) -> Q:
    """Studies whose graphs the member may read on the graphs' own pages: not those that still hide
    evidence from the user, who could look it up there."""
    coordinated = coordinated_studies(user).values("id")
    has_ended = Q(status__in=ENDED_STATUSES)
    return Q(hides_evidence=False) | has_ended | Q(id__in=coordinated)


def may_import_studies(user: User) -> bool:
    """Administrators and coordinators."""
    return user.is_administrator or is_any_coordinator(user)


def get_coordinated_study_or_raise(user: User, study_id: uuid.UUID) -> Study:
    """Raise NotAllowed for the study's experts, who know it, and NotFound for everybody else."""
    roles = roles_in_study(user, study_id)
    if not roles:
        raise NotFound(NOT_FOUND_MESSAGE)
    if Member.Role.COORDINATOR not in roles:
        raise NotAllowed("Only coordinators of this study can do this.")
    return Study.objects.get(id=study_id)


def get_administered_study_or_raise(user: User | None, study_id: uuid.UUID) -> Study:
    """For coordinators and administrators; the user None is the command line."""
    if user is not None and not user.is_administrator:
        return get_coordinated_study_or_raise(user, study_id)
    study = Study.objects.filter(id=study_id).first()
    if study is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    return study


_members = PreparedQuery(
    lambda study, user: Member.objects.filter(study=study, user=user),
    study=uuid.uuid4(),
    user=uuid.uuid4(),
)


def get_expert_membership_or_raise(user: User, study_id: uuid.UUID) -> Member:
    """Raise NotAllowed for coordinators who are no experts, and NotFound for everybody else."""
    members = {member.role: member for member in _members.fetch(study=study_id, user=user.pk)}
    if not members:
        raise NotFound(NOT_FOUND_MESSAGE)
    if Member.Role.EXPERT not in members:
        raise NotAllowed("Only experts of this study can do this.")
    return members[Member.Role.EXPERT]


def up_to_date_members() -> QuerySet[Member]:
    """Those who agreed to the consent text of today and read the guidelines that must be read; in
    studies that have ended, those who ever agreed, since there is no next question."""
    unread = GuidelineVersion.objects.filter(
        study=OuterRef("study"), must_be_read=True, number__gt=OuterRef("guidelines_number")
    )
    is_current = Q(~Exists(unread), consent_version=CONSENT_VERSION)
    has_ended = Q(study__status__in=ENDED_STATUSES)
    return Member.objects.filter(is_current | has_ended).exclude(consent_version="")


_up_to_date = PreparedQuery(
    lambda study, user: up_to_date_members().filter(
        study=study, user=user, role=Member.Role.EXPERT
    ),
    study=uuid.uuid4(),
    user=uuid.uuid4(),
)


def check_up_to_date_expert(user: User, study_id: uuid.UUID) -> None:
    """Before an expert gets a question."""
    if _up_to_date.fetch_one(study=study_id, user=user.pk) is None:
        get_expert_membership_or_raise(user, study_id)
        check_consent(study_id, None)


def check_consent(study_id: uuid.UUID, is_given: object) -> None:
    """The problem's `study` lets a page open the introduction of the right study."""
    if not is_given:
        raise NotAllowed(
            "Read this study's introduction and accept it before the next question.",
            code="consent_needed",
            data={"study": str(study_id)},
        )


# The code of each state's refusal is `study_<state>`.
REFUSALS: Mapping[str, str] = {
    Study.Status.DRAFT: "This study has not been opened yet. Wait until its coordinator opens it.",
    Study.Status.PAUSED: "This study is paused. Answers are accepted again once it is open.",
    Study.Status.CLOSED: "This study is closed, so it can no longer be changed.",
    Study.Status.FROZEN: "This study is frozen, so it can never be changed again.",
}


def check_open(study: Study) -> None:
    """Before anything is answered or taken from a pool."""
    _refuse_unless(study, study.status == Study.Status.OPEN)


def check_changeable(study: Study) -> None:
    """Before its coordinators change questions, people or evidence."""
    _refuse_unless(study, not study.has_ended)


def check_shown_to_experts(study: Study) -> None:
    _refuse_unless(study, study.status != Study.Status.DRAFT)


def check_not_frozen(study: Study) -> None:
    _refuse_unless(study, study.status != Study.Status.FROZEN)


def lock_unfrozen(study_id: uuid.UUID) -> Study:
    """Read the study FOR SHARE, before something is written that its release would have."""
    study = Study.objects.lock_for_share(study_id)
    check_not_frozen(study)
    return study


def _refuse_unless(study: Study, is_allowed: bool) -> None:
    if not is_allowed:
        raise Conflict(REFUSALS[study.status], code=f"study_{study.status}")


def can_reopen(study: Study) -> bool:
    return archive_of(study) is None and study.comparison_shown_at is None


def check_can_reopen(study: Study) -> None:
    """Experts who know how the others answered would no longer answer on their own. The answers of
    an archive are those of its file."""
    if archive_of(study) is not None:
        sentence = (
            "This study was imported with its answers, so it stays closed. Start a new study."
        )
        raise Conflict(sentence, code="archive")
    if study.comparison_shown_at is not None:
        raise Conflict(
            "Experts have seen how others answered, so this study stays closed. Start a new study.",
            code="comparison_shown",
        )


def check_closed(study: Study) -> None:
    """Before the study has ended, its experts must not see a result of the others' answers."""
    if not study.has_ended:
        raise Conflict("This study is still open. Close it first.", code="study_open")
