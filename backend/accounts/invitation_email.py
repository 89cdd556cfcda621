from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

from backend.accounts import mail_delivery
from backend.accounts.email_verification import derive_mailed_token
from backend.accounts.models import Invitation

ROLE_LABELS = {
    Invitation.Role.EXPERT: "an expert",
    Invitation.Role.COORDINATOR: "a coordinator",
    Invitation.Role.RESEARCHER: "a researcher",
    Invitation.Role.ADMINISTRATOR: "an administrator",
}


def invitation_link(token: str) -> str:
    """The token is in the fragment, which browsers do not send to servers."""
    return f"{settings.SITE_URL}/invite#{token}"


def compose_invitation(
    invitation: Invitation, token: str, *, study_name: str = "", work: str = "", message: str = ""
) -> EmailMessage:
    """work: of an expert, in words. message: the inviter's own words.

    The token is the one that the inviter sees. The e-mail contains the derived token, which
    verifies the address.
    """
    context = {
        "invitation": invitation,
        "role": ROLE_LABELS[Invitation.Role(invitation.role)],
        "study_name": study_name,
        "work": work,
        "message": message,
        "link": invitation_link(derive_mailed_token(token)),
        "site": settings.SITE_URL,
    }
    subject = render_to_string("accounts/invitation_subject.txt", context).strip()
    body = render_to_string("accounts/invitation_message.txt", context)
    return EmailMessage(subject, body, to=[invitation.email])


def send_invitation(invitation: Invitation, token: str, *, study_name: str = "") -> bool:
    """Send the e-mail after the transaction; return whether it was accepted for delivery."""
    return mail_delivery.send(compose_invitation(invitation, token, study_name=study_name))
