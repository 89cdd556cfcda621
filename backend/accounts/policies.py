from backend.accounts.models import Invitation, User
from backend.common.errors import NotAllowed


def may_administer_people(actor: User) -> bool:
    return actor.is_active and actor.is_administrator


def require_administrator(actor: User) -> None:
    if not may_administer_people(actor):
        raise NotAllowed("Only an administrator can see, invite and change accounts.")


def may_sign_in_by_link(user: User) -> bool:
    """Links stay in mailboxes for days: accounts that change other accounts sign in themselves."""
    return user.is_active and not user.is_administrator


def may_sign_in_by_provider(user: User) -> bool:
    return user.is_active


def is_addressee(actor: User, invitation: Invitation) -> bool:
    return actor.email == invitation.email


def is_from_same_inviter(user: User, invitation: Invitation) -> bool:
    """Whether the invitation is to a study, by the only inviter that this account ever had.

    That inviter could use the account already, so accepting needs no verified address.
    """
    inviters = set(user.invitations.values_list("invited_by", flat=True))
    return invitation.role not in Invitation.SITE_ROLES and inviters == {invitation.invited_by_id}
