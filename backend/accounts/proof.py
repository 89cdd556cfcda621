"""Proving that an address is its account's own, which only a mail to it does.

An account that an invitation's link made may be anybody's who saw the link, its inviter first.
"""

from allauth.account.models import EmailAddress
from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import Conflict


class PasswordReplaced(Conflict):
    code = "password_replaced"

    def __init__(self) -> None:
        super().__init__("The password was changed elsewhere. Sign in again, then change it.")


@transaction.atomic
def prove_address(*, actor: User) -> None:
    """She used a code or a link that was sent to her address.

    The first proof ends the password, and with it every session: a session holds only as long
    as the password that it began with. A later proof changes nothing.
    """
    held = User.objects.select_for_update()
    actor.refresh_from_db(fields=["password"], from_queryset=held)
    address = EmailAddress.objects.get(user=actor, email=actor.email)
    if address.verified:
        return
    address.verified = True
    address.save(update_fields=["verified"])
    actor.set_unusable_password()
    actor.save(update_fields=["password"])


def replace_password(*, actor: User, password: str) -> None:
    """Only the password that this request knew: one that was ended meanwhile is not revived."""
    known = actor.password
    actor.set_password(password)
    if not User.objects.filter(pk=actor.pk, password=known).update(password=actor.password):
        raise PasswordReplaced
