"""People and the invitations that bring them here. Nobody signs up unasked."""

import uuid
from typing import ClassVar, Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


def normal_email(email: str) -> str:
    """One spelling of an address: no surrounding space, lower case."""
    return email.strip().lower()


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        user = self.model(email=normal_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def by_email(self, email: str) -> "User | None":
        return self.filter(email=normal_email(email)).first()

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=normal_email(username or ""))


class User(AbstractBaseUser):
    """A person. Researcher and administrator are roles of the site; expert and coordinator
    belong to a study (annotation.Member). Roles combine."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    is_researcher = models.BooleanField(default=False)
    is_administrator = models.BooleanField(default=False)
    # A simulated person of the demo; shown as such wherever a name is shown.
    is_simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # One more ends every session there is, whatever becomes of the password.
    session_epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar[UserManager] = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")), name="user_email_lower_case"
            )
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def get_session_auth_hash(self) -> str:
        """What a session must have been made with to be still alive."""
        of_password = super().get_session_auth_hash()
        return f"{of_password}.{self.session_epoch}" if self.session_epoch else of_password


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def with_token_hash(self, token_hash: str) -> Self:
        return self.filter(models.Q(token_hash=token_hash) | models.Q(mailed_hash=token_hash))

    def pending(self) -> Self:
        return self.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())

    def to_site(self) -> Self:
        return self.filter(role__in=Invitation.SITE_ROLES)


class Invitation(models.Model):
    """A single-use link: one token that its inviter sees, one that is in the mail alone, which
    proves the address. Only hashes of them are kept."""

    class Role(models.TextChoices):
        EXPERT = "expert"
        COORDINATOR = "coordinator"
        RESEARCHER = "researcher"
        ADMINISTRATOR = "administrator"

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        REVOKED = "revoked"
        EXPIRED = "expired"

    SITE_ROLES = frozenset({Role.RESEARCHER, Role.ADMINISTRATOR})

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=16, choices=Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    mailed_hash = models.CharField(max_length=64, unique=True, null=True)
    invited_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="invitations_sent")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="invitations")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(accepted_at=None) | models.Q(revoked_at=None),
                name="invitation_accepted_or_revoked",
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None, accepted_by=None)
                | models.Q(accepted_at__isnull=False, accepted_by__isnull=False),
                name="invitation_accepted_by_somebody",
            ),
        ]

    @property
    def inviter_name(self) -> str | None:
        return self.invited_by.name if self.invited_by else None

    @property
    def state(self) -> "Invitation.State":
        if self.accepted_at:
            return self.State.ACCEPTED
        if self.revoked_at:
            return self.State.REVOKED
        return self.State.OPEN if self.expires_at > timezone.now() else self.State.EXPIRED
