"""What accounts asks and tells this room, which it does not know."""

from typing import Any

from django.db.models import QuerySet

from annotation.invitations import join_study
from annotation.models import Member, Study, StudyInvitation
from annotation.studies import memberships_of
from backend.accounts.models import Invitation, User
from backend.accounts.studies import Membership, StudyName
from backend.benchmarks.models import QuestionSet


class StudiesDoor:
    def memberships_of(self, user: User) -> list[Membership]:
        return [Membership(study.id, study.name, roles) for study, roles in memberships_of(user)]

    def study_of(self, invitation: Invitation) -> StudyName | None:
        asked = StudyInvitation.objects.filter(invitation=invitation).select_related("study")
        found = asked.first()
        return StudyName(found.study.id, found.study.name) if found else None


class QuestionSetsDoor:
    def open_sets(self) -> QuerySet[QuestionSet]:
        return QuestionSet.objects.filter(studies__status=Study.Status.OPEN)

    def coordinated_sets(self, user: User) -> QuerySet[QuestionSet]:
        hers = Member.objects.filter(user=user, role=Member.Role.COORDINATOR)
        return QuestionSet.objects.filter(studies__members__in=hers)


def invitation_accepted(invitation: Invitation, user: User, **_: Any) -> None:
    join_study(invitation=invitation, user=user)
