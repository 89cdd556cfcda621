"""What accounts asks and tells this room, which it does not know."""

from typing import Any

from annotation.invitations import join_study
from annotation.models import StudyInvitation
from annotation.studies import memberships_of
from backend.accounts.models import Invitation, User
from backend.accounts.studies import Membership, StudyName


class StudiesDoor:
    def memberships_of(self, user: User) -> list[Membership]:
        return [Membership(study.id, study.name, roles) for study, roles in memberships_of(user)]

    def study_of(self, invitation: Invitation) -> StudyName | None:
        asked = StudyInvitation.objects.filter(invitation=invitation).select_related("study")
        found = asked.first()
        return StudyName(found.study.id, found.study.name) if found else None


def invitation_accepted(invitation: Invitation, user: User, **_: Any) -> None:
    join_study(invitation=invitation, user=user)
