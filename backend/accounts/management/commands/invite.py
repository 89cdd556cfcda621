import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from backend.accounts import invitation_email, invitations
from backend.accounts.models import Invitation, normalize_email
from backend.common.command_utils import NO_CHECKS


class Command(BaseCommand):
    help = "Create an invitation link for a researcher or an administrator, and print it."
    requires_system_checks = NO_CHECKS

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument(
            "--role", required=True, choices=sorted(map(str, Invitation.SITE_ROLES))
        )
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def handle(self, *args: Any, email: str, role: str, **options: Any) -> None:
        try:
            validate_email(normalize_email(email))
        except ValidationError as error:
            raise CommandError(f"{email!r} is not a valid e-mail address.") from error
        invitation, token = invitations.create_invitation(actor=None, email=email, role=role)
        self.stdout.write(
            self._to_json(invitation, token)
            if options["json"]
            else f"{invitation.email} can accept once, until {invitation.expires_at:%Y-%m-%d %H:%M}"
            f" UTC, at\n{invitation_email.invitation_link(token)}"
        )

    def _to_json(self, invitation: Invitation, token: str) -> str:
        return json.dumps(
            {
                "id": str(invitation.pk),
                "email": invitation.email,
                "role": invitation.role,
                "expires_at": invitation.expires_at.isoformat(),
                "link": invitation_email.invitation_link(token),
            }
        )
