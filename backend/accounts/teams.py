"""Teams of researchers: made by their owner, who invites others by e-mail address."""

from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone

from backend.accounts import mail_delivery
from backend.accounts.email_verification import require_verified_email
from backend.accounts.models import Team, TeamInvitation, TeamMember, User
from backend.common.errors import Conflict, NotAllowed, NotFound


class AlreadyInTeam(Conflict):
    code = "already_in_team"

    def __init__(self) -> None:
        super().__init__("You are in a team already. Leave it before you join another.")


def find_team(user: User) -> Team | None:
    """The team that a user is in now."""
    member = TeamMember.objects.current().filter(user=user).select_related("team").first()
    return member.team if member else None


def get_team_or_raise(user: User) -> Team:
    team = find_team(user)
    if team is None:
        raise NotFound("You are in no team. Create one, or accept an invitation.")
    return team


def current_members(team: Team) -> QuerySet[TeamMember]:
    return TeamMember.objects.current().filter(team=team).select_related("user")


def invitations_of(user: User) -> QuerySet[TeamInvitation]:
    return TeamInvitation.objects.filter(email=user.email).select_related("team__owner")


def may_use_teams(actor: User) -> bool:
    return actor.is_active and (actor.is_researcher or actor.is_administrator)


def require_team_permission(actor: User) -> None:
    if not may_use_teams(actor):
        raise NotAllowed("Only researchers form teams. Ask an administrator for this role.")


@transaction.atomic
def create_team(*, actor: User, name: str) -> Team:
    """A team with the actor as its owner and only member. Raises AlreadyInTeam or Conflict."""
    require_team_permission(actor)
    _require_no_team(actor)
    if Team.objects.filter(name__iexact=name).exists():
        raise Conflict(f"A team '{name}' exists. Choose another name.", code="name_taken")
    team = Team.objects.create(name=name, owner=actor)
    TeamMember.objects.create(team=team, user=actor)
    return team


def _require_no_team(actor: User) -> None:
    """Lock the account, so that of two requests the second one sees the team of the first."""
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    if find_team(actor) is not None:
        raise AlreadyInTeam


def _get_owned_team_or_raise(actor: User) -> Team:
    team = get_team_or_raise(actor)
    if team.owner_id != actor.pk:
        raise NotAllowed("Only the owner of the team invites and removes members.")
    return team


@transaction.atomic
def invite_to_team(*, actor: User, email: str) -> TeamInvitation:
    """Invite an address; the result does not reveal whether it has an account. Safe to repeat."""
    team = _get_owned_team_or_raise(actor)
    invitation, created = TeamInvitation.objects.get_or_create(team=team, email=email)
    invited = User.objects.by_email(email)
    if created and invited is not None and may_use_teams(invited):
        message = invitation_message(team, invited)
        transaction.on_commit(lambda: mail_delivery.send_in_background(message))
    return invitation


def invitation_message(team: Team, invited: User) -> EmailMessage:
    context = {"team": team, "link": f"{settings.SITE_URL}/team"}
    body = render_to_string("accounts/team_invitation_message.txt", context)
    return EmailMessage(f"Invitation to the team {team.name}", body, to=[invited.email])


@transaction.atomic
def accept_team_invitation(*, actor: User, invitation_id: UUID) -> Team:
    """Raises NotFound, AlreadyInTeam, or a conflict while the address is not verified."""
    require_team_permission(actor)
    invitation = invitations_of(actor).filter(pk=invitation_id).first()
    if invitation is None:
        raise NotFound("This invitation does not exist, or was withdrawn.")
    require_verified_email(actor)
    _require_no_team(actor)
    TeamMember.objects.create(team=invitation.team, user=actor)
    invitation.delete()
    return invitation.team


def remove_team_invitation(*, actor: User, invitation_id: UUID) -> None:
    """Declined by the invited person, or withdrawn by the owner of the team."""
    invitation = TeamInvitation.objects.filter(pk=invitation_id).select_related("team").first()
    is_known = invitation is not None and (
        invitation.email == actor.email or invitation.team.owner_id == actor.pk
    )
    if invitation is None or not is_known:
        raise NotFound("This invitation does not exist, or was withdrawn.")
    invitation.delete()


@transaction.atomic
def end_membership(*, actor: User, user_id: UUID) -> None:
    """Leave a team, or remove a member as its owner. The owner leaves last."""
    team = get_team_or_raise(actor) if user_id == actor.pk else _get_owned_team_or_raise(actor)
    Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    members = current_members(team)
    if user_id == team.owner_id and members.count() > 1:
        raise Conflict("The owner leaves last. Remove the other members first.")
    if not members.filter(user=user_id).update(left_at=timezone.now()):
        raise NotFound("This person is not in your team.")
