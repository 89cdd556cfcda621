"""Who may do what with people."""

from allauth.account.models import EmailAddress

from backend.accounts.models import Invitation, User
from backend.common.errors import NotAllowed


class AddressUnproven(NotAllowed):
    code = "address_unproven"

    def __init__(self) -> None:
        super().__init__("Confirm your address first, on the page of your account.")


def may_administer_people(actor: User) -> bool:
    return actor.is_active and actor.is_administrator


def require_administrator(actor: User) -> None:
    if not may_administer_people(actor):
        raise NotAllowed("Only administrators may see and invite people to the site.")


def is_addressee(actor: User, invitation: Invitation) -> bool:
    return actor.email == invitation.email


def is_proven(user: User) -> bool:
    """A mail reached whoever uses this account, or the server's own operator made it."""
    addresses = EmailAddress.objects.filter(user=user, email=user.email, verified=True)
    return bool(addresses.exists())


def require_proven(actor: User) -> None:
    if not is_proven(actor):
        raise AddressUnproven


def may_take_up(user: User, invitation: Invitation, *, is_new: bool) -> bool:
    """Until her address is proven, an account holds study roles of one inviter and nothing else.

    That inviter saw the link and may be the one who uses the account: so it opens nothing that
    she could not have opened to herself.
    """
    if is_proven(user):
        return True
    if invitation.role in Invitation.SITE_ROLES:
        return False
    inviters = set(user.invitations.values_list("invited_by", flat=True))
    return is_new or inviters == {invitation.invited_by_id}
