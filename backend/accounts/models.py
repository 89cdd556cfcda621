"""Accounts and invitations. Accounts are created by invitation only."""

import uuid
from typing import Any, ClassVar, Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from backend.common.errors import DomainError
from backend.common.prepared_queries import PreparedQuery
from backend.validation.faults import printable


def normalize_email(email: str) -> str:
    """Lower case, without surrounding space."""
    return email.strip().lower()


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        user = self.model(email=normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def by_email_or_raise(self, email: str) -> "User":
        user = self.by_email(email)
        if user is None:
            message = f"No account has the address {printable(email, 120)}."
            raise DomainError(message, code="unknown_owner")
        return user

    def by_email(self, email: str) -> "User | None":
        return self.filter(email=normalize_email(email)).first()

    def get(self, *args: Any, **conditions: Any) -> "User":
        """Every request reads its account by its key alone."""
        key = conditions.get("pk")
        is_of_all = type(self) is UserManager  # a related manager has conditions of its own
        if not is_of_all or args or len(conditions) != 1 or not isinstance(key, uuid.UUID):
            return super().get(*args, **conditions)
        user = _account.fetch_one(key=key)
        if user is None:
            raise User.DoesNotExist
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=normalize_email(username or ""))


class User(AbstractBaseUser):
    """An account. Researcher and administrator are roles of the site; expert and coordinator are
    roles in a study. A user can have several roles. is_coordinator: may import studies, whose
    coordinator they become, without a role in any study yet."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    is_researcher = models.BooleanField(default=False)
    is_administrator = models.BooleanField(default=False)
    is_coordinator = models.BooleanField(default=False)
    # A simulated expert of the demo, marked as such wherever the name is shown.
    is_simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # A message when a submission is scored or has failed.
    mails_results = models.BooleanField(default=True)
    # Incremented to end all sessions, independently of the password.
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
        """Sessions with another hash have ended."""
        of_password = super().get_session_auth_hash()
        return f"{of_password}.{self.session_epoch}" if self.session_epoch else of_password


_account = PreparedQuery(lambda key: User.objects.filter(pk=key), key=uuid.uuid4())


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def with_token_hash(self, token_hash: str) -> Self:
        return self.filter(models.Q(token_hash=token_hash) | models.Q(mailed_hash=token_hash))

    def pending(self) -> Self:
        return self.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())

    def to_site(self) -> Self:
        return self.filter(role__in=Invitation.SITE_ROLES)


class Invitation(models.Model):
    """A single-use link with two tokens: one that the inviter sees, and one in the e-mail alone,
    which verifies the address. Only their hashes are stored."""

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


class SignInLink(models.Model):
    """A mailed link that signs its user in once and opens a page. Only its hash is stored.

    session_hash: of the sessions that were valid when it was made; a new password ends the link.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_in_links")
    token_hash = models.CharField(max_length=64, unique=True)
    session_hash = models.CharField(max_length=64)
    path = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def usable(self) -> Self:
        return self.filter(revoked_at=None, expires_at__gt=timezone.now(), user__is_active=True)


class ApiToken(models.Model):
    """Lets a program act for its owner. Only the hash is stored; `prefix` identifies it in lists.

    A token with scope `read` reads and checks files; one with scope `submit` also submits and
    withdraws.
    """

    class Scope(models.TextChoices):
        READ = "read"
        SUBMIT = "submit"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=120)
    scope = models.CharField(max_length=6, choices=Scope.choices)
    prefix = models.CharField(max_length=12)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]


class Team(models.Model):
    """Researchers who submit together. A model can belong to a team; its queries count as one's."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120, unique=True)
    owner = models.ForeignKey(User, models.PROTECT, related_name="owned_teams")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class TeamMemberQuerySet(models.QuerySet["TeamMember"]):
    def current(self) -> Self:
        return self.filter(left_at=None)


class TeamMember(models.Model):
    """A time that somebody is in a team. Ended ones stay, because their queries still count."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    user = models.ForeignKey(User, models.PROTECT, related_name="team_memberships")
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True)

    objects = TeamMemberQuerySet.as_manager()

    class Meta:
        ordering = ["joined_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(left_at=None), name="one_team_at_a_time"
            )
        ]


class TeamInvitation(models.Model):
    """Whoever has an account with this address may join. Deleted once it is answered."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(fields=["team", "email"], name="invited_once_to_a_team")
        ]
