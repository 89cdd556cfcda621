"""The mail that carries an invitation."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

from backend.accounts.models import Invitation
from backend.accounts.proof import mailed_token
from backend.common import post

ROLES = {
    Invitation.Role.EXPERT: "an expert",
    Invitation.Role.COORDINATOR: "a coordinator",
    Invitation.Role.RESEARCHER: "a researcher",
    Invitation.Role.ADMINISTRATOR: "an administrator",
}


def link_to(token: str) -> str:
    """The token is in the fragment, which browsers send to no server and no log keeps."""
    return f"{settings.SITE_URL}/invite#{token}"


def send_invitation(invitation: Invitation, token: str, *, study_name: str = "") -> bool:
    """Whether it was sent. Called after the transaction, with the token that the inviter sees: the
    link in the mail is another one, which proves the address."""
    context = {
        "invitation": invitation,
        "role": ROLES[Invitation.Role(invitation.role)],
        "study_name": study_name,
        "link": link_to(mailed_token(token)),
        "site": settings.SITE_URL,
    }
    subject = render_to_string("accounts/invitation_subject.txt", context).strip()
    body = render_to_string("accounts/invitation_message.txt", context)
    return post.send(EmailMessage(subject, body, to=[invitation.email]))
