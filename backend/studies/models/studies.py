"""Studies, their members and the invitations to them. What experts answer is in `annotation`."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, OuterRef, Q

from backend.accounts.models import Invitation
from backend.common.prepared_queries import PreparedQuery

MAX_TAG_LENGTH = 40


def default_study_kind() -> str:
    return settings.DEFAULT_STUDY_KIND


class StudyQuerySet(models.QuerySet["Study"]):
    def lock_for_share(self, study_id: uuid.UUID) -> "Study":
        """Read the study FOR SHARE: it cannot be closed before this transaction ends."""
        study = _shared.fetch_one(study=study_id)
        if study is None:
            raise Study.DoesNotExist
        return study

    def lock_for_expert(self, study_id: uuid.UUID, expert: uuid.UUID) -> "Study | None":
        """As `lock_for_share`; None unless the expert is in the study now."""
        return _shared_with_expert.fetch_one(study=study_id, expert=expert)


class Study(models.Model):
    """What a coordinator sets up for experts. `kind` names the study kind of its answers.

    Of a draft its experts see nothing; in a paused study they read; a frozen one never changes.
    description, contact and closes_on are for its experts to read; only `status` closes it.
    comparison_shown_at: of how others answered, to the first expert. It stays closed afterwards.
    hides_evidence: an arm hides evidence from some items, so that graphs shared with the study do
    not open to its experts on their own pages before it has ended.
    """

    class Status(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"
        FROZEN = "frozen"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=40, default=default_study_kind)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    is_demo = models.BooleanField(default=False)
    description = models.TextField(blank=True)
    contact = models.EmailField(blank=True)
    closes_on = models.DateField(null=True)
    comparison_shown_at = models.DateTimeField(null=True)
    hides_evidence = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = StudyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.name

    @property
    def has_ended(self) -> bool:
        """Its answers are final: results of them may be shown."""
        return self.status in ENDED_STATUSES


ENDED_STATUSES = (Study.Status.CLOSED, Study.Status.FROZEN)


class CurrentMemberManager(models.Manager["Member"]):
    def get_queryset(self) -> models.QuerySet["Member"]:
        return super().get_queryset().filter(left_at=None)


class Member(models.Model):
    """A person's role in a study; one person may have both roles. Consent belongs to experts.

    guidelines_number: of the newest guidelines that the expert has read, 0 before the first. tags:
    the expert's fields of expertise. Whoever withdrew or was removed (left_by: by whom) is no
    member any more, and `objects` leaves them out; answers_withdrawn: and their answers with them.
    returns: how often the person left and came back.
    """

    class Role(models.TextChoices):
        EXPERT = "expert"
        COORDINATOR = "coordinator"

    study = models.ForeignKey(Study, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)
    consent_version = models.CharField(max_length=20, blank=True)
    consented_at = models.DateTimeField(null=True)
    joined_at = models.DateTimeField(auto_now_add=True)
    reminded_at = models.DateTimeField(null=True)
    guidelines_number = models.PositiveIntegerField(default=0)
    tags = ArrayField(models.CharField(max_length=MAX_TAG_LENGTH), default=list, blank=True)
    left_at = models.DateTimeField(null=True)
    left_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    answers_withdrawn = models.BooleanField(default=False)
    returns = models.PositiveSmallIntegerField(default=0)

    objects = CurrentMemberManager()
    everyone = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user", "role"], name="member_once_per_role"),
            models.CheckConstraint(
                condition=Q(consented_at=None, consent_version="")
                | Q(consented_at__isnull=False) & ~Q(consent_version=""),
                name="member_consent_has_a_version",
            ),
        ]


def _with_expert(study: uuid.UUID, expert: uuid.UUID) -> models.QuerySet[Study]:
    joined = Member.objects.filter(study=OuterRef("pk"), user=expert, role=Member.Role.EXPERT)
    return Study.objects.filter(Exists(joined), pk=study)


FOR_SHARE = "FOR SHARE OF studies_study"
_shared = PreparedQuery(
    lambda study: Study.objects.filter(pk=study), lock=FOR_SHARE, study=uuid.uuid4()
)
_shared_with_expert = PreparedQuery(
    _with_expert, lock=FOR_SHARE, study=uuid.uuid4(), expert=uuid.uuid4()
)


class StudyInvitation(models.Model):
    """An invitation to become a member of a study, in the role that the invitation names.

    message: the inviter's own words in the e-mail. tags: those that the expert gets.
    """

    invitation = models.OneToOneField(Invitation, models.CASCADE, related_name="for_study")
    study = models.ForeignKey(Study, models.CASCADE, related_name="invitations")
    message = models.TextField(blank=True)
    tags = ArrayField(models.CharField(max_length=MAX_TAG_LENGTH), default=list, blank=True)
