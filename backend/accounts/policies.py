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
