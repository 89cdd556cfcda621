"""Who may do what with people."""

from backend.accounts.models import Invitation, User
from backend.common.errors import NotAllowed


def may_administer_people(actor: User) -> bool:
    return actor.is_active and actor.is_administrator


def require_administrator(actor: User) -> None:
    if not may_administer_people(actor):
        raise NotAllowed("Only administrators may see, invite and change the people of the site.")


def is_addressee(actor: User, invitation: Invitation) -> bool:
    return actor.email == invitation.email


def is_more_of_the_same(user: User, invitation: Invitation) -> bool:
    """A study of the one inviter whom the account has all from: whoever saw this link could
    invite herself to it as well, so it needs no proof of the address."""
    inviters = set(user.invitations.values_list("invited_by", flat=True))
    return invitation.role not in Invitation.SITE_ROLES and inviters == {invitation.invited_by_id}
